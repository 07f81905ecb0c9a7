"""What the text says of values, of importance ratios, and of what the features can represent."""

from __future__ import annotations

from tdrc_theory.formula.expression import equal, symbols
from tdrc_theory.papers.claim import Role
from verify.paper.facts.argument import Argument
from verify.paper.facts.atoms import converges
from verify.paper.facts.fact import Fact
from verify.paper.facts.on_policy import DEFINITE_ON_POLICY, SUM_OF_SQUARES
from verify.paper.facts.properties import Plain
from verify.paper.facts.quantities import Compared, SecondReward
from verify.paper.facts.statement import If, everywhere, on

_gamma, _partial, _power = symbols("gamma u_1 v_1")
_SERIES = equal((1 - _gamma) * (_partial + _power) - (1 - _gamma * _power), (1 - _gamma) * _partial - (1 - _power))

FACTS = (
    Fact(
        id="background.value",
        title="the value of a state, gamma in [0, 1], interaction without end",
        source="Section 2, eq. 1",
        role=Role.DEFINITION,
        printed=everywhere(Plain("values"), problem="one-state"),
        corrected=Argument(
            "for gamma < 1 and bounded rewards the expected discounted sum of rewards exists",
            (_SERIES,),
            (
                ("with S_n = 1 + ... + gamma^(n-1) and p = gamma^n, by induction", "(1 - gamma) S_n = 1 - gamma^n"),
                ("gamma < 1 and rewards at most r in size", "the sum converges absolutely, to at most r / (1 - gamma)"),
                ("gamma = 1", "needs episodes that end"),
            ),
        ),
        erratum="R2",
        remark="with gamma = 1 episodes have to end, as they do on the paper's chains",
    ),
    Fact(
        id="background.td-on-policy",
        title="TD converges on-policy",
        source="Section 2, below eq. 2",
        role=Role.SUFFICIENT,
        printed=everywhere(If(Plain("on-policy"), converges("td")), problem="one-state"),
        corrected=Argument(
            "on-policy, with gamma < 1 and finitely many states, TD's expected update converges",
            (SUM_OF_SQUARES,),
            (
                *DEFINITE_ON_POLICY,
                ("C nonsingular", "A is positive definite, so every eigenvalue of A has positive real part"),
                ("C z = 0", "z^T x = 0 wherever d > 0, and so z^T x' = 0: A z = 0, z^T A = 0 and z^T b = 0"),
                ("C singular", "so w does not move off range(C), and A is positive definite on it"),
            ),
        ),
        erratum="R2",
        remark="with gamma = 1 episodes have to end",
    ),
    Fact(
        id="background.importance",
        title="E_b[rho X] = E_pi[X] for a random variable X",
        source="Appendix, reformulating the update",
        role=Role.IDENTITY,
        printed=everywhere(Compared(SecondReward("behaviour"), "=", SecondReward("target")), problem="delayed"),
        corrected=Argument(
            "for every X that depends on one step, its state given, E_b[rho X] = E_pi[X]",
            (),
            (
                ("b(a|s) rho = pi(a|s) wherever b(a|s) > 0", "and pi(a|s) = 0 elsewhere, by coverage"),
                (
                    "X of one step, s given: E_b[rho X] is the sum over a with b(a|s) > 0 of",
                    "b(a|s) rho E[X | s, a] = pi(a|s) E[X | s, a], and the actions left out add 0 to E_pi[X]",
                ),
            ),
        ),
        erratum="R3",
        remark="printed for every X of the trajectory, so for R_t+2; the paper uses it for one step only",
    ),
    Fact(
        id="background.boyan-exact",
        title="Boyan's features represent the value function",
        source="Section 4.1",
        role=Role.REMARK,
        printed=on("boyan", Plain("representable")),
        corrected=on("original-boyan", Plain("representable")),
        erratum="E12",
        remark="the text is right of Boyan's own chain, where the thirteenth state ends the episode; that all thirteen "
        "move on the chain that was run is inferred from the published tables",
    ),
)

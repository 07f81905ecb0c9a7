"""What the text says of values, of importance ratios, and of what the features can represent."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.claims.claim import Role
from tdrc_theory.exact import Matrix
from tdrc_theory.formula.expression import equal, symbols
from tdrc_theory.key_matrices import key_matrices
from tdrc_theory.problem import Problem
from tdrc_theory.problems import PROBLEMS, find_problem
from tdrc_theory.target_values import target_values
from verify.check import Proof
from verify.outcome import Outcome
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, proven, refuted, told
from verify.paper.facts.lemmas import DEFINITE_ON_POLICY, SUM_OF_SQUARES
from verify.paper.facts.small_problems import delayed, one_state, original_boyan
from verify.paper.judgement import Judgement


def _undiscounted() -> Judgement:
    problem = one_state()
    (only,) = problem.transitions
    grows = problem.gamma == 1 and only.s_next == only.s and only.reward > 0
    steps = [("the first n rewards, gamma = 1", f"sum to n times {only.reward}, without a limit")]
    return refuted(grows, "a problem", steps, as_witness(problem))


def _discounted() -> Judgement:
    gamma, partial, power = symbols("gamma u_1 v_1")
    lemma = equal((1 - gamma) * (partial + power) - (1 - gamma * power), (1 - gamma) * partial - (1 - power))
    steps = [
        ("with S_n = 1 + ... + gamma^(n-1) and p = gamma^n, by induction", "(1 - gamma) S_n = 1 - gamma^n"),
        ("gamma < 1 and rewards at most r in size", "the sum converges absolutely, to at most r / (1 - gamma)"),
        ("gamma = 1", "needs episodes that end"),
    ]
    return proven("a geometric series", [lemma], steps)


def _td_on_policy() -> Judgement:
    problem = one_state()
    shown = outcome(problem, "td").status is Outcome.NOT_CONVERGENT and problem.behaviour == problem.target
    key = key_matrices(problem)
    steps = [told(problem, "td"), ("A and b", f"{key.A[0, 0]} and {key.b[0, 0]}: w grows by alpha every step")]
    return refuted(shown, "a problem", steps, as_witness(problem))


def _td_on_policy_discounted() -> Judgement:
    steps = [
        *DEFINITE_ON_POLICY,
        ("C nonsingular", "A is positive definite, so every eigenvalue of A has positive real part"),
        ("C z = 0", "z^T x = 0 wherever d > 0, and so z^T x' = 0: A z = 0, z^T A = 0 and z^T b = 0"),
        ("C singular", "so w does not move off range(C), and A is positive definite on it"),
    ]
    return proven("a sum of squares", [SUM_OF_SQUARES], steps)


def _later_rewards() -> Judgement:
    problem = delayed()
    weighted, aimed = (_second_reward(problem, weighted) for weighted in (True, False))
    steps = [
        ("E_b[rho_t R_t+2] from the first state", str(weighted)),
        ("E_pi[R_t+2] from there", str(aimed)),
    ]
    return refuted(weighted != aimed, "a problem", steps, as_witness(problem))


def _second_reward(problem: Problem, weighted: bool) -> Fraction:
    """Return E_b[rho_t R_t+2] or E_pi[R_t+2] from the first state."""
    policy = problem.behaviour if weighted else problem.target
    total = Fraction(0)
    for s, a, middle, p, _ in problem.transitions:
        if s == 0:
            ratio = problem.rho(s, a) if weighted else Fraction(1)
            later = sum(
                (policy[middle][t.a] * t.probability * t.reward for t in problem.transitions if t.s == middle),
                Fraction(0),
            )
            total += policy[s][a] * ratio * p * later
    return total


def _one_step() -> Judgement:
    problems = [make() for _, make in PROBLEMS]
    exact = all(
        p.behaviour[s][a] * p.rho(s, a) == p.target[s][a]
        for p in problems
        for s in p.live_states
        for a in range(p.actions)
        if p.behaviour[s][a]
    )
    steps = [
        ("b(a|s) rho = pi(a|s) wherever b(a|s) > 0", "and pi(a|s) = 0 elsewhere, by coverage"),
        (
            "X of one step, s given: E_b[rho X] is the sum over a with b(a|s) > 0 of",
            "b(a|s) rho E[X | s, a] = pi(a|s) E[X | s, a], and the actions left out add 0 to E_pi[X]",
        ),
    ]
    return confirmed(exact, "the definition of rho", steps)


def _representable(problem: Problem) -> tuple[bool, list[tuple[str, str]]]:
    values = target_values(problem)
    assert values is not None, "episodes end"
    weights = Matrix(problem.features).solve(values)
    said = "no weights give it" if weights is None else f"w = ({', '.join(weights.column_texts())})"
    return weights is not None, [(f"v_pi of {problem.name}, {len(problem.live_states)} states that move", said)]


def _boyan() -> Judgement:
    exact, steps = _representable(find_problem("boyan"))
    return refuted(not exact, "a linear system", steps, as_witness("boyan"), Proof.SAMPLED)


def _boyan_itself() -> Judgement:
    exact, steps = _representable(original_boyan())
    return confirmed(exact, "a linear system", steps)


FACTS = (
    Fact(
        id="background.value",
        title="the value of a state, gamma in [0, 1], interaction without end",
        source="Section 2, eq. 1",
        role=Role.DEFINITION,
        printed="for every gamma in [0, 1] the expected discounted sum of rewards exists",
        examine=_undiscounted,
        corrected="for gamma < 1 and bounded rewards it does",
        confirm=_discounted,
        erratum="R2",
        remark="with gamma = 1 episodes have to end, as they do on the paper's chains",
    ),
    Fact(
        id="background.td-on-policy",
        title="TD converges on-policy",
        source="Section 2, below eq. 2",
        role=Role.SUFFICIENT,
        printed="on-policy, with linear features and any gamma in [0, 1], TD's expected update converges",
        examine=_td_on_policy,
        corrected="on-policy with gamma < 1 and finitely many states it does",
        confirm=_td_on_policy_discounted,
        erratum="R2",
        remark="with gamma = 1 episodes have to end",
    ),
    Fact(
        id="background.importance",
        title="E_b[rho X] = E_pi[X] for a random variable X",
        source="Appendix, reformulating the update",
        role=Role.IDENTITY,
        printed="for every X that depends on the trajectory E_b[rho_t X] = E_pi[X]",
        examine=_later_rewards,
        corrected="for every X that depends on one step, its state given, E_b[rho X] = E_pi[X]",
        confirm=_one_step,
        erratum="R3",
        remark="the paper uses it for one step only",
    ),
    Fact(
        id="background.boyan-exact",
        title="Boyan's features represent the value function",
        source="Section 4.1",
        role=Role.REMARK,
        printed="on the chain that reproduces the published tables, thirteen states that move, they do",
        examine=_boyan,
        corrected="on Boyan's own chain, where the thirteenth state ends the episode, it is",
        confirm=_boyan_itself,
        erratum="E12",
        remark="the text is right of Boyan's own chain; which chain was run is inferred from the tables",
    ),
)

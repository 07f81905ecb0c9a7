"""The noise bound of the convergence proof, and the conditions (i) to (v) on the paper's problems."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.formula.expression import equal, norm2, symbols
from tdrc_theory.papers.claim import Role
from verify.paper.facts.argument import Argument, lemma
from verify.paper.facts.atoms import Run
from verify.paper.facts.distributions import FiniteMoment, FiniteNoise, FiniteRatio, Geometric, Policies
from verify.paper.facts.fact import Fact
from verify.paper.facts.problem_lists import DEFINITE
from verify.paper.facts.quantities import BorkarMeyn, Compared, NoiseConstant
from verify.paper.facts.statement import All, ForEvery, If, Not, Over, on

_DEFAULT = Run("tdrc", 1, 1)
x, rho, R, G, varrho, g, c = symbols("x rho R G_tdrc varrho g_tdrc alpha")

_LEAST, _SPLIT = NoiseConstant(_DEFAULT, split=False), NoiseConstant(_DEFAULT, split=True)
_FOURTH_ORDER = All(tuple(FiniteMoment(rho=n, x=4 - n) for n in range(5)))
_SAMPLES = Geometric(Fraction(1, 256), base=3, ratio=4)
_NOT_ENOUGH = ForEvery((Over("sample"),), If(_FOURTH_ORDER, FiniteMoment(rho=2, x=4)), (("sample", _SAMPLES),))
"""Joint moments of fourth order are finite, and that of rho^2 |x|^4, which the noise has, is not."""

FACTS = (
    Fact(
        id="noise.split",
        title="the noise bound by the triangle inequality",
        source="Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed=on("random-walk-tabular", Compared(_LEAST, "<=", _SPLIT)),
        corrected=Argument(
            "twice that is a bound, and the least c_0 is the largest eigenvalue of E[N^T N]",
            (lemma("limits.two-parts-of-the-noise"),),
            (
                ("so", "E norm(a + b)^2 <= 2 E norm(a)^2 + 2 E norm(b)^2"),
                (
                    "sharper: N = [G_t - G, g_t - g] and u = (varrho, 1)",
                    "E norm(N u)^2 <= lambda_max(E[N^T N]) norm(u)^2",
                ),
                ("and norm(u)^2 = 1 + norm(varrho)^2", "the least c_0 is that eigenvalue"),
            ),
        ),
        erratum="E15",
    ),
    Fact(
        id="noise.moments",
        title="second moments of states and rewards suffice",
        source="Theorem 3.1; Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed=ForEvery(
            (Over("sample"),),
            If(All((FiniteMoment(x=2), FiniteMoment(reward=2))), FiniteNoise(Run("tdrc", 0, 1))),
            (("sample", Geometric(Fraction(1, 8), base=2)),),
        ),
        corrected=Argument(
            "E norm(M)^2 is finite where E|x|^4 and E[rho^2 |x|^2 (|x|^2 + |x'|^2 + R^2)] are",
            (equal(norm2(rho * R * x), rho * rho * R * R * norm2(x)), Not(_NOT_ENOUGH)),
            (
                (
                    "h's entries of G_t are those of x x^T and beta I, the others rho times those of x x^T and x x'^T",
                    "their squares have the means named, with finite rho^2 |x|^2 |x'|^2 for the mixed ones",
                ),
                ("g_t is rho R x", "so its square has the mean of rho^2 R^2 |x|^2"),
                ("joint moments of rho and x of fourth order, which are not asked for", "would not be enough"),
                ("finitely many states, actions and rewards", "everything is bounded"),
            ),
        ),
        erratum="E15",
    ),
    Fact(
        id="noise.coverage",
        title="coverage bounds the second moment of rho",
        source="Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed=ForEvery(
            (Over("policies"),), FiniteRatio(2), (("policies", Policies(Fraction(1, 2), Fraction(1, 4))),)
        ),
        corrected=Argument(
            "with finitely many states and actions coverage makes E_b[rho^2] finite",
            (),
            (
                ("pi(a|s) <= 1", "rho <= 1 / b(a|s) wherever b(a|s) > 0"),
                ("finitely many states and actions", "the largest of finitely many such numbers bounds rho"),
            ),
        ),
        erratum="R17",
        remark="the sums over states suggest a finite decision process, where it is right",
    ),
    Fact(
        id="noise.lipschitz",
        title="condition (i): h is Lipschitz, and h_infinity exists",
        source="Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed=Argument(
            "norm(G) is a Lipschitz constant of h, the least, and h_infinity(varrho) = G varrho",
            (equal(c**-1 * (G * (c * varrho) + g), G * varrho + c**-1 * g),),
            (
                (
                    "h(u) - h(v) = G (u - v)",
                    "norm(h(u) - h(v)) <= norm(G) norm(u - v), with equality along a singular vector",
                ),
                ("as c grows, g / c -> 0", "h_infinity(varrho) = G varrho"),
            ),
        ),
    ),
    Fact(
        id="noise.conditions-on-the-problems",
        title="conditions (i) to (v) on the random walks and on Boyan's chain",
        source="Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed=on(DEFINITE, BorkarMeyn(_DEFAULT)),
    ),
)

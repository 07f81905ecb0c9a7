"""The noise bound of the convergence proof, and the conditions (i) to (v) on the paper's problems."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.claims import Role, find_claim
from tdrc_theory.formula.expression import equal, norm2, symbols
from tdrc_theory.problems import PROBLEMS
from verify.borkar_meyn import BorkarMeynReport, borkar_meyn
from verify.check import Proof, Status
from verify.paper.facts.fact import Fact, as_witness, confirmed, proven, refuted
from verify.paper.judgement import Judgement

SATISFIED = ("random-walk-tabular", "random-walk-inverted", "random-walk-dependent", "boyan")
"""The paper's problems on which A is positive definite."""


def _split() -> Judgement:
    walk = borkar_meyn("random-walk-tabular")
    a = b = Fraction(1)
    wrong = (a + b) ** 2 > a**2 + b**2
    on_the_walk = walk.c_0.lower > walk.c_0_without_cross_term.upper
    steps = [
        ("a = b = 1", "norm(a + b)^2 = 4, and norm(a)^2 + norm(b)^2 = 2"),
        (
            "on the tabular random walk, beta = eta = 1",
            f"the least c_0 is {walk.c_0.lower:.6f}; the split gives {walk.c_0_without_cross_term.upper:.6f}",
        ),
    ]
    witness = as_witness("random-walk-tabular", beta=1, eta=1)
    return refuted(wrong and on_the_walk, "a problem of the paper", steps, witness)


def _doubled() -> Judgement:
    lemma = find_claim("limits.two-parts-of-the-noise").true_formula
    steps = [
        ("so", "E norm(a + b)^2 <= 2 E norm(a)^2 + 2 E norm(b)^2"),
        ("sharper: N = [G_t - G, g_t - g] and u = (varrho, 1)", "E norm(N u)^2 <= lambda_max(E[N^T N]) norm(u)^2"),
        ("and norm(u)^2 = 1 + norm(varrho)^2", "the least c_0 is that eigenvalue"),
    ]
    return proven("a square", [lemma], steps)


def _second_moments() -> Judgement:
    # x = 2^n with probability 7 / 8^n, n = 1, 2, ...
    share, size = Fraction(1, 8), Fraction(2)
    total = 7 * share / (1 - share)
    second, fourth = size**2 * share, size**4 * share
    steps = [
        ("x = 2^n with probability 7 / 8^n", f"probabilities sum to {total}"),
        ("E x^2 is a geometric series of ratio", f"{second}, so it is finite"),
        ("E x^4 is one of ratio", f"{fourth}, so it is infinite; norm(G_t)^2 >= eta^2 x^4"),
        ("so E norm(M)^2 is infinite at w = 0, R = 0, h other than 0", "though x and R have bounded second moments"),
    ]
    witness = {"features": "2^n", "probability": "7 / 8^n", "eta": "1", "beta": "0"}
    return refuted(total == 1 and second < 1 <= fourth, "a distribution", steps, witness)


def _fourth_moments() -> Judgement:
    x, rho, R = symbols("x rho R")
    lemma = equal(norm2(rho * R * x), rho * rho * R * R * norm2(x))
    steps = [
        ("entries of G_t are rho times products of two components of x, x'", "their squares are of fourth order"),
        (
            "E of norm(x)^4 and rho^2 norm(x)^2 (norm(x)^2 + norm(x')^2 + R^2) finite",
            "so is E norm(N)^2",
        ),
        ("finitely many states, actions and rewards", "everything is bounded"),
    ]
    return proven("the orders of the terms", [lemma], steps)


def _coverage() -> Judgement:
    # pi takes action n with probability 2^-n, b with 3 / 4^n
    target, behaviour = Fraction(1, 2), Fraction(1, 4)
    sums = target / (1 - target), 3 * behaviour / (1 - behaviour)
    ratio = target**2 / behaviour
    steps = [
        ("pi(n) = 2^-n and b(n) = 3 / 4^n, n = 1, 2, ...", f"sums {sums[0]} and {sums[1]}; every action is covered"),
        ("E_b rho^2 is the sum of pi^2 / b, a geometric series of ratio", f"{ratio}: infinite"),
    ]
    witness = {"target": "2^-n", "behaviour": "3 / 4^n"}
    return refuted(all(total == 1 for total in sums) and ratio >= 1, "a pair of policies", steps, witness)


def _finite_coverage() -> Judgement:
    problems = [make() for _, make in PROBLEMS]
    bounded = all(
        p.rho(s, a) <= 1 / p.behaviour[s][a]
        for p in problems
        for s in p.live_states
        for a in range(p.actions)
        if p.behaviour[s][a]
    )
    steps = [
        ("pi(a|s) <= 1", "rho <= 1 / b(a|s)"),
        ("finitely many states and actions", "the largest of finitely many such numbers bounds rho"),
    ]
    return confirmed(bounded, "a maximum of finitely many", steps)


def _conditions() -> Judgement:
    reports = {name: borkar_meyn(name) for name in SATISFIED}
    shown = all(check.status is Status.HOLDS for report in reports.values() for check in report.checks)
    steps = [(f"{name}, beta = eta = 1, alpha_t = 1 / (t + 1)", _constants(report)) for name, report in reports.items()]
    return confirmed(shown, "exact verdicts and enclosed constants", steps, Proof.ENCLOSED)


def _constants(report: BorkarMeynReport) -> str:
    return (
        f"norm(G) in [{report.lipschitz.lower:.12g}, {report.lipschitz.upper:.12g}], "
        f"c_0 in [{report.c_0.lower:.12g}, {report.c_0.upper:.12g}]; the origin and -G^-1 g are stable"
    )


def _lipschitz() -> Judgement:
    G, varrho, g, c = symbols("G_tdrc varrho g_tdrc alpha")
    lemma = equal(c**-1 * (G * (c * varrho) + g), G * varrho + c**-1 * g)
    steps = [
        ("h(u) - h(v) = G (u - v)", "norm(h(u) - h(v)) <= norm(G) norm(u - v), with equality along a singular vector"),
        ("as c grows, g / c -> 0", "h_infinity(varrho) = G varrho"),
    ]
    return proven("an affine map", [lemma], steps)


FACTS = (
    Fact(
        id="noise.split",
        title="the noise bound by the triangle inequality",
        source="Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed="E norm(a + b)^2 <= E norm(a)^2 + E norm(b)^2 for the two parts of the noise",
        examine=_split,
        corrected="twice that is a bound, and the least c_0 is the largest eigenvalue of E[N^T N]",
        confirm=_doubled,
        erratum="E15",
    ),
    Fact(
        id="noise.moments",
        title="second moments of states and rewards suffice",
        source="Theorem 3.1; Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed="bounded second moments of x and R bound E norm(M)^2",
        examine=_second_moments,
        corrected="bounded moments of fourth order, rho included, do",
        confirm=_fourth_moments,
        erratum="E15",
    ),
    Fact(
        id="noise.coverage",
        title="coverage bounds the second moment of rho",
        source="Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed="where pi(a|s) > 0 implies b(a|s) > 0, E rho^2 is finite",
        examine=_coverage,
        corrected="with finitely many states and actions it is",
        confirm=_finite_coverage,
        erratum="R17",
        remark="the sums over states suggest a finite decision process, where it is right",
    ),
    Fact(
        id="noise.lipschitz",
        title="condition (i): h is Lipschitz, and h_infinity exists",
        source="Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed="norm(G) is a Lipschitz constant of h, the least, and h_infinity(varrho) = G varrho",
        examine=_lipschitz,
    ),
    Fact(
        id="noise.conditions-on-the-problems",
        title="conditions (i) to (v) on the random walks and on Boyan's chain",
        source="Appendix, Main Proof",
        role=Role.SUFFICIENT,
        printed="with beta = eta = 1, alpha_t = 1 / (t + 1) and independent samples all five hold there",
        examine=_conditions,
    ),
)

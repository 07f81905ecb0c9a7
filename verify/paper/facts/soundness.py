"""Where TDRC converges, beside TDC and TD."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.claims.claim import Role
from tdrc_theory.formula.expression import equal, symbols
from tdrc_theory.key_matrices import key_matrices
from tdrc_theory.problems import find_problem
from verify.check import Status
from verify.conditions import check_conditions
from verify.exact.definiteness import inertia
from verify.outcome import Outcome
from verify.paper.facts.fact import Fact, as_witness, outcome, proven, refuted, told
from verify.paper.facts.lemmas import DEFINITE_ON_POLICY, ROOTS, SUM_OF_SQUARES
from verify.paper.facts.small_problems import skewed
from verify.paper.judgement import Judgement
from verify.region import region

C, beta = symbols("C beta")


def _sound() -> Judgement:
    nowhere = not region("two-state", beta=1).intervals
    tdc, tdrc = outcome("two-state", "tdc"), outcome("two-state", "tdrc", 1)
    shown = tdc.status is Outcome.CONVERGENT and tdrc.status is Outcome.NOT_CONVERGENT and nowhere
    steps = [
        told("two-state", "td"),
        told("two-state", "tdc"),
        told("two-state", "tdrc", 1),
        ("the etas at which TDRC with beta = 1 converges there", "none" if nowhere else "some"),
    ]
    return refuted(shown, "a problem", steps, as_witness("two-state", ("tdc", 0, 1), ("tdrc", 1, 1)))


def _sound_below_the_bound() -> Judgement:
    steps = [
        ("with AA^T + beta H and eta C + H positive definite", "beta lambda_r + b_a > 0 and eta b_c + lambda_r > 0"),
        ("so C1 and C3 hold for every z", "every eigenvalue of G has negative real part (Theorem 3.1 (ii), corrected)"),
        ("0 <= beta below the corrected bound, A nonsingular", "AA^T + beta H is positive definite"),
        ("eta > 0 above -lambda_min(C^-1 H), C nonsingular", "eta C + H is positive definite"),
        ("where G at beta = 0 is Hurwitz", "eigenvalues are continuous, so G is for small beta at the same eta too"),
    ]
    return proven("C1 and C3 for every z", ROOTS, steps)


def _td_convergent() -> Judgement:
    problem = skewed()
    found = [outcome(problem, name, b) for name, b in (("td", 0), ("tdc", 0), ("tdrc", 1))]
    shown = [each.status for each in found] == [Outcome.CONVERGENT, Outcome.CONVERGENT, Outcome.NOT_CONVERGENT]
    signs = inertia(key_matrices(problem).H)
    steps = [
        told(problem, "td"),
        told(problem, "tdc"),
        told(problem, "tdrc", 1),
        told(problem, "tdrc", 1, Fraction(1, 100)),
        ("A is not positive definite", f"H has {signs.positive} positive and {signs.negative} negative eigenvalue"),
    ]
    return refuted(shown, "a problem", steps, as_witness(problem, ("td", 0, 1), ("tdc", 0, 1), ("tdrc", 1, 1)))


def _positive_definite() -> Judgement:
    steps = [
        ("A positive definite", "lambda_r > 0 and b_a > 0 for every z; b_c >= 0, beta >= 0, eta > 0"),
        ("C1", "eta beta + eta b_c + lambda_r > 0"),
        ("C3", "a positive square times beta lambda_r + b_a > 0, plus beta lambda_c^2 (eta b_c + lambda_r) >= 0"),
        ("C nonsingular follows and need not be assumed", "C z = 0 gives z^T x = 0 almost surely, so z^T A z = 0"),
        ("A + beta I nonsingular follows as well", "its symmetric part H + beta I is positive definite"),
    ]
    return proven("C1 and C3 for every z", ROOTS, steps)


def _smaller_beta() -> Judgement:
    swept = [Fraction(2) ** n / 10 for n in range(7)]
    failing = [b for b in swept if outcome("baird", "tdrc", b).status is Outcome.NOT_CONVERGENT]
    converges = outcome("baird", "tdrc", 1).status is Outcome.CONVERGENT_TO_A_SET
    steps = [
        told("baird", "tdrc", 1),
        *(told("baird", "tdrc", b) for b in failing),
        ("the exact region", str(region("baird", eta=1))),
    ]
    shown = converges and any(b < 1 for b in failing)
    return refuted(
        shown, "a problem of the paper", steps, as_witness("baird", *(("tdrc", b, 1) for b in (1, *failing)))
    )


def _between() -> Judgement:
    problem, large = skewed(), 10**6
    runs = [("td", 0, 1), ("tdc", 0, 1), ("tdrc", 1, 1), ("tdrc", large, 1)]
    statuses = [outcome(problem, *run).status for run in runs]
    stable = Outcome.CONVERGENT
    steps = [*(told(problem, *run) for run in runs), ("the exact region", str(region(problem, eta=1)))]
    shown = statuses == [stable, stable, Outcome.NOT_CONVERGENT, stable]
    return refuted(shown, "a problem", steps, as_witness(problem, *runs))


def _extends_tdc() -> Judgement:
    problem = skewed()
    report = check_conditions(problem, "tdc")
    printed, right = report["theorem-3.1.case-ii.printed"], report["theorem-3.1.case-ii"]
    definite, convergent = report["theorem-3.1.case-i"], report.verdict.status is Outcome.CONVERGENT
    shown = convergent and right.status is Status.HOLDS
    shown = shown and printed.status is Status.FAILS and definite.status is Status.FAILS
    steps = [
        ("TDC, eta = 1: its own condition on eta holds, and it converges", right.reason),
        ("case (ii) as printed, beta = 0", printed.reason),
        ("case (i)", definite.reason),
    ]
    return refuted(shown, "a problem", steps, as_witness(problem, ("tdc", 0, 1)))


def _contains_tdc() -> Judgement:
    steps = [
        ("beta = 0", "beta lambda_r + b_a = b_a > 0 at every z, A being nonsingular: no bound on beta is broken"),
        ("what is left is TDC's condition", "eta b_c + lambda_r > 0 at every z"),
    ]
    return proven("C1 and C3 for every z", ROOTS, steps)


def _on_policy() -> Judgement:
    walk = find_problem("random-walk-tabular")
    both = walk.behaviour != walk.target and inertia(key_matrices(walk).H).positive == walk.k
    steps = [
        *DEFINITE_ON_POLICY,
        ("gamma < 1 and C nonsingular", "this is positive for every z other than 0"),
        ("the converse is not claimed", "on the paper's off-policy walk A is positive definite too"),
    ]
    return proven("a sum of squares", [SUM_OF_SQUARES], steps, also=both)


def _singular_C() -> Judgement:
    C_rank = key_matrices(find_problem("baird")).C.rank()
    found = outcome("baird", "tdc").status is Outcome.CONVERGENT_TO_A_SET
    steps = [("Baird's C", f"rank {C_rank} of 8"), told("baird", "tdc")]
    return refuted(found and C_rank < 8, "a problem of the paper", steps, as_witness("baird", ("tdc", 0, 1)))


def _faster() -> Judgement:
    h, C_beta = symbols("h C_beta")
    lemma = equal(h.T * C_beta * h, h.T * C * h + beta * h.T * h)
    slow, fast = outcome("two-state", "tdrc", 0), outcome("two-state", "tdrc", 1)
    assert slow.spectral_abscissa is not None
    assert fast.spectral_abscissa is not None
    steps = [
        (
            "w held fixed, h goes to its equilibrium at eta times the eigenvalues of C + beta I",
            "each is beta above one of C",
        ),
        ("of h and w together this is not said", "where it need not be so"),
        told("two-state", "tdrc", 0),
        told("two-state", "tdrc", 1),
    ]
    also = slow.spectral_abscissa.upper < 0 < fast.spectral_abscissa.lower
    return proven("shifted eigenvalues", [lemma], steps, also)


FACTS = (
    Fact(
        id="text.inherits-soundness",
        title="TDRC inherits the soundness of TDC and prevents divergence off-policy",
        source="Abstract; Section 6",
        role=Role.REMARK,
        printed="where TDC converges, so does TDRC with its default beta = 1, at some eta at least",
        examine=_sound,
        corrected="where TDC's G is Hurwitz, TDRC's is for small beta; and wherever AA^T + beta H and eta C + H are "
        "positive definite, A and C nonsingular",
        confirm=_sound_below_the_bound,
        erratum="R7",
        remark="Theorem 3.1 bounds beta, and the text says that its conditions depend on the problem",
    ),
    Fact(
        id="text.convergent-where-TD-is",
        title="TDRC converges wherever TD does",
        source="Section 3.1, below Theorem 3.1",
        role=Role.SUFFICIENT,
        printed="if TD's expected update converges, so does TDRC's with beta = eta = 1",
        examine=_td_convergent,
        corrected="if A is positive definite, TDRC's expected update converges at every beta >= 0 and eta > 0",
        confirm=_positive_definite,
        erratum="R8",
        remark="the text equates the two; TD converges where every eigenvalue of A has positive real part: less",
    ),
    Fact(
        id="text.smaller-beta",
        title="a smaller beta still gives a sound algorithm",
        source="Section 3; Figure 3",
        role=Role.REMARK,
        printed="where TDRC converges with beta = 1, it does with every smaller beta of the paper's sweep",
        examine=_smaller_beta,
        corrected="it does with every beta below the corrected bound of Theorem 3.1 (ii), A and C nonsingular and eta "
        "above its own",
        confirm=_sound_below_the_bound,
        erratum="R9",
        remark="the growth at 0.1 and 0.2 is far too slow to be seen in the paper's runs",
    ),
    Fact(
        id="text.between-TDC-and-TD",
        title="TDRC lies between TDC and TD, so that where they do well it should",
        source="Section 3; Section 4.3",
        role=Role.REMARK,
        printed="where TDC (beta = 0) and TD (beta unbounded) converge, TDRC does at every beta between",
        examine=_between,
        corrected="where A is positive definite it does",
        confirm=_positive_definite,
        erratum="R10",
        remark="the text offers it as an intuition",
    ),
    Fact(
        id="text.extends-TDC",
        title="the theorem extends TDC's convergence result to beta > 0",
        source="Section 3.1, above Theorem 3.1",
        role=Role.SUFFICIENT,
        printed="A and C nonsingular, eta > 0 and above -lambda_min(C^-1 H), Theorem 3.1 as printed covers TDC",
        examine=_extends_tdc,
        corrected="with the corrected bound on beta it does",
        confirm=_contains_tdc,
        erratum="E2",
        remark="for indefinite H the printed bound on beta is negative, so that not even beta = 0 is below it",
    ),
    Fact(
        id="text.on-policy",
        title="on-policy A is positive definite",
        source="Appendix, Case 1",
        role=Role.REMARK,
        printed="on-policy, with gamma < 1, C nonsingular and finitely many states, A is positive definite",
        examine=_on_policy,
        remark="for gamma = 1 episodes have to end",
    ),
    Fact(
        id="text.singular-C-not-for-TDC",
        title="a result for singular C was not possible for TDC",
        source="Section 3.1, below Theorem 3.1",
        role=Role.REMARK,
        printed="TDC's expected update converges on no problem with a singular C",
        examine=_singular_C,
        erratum="R11",
        remark="the text speaks of the proof, which inverts C; for TDC as for TDRC what happens on range(C) decides",
    ),
    Fact(
        id="text.regulariser-speeds-up",
        title="the regulariser improves the convergence rate of h",
        source="Section 3, reason (3)",
        role=Role.REMARK,
        printed="the larger beta, the faster h's expected flow comes to rest, w held fixed",
        examine=_faster,
        remark="h and w together may converge more slowly, or not at all",
    ),
)

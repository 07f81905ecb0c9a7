"""What the text says that eta has to be."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.claims import Role, find_claim
from tdrc_theory.key_matrices import key_matrices
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem
from verify.check import Status
from verify.conditions import check_conditions
from verify.outcome import CONVERGES, Outcome
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, proven, refuted, told
from verify.paper.facts.lemmas import ROOTS
from verify.paper.facts.small_problems import skewed, steep
from verify.paper.judgement import Judgement
from verify.region import region

_TWO_SCALES = "is of step sizes whose ratio grows without bound, and says nothing of a constant eta"
_NOT = Outcome.NOT_CONVERGENT


def _above_one() -> Judgement:
    low = Fraction(1, 4)
    met = check_conditions("two-state", "tdc", eta=low)["theorem-3.1.case-ii"]
    needless = outcome("two-state", "tdc", 0, low).status is Outcome.CONVERGENT
    steps = [
        ("two-state, eta = 1/4: TDC's own condition is met", met.reason),
        told("two-state", "tdc", 0, low),
    ]
    shown = needless and met.status is Status.HOLDS
    return refuted(shown, "a problem", steps, as_witness("two-state", ("tdc", 0, low)))


def _exact_in_one_dimension() -> Judgement:
    problems = (find_problem("two-state"), steep())
    steps = [
        ("any d, eta C + H positive definite, A nonsingular", "eta b_c + lambda_r > 0 and b_a > 0: C1 and C3 hold"),
        ("d = 1, beta = 0: G has trace -(eta C + A) and determinant eta A^2", "negative and positive exactly when"),
        ("both eigenvalues have negative real part", "A is not 0 and eta > -A / C = -lambda_min(C^-1 H)"),
        *((f"on {problem.name} TDC takes eta above", str(_edge(problem))) for problem in problems),
    ]
    return proven("C1 and C3 for every z", ROOTS, steps, also=all(map(_agrees, problems)))


def _edge(problem: Problem) -> Fraction:
    """Return -A / C of a problem with one feature."""
    key = key_matrices(problem)
    return Fraction(str(-key.A[0, 0] / key.C[0, 0]))


def _agrees(problem: Problem) -> bool:
    """Return whether TDC converges a little above eta = -A / C, and not a little below."""
    above, below = (outcome(problem, "tdc", 0, _edge(problem) * Fraction(n, 1000)).status for n in (1001, 999))
    return above is Outcome.CONVERGENT and below is Outcome.NOT_CONVERGENT


def _from_a_seventh() -> Judgement:
    found = region("baird", beta=0)
    steps = [("the exact region, beta = 0", str(found))]
    (only,) = found.intervals
    shown = only.upper is None and Fraction("0.14242") < only.lower.value < Fraction("0.14243")
    return confirmed(shown, "isolated roots", steps)


def _swept() -> Judgement:
    shown = outcome(steep(), "tdc").status is Outcome.NOT_CONVERGENT
    steps = [told(steep(), "tdc", 0, 1), ("the proof with two time scales", _TWO_SCALES)]
    return refuted(shown, "a problem", steps, as_witness(steep(), ("tdc", 0, 1)))


def _swept_by_tdc() -> Judgement:
    etas = [Fraction(2) ** n for n in range(7)]
    problems = ("baird", "random-walk-tabular", "random-walk-inverted", "random-walk-dependent", "boyan")
    shown = all(outcome(name, "tdc", 0, eta).status in CONVERGES for name in problems for eta in etas)
    diverging = [eta for eta in etas if outcome("baird", "htd", 0, eta).status is Outcome.NOT_CONVERGENT]
    steps = [
        (f"TDC at 2^0, ..., 2^6 on {', '.join(problems)}", "converges"),
        ("HTD, swept beside it, diverges on baird at eta =", ", ".join(map(str, diverging)) or "none of them"),
    ]
    return confirmed(shown and bool(diverging), "Routh's table", steps)


def _gtd2() -> Judgement:
    lemmas = [find_claim(name).printed for name in ("limits.gtd2-characteristic", "limits.gtd2")]
    steps = [
        ("an eigenvalue lambda has some z with", "lambda^2 + eta b_c lambda + eta b_a = 0"),
        ("A and C nonsingular, eta > 0", "eta b_c > 0 and eta b_a > 0, so both roots have negative real part"),
    ]
    return proven("a real quadratic", lemmas, steps)


def _smaller_eta() -> Judgement:
    problem, large = steep(Fraction(1, 2)), 2
    runs = [("tdc", 0, 1), ("tdc", 0, large), ("tdrc", 1, 1), ("tdrc", 1, large)]
    statuses = [outcome(problem, *run).status for run in runs]
    needed = statuses == [Outcome.CONVERGENT if run[0] == "tdc" and run[2] == large else _NOT for run in runs]
    nowhere = not region(problem, beta=1).intervals
    small = outcome(skewed(), "tdrc", 1, Fraction(1, 100)).status is Outcome.CONVERGENT
    worse = small and outcome(skewed(), "tdrc", 1).status is _NOT
    steps = [
        *(told(problem, *run) for run in runs),
        ("the etas at which TDRC with beta = 1 converges there", "none" if nowhere else "some"),
        told(skewed(), "tdrc", 1, Fraction(1, 100)),
        told(skewed(), "tdrc", 1),
    ]
    return refuted(needed and nowhere and worse, "two problems", steps, as_witness(problem, *runs))


def _smaller_eta_below_the_bound() -> Judgement:
    betas = [Fraction(0), Fraction(1, 5), Fraction(2, 5)]
    starts = [region("two-state", beta=b).intervals[0].lower for b in betas]
    key = key_matrices(find_problem("two-state"))
    a, c = key.A[0, 0], key.C[0, 0]
    steps = [
        ("d = 1, A < 0: trace -(eta (C + beta) + A), determinant eta A (A + beta)", "stable exactly when"),
        ("beta < -A and eta > -A / (C + beta)", "what eta needs falls as beta grows, down to -A / (C - A)"),
        *((f"two-state, beta = {b}: eta above", str(-a / (c + b))) for b in betas),
    ]
    steep_runs = [("tdc", 0, 1), ("tdrc", 1, 1)]
    helped = [outcome(steep(), *run).status for run in steep_runs] == [_NOT, Outcome.CONVERGENT]
    steps += [told(steep(), *run) for run in steep_runs]
    falls = all(start.rational == -a / (c + b) for start, b in zip(starts, betas, strict=True))
    return confirmed(falls and helped, "trace and determinant", steps)


def _relaxed() -> Judgement:
    lower = Fraction(17, 100)
    key = key_matrices(find_problem("two-state"))
    bound = -key.A[0, 0] / key.C[0, 0]
    stable = outcome("two-state", "tdrc", Fraction(2, 5), lower).status is Outcome.CONVERGENT
    steps = [
        ("Theorem 3.1 (ii) asks on two-state for eta above", str(bound)),
        told("two-state", "tdrc", Fraction(2, 5), lower),
        ("for every d: beta > 0, AA^T + beta H positive definite, eta C + H semidefinite", "C1 and C3 hold strictly"),
        ("unit vectors z are compact", "so they hold at a little smaller eta > 0 too"),
    ]
    lemma = find_claim("limits.eta-relaxed").printed
    return proven("C1 and C3 at the bound itself", [lemma], steps, also=stable and lower < bound)


FACTS = (
    Fact(
        id="text.eta-above-1",
        title="theory suggests eta > 1 for TDC",
        source="Section 2; Section 4.2",
        role=Role.NECESSARY,
        printed="TDC's convergence is guaranteed only for eta > 1",
        examine=_above_one,
        corrected="A and C nonsingular, eta > 0 and eta > -lambda_min(C^-1 H) guarantee it, and for d = 1 nothing "
        "less; that may be far below 1 or above it",
        confirm=_exact_in_one_dimension,
        erratum="R12",
        remark="the text reports what earlier theory suggests",
    ),
    Fact(
        id="text.baird-needs-a-large-eta",
        title="on Baird's problem TDC needs a second step size that is large enough",
        source="Section 3",
        role=Role.NECESSARY,
        printed="on Baird's problem TDC's expected update converges for every eta > 0.14243, and for no eta < 0.14242",
        examine=_from_a_seventh,
        remark="the text says large: that is about a seventh of w's step size",
    ),
    Fact(
        id="text.eta-from-1-on",
        title="sweeping eta from 1 on keeps TDC's convergence guarantee",
        source="Appendix, prediction details",
        role=Role.SUFFICIENT,
        printed="at every eta >= 1 TDC's expected update converges",
        examine=_swept,
        corrected="at the etas of the sweep it converges on each of the paper's problems",
        confirm=_swept_by_tdc,
        erratum="R13",
    ),
    Fact(
        id="text.gtd2-any-eta",
        title="GTD2 converges for a broad range of eta",
        source="Appendix, prediction details",
        role=Role.SUFFICIENT,
        printed="for A and C nonsingular GTD2's expected update converges at every eta > 0",
        examine=_gtd2,
    ),
    Fact(
        id="text.beta-removes-eta",
        title="beta should remove the need for a larger eta",
        source="Section 6, a hypothesis",
        role=Role.REMARK,
        printed="where TDC needs a large eta, TDRC with beta = 1 converges with eta = 1",
        examine=_smaller_eta,
        corrected="for d = 1, A < 0 and beta < -A it lowers what eta needs, to -A / (C + beta); beyond, no eta helps",
        confirm=_smaller_eta_below_the_bound,
        erratum="R14",
        remark="the text calls it a hypothesis",
    ),
    Fact(
        id="text.eta-could-be-relaxed",
        title="the conditions on eta could be relaxed",
        source="Section 3.1, below Theorem 3.1",
        role=Role.REMARK,
        printed="for beta > 0 what the corrected Theorem 3.1 (ii) promises holds at some eta below its bound too, "
        "where that is positive",
        examine=_relaxed,
    ),
)

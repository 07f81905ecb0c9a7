"""What the text says that eta has to be."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.claims import Role, find_claim
from tdrc_theory.key_matrices import key_matrices
from tdrc_theory.problems import find_problem
from verify.outcome import CONVERGES, Outcome
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, proven, refuted, told
from verify.paper.facts.small_problems import skewed, steep
from verify.paper.judgement import Judgement
from verify.region import region

_NOT = Outcome.NOT_CONVERGENT


def _above_one() -> Judgement:
    low, high = Fraction(1, 4), Fraction(3, 2)
    needless = outcome("two-state", "tdc", 0, low).status is Outcome.CONVERGENT
    useless = outcome(steep(), "tdc", 0, high).status is Outcome.NOT_CONVERGENT
    steps = [told("two-state", "tdc", 0, low), told(steep(), "tdc", 0, high)]
    return refuted(needless and useless, "two problems", steps, as_witness(steep(), ("tdc", 0, high)))


def _exact_in_one_dimension() -> Judgement:
    steps = [
        ("d = 1, beta = 0: G has trace -(eta C + A) and determinant eta A^2", "negative and positive exactly when"),
        ("both eigenvalues have negative real part", "A is not 0 and eta > -A / C"),
        (
            "which is the bound of Theorem 3.1 (ii)",
            "domain-dependent: below 0.19 on two-state, above 1.9 on features 1, 3",
        ),
    ]
    exact = all(_agrees(name) for name in ("two-state", "steep"))
    return confirmed(exact, "trace and determinant", steps)


def _agrees(name: str) -> bool:
    """Return whether TDC stops converging exactly at eta = -A / C, a little above and below."""
    problem = steep() if name == "steep" else find_problem(name)
    key = key_matrices(problem)
    bound = -key.A[0, 0] / key.C[0, 0]
    above, below = (outcome(problem, "tdc", 0, bound * Fraction(n, 1000)).status for n in (1001, 999))
    return above is Outcome.CONVERGENT and below is Outcome.NOT_CONVERGENT


def _large_on_baird() -> Judgement:
    run = ("tdc", 0, Fraction(1, 7))
    found = outcome("baird", *run).status in CONVERGES
    return refuted(found, "a problem of the paper", [told("baird", *run)], as_witness("baird", run))


def _from_a_seventh() -> Judgement:
    found = region("baird", beta=0)
    steps = [("the exact region, beta = 0", str(found))]
    (only,) = found.intervals
    shown = only.upper is None and Fraction("0.14242") < only.lower.value < Fraction("0.14243")
    return confirmed(shown, "isolated roots", steps)


def _swept() -> Judgement:
    etas = [Fraction(2) ** n for n in range(7)]
    diverging = [eta for eta in etas if outcome("baird", "htd", 0, eta).status is Outcome.NOT_CONVERGENT]
    steps = [
        ("HTD's etas on Baird's problem", "2^0, ..., 2^6"),
        ("it diverges at", ", ".join(map(str, diverging)) or "none of them"),
        told(steep(), "tdc", 0, 1),
    ]
    elsewhere = outcome(steep(), "tdc").status is Outcome.NOT_CONVERGENT
    return refuted(
        bool(diverging) and elsewhere,
        "two problems",
        steps,
        as_witness("baird", *(("htd", 0, eta) for eta in diverging)),
    )


def _swept_by_tdc() -> Judgement:
    etas = [Fraction(2) ** n for n in range(7)]
    problems = ("baird", "random-walk-tabular", "random-walk-inverted", "random-walk-dependent", "boyan")
    shown = all(outcome(name, "tdc", 0, eta).status in CONVERGES for name in problems for eta in etas)
    return confirmed(shown, "Routh's table", [(f"TDC at 2^0, ..., 2^6 on {', '.join(problems)}", "converges")])


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
        ("unit vectors z are compact", "so they hold at a little smaller eta too: the condition on eta is no limit"),
    ]
    lemma = find_claim("limits.eta-relaxed").printed
    return proven("C1 and C3 at the bound itself", [lemma], steps, also=stable and lower < bound)


FACTS = (
    Fact(
        id="text.eta-above-1",
        title="TDC needs eta > 1",
        source="Section 2; Section 4.2",
        role=Role.NECESSARY,
        printed="eta > 1 is needed for TDC's convergence, and is what the theory asks for",
        examine=_above_one,
        corrected="what it takes is eta > -lambda_min(C^-1 H), for d = 1 exactly; that may be far below 1 or above it",
        confirm=_exact_in_one_dimension,
        erratum="E21",
    ),
    Fact(
        id="text.baird-needs-a-large-eta",
        title="on Baird's problem TDC needs a large second step size",
        source="Section 3",
        role=Role.NECESSARY,
        printed="on Baird's problem TDC converges for no eta < 1",
        examine=_large_on_baird,
        corrected="it converges for every eta above 0.14243",
        confirm=_from_a_seventh,
        erratum="E21",
    ),
    Fact(
        id="text.eta-from-1-on",
        title="sweeping eta from 1 on keeps the convergence guarantees of TDC and HTD",
        source="Appendix, prediction details",
        role=Role.SUFFICIENT,
        printed="at every eta >= 1 of the sweep TDC and HTD converge",
        examine=_swept,
        corrected="at those etas TDC converges on each of the paper's problems",
        confirm=_swept_by_tdc,
        erratum="E21",
        remark="The proof with two time scales needs a ratio of step sizes that grows without bound, not a constant.",
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
        corrected="for d = 1 and beta < -A it lowers what eta needs, to -A / (C + beta); beyond, no eta helps",
        confirm=_smaller_eta_below_the_bound,
        erratum="E35",
    ),
    Fact(
        id="text.eta-could-be-relaxed",
        title="the conditions on eta could be relaxed",
        source="Section 3.1, below Theorem 3.1",
        role=Role.REMARK,
        printed="for beta > 0 the corrected Theorem 3.1 (ii) holds for some eta below its bound too",
        examine=_relaxed,
    ),
)

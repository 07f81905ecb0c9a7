"""The study of the regulariser, under Adagrad; TDC is beta = 0 with eta = 1, TD stands for a large beta."""

from __future__ import annotations

from fractions import Fraction

from simulate.statement import Statement, Support
from simulate.tables.areas import Areas
from simulate.tables.comparison import Evidence, as_good, lower, ratio
from simulate.tables.statements.wording import SHORT, by_problem
from tdrc_theory.published import COMPARABLE, GOOD, PROBLEMS, Place

_THREE = ("random-walk-inverted", "boyan", "baird")
_WIDE = 8
"""What counts as a wide range of beta: its ends are at least so many times apart."""


def _ends(evidence: Evidence, problem: str) -> tuple[Areas, Areas]:
    """Return TDC with eta = 1, and TD."""
    tdc = evidence.eta["tdc", problem].at("eta", Fraction(1))
    return tdc, evidence.cells[Place("adagrad", "td", problem)]


def _at(evidence: Evidence, problem: str) -> dict[Fraction, Areas]:
    areas = evidence.beta[problem]
    return {value: areas.at("beta", value) for value in areas.values("beta")}


def _small_helps(evidence: Evidence) -> Support:
    pairs = {p: (min(_at(evidence, p).items())[1], _ends(evidence, p)[0]) for p in PROBLEMS}
    told = by_problem({p: ratio(small, tdc) for p, (small, tdc) in pairs.items()})
    return Support(all(lower(small, tdc) for small, tdc in pairs.values()), f"at beta = 0.1, times TDC: {told}")


def _halfway(evidence: Evidence) -> Support:
    shares = {}
    for problem in ("random-walk-tabular", "random-walk-dependent"):
        (tdc, td), small = _ends(evidence, problem), min(_at(evidence, problem).items())[1]
        shares[problem] = (tdc.mean - small.mean) / (tdc.mean - td.mean)
    halfway = all(1 / 3 <= share <= 2 / 3 for share in shares.values())
    return Support(halfway, f"at beta = 0.1, part of the way from TDC to TD: {by_problem(shares)}")


def _immediate(evidence: Evidence) -> Support:
    pairs = {p: (min(_at(evidence, p).items())[1], _ends(evidence, p)[1]) for p in _THREE}
    told = by_problem({p: ratio(small, td) for p, (small, td) in pairs.items()})
    return Support(all(as_good(small, td) for small, td in pairs.values()), f"at beta = 0.1, times TD: {told}")


def _never_behind(evidence: Evidence) -> Support:
    worst = {}
    for problem in _THREE:
        worst[problem] = max(
            ratio(found, end) for found in _at(evidence, problem).values() for end in _ends(evidence, problem)
        )
    return Support(
        all(value <= COMPARABLE for value in worst.values()),
        f"times the better of TDC and TD, at worst: {by_problem(worst)}",
    )


def _default(evidence: Evidence) -> tuple[dict[str, Fraction], dict[str, float]]:
    """Return on each problem the best beta, and the error of beta nearest to 1 over the best."""
    best, marginal = {}, {}
    for problem in PROBLEMS:
        found = _at(evidence, problem)
        best[problem] = min(found, key=lambda beta: found[beta].mean)
        marginal[problem] = ratio(found[Fraction(8, 10)], found[best[problem]])
    return best, marginal


def _larger(evidence: Evidence) -> Support:
    best, _ = _default(evidence)
    larger = [p for p, beta in best.items() if beta > 1]
    told = ", ".join(f"{SHORT[p]} {float(beta):g}" for p, beta in best.items())
    return Support(2 * len(larger) > len(best), f"best beta: {told}")


def _marginal(evidence: Evidence) -> Support:
    _, marginal = _default(evidence)
    told = by_problem(marginal)
    return Support(all(v <= COMPARABLE for v in marginal.values()), f"beta = 0.8, times the best beta: {told}")


def _insensitive(evidence: Evidence) -> Support:
    common: set[Fraction] | None = None
    for problem in PROBLEMS:
        found = _at(evidence, problem)
        least = min(value.mean for value in found.values())
        good = {beta for beta, value in found.items() if value.mean <= GOOD * least}
        common = good if common is None else common & good
    values = sorted(common or ())
    told = ", ".join(f"{float(beta):g}" for beta in values) or "none"
    wide = bool(values) and values[-1] >= _WIDE * values[0]
    return Support(wide, f"beta within {float(GOOD):g} times the best on every problem: {told}")


BETA = (
    Statement(
        "small-beta-helps", "Section 4.3",
        "even at the smallest beta, 0.1, TDRC is better than TDC (eta = 1) on every problem", _small_helps,
    ),
    Statement(
        "small-beta-halfway", "Section 4.3",
        "at beta = 0.1 TDRC is about halfway (a third to two thirds) from TDC to TD on tabular and dependent features",
        _halfway,
    ),
    Statement(
        "small-beta-reaches-td", "Section 4.3",
        "at beta = 0.1 TDRC is comparable to TD, or better, on inverted features, Boyan's chain and Baird's problem",
        _immediate,
    ),
    Statement(
        "any-beta-good-on-three", "Section 4.3",
        "on those three, TDRC is comparable to or better than both TDC and TD at every beta that was tried",
        _never_behind,
    ),
    Statement("larger-beta-best", "Section 4.3", "the best beta is larger than 1 on most problems", _larger),
    Statement(
        "default-beta-near-best", "Section 4.3",
        "what the best beta gains over 1 is marginal (of the values tried, 0.8 is the nearest to 1)", _marginal,
    ),
    Statement(
        "insensitive-to-beta", "Section 4.3",
        f"TDRC is insensitive to beta: values {_WIDE} times apart are good on every problem", _insensitive,
    ),
)  # fmt: skip

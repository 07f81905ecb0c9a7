"""The bounds of Theorem 3.1, the exact ends of the regions in which the update converges, and the paper's settings."""

from __future__ import annotations

from collections.abc import Iterator

from reports.page.section import Content, Missing, Section, Tell
from reports.page.slider import LARGEST
from reports.page.subject import OnProblem
from reports.page.table import Table
from tdrc_theory.algorithms import TDRC
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import number_text
from tdrc_theory.papers.published import paper_settings
from verify.conditions import check_conditions
from verify.conditions.theorem import NOT_OF_THE_THEOREM
from verify.region import Interval, Region

_MEANS = {
    "beta_printed": "beta < bound (as printed)",
    "beta_corrected": "beta < bound (corrected)",
    "eta": "eta > bound",
    "eta_singular_C": "eta > bound, where C is singular (as printed)",
}


def collect(subject: OnProblem, _: Tell) -> Content | Missing:
    """Return the bounds of a subject."""
    conditions = subject.conditions
    if not {"beta", "eta"} & conditions.parameters.keys():
        return Missing(f"{subject.algorithm.name} has neither beta nor eta, so there is nothing to bound.")
    rows: list[tuple[str, ...]] = []
    refused: list[str] = []
    size = subject.algorithm.size(subject.problem.k)
    for parameter in ("beta", "eta") if size <= LARGEST else ():
        try:
            rows += _region_rows(subject.region(parameter))
        except BadOption as error:
            refused.append(str(error))
    if size > LARGEST:
        refused.append(f"G is {size} x {size}; `tdrc region` computes regions of more than {LARGEST}")
    of_theorem = any(bound != NOT_OF_THE_THEOREM for bound in conditions.bounds.values())
    return Content(
        bounds=_bounds(subject) if of_theorem else None,
        regions=Table(_REGIONS, ("parameter", "at", "where", "lower end", "upper end"), tuple(rows)) if rows else None,
        why_no_region=tuple(refused),
        settings=_settings(subject) if of_theorem and subject.algorithm is TDRC else None,
    )


_BOUNDS = "The bounds of Theorem 3.1"
_REGIONS = "Where the expected update converges; the ends are exact"
_SETTINGS = "The paper's settings of TDRC: the cases of the theorem, and the exact verdict"


def _bounds(subject: OnProblem) -> Table:
    rows = []
    for name, bound in subject.conditions.bounds.items():
        ends = bound.enclosure
        value = "none" if bound.number is None else f"{bound.number:.8g}"
        within = "" if ends is None else f"[{', '.join(repr(e).removesuffix('.0') for e in (ends.lower, ends.upper))}]"
        text = "; ".join(part for part in (bound.reason, bound.domain and f"on {bound.domain}") if part)
        rows.append((name, _MEANS[name], value, within, bound.exact or "", text))
    return Table(_BOUNDS, ("bound", "condition", "value", "enclosed in", "exactly", "remark"), tuple(rows))


def _region_rows(region: Region) -> Iterator[tuple[str, str, str, str, str]]:
    at = "" if region.fixed is None else f"{region.other} = {number_text(region.fixed)}"
    for interval in region.intervals:
        yield (region.parameter, at, f"converges in {interval}", *_ends(interval))
    if not region.intervals:
        yield (region.parameter, at, "converges nowhere", "", "")
    for point in region.undecided:
        yield (region.parameter, at, f"undecided at {point.value:.8g}", point.text(), point.text())
    for interval in region.fails_for_every_eta:
        yield (region.parameter, "every eta", f"fails in {interval}", *_ends(interval))


def _ends(interval: Interval) -> tuple[str, str]:
    return interval.lower.text(), "none" if interval.upper is None else interval.upper.text()


def _settings(subject: OnProblem) -> Table:
    rows = []
    for setting in paper_settings():
        report = check_conditions(subject.problem, TDRC, beta=setting.beta, eta=setting.eta)
        statuses = {check.claim: check for check in report.checks}
        cases = ("theorem-3.1.case-i", "theorem-3.1.case-ii.printed", "theorem-3.1.case-ii")
        text = [statuses[claim].status.value if claim in statuses else "not examined" for claim in cases]
        beta, eta = number_text(setting.beta), number_text(setting.eta)
        rows.append((beta, eta, setting.origin, *text, report.verdict_text()))
    titles = ("beta", "eta", "in the paper", "case (i)", "case (ii) as printed", "case (ii) corrected", "verdict")
    return Table(_SETTINGS, titles, tuple(rows))


SECTION = Section("bounds", "Bounds and exact regions", collect)

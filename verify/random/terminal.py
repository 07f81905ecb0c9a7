"""A survey as plain text: counts with what they are parts of, never a percentage alone."""

from __future__ import annotations

from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import AREA, Area, Panel, Picture
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table
from verify.random.generators import find_kind
from verify.random.survey import Survey

_STATUSES = ("holds", "fails", "undecided")
_SHOWN = 5
"""Problems that were not judged which are listed."""


def plain_text(survey: Survey) -> str:
    """Return a survey as blocks of text."""
    blocks = [_headline(survey), _verdicts(survey).text(), _default(survey)]
    if not survey.plan.only_verdicts:
        none = f"bounds on beta: none is needed, A is positive definite on all {survey.total.problems} problems"
        blocks += [_checks(survey).text(), _bounds(survey).text() or none, _tightness(survey)]
    return "\n\n".join(filter(None, [*blocks, _not_judged(survey)])) + "\n"


def tables(survey: Survey) -> list[Table]:
    """Return counts of verdicts, and of checks and bounds where these were examined."""
    if survey.plan.only_verdicts:
        return [_verdicts(survey)]
    return [_verdicts(survey), _checks(survey), _bounds(survey)]


def _headline(survey: Survey) -> str:
    plan, size = survey.plan, survey.plan.size
    sizes = f"states {size.states}, features {size.features}, actions {size.actions}, branching {size.branching}"
    parameters = f"beta = {number_text(plan.beta)}, eta = {number_text(plan.eta)}"
    return (
        f"{survey.total.problems} {plan.kind} problems: {find_kind(plan.kind).summary}\n"
        f"  {sizes}; seed {plan.seed}; tdrc with {parameters}, tdc with the same eta"
    )


def _verdicts(survey: Survey) -> Table:
    rows = [
        (tdrc, tdc, part(n, survey.total.problems))
        for (tdrc, tdc), n in sorted(survey.total.verdicts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return Table("verdicts", ("tdrc is", "tdc is", "problems"), rows)


def _default(survey: Survey) -> str:
    beta = number_text(survey.plan.beta)
    counted = part(survey.only_tdc_converges, survey.tdc_converges)
    return f"tdc converges and tdrc with beta = {beta} does not: {counted} on which tdc converges"


def _checks(survey: Survey) -> Table:
    counts = survey.total.checks
    numbers = {claim: [counts[claim, status] for status in _STATUSES] for claim in sorted({c for c, _ in counts})}
    rows = [(claim, *map(str, each), str(sum(each))) for claim, each in numbers.items()]
    return Table("checks", ("check", *_STATUSES, "of"), rows)


def _bounds(survey: Survey) -> Table:
    total = sum(survey.total.printed.values())
    text = {
        "vacuous": "vacuous: negative, so no beta meets it",
        "positive": "positive",
        "none": "undefined, or A A^T is singular",
    }
    printed = [(f"printed: {text[name]}", part(survey.total.printed[name], total)) for name in text]
    corrected = [(f"corrected: {name}", part(n, total)) for name, n in sorted(survey.total.corrected.items())]
    rows = [*printed, *corrected] if total else []
    return Table("bounds on beta", ("bound on beta, where A is not positive definite", "problems"), rows)


def _tightness(survey: Survey) -> str:
    count, text = len(survey.total.ratios), ", ".join(f"{name} {value:.6g}" for name, value in survey.quantiles.items())
    return f"corrected bound over exact limit, on {count} problems that have both: {text}" if count else ""


def _not_judged(survey: Survey) -> str:
    missing = survey.total.not_judged
    lines = [f"  item {item}: {reason}" for item, reason in missing[:_SHOWN]]
    more = [f"  and {len(missing) - _SHOWN} more"] if len(missing) > _SHOWN else []
    return "\n".join([f"not judged: {len(missing)} problems", *lines, *more]) if missing else ""


def part(count: int, whole: int) -> str:
    """Return a count, what it is a part of, and the percentage.

    >>> part(1, 8)
    '1 of 8 (12.5 %)'
    """
    return f"{count} of {whole}" + (f" ({100 * count / whole:.3g} %)" if whole else "")


def _line(survey: Survey) -> str:
    return f"{survey.total.problems} {survey.plan.kind} problems, seed {survey.plan.seed}: {_default(survey)}"


def picture(survey: Survey) -> Picture:
    """Return how many problems have each pair of verdicts, as bars."""
    counts = sorted(survey.total.verdicts.items(), key=lambda item: item[1])
    boxes = [[(0.0, y - 0.3), (n, y - 0.3), (n, y + 0.3), (0.0, y + 0.3)] for y, (_, n) in enumerate(counts)]
    names = [(float(y), f"tdrc {tdrc},\ntdc {tdc}") for y, ((tdrc, tdc), _) in enumerate(counts)]
    areas = [Area("problems", boxes, AREA, filled=True)] if boxes else []
    across, up = (0.0, 1.05 * max((n for _, n in counts), default=1)), (-0.6, len(counts) - 0.4)
    panel = Panel([], "problems", "verdicts", areas=areas, x_ends=across, y_ends=up, y_ticks=names)
    return Picture(_line(survey), _default(survey), [panel])


Survey.view = View(_line, tables, picture, lambda result: _headline(result).splitlines())

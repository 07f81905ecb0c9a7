"""A survey as plain text: counts with what they are parts of, never a percentage alone."""

from __future__ import annotations

from tdrc_theory.exact.convert import number_text
from tdrc_theory.panel import AREA, Area, Panel, Picture
from tdrc_theory.shown import View
from tdrc_theory.table import Table
from verify.random.generators import find_kind
from verify.random.survey import Survey

_STATUSES = ("holds", "fails", "undecided")
_SHOWN = 5


def plain_text(found: Survey) -> str:
    """Return a survey as blocks of text."""
    if found.plan.only_verdicts:
        blocks = [_headline(found), _verdicts(found).text(), _default(found), _not_judged(found)]
        return "\n\n".join(filter(None, blocks)) + "\n"
    verdicts, checks, bounds = (table.text() for table in tables(found))
    none = f"bounds on beta: none is needed, A is positive definite on all {found.total.problems} problems"
    blocks = [_headline(found), verdicts, _default(found), checks, bounds or none, _tightness(found)]
    return "\n\n".join(block for block in [*blocks, _not_judged(found)] if block) + "\n"


def tables(found: Survey) -> list[Table]:
    """Return counts of verdicts, and of checks and bounds where these were examined."""
    if found.plan.only_verdicts:
        return [_verdicts(found)]
    return [_verdicts(found), _checks(found), _bounds(found)]


def _headline(found: Survey) -> str:
    plan, size = found.plan, found.plan.size
    sizes = f"states {size.states}, features {size.features}, actions {size.actions}, branching {size.branching}"
    parameters = f"beta = {number_text(plan.beta)}, eta = {number_text(plan.eta)}"
    return (
        f"{found.total.problems} {plan.kind} problems: {find_kind(plan.kind).summary}\n"
        f"  {sizes}; seed {plan.seed}; tdrc with {parameters}, tdc with the same eta"
    )


def _verdicts(found: Survey) -> Table:
    rows = [
        (tdrc, tdc, part(n, found.total.problems))
        for (tdrc, tdc), n in sorted(found.total.verdicts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return Table("verdicts", ("tdrc is", "tdc is", "problems"), rows)


def _default(found: Survey) -> str:
    beta = number_text(found.plan.beta)
    counted = part(found.only_tdc_converges, found.tdc_converges)
    return f"tdc converges and tdrc with beta = {beta} does not: {counted} on which tdc converges"


def _checks(found: Survey) -> Table:
    counts = found.total.checks
    rows = []
    for claim in sorted({claim for claim, _ in counts}):
        numbers = [counts[claim, status] for status in _STATUSES]
        rows.append((claim, *(str(n) for n in numbers), str(sum(numbers))))
    return Table("checks", ("check", *_STATUSES, "of"), rows)


def _bounds(found: Survey) -> Table:
    total = sum(found.total.printed.values())
    told = {
        "vacuous": "vacuous: negative, so no beta meets it",
        "positive": "positive",
        "none": "undefined, or A A^T is singular",
    }
    printed = [(f"printed: {told[name]}", part(found.total.printed[name], total)) for name in told]
    corrected = [(f"corrected: {name}", part(n, total)) for name, n in sorted(found.total.corrected.items())]
    rows = [*printed, *corrected] if total else []
    return Table("bounds on beta", ("bound on beta, where A is not positive definite", "problems"), rows)


def _tightness(found: Survey) -> str:
    ratios = found.total.ratios
    if not ratios:
        return ""
    told = ", ".join(f"{name} {value:.6g}" for name, value in found.quantiles.items())
    return f"corrected bound over exact limit, on {len(ratios)} problems that have both: {told}"


def _not_judged(found: Survey) -> str:
    missing = found.total.not_judged
    lines = [f"  item {item}: {reason}" for item, reason in missing[:_SHOWN]]
    more = [f"  and {len(missing) - _SHOWN} more"] if len(missing) > _SHOWN else []
    return "\n".join([f"not judged: {len(missing)} problems", *lines, *more]) if missing else ""


def part(count: int, whole: int) -> str:
    """Return a count, what it is a part of, and the percentage.

    >>> part(1, 8)
    '1 of 8 (12.5 %)'
    """
    return f"{count} of {whole}" + (f" ({100 * count / whole:.3g} %)" if whole else "")


def _line(found: Survey) -> str:
    return f"{found.total.problems} {found.plan.kind} problems, seed {found.plan.seed}: {_default(found)}"


def picture(found: Survey) -> Picture:
    """Return how many problems have each pair of verdicts, as bars."""
    counts = sorted(found.total.verdicts.items(), key=lambda item: item[1])
    boxes = [[(0.0, y - 0.3), (n, y - 0.3), (n, y + 0.3), (0.0, y + 0.3)] for y, (_, n) in enumerate(counts)]
    names = [(float(y), f"tdrc {tdrc},\ntdc {tdc}") for y, ((tdrc, tdc), _) in enumerate(counts)]
    areas = [Area("problems", boxes, AREA, filled=True)] if boxes else []
    across, up = (0.0, 1.05 * max((n for _, n in counts), default=1)), (-0.6, len(counts) - 0.4)
    panel = Panel([], "problems", "verdicts", areas=areas, x_ends=across, y_ends=up, y_ticks=names)
    return Picture(_line(found), _default(found), [panel])


Survey.view = View(_line, tables, picture, lambda found: _headline(found).splitlines())

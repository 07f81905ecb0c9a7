"""The tables as plain text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from simulate.tables.cell import Cell, Variant
from tdrc_theory.exact.convert import number_text
from tdrc_theory.papers.published import STEP_SIZES, printed_like
from tdrc_theory.tables.table import Table

_TITLES = ("row", "problem", "ours", "published", "difference", "as printed", "best at")


def plain_text(variant: Variant, cells: Sequence[Cell], runs: int) -> str:
    """Return a table for each step-size rule, and how many cells are as printed."""
    description = "\n".join(f"  {line}" for line in variant.about)
    head = (
        f"{variant.name}, {runs} runs; mean RMSPBE +- standard error; differences are in standard errors\n{description}"
    )
    shown = [f"{table.name}\n{table.text()}" for table in tables(variant, cells) if table.rows]
    return "\n\n".join([head, *shown, count_text(cells)]) + "\n"


def tables(variant: Variant, cells: Sequence[Cell]) -> list[Table]:
    """Return a table for each step-size rule."""
    by_rule = {name: [cell for cell in cells if cell.place.step_size == name] for name in STEP_SIZES}
    return [Table(name, _TITLES, [row(cell, variant.of_each_point) for cell in own]) for name, own in by_rule.items()]


def row(cell: Cell, of_each_point: bool) -> tuple[str, ...]:
    """Return a cell as a row of a table."""
    texts = (text(cell) for text in (published_text, difference_text, _match_text, _best_text))
    return cell.place.row, cell.place.problem, ours_text(cell, of_each_point), *texts


def count_text(cells: Sequence[Cell]) -> str:
    """Return how many cells are as printed."""
    printed = [cell for cell in cells if cell.printed is not None]
    means, errors, both = (
        (sum(map(bool, of)) for of in zip(*map(_matching, printed), strict=True)) if printed else (0,) * 3
    )
    return f"as printed: {both} of {len(printed)} cells ({means} means, {errors} standard errors)"


def _matching(cell: Cell) -> tuple[bool | None, bool | None, bool | None]:
    return cell.mean_matches, cell.error_matches, cell.matches


def ours_text(cell: Cell, of_each_point: bool) -> str:
    """Return a mean with its standard error, with the digits that the published one has."""
    if not math.isfinite(cell.mean):
        return "diverged"
    like = cell.printed or ("0.000", "0.000")
    more = "" if of_each_point else "0"  # a standard error of the area has its first digit one place later
    return f"{printed_like(cell.mean, like[0] + more)} +- {printed_like(cell.standard_error, like[1] + more)}"


def published_text(cell: Cell) -> str:
    """Return the published cell, empty where there is none."""
    return "" if cell.printed is None else f"{cell.printed.mean} +- {cell.printed.standard_error}"


def difference_text(cell: Cell) -> str:
    """Return how many standard errors both are apart."""
    return "" if cell.difference is None else f"{cell.difference:+.1f}"


def _match_text(cell: Cell) -> str:
    """Return whether a cell is as printed, or what of it is."""
    if cell.printed is None:
        return ""
    return "yes" if cell.matches else "the mean" if cell.mean_matches else "the error" if cell.error_matches else "no"


def _best_text(cell: Cell) -> str:
    """Return at which configuration it is."""
    configuration, parts = cell.areas.configuration, []
    parts.append(f"alpha {number_text(configuration.alpha)}{' (end of the grid)' if cell.areas.edge else ''}")
    if len(cell.areas.values("eta")) > 1:
        parts.append(f"eta {number_text(configuration.value('eta') or Fraction(1))}")
    parts += [f"{name} {_decimal(value)}" for name, value in configuration.parameters if name in cell.of_rule]
    return ", ".join(parts)


def _decimal(value: Fraction) -> str:
    return f"{float(value):g}"

"""The paper's tables of prediction results made again, beside the published ones, as far apart as they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from reports.page.section import Content, Missing, Section, Tell
from reports.page.stored import computed, remedy
from reports.page.subject import OnPaper
from reports.page.table import Table
from simulate.store import Store
from simulate.tables.cell import (
    AS_RUN,
    Cell,
    cells,
    chosen_cells,
    count_text,
    difference_text,
    ours_text,
    published_text,
    row,
)
from tdrc_theory.papers import PAPERS
from tdrc_theory.papers.published import PROBLEMS, ROWS, STEP_SIZES

RUNS = 200
"""As many as the paper's."""


def collect(subject: OnPaper, _: Tell) -> Content | Missing | None:
    """Return the tables, run now where that was asked for, from the store elsewhere."""
    if subject.paper.name != PAPERS[0]:
        return None
    request, cases = subject.request, AS_RUN.cases(RUNS)

    def table(step_size: str, store: Store) -> list[Cell]:
        wanted = chosen_cells(cases, step_size)
        return list(cells(wanted, AS_RUN, store, workers=request.workers).values())

    by_rule = {name: computed(request, partial(table, name)) for name in STEP_SIZES}
    every = [cell for part in by_rule.values() for cell in part or ()]
    brings = remedy("tdrc tables", request.store)
    if not every:
        return Missing("The tables were not made again: nothing was run, and no store holds them.", brings)
    return Content(
        tables=tuple(_table(name, part) for name, part in by_rule.items() if part),
        absent=tuple(name for name, part in by_rule.items() if part is None),
        remedy=brings,
        count=count_text(every),
        about=AS_RUN.about,
        runs=RUNS,
    )


def _table(step_size: str, cells: Sequence[Cell]) -> Content:
    there = {(cell.place.row, cell.place.problem): cell for cell in cells}
    problems = tuple(name for name in PROBLEMS if any(problem == name for _, problem in there))
    rows = tuple(
        (name, tuple(_cell(there.get((name, problem))) for problem in problems))
        for name in ROWS
        if any(of == name for of, _ in there)
    )
    titles = ("algorithm", "problem", "ours", "published", "difference in standard errors", "as printed", "best at")
    numbers = Table(f"{step_size}: every cell", titles, tuple(row(cell, True) for cell in cells))
    return Content(step_size=step_size, problems=problems, rows=rows, numbers=numbers)


def _cell(cell: Cell | None) -> Content | None:
    """Return a cell, None where the paper has none."""
    if cell is None:
        return None
    ours, published = (
        text.replace(" +- ", "\u00a0\u00b1\u00a0") for text in (ours_text(cell, True), published_text(cell))
    )
    apart = difference_text(cell)
    apart = "0.0" if apart in ("+0.0", "-0.0") else apart
    return Content(ours=ours, published=published, difference=apart, matches=cell.matches)


SECTION = Section("reproduced_tables", "The tables, made again", collect)

"""The tables of the first paper as an experiment: every cell, and the studies of eta and of beta, under a variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from simulate.paper.compared import comparisons
from simulate.paper.seen import Seen, Truth, Unseen
from simulate.store import Store
from simulate.sweep.study import Areas
from simulate.tables.cell import Cell, Wanted, cells, published_cells
from simulate.tables.variant import Variant
from tdrc_theory.judgement import Step
from tdrc_theory.papers.published import PROBLEMS, ROWS, STEP_SIZES, Place


def see_tables(
    variant: Variant,
    store: Store,
    definitions: Mapping[str, Fraction],
    *,
    runs: int,
    seed: int,
    workers: int | None = None,
    cluster: str | None = None,
) -> Seen:
    """Run what statements are judged by; see `simulate.tables.cell.cells`.

    Args:
        definitions: the paper's numbers.
        seed: of fresh experience.
    """
    cases = variant.cases(runs, seed)
    studies = {place: case for place, case in cases.items() if case.along is not None}
    chosen = {**published_cells(cases, Wanted()), **studies}
    return seen_in(cells(chosen, variant, store, workers=workers, cluster=cluster), definitions)


def seen_in(cells: Mapping[Place, Cell], definitions: Mapping[str, Fraction]) -> Seen:
    """Return what statements see of cells; the studies are rows of the Adagrad table."""
    places = {id(cell.areas): place for place, cell in cells.items()}
    every = ", ".join(dict.fromkeys(place.row for place in cells))

    def cell(table: str, row: str, problem: str) -> Areas:
        place = Place(table, row, problem)
        if place not in cells:
            raise Unseen(f"no such cell; rows {every}; tables {', '.join(STEP_SIZES)}")
        return cells[place].areas

    def rows(problem: str) -> list[str]:
        return [row for row in ROWS if Place(STEP_SIZES[0], row, problem) in cells]

    def columns(row: str) -> list[str]:
        return [problem for problem in PROBLEMS if Place(STEP_SIZES[0], row, problem) in cells]

    def lowest(table: str, problem: str) -> Areas:
        return min((cell(table, row, problem) for row in rows(problem)), key=lambda areas: areas.mean)

    def as_printed(areas: Areas) -> Truth:
        of = cells[places[id(areas)]]
        printed = "" if of.printed is None else of.printed.mean
        return Truth(of.mean_matches, (Step("", f"{of.mean:.4f}, printed {printed}"),))

    def bold(areas: Areas) -> Truth:
        of = cells[places[id(areas)]]
        return Truth(of.printed is not None and of.printed.bold, (Step("", f"{of.place.row}, {of.mean:.4f}"),))

    own: dict[str, Callable[..., Any]] = {
        "cell": cell,
        "rows": rows,
        "columns": columns,
        "lowest": lowest,
        "as_printed": as_printed,
        "bold": bold,
    }
    return Seen({"problems": list(PROBLEMS), "tables": list(STEP_SIZES)}, {**comparisons(definitions), **own})

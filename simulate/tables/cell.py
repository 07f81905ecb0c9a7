"""Cells of the tables, computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simulate.compute import compute
from simulate.store import Store
from simulate.sweep.areas import Areas
from simulate.tables.swept import Swept
from simulate.tables.variant import Variant
from simulate.uncertainty import estimate
from tdrc_theory.finite import finite
from tdrc_theory.published import Place, Published, printed_like, published


@dataclass(frozen=True, eq=False)
class Cell:
    """The best of a grid of configurations.

    Attributes:
        swept: the grid.
        areas: what each configuration gave.
        mean, standard_error: of the best one, as the variant defines the error; inf and nan where every one diverged.
    """

    swept: Swept
    areas: Areas
    mean: float
    standard_error: float

    @property
    def place(self) -> Place:
        """Return where it stands."""
        return self.swept.place

    @property
    def printed(self) -> Published | None:
        """Return the published cell in its place."""
        return published().get(self.place)

    @property
    def mean_matches(self) -> bool | None:
        """Return whether the mean is the published one to the printed digit; None where none is published."""
        return None if self.printed is None else printed_like(self.mean, self.printed.mean) == self.printed.mean

    @property
    def error_matches(self) -> bool | None:
        """Return the same of the standard error."""
        if self.printed is None:
            return None
        return printed_like(self.standard_error, self.printed.standard_error) == self.printed.standard_error

    @property
    def matches(self) -> bool | None:
        """Return whether both match."""
        return None if self.printed is None else bool(self.mean_matches and self.error_matches)

    @property
    def difference(self) -> float | None:
        """Return ours less the published mean, in standard errors: the root of the sum of both squares, as shown."""
        if self.printed is None or not math.isfinite(self.mean):
            return None
        return (self.mean - float(self.printed.mean)) / math.hypot(
            self.standard_error, float(self.printed.standard_error)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object, with more."""
        best, printed = self.areas.setting, self.printed
        return {
            "stepsize": self.place.step_size,
            "algorithm": self.place.row,
            "problem": self.place.problem,
            "mean": finite(self.mean),
            "standard_error": finite(self.standard_error),
            "published_mean": printed and printed.mean,
            "published_standard_error": printed and printed.standard_error,
            "matches": self.matches,
            "mean_matches": self.mean_matches,
            "standard_error_matches": self.error_matches,
            "difference": self.difference,
            "standard_error_of_area": finite(estimate(self.areas.runs).standard_error),
            "rule": self.swept.rule.name,
            "alpha": str(best.alpha),
            **{
                name: str(best.value(name)) if "h" in self.swept.algorithm.stacked else None for name in ("eta", "beta")
            },
            "parameters": {name: str(best.value(name)) for name in self.swept.parameters},
            "configurations": len(self.areas.settings),
            "diverged_configurations": self.areas.diverged,
            "alpha_at_edge": self.areas.edge != 0,
        }


def cells(
    sweeps: Sequence[Swept],
    variant: Variant,
    store: Store,
    *,
    runs: int,
    workers: int | None = None,
    title: str = "cells",
) -> list[Cell]:
    """Run grids, extend those that the variant says are to be extended, and return the best of each.

    Args:
        sweeps: the grids.
        variant: says when the error is read, how its standard error is defined, and whether alpha is capped.
        store: keeps what is computed; what it holds is not computed again.
        runs: how many, numbered from 0; at least 2.
        workers: see `simulate.compute.compute`.
        title: of the progress bar.
    """
    grids, found = list(sweeps), {}
    waiting = list(range(len(grids)))
    while waiting:
        pieces = [grids[i].areas_piece(runs, variant.every) for i in waiting]
        outcomes = compute(pieces, store, workers=workers, title=title)
        grown = []
        for i, outcome in zip(waiting, outcomes, strict=True):
            found[i] = Areas(grids[i].settings, outcome.area)
            more = grids[i].extended(found[i]) if variant.uncapped else None
            if more is not None:
                grids[i] = more
                grown.append(i)
        waiting = grown
    made = [(grids[i], found[i]) for i in range(len(grids))]
    if not variant.of_each_point:
        return [Cell(grid, areas, *estimate(areas.runs)[:2]) for grid, areas in made]
    pieces = [grid.points_piece(areas.setting, runs, variant.every) for grid, areas in made]
    curves = compute(pieces, store, workers=workers, title=title)
    return [
        Cell(grid, areas, float(curve.mean.mean()), float(curve.standard_error().mean()))
        for (grid, areas), curve in zip(made, curves, strict=True)
    ]

"""Which of two cells is the lower, each at its best configuration, on the runs that they share, and by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from simulate.tables.areas import Areas
from tdrc_theory.published import COMPARABLE, PROBLEMS, ROWS, Place

CERTAIN = 2.0
"""Standard errors of the mean of paired differences from which on one cell is taken to be lower than another."""


def ratio(one: Areas, other: Areas) -> float:
    """Return how many times as high the first is."""
    return one.mean / other.mean if math.isfinite(other.mean) else math.nan if math.isinf(one.mean) else 0.0


def lower(one: Areas, other: Areas) -> bool:
    """Return whether the first is lower beyond doubt; run i of both had the same experience."""
    if not (math.isfinite(one.mean) and math.isfinite(other.mean)):
        return math.isfinite(one.mean)
    differences = other.runs - one.runs
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    return float(np.mean(differences)) > CERTAIN * error


def worse(one: Areas, other: Areas) -> bool:
    """Return whether the first is noticeably worse."""
    return lower(other, one) and ratio(one, other) > COMPARABLE


def as_good(one: Areas, other: Areas) -> bool:
    """Return whether the first is comparable or better."""
    return ratio(one, other) <= COMPARABLE


@dataclass(frozen=True, eq=False)
class Evidence:
    """What one variant gave.

    Attributes:
        cells: every published cell computed anew.
        eta, beta: the studies of both, under Adagrad: row and problem, or problem, to areas.
        as_printed: in each table, the cells that are as printed, and all.
    """

    cells: Mapping[Place, Areas]
    eta: Mapping[tuple[str, str], Areas]
    beta: Mapping[str, Areas]
    as_printed: Mapping[str, tuple[int, int]]

    def column(self, step_size: str, problem: str) -> dict[str, Areas]:
        """Return the rows of a column."""
        places = {row: Place(step_size, row, problem) for row in ROWS}
        return {row: self.cells[place] for row, place in places.items() if place in self.cells}

    def columns(self, step_size: str) -> dict[str, dict[str, Areas]]:
        """Return the columns of a table by problem."""
        return {problem: self.column(step_size, problem) for problem in PROBLEMS}

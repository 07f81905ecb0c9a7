"""The 84 cells of the published tables."""

from __future__ import annotations

import csv
import functools
import itertools
from importlib.resources import files
from typing import NamedTuple

STEP_SIZES = ("constant", "adagrad", "adam")
ROWS = ("gtd2", "tdc", "htd", "td", "vtrace", "tdrc")
PROBLEMS = ("random-walk-tabular", "random-walk-inverted", "random-walk-dependent", "boyan", "baird")


class Place(NamedTuple):
    """Where a cell stands: the table, the row and the column."""

    step_size: str
    row: str
    problem: str


class Published(NamedTuple):
    """A cell as it was printed.

    Attributes:
        mean, standard_error: the text.
        bold: whether it is set in bold, as the lowest of its column.
    """

    mean: str
    standard_error: str
    bold: bool


@functools.cache
def published() -> dict[Place, Published]:
    """Return the printed cells, in the order of the tables; HTD and V-trace have none on Boyan's chain."""
    text = files("tdrc_theory").joinpath("papers/published.csv").read_text(encoding="utf-8")
    cells = {
        Place(line["stepsize"], line["algorithm"], line["problem"]): Published(
            line["mean"], line["standard_error"], line["bold_in_paper"] == "1"
        )
        for line in csv.DictReader(text.splitlines())
    }
    places = itertools.starmap(Place, itertools.product(STEP_SIZES, ROWS, PROBLEMS))
    return {place: cells[place] for place in places if place in cells}


def printed_like(value: float, text: str) -> str:
    """Return a number with as many decimals as a printed one.

    >>> printed_like(0.22194, "0.222")
    '0.222'
    """
    return f"{value:.{len(text.partition('.')[2])}f}"

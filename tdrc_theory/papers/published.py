"""What is read off the paper that the project judges: its reference, the cells of its tables, and its settings."""

from __future__ import annotations

import csv
import functools
import itertools
import tomllib
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

_HEAD: dict[str, Any] = tomllib.loads(
    (files("tdrc_theory") / "papers" / "tdrc" / "paper.toml").read_text(encoding="utf-8")
)
TITLE: str = _HEAD["title"]
AUTHORS: str = f"{', '.join(_HEAD['authors'][:-1])} and {_HEAD['authors'][-1]}"
YEAR: int = _HEAD["year"]
LINK: str = _HEAD["link"]

CITED_PAPER = (f"{AUTHORS} ({YEAR}):", f"{TITLE},", LINK)
"""Authors, title and link, a line each."""


STEP_SIZES = ("constant", "adagrad", "adam")
ROWS = ("gtd2", "tdc", "htd", "td", "vtrace", "tdrc")
PROBLEMS = ("random-walk-tabular", "random-walk-inverted", "random-walk-dependent", "boyan", "baird")


class Place(NamedTuple):
    """Where a cell stands: the table, the row and the column."""

    step_size: str
    row: str
    problem: str


class Published(NamedTuple):
    """A cell as it was printed; `bold` where it is set so, as the lowest of its column."""

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


TABLES = Path(str(files("tdrc_theory"))) / "papers" / "tdrc" / "experiments" / "tables.toml"
"""How the paper's tables are made: as they were run, as the text states, and corrected."""


class PaperSetting(NamedTuple):
    """A setting of TDRC, and where in the paper it is from."""

    beta: Fraction
    eta: Fraction
    origin: str


@functools.cache
def paper_settings() -> tuple[PaperSetting, ...]:
    """Return the settings of beta and eta that the paper speaks of, by beta, to be held against bounds and regions.

    >>> [str(setting.beta) for setting in paper_settings()]
    ['1/10', '1/5', '2/5', '4/5', '1', '8/5', '16/5', '32/5']
    """
    data = tomllib.loads(TABLES.read_text(encoding="utf-8"), parse_float=str)
    as_run, as_stated = ({**data, **data["variants"][name]} for name in ("as-run", "as-stated"))
    grid = _learner(as_run["rows"], "tdrc over beta")["beta"]
    powers = (Fraction(grid["base"]) ** n for n in range(grid["from"], grid["to"] + 1))
    result = dict.fromkeys((Fraction(grid["times"]) * power for power in powers), "swept")
    result[Fraction(_learner(as_run["rows"], "tdrc")["beta"])] = "swept, and used in the tables"
    result[Fraction(_learner(as_stated["learners"], "tdrc")["beta"])] = "the default, and what the text states"
    return tuple(PaperSetting(beta, Fraction(1), text) for beta, text in sorted(result.items()))


def _learner(learners: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the first learners of a name, which is that of the algorithm where they have none of their own."""
    named = ((each.get("name", each["algorithms"]), each) for each in learners)
    return next(each for called, each in named if name in (called if isinstance(called, list) else [called]))

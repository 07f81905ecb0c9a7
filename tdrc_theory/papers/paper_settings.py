"""The settings of beta and eta that the paper speaks of, so that they can be held against bounds and regions.

They are read from the file that the paper's tables are made from, `papers/tdrc/experiments/tables.toml`.
"""

from __future__ import annotations

import functools
import tomllib
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

TABLES = Path(str(files("tdrc_theory"))) / "papers" / "tdrc" / "experiments" / "tables.toml"
"""How the paper's tables are made: as they were run, as the text states, and corrected."""


class PaperSetting(NamedTuple):
    """A setting of TDRC.

    Attributes:
        beta, eta: the parameters.
        origin: where in the paper it is from.
    """

    beta: Fraction
    eta: Fraction
    origin: str


@functools.cache
def paper_settings() -> tuple[PaperSetting, ...]:
    """Return the settings of the paper, by beta.

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

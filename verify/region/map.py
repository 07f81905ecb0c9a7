"""The map of two parameters: exact intervals of the first one at each of many values of the second one, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tdrc_theory.exact.number import number_text
from tdrc_theory.parameters import out_of_range
from tdrc_theory.tables.shown import Shown
from tdrc_theory.tables.table import Table
from verify.conditions.setting import Setting
from verify.region.family import Family
from verify.region.region import Region, converges_everywhere, family_region, whole_region

ETAS = tuple(Fraction(2**n) if n >= 0 else Fraction(1, 2**-n) for n in range(-6, 7))
"""The values of an unbounded second parameter, with two more between each pair of neighbours."""
_SHARES = 32
"""Into how many equal parts the values divide a range from 0 to 1."""


@dataclass(frozen=True, repr=False)
class Map(Shown):
    """Regions of one parameter, exact at each value of another, ascending; the picture joins their ends.

    Attributes:
        rows: one for each value of the second parameter.
        second: its name.
        everywhere: whether a theorem proves convergence at every beta and eta, between the rows too.
    """

    rows: tuple[Region, ...]
    second: str = "eta"
    everywhere: bool = False

    @property
    def first(self) -> str:
        """The name of the parameter that the rows are regions of."""
        return self.rows[0].parameter

    @property
    def who(self) -> str:
        """The learner and the problem."""
        return f"{self.rows[0].algorithm.name} on {self.rows[0].problem.name}"

    @property
    def proven(self) -> str:
        """Return what is known of the blue area, and how."""
        if self.everywhere:
            return "converges everywhere (exact): A is positive definite, Theorem 3.1 (i)"
        return f"converges: exact at {len(self.rows)} values of {self.second}, their ends joined by straight lines"

    def at(self, row: Region) -> Fraction:
        """Return the value of the second parameter of a row."""
        return row.parameters[self.second]

    @property
    def table(self) -> Table:
        """Return a row for each value of the second parameter."""
        rows = [(number_text(self.at(row)), row.listed) for row in self.rows]
        return Table("map", (self.second, f"converges for {self.first} in"), rows)

    def to_json(self) -> dict[str, Any]:
        """Return every row as the contract's region."""
        return {"problem": self.rows[0].problem.to_json(), "rows": [row.to_json() for row in self.rows]}


def map_values(name: str) -> list[Fraction]:
    """Return the values of the second parameter: powers of 2 and two simple fractions between, or equal shares of 1."""
    if out_of_range(name, Fraction(2)):
        return [Fraction(n, _SHARES) for n in range(_SHARES + 1)]
    return sorted({value * step for value in ETAS for step in (Fraction(1), Fraction(5, 4), Fraction(8, 5))})


def compute_map(
    setting: Setting, names: tuple[str, str] = ("beta", "eta"), progress: Callable[[int], None] = lambda _: None
) -> Map:
    """Return the map of a setting over two parameters; its own values of them do not matter.

    Raises:
        BadOption: the algorithm lacks one of them, or G is too large.
    """
    first, second = Family(setting, names).names
    whole = whole_region(setting) if names == ("beta", "eta") and converges_everywhere(setting) else None
    rows: list[Region] = []
    for value in map_values(second):
        if whole is None:
            rows.append(family_region(Family(setting.at(**{second: value}), (first,))))
        else:
            rows.append(replace(whole, parameters={**whole.parameters, second: value}))
        progress(len(rows))
    return Map(tuple(rows), second, whole is not None)

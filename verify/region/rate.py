"""The fastest rate: floats search for it, exact arithmetic encloses what they find."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tdrc_theory.parameters import parameter_texts, parameters_text
from verify.conditions.setting import Setting
from verify.conditions.verdict import verdict
from verify.exact.roots import Enclosure
from verify.region.family import Family

if TYPE_CHECKING:
    import numpy as np

SEARCHED = (Fraction(1, 1024), Fraction(1024))
"""Smallest and largest value tried for a parameter; beta = 0 is tried too."""
_GRID, _ROUNDS = 61, 5
"""Points of a grid, and how many grids, each a fifteenth as wide: to 5e-6 in the logarithm."""
_DIGITS = 1000
"""Largest denominator of what the search returns, so that it can be typed."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The parameters with the smallest spectral abscissa that a search found, and that abscissa, enclosed.

    The search is in floats over `SEARCHED`, so there may be a faster setting; the enclosure holds at this one.
    """

    parameters: Mapping[str, Fraction]
    abscissa: Enclosure

    def to_json(self) -> dict[str, Any]:
        """Return the parameters as exact text and the enclosure."""
        used = parameter_texts(self.parameters)
        return {**used, "spectral_abscissa": self.abscissa.to_json(), "found_by": self.method}

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        used = parameters_text(self.parameters)
        ends = f"[{self.abscissa.lower!r}, {self.abscissa.upper!r}]"
        return f"{used}, with its spectral abscissa in {ends} ({self.method})"

    @property
    def method(self) -> str:
        """How it was found, and whether it may be beyond what was searched."""
        searched = f"float search from {SEARCHED[0]} to {SEARCHED[1]}"
        at_edge = set(self.parameters.values()) & set(SEARCHED)
        return f"{searched}, at whose edge it ended: beyond, it may be faster" if at_edge else searched


def fastest(setting: Setting, parameters: tuple[str, ...]) -> Rate | None:
    """Return the fastest setting over the open parameters; None where the search finds none that converges."""
    best = setting
    if len(parameters) > 1:
        # A coarse grid over both, then one after the other around its best.
        starts = [setting.at(eta=Fraction(2) ** power) for power in range(-6, 7)]
        tried = [_along(Family(start, ("beta",)), rounds=1) for start in starts]
        best = min(tried, key=lambda each: _float_abscissa(Family(each, ("eta",)))(float(each.eta)))
    for _ in range(_ROUNDS if len(parameters) > 1 else 1):
        before = best.parameters
        for parameter in parameters:
            best = _along(Family(best, (parameter,)))
        if best.parameters == before:
            break
    decided = verdict(best)
    if decided.spectral_abscissa is None or not decided.spectral_abscissa.upper < 0:
        return None
    return Rate(best.parameters, decided.spectral_abscissa)


def _along(family: Family, rounds: int = _ROUNDS) -> Setting:
    """Return the member of a family with the smallest abscissa: a grid, and then ever finer ones around its best."""
    import numpy as np

    abscissa = _float_abscissa(family)
    low, high = (np.log(float(end)) for end in SEARCHED)
    grid = np.linspace(low, high, _GRID)
    best = 0.0
    for _ in range(rounds):
        values = [abscissa(float(np.exp(g))) for g in grid]
        at = int(np.argmin(values))
        best = float(np.exp(grid[at]))
        width = 2 * (grid[1] - grid[0])
        grid = np.linspace(max(low, grid[at] - width), min(high, grid[at] + width), _GRID)
    ends = [end for end in SEARCHED if math.isclose(best, float(end), rel_tol=1e-3)]
    if family.names == ("beta",) and abscissa(0.0) <= abscissa(best):
        return family.at(Fraction(0))
    return family.at(ends[0] if ends else Fraction(best).limit_denominator(_DIGITS))


def _float_abscissa(family: Family) -> Any:
    """Return t -> largest real part in floats, without as many zeros as G has at almost every t."""
    import numpy as np

    parts: dict[int, np.ndarray] = {power: matrix.to_float() for (power,), matrix in family.coefficients.items()}
    zeros = min(family.G(Fraction(n)).charpoly().split_zero()[0] for n in (3, 7, 11))

    def abscissa(t: float) -> float:
        eigenvalues = np.linalg.eigvals(sum(part * t**power for power, part in parts.items()))
        kept = eigenvalues[np.argsort(np.abs(eigenvalues))[zeros:]]
        return float(kept.real.max()) if len(kept) else 0.0

    return abscissa

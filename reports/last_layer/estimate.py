"""What theory reads off a last layer, with intervals, and which hypotheses hold as far as these tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from reports.last_layer.matrices import (
    Averages,
    abscissa,
    averages,
    beta_bound,
    condition_of_C,
    eta_bound,
    lowest_of_A,
    mean,
    settled_h,
)
from reports.last_layer.transitions import Transitions
from simulate.uncertainty import t_quantile
from tdrc_theory.finite import finite
from verify.check import Status

BLOCKS = 20
"""Consecutive transitions depend on each other; so many blocks of them are taken to be independent."""
LOWEST, CONDITION = "lowest eigenvalue of (A + A^T) / 2", "smallest over largest eigenvalue of C"
BETA, ETA = "bound of beta", "bound of eta"
RATE, END = "spectral abscissa, beta = {:g}", "norm at which h settles, beta = {:g}"
_ROUNDING = 1e-12
"""Share of the largest eigenvalue that eigenvalues in floats may be wrong by."""


@dataclass(frozen=True, slots=True)
class Jackknifed:
    """A number of one run.

    Attributes:
        value: from all transitions.
        lower, upper: interval by the block jackknife, about the value less its bias; NaN where there is none, and the
            value itself, inf, where that is the value without any of the blocks too.
    """

    value: float
    lower: float
    upper: float

    def above(self, bound: float) -> Status:
        """Return whether the number is above a bound, as far as the interval tells."""
        if not self.lower <= self.upper or self.lower <= bound <= self.upper:
            return Status.UNDECIDED
        return Status.of(self.lower > bound)

    def below(self, bound: float) -> Status:
        """Return whether it is below."""
        return Jackknifed(-self.value, -self.upper, -self.lower).above(-bound)

    def to_json(self) -> dict[str, float | None]:
        """Return the three numbers, null for what is not finite."""
        return {"value": finite(self.value), "lower": finite(self.lower), "upper": finite(self.upper)}


@dataclass(frozen=True)
class LastLayer:
    """What was found of one run: numbers and hypotheses by name, and the norm of h.

    Attributes:
        norm_kept: of the part of h in the directions that are kept.
        rank: how many these are.
    """

    norm_h: float
    norm_kept: float
    rank: int
    numbers: dict[str, Jackknifed]
    hypotheses: dict[str, Status]

    def to_json(self) -> dict[str, Any]:
        """Return everything."""
        return {
            "norm_h": finite(self.norm_h),
            "norm_h_in_directions_kept": finite(self.norm_kept),
            "rank_C": self.rank,
            "numbers": {name: found.to_json() for name, found in self.numbers.items()},
            "hypotheses": {name: status.value for name, status in self.hypotheses.items()},
        }


def last_layer(run: Transitions, beta: float, eta: float, resolution: float) -> LastLayer:
    """Return what theory says of a run that learns with this beta and eta, in the directions that `averages` keeps."""
    parts = averages(run, BLOCKS, resolution)
    rounding = _ROUNDING * float(np.linalg.eigvalsh(mean(parts).C)[-1])
    numbers = {
        LOWEST: jackknife(parts, lowest_of_A, rounding=rounding),
        CONDITION: jackknife(parts, condition_of_C, logarithm=True),
        BETA: jackknife(parts, beta_bound, logarithm=True),
        ETA: jackknife(parts, eta_bound),
    }
    for value in sorted({0.0, 1.0, beta}):
        rate = partial(abscissa, beta=value, eta=eta, by_action=True)
        numbers[RATE.format(value)] = jackknife(parts, rate, rounding=rounding)
        end = partial(settled_h, beta=value, by_action=True)
        numbers[END.format(value)] = jackknife(parts, end, logarithm=True)
    norm = float(np.linalg.norm(parts[0].h))
    hypotheses = {
        "A is positive definite": numbers[LOWEST].above(0),
        "beta is below its bound": numbers[BETA].above(beta) if beta else Status.HOLDS,
        "eta is above its bound": numbers[ETA].below(eta),
        "the update is stable": numbers[RATE.format(beta)].below(0),
        "h is to grow from where it is": numbers[END.format(beta)].above(norm),
    }
    return LastLayer(float(np.linalg.norm(run.h)), norm, len(parts[0].C), numbers, hypotheses)


def jackknife(
    parts: Sequence[Averages],
    quantity: Callable[[Averages], float],
    *,
    logarithm: bool = False,
    rounding: float = 0.0,
) -> Jackknifed:
    """Return a quantity of the mean of parts that are independent, with its interval.

    Args:
        logarithm: the interval is symmetric about its logarithm: of what varies by orders of magnitude.
        rounding: what the quantity may be wrong by besides.
    """

    def evaluated(chosen: Sequence[Averages]) -> float:
        try:
            found = quantity(mean(list(chosen)))
        except np.linalg.LinAlgError:
            return math.nan
        if logarithm:
            return math.log(found) if found > 0 else math.nan
        return found

    count = len(parts)
    whole = evaluated(parts)
    left = np.array([evaluated([*parts[:i], *parts[i + 1 :]]) for i in range(count)])
    if all(value == math.inf for value in (whole, *left)):
        return Jackknifed(math.inf, math.inf, math.inf)
    if not np.isfinite([whole, *left]).all():  # it is not always there: nothing is said of its error
        return Jackknifed(_exp(whole) if logarithm else whole, math.nan, math.nan)
    centre = count * whole - (count - 1) * float(left.mean())
    spread = math.sqrt((count - 1) / count * float(((left - left.mean()) ** 2).sum()))
    reach = t_quantile(count - 1) * spread + rounding
    found = whole, centre - reach, centre + reach
    return Jackknifed(*(_exp(v) for v in found)) if logarithm else Jackknifed(*found)


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0)) if value < math.inf else value

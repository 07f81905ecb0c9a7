"""Intervals for numbers that are computed from means over units: by a bootstrap, or by a jackknife where that costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from tdrc_theory.cli.finite import finite
from verify.check import Status

LEVEL = 0.95
"""Of every interval, each by itself."""
FEWEST_UNITS = 10
"""With fewer units there is no interval."""
Weights = np.ndarray
"""(units,), how often each is taken."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with its interval.

    Attributes:
        value: from all units.
        lower, upper: NaN where there is no interval; inf where the value is inf whichever units are taken.
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
        return Interval(-self.value, -self.upper, -self.lower).above(-bound)

    def __str__(self) -> str:
        """Return the number with its interval.

        >>> print(Interval(0.5, 0.25, 1.0), Interval(0.5, math.nan, math.nan), sep="; ")
        0.5 in [0.25, 1]; 0.5, no interval
        """
        if math.isnan(self.lower):
            return f"{self.value:.4g}, no interval"
        return f"{self.value:.4g} in [{self.lower:.4g}, {self.upper:.4g}]"

    def to_json(self) -> dict[str, float | None]:
        """Return the three numbers, null for what is not finite."""
        return {"value": finite(self.value), "lower": finite(self.lower), "upper": finite(self.upper)}


def jackknife(whole: float, left: Sequence[float], *, logarithm: bool = False, rounding: float = 0.0) -> Interval:
    """Return a number with the interval of the delete-one jackknife, about the value less its bias.

    Args:
        whole, left: from all units, and without each of them.
        logarithm: the interval is symmetric about its logarithm: of what varies by orders of magnitude.
        rounding: what the number may be wrong by besides.
    """
    from scipy.special import stdtrit

    values = np.array([whole, *left], dtype=np.float64)
    if (values == whole).all():  # it does not depend on the units
        return Interval(whole, whole - rounding, whole + rounding)
    if logarithm:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.log(values)
    units = len(left)
    if not np.isfinite(values).all() or units < 2:  # it is not always there: nothing is known of its error
        return Interval(whole, math.nan, math.nan)
    rest = values[1:]
    centre = units * values[0] - (units - 1) * rest.mean()
    spread = math.sqrt((units - 1) / units * float(((rest - rest.mean()) ** 2).sum()))
    reach = float(stdtrit(units - 1, (1 + LEVEL) / 2)) * spread + rounding
    ends = centre - reach, centre + reach
    return Interval(whole, *((math.exp(min(v, 700.0)) for v in ends) if logarithm else map(float, ends)))


def bootstrapped(whole: float, left: Sequence[float], drawn: Sequence[float], *, rounding: float = 0.0) -> Interval:
    """Return a number with the bias-corrected and accelerated interval of the bootstrap.

    Args:
        whole, left, drawn: from all units, without each of them, and from as many units drawn with replacement.
        rounding: what the number may be wrong by besides.

    Source: B. Efron, Better bootstrap confidence intervals, Journal of the American Statistical Association 82, 1987.
    """
    from scipy.special import ndtr, ndtri

    values, rest = np.asarray(drawn, dtype=np.float64), np.asarray(left, dtype=np.float64)
    if (values == whole).all() and (rest == whole).all():  # it does not depend on the units
        return Interval(whole, whole - rounding, whole + rounding)
    if np.isnan([whole, *values]).any():
        return Interval(whole, math.nan, math.nan)
    share = ((values < whole).mean() + (values <= whole).mean()) / 2
    bias = float(ndtri(share))
    if not math.isfinite(bias):  # every draw is on one side: no interval about the value
        return Interval(whole, math.nan, math.nan)
    pulls = rest.mean() - rest if np.isfinite(rest).all() else np.zeros(1)
    square = float((pulls**2).sum())
    curve = float((pulls**3).sum()) / (6 * square**1.5) if square else 0.0
    ordered, ends = np.sort(values), []
    for side in ((1 - LEVEL) / 2, (1 + LEVEL) / 2):
        z = bias + float(ndtri(side))
        place = float(ndtr(bias + z / (1 - curve * z))) if curve * z < 1 else float(z > 0)
        ends.append(_at(ordered, place, upper=side > 0.5))
    return Interval(whole, ends[0] - rounding, ends[1] + rounding)


def _at(ordered: np.ndarray, place: float, upper: bool) -> float:
    """Return the value below which a share of the draws lies, the outer one of two."""
    at = place * (len(ordered) + 1)
    index = (math.ceil(at) if upper else math.floor(at)) - 1
    return float(ordered[min(max(index, 0), len(ordered) - 1)])


Evaluate = Callable[[Weights], Mapping[str, float]]
Tell = Callable[[int], None]


class Resampling:
    """Numbers evaluated on all units, without each, and on draws with replacement: none for the jackknife alone.

    Attributes:
        whole, left, drawn: {name: number} from all units, from all but each, and from each draw.
    """

    def __init__(self, units: int, evaluate: Evaluate, resamples: int, seed: int, tell: Tell) -> None:
        generator, even, done = np.random.default_rng(seed), np.full(units, 1 / units), count(1)

        def numbers(weights: Weights) -> Mapping[str, float]:
            result = evaluate(weights)
            tell(next(done))
            return result

        self.whole = numbers(np.ones(units))
        self.left = [numbers(np.where(np.arange(units) == i, 0.0, 1.0)) for i in range(units)]
        self.drawn = [numbers(generator.multinomial(units, even).astype(np.float64)) for _ in range(resamples)]

    def interval(self, name: str, *, logarithm: bool = False, rounding: float = 0.0) -> Interval:
        """Return a number with its interval."""
        whole, left = self.whole[name], [each[name] for each in self.left]
        if len(left) < FEWEST_UNITS:
            return Interval(whole, math.nan, math.nan)
        if not self.drawn:
            return jackknife(whole, left, logarithm=logarithm, rounding=rounding)
        return bootstrapped(whole, left, [each[name] for each in self.drawn], rounding=rounding)

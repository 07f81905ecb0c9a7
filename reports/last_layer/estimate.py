"""What theory reads off a last layer, with intervals, and which hypotheses hold as far as these tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from reports.last_layer.matrices import Averages, abscissa, averages, mean, settled_h
from reports.last_layer.transitions import Transitions
from tdrc_theory.cli.finite import finite
from verify.check import Status
from verify.data.intervals import Interval, jackknife
from verify.data.numbers import BETA, CONDITION, ETA, LOWEST, beta_bound, condition_of_C, eta_bound, lowest_of_A

BLOCKS = 20
"""Consecutive transitions depend on each other; so many blocks of them are taken to be independent."""
RATE, END = "spectral abscissa, beta = {:g}", "norm at which h settles, beta = {:g}"
_ROUNDING = 1e-12
"""Share of the largest eigenvalue that eigenvalues in floats may be wrong by."""


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
    numbers: dict[str, Interval]
    hypotheses: dict[str, Status]

    def to_json(self) -> dict[str, Any]:
        """Return everything."""
        return {
            "norm_h": finite(self.norm_h),
            "norm_h_in_directions_kept": finite(self.norm_kept),
            "rank_C": self.rank,
            "numbers": {name: one.to_json() for name, one in self.numbers.items()},
            "hypotheses": {name: status.value for name, status in self.hypotheses.items()},
        }


def last_layer(run: Transitions, beta: float, eta: float, resolution: float) -> LastLayer:
    """Return what theory says of a run that learns with this beta and eta, in the directions that `averages` keeps."""
    parts = averages(run, BLOCKS, resolution)
    rounding = _ROUNDING * float(np.linalg.eigvalsh(mean(parts).C)[-1])
    numbers = {
        LOWEST: of_blocks(parts, lambda part: lowest_of_A(part.A), rounding=rounding),
        CONDITION: of_blocks(parts, lambda part: condition_of_C(part.C), logarithm=True),
        BETA: of_blocks(parts, lambda part: beta_bound(part.A), logarithm=True),
        ETA: of_blocks(parts, lambda part: eta_bound(part.A, part.C)),
    }
    for value in sorted({0.0, 1.0, beta}):
        rate = partial(abscissa, beta=value, eta=eta, by_action=True)
        numbers[RATE.format(value)] = of_blocks(parts, rate, rounding=rounding)
        end = partial(settled_h, beta=value, by_action=True)
        numbers[END.format(value)] = of_blocks(parts, end, logarithm=True)
    norm = float(np.linalg.norm(parts[0].h))
    hypotheses = {
        "A is positive definite": numbers[LOWEST].above(0),
        "beta is below its bound": numbers[BETA].above(beta) if beta else Status.HOLDS,
        "eta is above its bound": numbers[ETA].below(eta),
        "the update is stable": numbers[RATE.format(beta)].below(0),
        "h is to grow from where it is": numbers[END.format(beta)].above(norm),
    }
    return LastLayer(float(np.linalg.norm(run.h)), norm, len(parts[0].C), numbers, hypotheses)


def of_blocks(
    parts: Sequence[Averages],
    quantity: Callable[[Averages], float],
    *,
    logarithm: bool = False,
    rounding: float = 0.0,
) -> Interval:
    """Return a quantity of the mean of parts that are independent, with the interval of `jackknife`."""

    def evaluated(chosen: Sequence[Averages]) -> float:
        try:
            return quantity(mean(list(chosen)))
        except np.linalg.LinAlgError:
            return math.nan

    whole = evaluated(parts)
    left = [evaluated([*parts[:i], *parts[i + 1 :]]) for i in range(len(parts))]
    return jackknife(whole, left, logarithm=logarithm, rounding=rounding)

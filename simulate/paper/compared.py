"""Areas under learning curves compared: which is the lower, each at its best configuration, and by how much.

Run i of both has the same experience where they are of one problem, so that their areas are compared run by run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from simulate.paper.seen import Truth, Unseen, shown
from simulate.sweep.study import Areas
from tdrc_theory.judgement import Step

CERTAIN = 2.0
"""Standard errors of the mean of paired differences from which on one area is taken to be lower than another."""


def ratio(one: Areas, other: Areas) -> float:
    """Return how many times as high the first is; nan where both diverged."""
    first, second = _areas(one).mean, _areas(other).mean
    return first / second if math.isfinite(second) else math.nan if math.isinf(first) else 0.0


def is_lower(one: Areas, other: Areas) -> bool:
    """Return whether the first is lower by more than chance explains."""
    if not (math.isfinite(_areas(one).mean) and math.isfinite(_areas(other).mean)):
        return math.isfinite(one.mean)
    differences = other.runs - one.runs
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    return float(np.mean(differences)) > CERTAIN * error


def at(areas: Areas, **values: Fraction) -> Areas:
    """Return the configurations in which parameters have these values."""
    chosen = _areas(areas)
    for name, value in values.items():
        there = chosen.values(name)
        if value not in there:
            tried = ", ".join(map(shown, there)) or "it has no such parameter"
            raise Unseen(f"{name} = {shown(value)} was not tried; allowed: {tried}")
        chosen = chosen.at(name, value)
    return chosen


def comparisons(definitions: Mapping[str, Fraction]) -> dict[str, Callable[..., Any]]:
    """Return the functions that statements on areas may call.

    Args:
        definitions: the paper's numbers: `comparable` is how many times as high is still comparable.
    """

    def limit() -> Fraction:
        if "comparable" not in definitions:
            raise Unseen('needs a number "comparable" in [definitions] of paper.toml: how many times as high still is')
        return definitions["comparable"]

    def lower(one: Areas, other: Areas) -> Truth:
        return Truth(is_lower(one, other), _both(one, other))

    def worse(one: Areas, other: Areas) -> Truth:
        return Truth(is_lower(other, one) and ratio(one, other) > limit(), _both(one, other))

    def as_good(one: Areas, other: Areas) -> Truth:
        times = ratio(one, other)
        return Truth(None if math.isnan(times) else times <= limit(), _both(one, other))

    def best(areas: Areas, name: str) -> Fraction:
        value = _areas(areas).configuration.value(name)
        if value is None:
            raise Unseen(f"{shown(name)} is no parameter of it")
        return value

    return {
        "mean": lambda areas: _areas(areas).mean,
        "ratio": ratio,
        "at": at,
        "best": best,
        "values": lambda areas, name: _areas(areas).values(name),
        "diverged": lambda areas: int((~np.isfinite(_areas(areas).runs)).sum()),
        "abs": abs,
        "size": len,
        "lower": lower,
        "worse": worse,
        "as_good": as_good,
    }


def _areas(value: Any) -> Areas:
    if not isinstance(value, Areas):
        raise Unseen(f"{shown(value)} is no area of a run")
    return value


def _both(one: Areas, other: Areas) -> tuple[Step, ...]:
    times = ratio(one, other)
    return (Step("", f"{shown(one.mean)} and {shown(other.mean)}, {shown(times)} times"),)

"""Exact means of emphatic TD(0) with one weight, from a problem as plain data: each state and trace is followed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.recheck.updates import Data, discounts, features

_UPDATES = 40
"""Updates after which a mean is looked at."""


def first_weight(data: Data) -> Fraction:
    """Return the weight that learning starts with."""
    return Fraction(data["initial_weights"][0])


def _moves(data: Data, s: int, trace: Fraction) -> Iterator[tuple[Fraction, Fraction, tuple[int, Fraction]]]:
    """Yield of each step from a state and a follow-on trace: its probability, slope, and the state and trace after it.

    An update of emphatic TD(0) multiplies the one weight by 1 + alpha times the slope.
    """
    gamma, x = discounts(data), [row[0] for row in features(data)]
    interests = [Fraction(v) for v in data.get("interest", [1] * len(x))]
    for s_from, a, t, p, reward in data["transitions"]:
        b = Fraction(data["behaviour"][s_from][a])
        if Fraction(reward) or t < 0:
            raise CannotTell("rewards, or an episode that ends")
        if s_from == s and b:
            rho = Fraction(data["target"][s][a]) / b
            after = (t, rho * gamma[t] * trace + interests[t])
            yield b * Fraction(p), rho * trace * (gamma[t] * x[t] - x[s]) * x[s], after


def _first_traces(data: Data) -> dict[tuple[int, Fraction], Fraction]:
    """Return the probability of each state and follow-on trace at the start of a learner of one weight."""
    if len(data["features"][0]) != 1 or not data["start"]:
        raise CannotTell("several weights, or no start")
    interests = data.get("interest", [1] * len(data["features"]))
    return {(s, Fraction(interests[s])): Fraction(p) for s, p in enumerate(data["start"]) if Fraction(p)}


def mean_weights(data: Data, alpha: Fraction, updates: int) -> list[Fraction]:
    """Return the means of the one weight of emphatic TD(0), by (state, follow-on trace), from the problem's start."""
    w = Fraction(data["initial_weights"][0])
    held = {place: p * w for place, p in _first_traces(data).items()}
    means = [sum(held.values(), Fraction(0))]
    for _ in range(updates):
        after: dict[tuple[int, Fraction], Fraction] = {}
        for (s, trace), mass in held.items():
            for p, slope, place in _moves(data, s, trace):
                after[place] = after.get(place, Fraction(0)) + p * mass * (1 + alpha * slope)
        held = {place: mass for place, mass in after.items() if mass}
        means.append(sum(held.values(), Fraction(0)))
    return means


def ending_sizes(data: Data) -> set[Fraction]:
    """Return the step sizes above 0 at which one of the first updates of emphatic TD(0) makes the weight exactly 0."""
    result, level = set(), set(_first_traces(data))
    for _ in range(_UPDATES):
        moves = [move for s, trace in level for move in _moves(data, s, trace)]
        result |= {-1 / slope for _, slope, _ in moves if slope < 0}
        level = {place for *_, place in moves}
    return result


def _path(data: Data) -> list[tuple[Fraction, Fraction]]:
    """Return probability and slope of the first updates from the start that move the weight, one after the other.

    Raises:
        CannotTell: several may move it next, or one that does not leads elsewhere than back to the start.
    """
    first, *others = _first_traces(data)
    place, path = first, []
    for _ in range(_UPDATES):
        moves = list(_moves(data, *place))
        moving = [move for move in moves if move[1]]
        if others or len(moving) != 1 or any(after != first for _, slope, after in moves if not slope):
            raise CannotTell("not one path from the start")
        ((p, slope, place),) = moving
        path.append((p, slope))
    return path


def mean_unbounded(data: Data, learner: str) -> bool | None:
    """Return whether slopes along the one path from the start grow as powers of a number above 1 do."""
    if learner != "emphatic-td":
        raise CannotTell("another learner")
    if not first_weight(data):
        return False
    probabilities, slopes = zip(*_path(data)[_UPDATES // 2 :], strict=True)
    changes = [after - before for before, after in pairwise(slopes)]
    ratios = {after / before for before, after in pairwise(changes) if before}
    alike = len(set(probabilities)) == len(ratios) == 1 and all(changes)
    return True if alike and min(ratios) > 1 else None


def mean_settles(data: Data, alpha: Fraction) -> bool | None:
    """Return whether the mean of the weight is seen to go to 0, or to grow without bound, within some updates."""
    sizes = [abs(mean) for mean in mean_weights(data, alpha, _UPDATES)]
    if sizes[-1] > 1000 * sizes[0] and sizes[-1] > sizes[-3]:
        return False
    falls = all(after <= before for before, after in pairwise(sizes[3:]))
    return True if falls and sizes[-1] < sizes[3] else None

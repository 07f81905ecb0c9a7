"""Where a block of lanes keeps its numbers.

All that belongs to a component is in one row of one array, at distances that the compiler knows, and so is all that
belongs to a lane: numbers in arrays of their own might overlap for all it knows, and with many of them it gives up on
vector instructions.
"""

from __future__ import annotations

from simulate.step_sizes import StepSize

LANES = 64
"""Configurations in a block at most, so that a loop over lanes becomes vector instructions."""
VECTOR = 8
"""A block has a multiple of so many lanes, a cache line of floats; fewer would not take less time."""
TOGETHER = 8
"""Times at which errors are read in one go: the loops are short, and starting one costs as much as running it."""

LANE = ("delta", "delta_hat", "alpha_w", "alpha_h", "alpha", "eta", "beta")
"""What `lane` holds of each lane, before the rule's parameters."""
SETTINGS = LANE.index("alpha")
"""Number of those that are not given but computed."""


def _of_lane(row: int) -> str:
    return f"lane[{row * LANES} + l]"


def _of_component(row: int) -> str:
    return f"room[i, {row * LANES} + l]"


PLACES = {"w": _of_component(0), "h": _of_component(1), **{name: _of_lane(row) for row, name in enumerate(LANE)}}
"""The text by which a kernel reaches a number of component i and lane l."""


def parameter_places(rule: StepSize) -> dict[str, str]:
    """Return the places of a rule's parameters."""
    return {name: _of_lane(row) for row, name in enumerate(rule.parameters, start=len(LANE))}


def state_places(rule: StepSize) -> dict[str, dict[str, str]]:
    """Return the places of the accumulators of w and of h, and of the sums over a batch, by name."""
    names = [*rule.state, "sum"]
    return {
        weights: {name: _of_component(2 + which * len(names) + row) for row, name in enumerate(names)}
        for which, weights in enumerate(("w", "h"))
    }


def first_values(rule: StepSize) -> list[float]:
    """Return what is in a component's row before the first update; w starts elsewhere."""
    return [0.0, 0.0, *[*rule.state.values(), 0.0] * 2]

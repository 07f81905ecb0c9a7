"""Lanes, which are configurations, and where a block of them keeps its numbers: memory for one block after another.

All that belongs to a component is in one row of one array, at distances that the compiler knows, and so is all that
belongs to a lane: numbers in arrays of their own might overlap for all it knows, and with many of them it gives up on
vector instructions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from simulate.kernels.plan import Plan
from simulate.step_sizes import StepSize
from tdrc_theory.learner.record import Node

LANES = 64
"""Configurations in a block at most, so that a loop over lanes becomes vector instructions."""
VECTOR = 8
"""Floats of a cache line: a block has a multiple of so many lanes; fewer would not take less time."""
TOGETHER = 8
"""Times at which errors are read in one go: the loops are short, and starting one costs as much as running it."""


class Lanes(NamedTuple):
    """Configurations side by side, float64.

    Attributes:
        alpha: (L,), step size.
        learner: parameters of the learner by name, (L,) each; a default counts where one is missing.
        rule: parameters of the step-size rule by name, (L,) each.
    """

    alpha: np.ndarray
    learner: Mapping[str, np.ndarray]
    rule: Mapping[str, np.ndarray]

    def of(self, chosen: list[int]) -> Lanes:
        """Return some of the configurations."""
        learner, rule = ({n: column[chosen] for n, column in part.items()} for part in (self.learner, self.rule))
        return Lanes(self.alpha[chosen], learner, rule)


def lanes(rule: StepSize, alpha: Any, *, learner: Mapping[str, Any] | None = None, **parameters: Any) -> Lanes:
    """Return lanes from numbers or sequences, which are broadcast against each other; exact numbers become floats.

    `parameters` are those of the rule, which has defaults, and of the learner, where the rule has none of that name.

    >>> from simulate.step_sizes import AMSGRAD
    >>> lanes(AMSGRAD, [0.5, 0.25], b1=0.99, eta=2).rule
    {'b1': array([0.99, 0.99]), 'b2': array([0.999, 0.999])}
    """
    of_rule = {name: parameters.pop(name, default) for name, default in rule.parameters.items()}
    of_learner = {**parameters, **(learner or {})}
    values = (alpha, *of_learner.values(), *of_rule.values())
    columns = np.broadcast_arrays(*(np.atleast_1d(np.asarray(value, np.float64)) for value in values))
    column = map(np.array, columns)
    return Lanes(next(column), {name: next(column) for name in of_learner}, {name: next(column) for name in of_rule})


class Layout:
    """The rows of a plan's numbers.

    Attributes:
        places: the text by which a kernel reaches what is kept, of component i and lane l.
        components, lanes: the first values of a component's row and of a lane's; settings come first, as 0.
        settings: how many of them there are.
    """

    def __init__(self, plan: Plan) -> None:
        self.components: list[float] = []
        self.lanes: list[float] = []
        self.settings = len(plan.settings)
        self.places: dict[Node, str] = {leaf: self.new() for leaf in plan.settings}
        for leaf, first in plan.kept.items():
            self.places[leaf] = self._of_component(first) if leaf.component else self.new(first)

    def new(self, first: float = 0.0) -> str:
        """Return the place of one more number of a lane, which begins with a value."""
        self.lanes.append(first)
        return f"lane[{(len(self.lanes) - 1) * LANES} + l]"

    def _of_component(self, first: float) -> str:
        self.components.append(first)
        return f"room[i, {(len(self.components) - 1) * LANES} + l]"


class Room:
    """Arrays whose last axis runs over the lanes of a block, as `layout` says.

    Attributes:
        lane: (rows, LANES), what belongs to a lane.
        room: (k, rows x LANES), what belongs to a component.
        weights: (k, LANES), the first columns of `room`.
        kept, sums: what errors are read with.
    """

    def __init__(self, layout: Layout, k: int) -> None:
        self._settings, self._first_of_lane = layout.settings, np.array(layout.lanes)[:, None]
        self._first = np.repeat(layout.components, LANES)
        self.lane = aligned(len(layout.lanes), LANES)
        self.room = aligned(k, len(self._first))
        self.weights = self.room[:, :LANES]
        self.kept, self.sums = aligned(k, TOGETHER * LANES), aligned(2, TOGETHER * LANES)
        self.kept[:] = 0

    def fill(self, settings: np.ndarray, initial_weights: np.ndarray) -> None:
        """Begin anew with at most LANES columns of settings; the lanes that are missing are like the first and stay."""
        self.lane[:] = self._first_of_lane
        given, lanes = self.lane[: self._settings], settings.shape[1]
        given[:, :lanes], given[:, lanes:] = settings, settings[:, :1]
        given[0, lanes:] = 0
        self.room[:] = self._first
        self.weights[:] = initial_weights[:, None]


def aligned(*shape: int) -> np.ndarray:
    """Return an array that begins where a cache line does; vectors that straddle two lines take twice as long."""
    size = math.prod(shape)
    raw = np.empty(size + VECTOR - 1)
    start = -(raw.ctypes.data // raw.itemsize) % VECTOR
    return raw[start : start + size].reshape(shape)

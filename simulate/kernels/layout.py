"""Where a block of lanes keeps its numbers.

All that belongs to a component is in one row of one array, at distances that the compiler knows, and so is all that
belongs to a lane: numbers in arrays of their own might overlap for all it knows, and with many of them it gives up on
vector instructions.
"""

from __future__ import annotations

from simulate.kernels.plan import Plan
from tdrc_theory.learner.record import Node

LANES = 64
"""Configurations in a block at most, so that a loop over lanes becomes vector instructions."""
VECTOR = 8
"""A block has a multiple of so many lanes, a cache line of floats; fewer would not take less time."""
TOGETHER = 8
"""Times at which errors are read in one go: the loops are short, and starting one costs as much as running it."""


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
        self.places: dict[Node, str] = {leaf: self._of_lane(0.0) for leaf in plan.settings}
        for leaf, first in plan.kept.items():
            self.places[leaf] = self._of_component(first) if leaf.component else self._of_lane(first)

    def new(self) -> str:
        """Return the place of one more number of a lane."""
        return self._of_lane(0.0)

    def _of_lane(self, first: float) -> str:
        self.lanes.append(first)
        return f"lane[{(len(self.lanes) - 1) * LANES} + l]"

    def _of_component(self, first: float) -> str:
        self.components.append(first)
        return f"room[i, {(len(self.components) - 1) * LANES} + l]"

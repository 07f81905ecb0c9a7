"""Adam and RMSProp on a tensor that holds many weights; operations are such that each weight's bits are its own.

A product and a sum that are one operation may be rounded once or twice, depending on where in a tensor a number lies.
So they are two operations here. They work in room that is kept, since memory that is taken anew at each step costs more
than the arithmetic.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import torch

TINY = 1e-30
"""Under a root instead of 0, of which the root takes eight times as long; it is nothing beside epsilon."""
PIECE = 1 << 16
"""Weights that are moved at a time where there are many."""


class Optimizer(ABC):
    """How a direction becomes a step.

    Weights are moved in groups, whose shape broadcasts against theirs. A group that has no direction in an
    update is left as it is, its averages and the number of its updates included.
    """

    state: dict[str, torch.Tensor]
    """Everything that it remembers, by name."""

    @abstractmethod
    def step(self, weights: torch.Tensor, direction: torch.Tensor, alpha: float, moved: torch.Tensor | None) -> None:
        """Move the weights along a direction of the same shape, in place, in the groups that have one; None is all."""


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015), bias-corrected, with an update count for each group."""

    epsilon = 1e-8

    def __init__(self, weights: torch.Tensor, groups: tuple[int, ...], decay: tuple[float, float]) -> None:
        self.decay = decay
        powers = torch.ones(groups, dtype=torch.float64, device=weights.device)
        self._room = torch.empty_like(weights)
        self.state = {
            "first": torch.zeros_like(weights),
            "second": torch.zeros_like(weights),
            "first_power": powers,  # decay ** count: a running product, for a power's bits depend on its place
            "second_power": powers.clone(),
        }

    def step(self, weights: torch.Tensor, direction: torch.Tensor, alpha: float, moved: torch.Tensor | None) -> None:
        """Move along first / (sqrt(second) + epsilon), each corrected for having begun at 0."""
        first_rest, second_rest = (
            self._count(name, decay, moved) for name, decay in zip(("first", "second"), self.decay, strict=True)
        )
        size = (alpha / first_rest if moved is None else torch.where(moved, alpha / first_rest, 0.0)).float()
        tensors = weights, direction, self.state["first"], self.state["second"], self._room
        for part, by, first, second, room in _pieces(*tensors):
            _average(first, room.copy_(by), self.decay[0], moved)
            _average(second, torch.mul(by, by, out=room), self.decay[1], moved)
            torch.div(second, second_rest.float(), out=room).add_(TINY).sqrt_().add_(self.epsilon)
            part.add_(torch.div(first, room, out=room).mul_(size))

    def _count(self, name: str, decay: float, moved: torch.Tensor | None) -> torch.Tensor:
        """Count an update in the groups that are moved, and return 1 - decay ** count."""
        power = self.state[f"{name}_power"]
        if moved is None:
            return 1 - power.mul_(decay)
        power.copy_(torch.where(moved, power * decay, power))
        return torch.where(moved, 1 - power, 1.0)  # a group that has never been moved would have 0


class RMSProp(Optimizer):
    """RMSProp (Tieleman and Hinton, 2012), centred as in Mnih et al. (2015), whom Young and Tian (2019) follow."""

    smoothing = 0.95
    epsilon = 0.01

    def __init__(self, weights: torch.Tensor) -> None:
        self._room = torch.empty_like(weights)
        self.state = {"mean": torch.zeros_like(weights), "square": torch.zeros_like(weights)}

    def step(self, weights: torch.Tensor, direction: torch.Tensor, alpha: float, moved: torch.Tensor | None) -> None:
        """Move along direction / (sqrt(square - mean^2) + epsilon)."""
        size = alpha if moved is None else torch.where(moved, alpha, 0.0).float()
        tensors = weights, direction, self.state["mean"], self.state["square"], self._room
        for part, by, mean, square, room in _pieces(*tensors):
            _average(mean, room.copy_(by), self.smoothing, moved)
            _average(square, torch.mul(by, by, out=room), self.smoothing, moved)
            torch.mul(mean, mean, out=room)
            torch.sub(square, room, out=room).clamp_(min=TINY).sqrt_().add_(self.epsilon)
            part.add_(torch.div(by, room, out=room).mul_(size))


def _average(average: torch.Tensor, value: torch.Tensor, decay: float, moved: torch.Tensor | None) -> None:
    """Move an exponential average towards a value, which is overwritten, in the groups that are moved."""
    if moved is None:
        average.mul_(decay).add_(value.mul_(1 - decay))
    else:
        average.mul_(torch.where(moved, decay, 1.0).float())
        average.add_(value.mul_(torch.where(moved, 1 - decay, 0.0).float()))


def _pieces(*tensors: torch.Tensor) -> Iterator[tuple[torch.Tensor, ...]]:
    """Yield flat tensors piece by piece: passes over what the processor's cache holds take half the time."""
    if tensors[0].dim() == 1 and tensors[0].device.type == "cpu":
        return zip(*(tensor.split(PIECE) for tensor in tensors), strict=True)
    return iter((tensors,))

"""Adam and RMSProp on a tensor that holds many weights; operations are such that each weight's bits are its own.

A product and a sum that are one operation may be rounded once or twice, depending on where in a tensor a number lies.
So they are two operations here, as everywhere where runs are to be the same beside any others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import torch

PIECE = 1 << 16
"""Weights that are moved at a time where there are many."""


class Optimizer(ABC):
    """How a direction becomes a step.

    Weights are moved in groups: `counts`' shape, which broadcasts against theirs. A group that has no direction in an
    update is left as it is, its averages and the number of its updates included.
    """

    state: dict[str, torch.Tensor]
    """Everything that it remembers, by name."""

    @abstractmethod
    def step(self, weights: torch.Tensor, direction: torch.Tensor, alpha: float, moved: torch.Tensor) -> None:
        """Move the weights along a direction, in place.

        Args:
            weights, direction: the same shape.
            alpha: step size.
            moved: a bool for each group, which has a direction.
        """


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015), bias-corrected, with an update count for each group."""

    epsilon = 1e-8

    def __init__(self, weights: torch.Tensor, groups: torch.Tensor, decay: tuple[float, float]) -> None:
        self.decay = decay
        powers = torch.ones_like(groups, dtype=torch.float64)
        self.state = {
            "first": torch.zeros_like(weights),
            "second": torch.zeros_like(weights),
            "first_power": powers,  # decay ** count: a running product, for a power's bits depend on its place
            "second_power": powers.clone(),
        }

    def step(self, weights: torch.Tensor, direction: torch.Tensor, alpha: float, moved: torch.Tensor) -> None:
        """Move along first / (sqrt(second) + epsilon), each corrected for having begun at 0."""
        state = self.state
        rests = []
        for name, decay, value in (("first", self.decay[0], direction), ("second", self.decay[1], direction**2)):
            _average(state[name], value, decay, moved)
            power = state[f"{name}_power"]
            power.copy_(torch.where(moved, power * decay, power))
            rests.append(torch.where(moved, 1 - power, 1.0))  # a group that has never been moved has no rest yet
        scale = (state["second"] / rests[1].float()).sqrt_().add_(self.epsilon)
        weights.add_(state["first"] / scale * torch.where(moved, alpha / rests[0], 0.0).float())


class RMSProp(Optimizer):
    """RMSProp (Tieleman and Hinton, 2012), centred as in Mnih et al. (2015), whom Young and Tian (2019) follow."""

    smoothing = 0.95
    epsilon = 0.01

    def __init__(self, weights: torch.Tensor) -> None:
        self.state = {"mean": torch.zeros_like(weights), "square": torch.zeros_like(weights)}

    def step(self, weights: torch.Tensor, direction: torch.Tensor, alpha: float, moved: torch.Tensor) -> None:
        """Move along direction / (sqrt(square - mean^2) + epsilon)."""
        size = torch.where(moved, alpha, 0.0).float()
        for part, by, mean, square in _pieces(weights, direction, self.state["mean"], self.state["square"]):
            _average(mean, by, self.smoothing, moved)
            _average(square, by**2, self.smoothing, moved)
            scale = (square - mean**2).clamp_(min=0).sqrt_().add_(self.epsilon)
            part.add_(by / scale * size)


def _average(average: torch.Tensor, value: torch.Tensor, decay: float, moved: torch.Tensor) -> None:
    """Move an exponential average towards a value, in the groups that are moved."""
    average.mul_(torch.where(moved, decay, 1.0).float())
    average.add_(value * torch.where(moved, 1 - decay, 0.0).float())


def _pieces(*tensors: torch.Tensor) -> Iterator[tuple[torch.Tensor, ...]]:
    """Yield flat tensors piece by piece: passes over what the processor's cache holds take half the time."""
    if tensors[0].dim() == 1 and tensors[0].device.type == "cpu":
        return zip(*(tensor.split(PIECE) for tensor in tensors), strict=True)
    return iter((tensors,))

"""Action-value networks, one a run, evaluated together: every weight is (runs, ...), and products are stacked."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch

BIAS_DEVIATION = 0.1


class Network(ABC):
    """A function from observations to action values; its weights are held by whoever calls it.

    Attributes:
        shapes: of one run's weights, in the order in which `evaluate` takes them.
        width: features of the last hidden layer, of which the values, and delta_hat, are linear functions.
        actions: number of action values.
    """

    shapes: tuple[tuple[int, ...], ...]
    width: int
    actions: int

    @abstractmethod
    def initial(self, generator: np.random.Generator) -> list[np.ndarray]:
        """Draw one run's first weights, float32, in the order of `shapes`."""

    @abstractmethod
    def evaluate(
        self, weights: Sequence[torch.Tensor], observations: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the last hidden layer's features and the action values.

        Args:
            weights: (runs, *shape) for each of `shapes`.
            observations: (runs, batch, *observation shape) float32.

        Returns:
            (runs, batch, width) and (runs, batch, actions).
        """


class Layered(Network):
    """Fully connected layers with rectifiers between them, as the paper has them for Mountain Car and Cart Pole.

    Weights are drawn as Glorot and Bengio (2010) do, uniform in +-sqrt(6 / (inputs + outputs)); biases are normal with
    standard deviation 0.1.

    Args:
        sizes: inputs, units of each hidden layer, of which there is at least one, and actions.
    """

    def __init__(self, *sizes: int) -> None:
        layers = itertools.pairwise(sizes)
        self.shapes = tuple(shape for inputs, outputs in layers for shape in ((inputs, outputs), (1, outputs)))
        self.width, self.actions = sizes[-2:]

    def initial(self, generator: np.random.Generator) -> list[np.ndarray]:
        """Draw weights and biases."""
        drawn = []
        for weight, bias in zip(self.shapes[::2], self.shapes[1::2], strict=True):
            limit = math.sqrt(6 / sum(weight))
            drawn += [generator.uniform(-limit, limit, weight), generator.normal(0, BIAS_DEVIATION, bias)]
        return [values.astype(np.float32) for values in drawn]

    def evaluate(
        self, weights: Sequence[torch.Tensor], observations: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return features and values."""
        features = observations.flatten(2)
        *hidden, (last, last_bias) = zip(weights[::2], weights[1::2], strict=True)
        for weight, bias in hidden:
            features = torch.baddbmm(bias, features, weight).relu()
        return features, torch.baddbmm(last_bias, features, last)

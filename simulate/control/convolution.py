"""The network of MinAtar's games: a layer of convolutions in front of fully connected ones, one network a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch

from simulate.control.network import Layered, Network, Trace, rectified

FILTERS = 16
SIDE = 3


class Convolutional(Network):
    """16 convolutions of 3 x 3 with stride 1 and a rectifier, then a `Layered` network (Young and Tian, 2019).

    Every weight and bias is uniform in +-1 / sqrt(inputs of its unit), as in their program.

    A convolution is here a product of the picture's patches, which are copied once, with the filters: stacked over
    runs it is as fast as the product alone, and no gradient of the picture is asked for.

    Args:
        shape: channels, height and width of an observation.
        sizes: units of each hidden layer after the convolutions, and actions.
    """

    def __init__(self, shape: tuple[int, int, int], *sizes: int) -> None:
        channels, height, width = shape
        self._patches = (height - SIDE + 1) * (width - SIDE + 1)
        self._after = Layered(self._patches * FILTERS, *sizes)
        self.shapes = ((SIDE * SIDE * channels, FILTERS), (1, FILTERS), *self._after.shapes)
        self.width, self.actions = self._after.width, self._after.actions

    def initial(self, generator: np.random.Generator) -> list[np.ndarray]:
        """Draw weights and biases."""
        drawn = []
        for weight, bias in zip(self.shapes[::2], self.shapes[1::2], strict=True):
            limit = 1 / math.sqrt(weight[0])
            drawn += [generator.uniform(-limit, limit, weight), generator.uniform(-limit, limit, bias)]
        return [values.astype(np.float32) for values in drawn]

    def evaluate(
        self, weights: Sequence[torch.Tensor], observations: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return features and values."""
        if observations.shape[1] > 1:
            return super().evaluate(weights, observations)
        # As two, for the bits of a single row's product depend on where in memory it lies.
        features, values = super().evaluate(weights, observations.expand(-1, 2, -1, -1, -1))
        return features[:, :1], values[:, :1]

    def trace(self, weights: Sequence[torch.Tensor], observations: torch.Tensor) -> Trace:
        """Return patches, and then what the layers after the convolutions trace."""
        filters, bias, *after = weights
        runs, batch = observations.shape[:2]
        # Channels last, so that what is copied of a patch are three stretches and not 9 x channels single numbers.
        pictures = observations.permute(0, 1, 3, 4, 2).contiguous()
        patches = pictures.unfold(2, SIDE, 1).unfold(3, SIDE, 1).permute(0, 1, 2, 3, 5, 6, 4)
        rows = patches.reshape(runs, batch * self._patches, filters.shape[1])
        convolved = torch.baddbmm(bias, rows, filters).relu_()
        return rows, *self._after.trace(after, convolved.view(runs, batch, self._patches * FILTERS))

    def gradients(
        self, weights: Sequence[torch.Tensor], trace: Trace, slopes: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return them by the chain rule."""
        rows, *after = trace
        above, slopes = self._after.chain(weights[2:], tuple(after), slopes, through=True)
        slopes = rectified(slopes, after[0]).view(*rows.shape[:2], FILTERS)
        return torch.bmm(rows.transpose(1, 2), slopes), slopes.sum(dim=1, keepdim=True), *above

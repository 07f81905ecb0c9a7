"""Action-value networks, one a run, evaluated together: every weight is (runs, ...), and products are stacked."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch

from tdrc_theory.errors import BadOption

BIAS_DEVIATION = 0.1
MOST_BYTES = 1 << 33
"""Of the networks of all runs, with what their updates need."""
_COPIES = 7
"""Of every weight, at most: itself, its target, its direction, a thread's two parts of that, and two moments."""
FEW = 16
"""Columns of a product, below which it is done along rows."""
Trace = tuple[torch.Tensor, ...]
"""What each layer has as its input, then the action values: the last but one are the features."""


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

    def evaluate(
        self, weights: Sequence[torch.Tensor], observations: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the last hidden layer's features, (runs, batch, width), and the action values, (runs, batch, actions).

        Weights are (runs, *shape) for each of `shapes`, observations (runs, batch, *observation shape) float32.
        """
        *_, features, values = self.trace(weights, observations)
        return features, values

    @abstractmethod
    def trace(self, weights: Sequence[torch.Tensor], observations: torch.Tensor) -> Trace:
        """Return what `evaluate` returns, after what each layer before had as its input."""

    @abstractmethod
    def gradients(
        self, weights: Sequence[torch.Tensor], trace: Trace, slopes: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return the gradients of sum(slopes * values), a run's own, by each of its weights: (runs, *shape) each.

        They are written by hand: taken together for all runs that is a few products, and a third faster than autograd.
        Weights and trace are those that `trace` took and gave, slopes (runs, batch, actions).
        """


def check_memory(network: Network, runs: int, batch: int) -> None:
    """Return if the networks of all runs, and what a batch is on its way through their layers, have room.

    Raises:
        BadOption: they take more than MOST_BYTES.
    """
    weights = sum(map(math.prod, network.shapes))
    units = sum(shape[-1] for shape in network.shapes)
    needed = 4 * runs * (_COPIES * weights + 2 * batch * units)
    if needed > MOST_BYTES:
        many = f"{runs} networks" if runs > 1 else "1 network"
        raise BadOption(
            f"--runs, --hidden, --batch: {many} of {weights:,} weights in batches of {batch:,} take about "
            f"{math.ceil(needed / 2**30):,} GiB; at most {MOST_BYTES >> 30} GiB are taken"
        )


class Layered(Network):
    """Fully connected layers with rectifiers between them, as the paper has them for Mountain Car and Cart Pole.

    Weights are drawn as Glorot and Bengio (2010) do, uniform in +-sqrt(6 / (inputs + outputs)); biases are normal with
    standard deviation 0.1. Sizes are inputs, units of each hidden layer, of which there is at least one, and actions.
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

    def trace(self, weights: Sequence[torch.Tensor], observations: torch.Tensor) -> Trace:
        """Return the inputs of each layer, and the values."""
        layers = [observations.flatten(2)]
        *hidden, (last, last_bias) = zip(weights[::2], weights[1::2], strict=True)
        for weight, bias in hidden:
            layers.append(torch.baddbmm(bias, layers[-1], weight).relu_())
        rows = last.transpose(1, 2).contiguous()  # few columns: along rows the product takes half the time
        layers.append(torch.bmm(layers[-1], rows.transpose(1, 2)).add_(last_bias))
        return tuple(layers)

    def gradients(
        self, weights: Sequence[torch.Tensor], trace: Trace, slopes: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return them by the chain rule."""
        return self.chain(weights, trace, slopes)[0]

    def chain(
        self, weights: Sequence[torch.Tensor], trace: Trace, slopes: torch.Tensor, *, through: bool = False
    ) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
        """Return the gradients by the weights and, if it goes through, (runs, batch, inputs) by the observations."""
        gradients = []
        for layer in reversed(range(len(weights) // 2)):
            inputs = trace[layer]
            gradients += [slopes.sum(dim=1, keepdim=True), _outer(inputs, slopes)]
            if layer or through:
                slopes = torch.bmm(slopes, weights[2 * layer].transpose(1, 2))
            if layer:
                slopes = rectified(slopes, inputs)
        return tuple(reversed(gradients)), slopes


def rectified(slopes: torch.Tensor, outputs: torch.Tensor) -> torch.Tensor:
    """Return the slopes by a rectifier's inputs for those by its outputs, which are overwritten."""
    return torch.ops.aten.threshold_backward.grad_input(slopes, outputs, 0, grad_input=slopes)


def _outer(inputs: torch.Tensor, slopes: torch.Tensor) -> torch.Tensor:
    """Return inputs^T @ slopes; the other way round where that has few columns, which takes a quarter of the time.

    Of many columns a transposed result costs more, when it is read, than it saves.
    """
    if slopes.shape[2] < min(FEW, inputs.shape[2]):
        return torch.bmm(slopes.transpose(1, 2), inputs).transpose(1, 2)
    return torch.bmm(inputs.transpose(1, 2), slopes)


FILTERS = 16
SIDE = 3


class Convolutional(Network):
    """16 convolutions of 3 x 3 with stride 1 and a rectifier, then a `Layered` network (Young and Tian, 2019).

    Every weight and bias is uniform in +-1 / sqrt(inputs of its unit), as in their program.

    A convolution is here a product of the picture's patches, which are copied once, with the filters: stacked over
    runs it is as fast as the product alone, and no gradient of the picture is asked for. An observation has channels,
    height and width; the sizes are units of each hidden layer after the convolutions, and actions.
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

"""Many learners of one kind, a run each, that act and learn together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch

from simulate.control.algorithms import find_control_algorithm
from simulate.control.network import Network
from simulate.control.optimizers import Adam, Optimizer, RMSProp
from simulate.control.settings import Settings

SHARE = 100_000
"""Weights that are worth a thread: of fewer, handing them over takes longer than what is done with them."""
DECAY, DECAY_H = (0.9, 0.999), (0.99, 0.999)
"""Adam's, for the network and for h."""
ALIGNED = 16
"""Floats, 64 bytes: on such a boundary a matrix product gives the same bits wherever in the buffer it reads."""


class Agents:
    """One agent a run: its network, its target network, its h, and what their optimisers remember.

    A run's first weights come from its stream alone. Threads, each for its share of the runs, change no bit.

    Attributes:
        weights, target: (runs, *shape) for each of the network's weights; one and the same without a target network.
        h: (runs, actions, width).
        updates: how many there have been.
    """

    def __init__(
        self,
        settings: Settings,
        network: Network,
        streams: Sequence[np.random.SeedSequence],
        device: torch.device,
        workers: int = 1,
    ) -> None:
        self.settings, self.network = settings, network
        self.corrected = find_control_algorithm(settings.algorithm).corrected
        self.updates = 0
        runs = len(streams)
        self._buffer, self.weights = _stacked(network.shapes, runs, device)
        for run, stream in enumerate(streams):
            for weight, values in zip(self.weights, network.initial(np.random.default_rng(stream)), strict=True):
                weight[run] = torch.from_numpy(values)
        self._target_buffer, self.target = self._buffer, self.weights
        if settings.target_every:
            self._target_buffer, self.target = _stacked(network.shapes, runs, device)
            self._target_buffer.copy_(self._buffer)
        self._direction, self._direction_parts = _stacked(network.shapes, runs, device)
        self._apart: list[list[torch.Tensor]] = []
        threads = min(workers, runs, runs * sum(map(math.prod, network.shapes)) // SHARE)
        if threads > 1 and device.type == "cpu":
            self._pool = ThreadPoolExecutor(threads, "learn")
            edges = [runs * share // threads for share in range(threads + 1)]
            self._shares = [slice(*pair) for pair in itertools.pairwise(edges)]
            self._apart = [_stacked(network.shapes, runs, device)[1] for _ in range(2)]
        self.h = torch.zeros(runs, network.actions, network.width, device=device)
        adam, groups = settings.optimizer == "adam", (runs, network.actions, 1)
        self._optimizer: Optimizer = Adam(self._buffer, (1,), DECAY) if adam else RMSProp(self._buffer)
        self._optimizer_h: Optimizer = Adam(self.h, groups, DECAY_H) if adam else RMSProp(self.h)

    @torch.no_grad()
    def values(self, observations: torch.Tensor) -> torch.Tensor:
        """Return q(S, .) of each run, (runs, actions), for one observation a run."""
        return self.network.evaluate(self.weights, observations.unsqueeze(1))[1].squeeze(1)

    def learn(self, batch: Batch) -> Directions:
        """Take one update, and return the directions that it took."""
        settings, alpha = self.settings, float(self.settings.alpha)
        result = self._in_shares(batch) if self._apart else self._directions(batch, slice(None))
        self._optimizer.step(self._buffer, self._direction, alpha, None)
        if self.corrected:
            assert settings.eta is not None
            self._optimizer_h.step(self.h, result.h, float(settings.eta) * alpha, result.seen.unsqueeze(2))
        self.updates += 1
        if settings.target_every and self.updates % settings.target_every == 0:
            self._target_buffer.copy_(self._buffer)
        return result

    def _directions(self, batch: Batch, runs: slice) -> Directions:
        """Return the directions of some of the runs, and put the network's where the optimiser takes it from."""
        weights, target = ([weight[runs] for weight in of] for of in (self.weights, self.target))
        own, gamma, beta = Batch(*(column[runs] for column in batch)), self.settings.gamma, self.settings.beta or 0
        result = directions(self.network, weights, target, self.h[runs], own, gamma=float(gamma), beta=float(beta))
        for part, error, correction in zip(self._direction_parts, result.error, result.correction, strict=True):
            torch.add(error, correction, out=part[runs])
        return result

    def _in_shares(self, batch: Batch) -> Directions:
        """Return the directions of all runs, to which each thread has come with its share of them."""

        def one(runs: slice) -> tuple[torch.Tensor, ...]:
            result = self._directions(batch, runs)
            for whole, part in zip(self._apart, (result.error, result.correction), strict=True):
                for into, value in zip(whole, part, strict=True):
                    into[runs] = value
            return result.h, result.seen, result.delta

        rest = zip(*self._pool.map(one, self._shares), strict=True)
        error, correction = map(tuple, self._apart)
        return Directions(error, correction, *map(torch.cat, rest))

    def state(self) -> dict[str, np.ndarray]:
        """Return everything that decides what is learnt next, as arrays."""
        arrays = {name: tensor.cpu().numpy() for name, tensor in self._tensors().items()}
        return arrays | {"updates": np.array(self.updates)}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go back to where `state` was taken."""
        for name, tensor in self._tensors().items():
            tensor.copy_(torch.from_numpy(state[name]))
        self.updates = int(state["updates"])

    def _tensors(self) -> dict[str, torch.Tensor]:
        tensors = {f"weight{number}": weight for number, weight in enumerate(self.weights)}
        tensors["h"] = self.h
        if self.settings.target_every:
            tensors |= {f"target{number}": weight for number, weight in enumerate(self.target)}
        tensors |= {f"optimizer_{name}": tensor for name, tensor in self._optimizer.state.items()}
        return tensors | {f"optimizer_h_{name}": tensor for name, tensor in self._optimizer_h.state.items()}


def _stacked(
    shapes: Sequence[tuple[int, ...]], runs: int, device: torch.device
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return a flat buffer of zeros, and for each shape a contiguous view (runs, *shape) into it.

    So an optimiser moves the weights of many networks in a few operations.
    """
    sizes = [runs * math.prod(shape) for shape in shapes]
    padded = [-(-size // ALIGNED) * ALIGNED for size in sizes]
    buffer = torch.zeros(sum(padded), device=device)
    parts = buffer.split(padded)
    return buffer, [part[:size].view(runs, *shape) for part, size, shape in zip(parts, sizes, shapes, strict=True)]


class Batch(NamedTuple):
    """Transitions of each run's own.

    Attributes:
        observations, next_observations: (runs, batch, *observation shape) float32.
        actions: (runs, batch) int64.
        rewards: (runs, batch) float32.
        goes_on: (runs, batch) float32, 0 where the next state is terminal, else 1; a time limit is not a termination.
    """

    observations: torch.Tensor
    actions: torch.Tensor
    rewards: torch.Tensor
    next_observations: torch.Tensor
    goes_on: torch.Tensor


class Directions(NamedTuple):
    """Where the weights go; steps are taken along these, not against them.

    Attributes:
        error: (runs, *shape) for each weight of the network, the mean of delta grad q(S, A).
        correction: the same shapes, the mean of -gamma delta_hat grad q(S', a'); with `error` it is the direction.
        h: (runs, actions, width), the mean over the samples of that action of (delta - delta_hat) x, less beta h.
        seen: (runs, actions) bool, that action is in the batch; a head that has no sample has no update.
        delta: (runs, batch).
    """

    error: tuple[torch.Tensor, ...]
    correction: tuple[torch.Tensor, ...]
    h: torch.Tensor
    seen: torch.Tensor
    delta: torch.Tensor


def directions(
    network: Network,
    weights: Sequence[torch.Tensor],
    target: Sequence[torch.Tensor],
    h: torch.Tensor,
    batch: Batch,
    *,
    gamma: float,
    beta: float,
) -> Directions:
    """Return the two directions of the updates in "Extending TDRC to Control", averaged over each run's batch.

    delta = R + gamma max_a q(S', a) - q(S, A) and delta_hat = h_A . x, with x the last hidden layer's features of S,
    through which no gradient of h's own error flows. What is bootstrapped, and its gradient, are the target network's.
    Weights, of the online network, and target's are (runs, *shape) each, the same tensors where there is no target
    network; h is (runs, actions, width).
    """
    trace = network.trace(weights, batch.observations)
    next_trace = network.trace(target, batch.next_observations)
    x, values = trace[-2:]
    next_values = next_trace[-1]
    _check(batch, h, x, values, next_values)

    chosen = batch.actions.unsqueeze(2)
    best, best_action = next_values.max(dim=2)
    discount = gamma * batch.goes_on
    delta = batch.rewards + discount * best - values.gather(2, chosen).squeeze(2)
    delta_hat = torch.bmm(x, h.transpose(1, 2)).gather(2, chosen).squeeze(2)

    samples = delta.shape[1]
    of_error = torch.zeros_like(values).scatter_(2, chosen, (delta / samples).unsqueeze(2))
    of_correction = torch.zeros_like(values).scatter_(
        2, best_action.unsqueeze(2), (-discount * delta_hat / samples).unsqueeze(2)
    )
    error = network.gradients(weights, trace, of_error)
    correction = network.gradients(target, next_trace, of_correction)

    took = torch.zeros_like(values).scatter_(2, chosen, 1.0)
    count = took.sum(dim=1)
    gain = took * (delta - delta_hat).unsqueeze(2)
    dh = torch.bmm(gain.transpose(1, 2), x) / count.clamp(min=1).unsqueeze(2) - beta * h
    return Directions(error, correction, dh, count > 0, delta)


def _check(batch: Batch, h: torch.Tensor, x: torch.Tensor, values: torch.Tensor, next_values: torch.Tensor) -> None:
    """Say which shape is wrong before it is broadcast into something else."""
    runs, samples, width = x.shape
    actions = values.shape[2]
    for name, tensor in (("actions", batch.actions), ("rewards", batch.rewards), ("goes_on", batch.goes_on)):
        assert tensor.shape == (runs, samples), f"{name} is {tuple(tensor.shape)}, not {(runs, samples)}"
    assert values.shape == next_values.shape == (runs, samples, actions), (values.shape, next_values.shape)
    assert h.shape == (runs, actions, width), f"h is {tuple(h.shape)}, not {(runs, actions, width)}"

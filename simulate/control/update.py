"""The update of QRC: two directions, for many runs at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

from simulate.control.network import Network


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

    Args:
        network: how weights and observations give features and values.
        weights: (runs, *shape) each, of the online network.
        target: the same shapes; the same tensors where there is no target network.
        h: (runs, actions, width), the second weights.
        batch: a batch for each run.
        gamma, beta: discount and regulariser.
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

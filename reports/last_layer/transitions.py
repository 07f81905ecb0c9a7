"""A run's replay as its last layer sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tdrc_theory.errors import BadOption

if TYPE_CHECKING:
    from simulate.control.checkpoint import Kept


@dataclass(frozen=True, eq=False)
class Transitions:
    """Transitions in the order in which they were made, and the last layer.

    Attributes:
        x, x_next: (samples, width), features of S and of S'.
        action, next_action: (samples,), the action taken, and the greedy one in S'.
        discount: (samples,), gamma, 0 where S' is terminal.
        reward: (samples,), what is learnt from, less what the biases, which are frozen, make of it.
        weights, h: (actions, width).
    """

    x: np.ndarray
    x_next: np.ndarray
    action: np.ndarray
    next_action: np.ndarray
    discount: np.ndarray
    reward: np.ndarray
    weights: np.ndarray
    h: np.ndarray

    def features(self, places: np.ndarray) -> np.ndarray:
        """Return phi(S, A) of some transitions (places, actions * width)."""
        return self._placed(self.x[places], self.action[places])

    def next_features(self, places: np.ndarray) -> np.ndarray:
        """Return gamma phi(S', a') of the greedy a' (places, actions * width), 0 after a termination."""
        return self._placed(self.x_next[places] * self.discount[places, None], self.next_action[places])

    def _placed(self, x: np.ndarray, action: np.ndarray) -> np.ndarray:
        result = np.zeros((len(x), *self.h.shape))
        result[np.arange(len(x)), action] = x
        return result.reshape(len(x), -1)


def transitions(kept: Kept) -> Iterator[Transitions]:
    """Yield the transitions of each run of a checkpoint.

    Raises:
        BadOption: transitions are not drawn uniformly, there are too few, a target network's values are learnt from,
            or what a run has is not finite.
        MissingExtra: torch, or what the environment comes from, is not installed.
    """
    from simulate.control.device import find_device, one_thread

    find_device("cpu")
    import torch

    from simulate.control.training import Training

    if kept.settings.prioritized:
        raise BadOption("a run with --prioritized: its updates are not averages over the buffer")
    if kept.settings.target_every:
        raise BadOption("a run with --target-every: between synchronisations its update is none of the weights' alone")
    training = Training(kept.settings, kept.runs, kept.seed, "cpu")
    training.restore(kept.state)
    replay, agents = training.replay, training.agents
    if replay.size < kept.settings.warm_up:
        raise BadOption("a run that has not begun to learn has no last layer to speak of")
    _check([column[: replay.size] for column in replay.columns], [*agents.weights, agents.h])
    began = replay.added % replay.capacity if replay.added > replay.capacity else 0
    order = (torch.arange(replay.size) + began) % replay.capacity
    evaluate = agents.network.evaluate
    columns = [column[order].transpose(0, 1) for column in replay.columns]
    observations, actions, rewards, next_observations, goes_on = columns
    with one_thread(), torch.no_grad():
        for run in range(len(kept.runs)):
            weights = [weight[run : run + 1] for weight in agents.weights]
            x, _ = evaluate(weights, observations[run : run + 1].float())
            x_next, values = evaluate(weights, next_observations[run : run + 1].float())
            action, next_action = actions[run].numpy(), values[0].argmax(dim=1).numpy()
            discount = float(kept.settings.gamma) * goes_on[run].double().numpy()
            bias = weights[-1].flatten().double().numpy()
            yield Transitions(
                x=x[0].double().numpy(),
                x_next=x_next[0].double().numpy(),
                action=action,
                next_action=next_action,
                discount=discount,
                reward=rewards[run].double().numpy() + discount * bias[next_action] - bias[action],
                weights=agents.weights[-2][run].double().numpy().T,
                h=agents.h[run].double().numpy(),
            )


def _check(columns: Sequence[Any], weights: Sequence[Any]) -> None:
    """Return if everything is finite and actions are the network's own: from what is not, anything would follow."""
    finite = all(bool(one.isfinite().all()) for one in (*columns, *weights))
    actions, h = columns[1], weights[-1]
    if not finite or bool(((actions < 0) | (actions >= h.shape[1])).any()):
        raise BadOption("a run with weights or transitions that are not finite, or with actions that its network lacks")

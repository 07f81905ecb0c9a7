"""What theory reads off a last layer from a replay, with intervals, and which hypotheses hold as far as these tell.

A, b and C are averages over transitions, block by block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tdrc_theory.cli.finite import finite
from tdrc_theory.errors import BadOption
from verify.check import Status
from verify.data.intervals import Interval, jackknife
from verify.data.moments import Coordinates
from verify.data.numbers import BETA, CONDITION, ETA, LOWEST, beta_bound, condition_of_C, eta_bound, lowest_of_A

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

    def placed(self, x: np.ndarray, action: np.ndarray) -> np.ndarray:
        """Return phi of features (places, width) and actions (places,): (places, actions * width)."""
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


BLOCKS = 20
"""Consecutive transitions depend on each other; so many blocks of them are taken to be independent."""
RATE, END = "spectral abscissa, beta = {:g}", "norm at which h settles, beta = {:g}"
_ROUNDING = 1e-12
"""Share of the largest eigenvalue that eigenvalues in floats may be wrong by."""


@dataclass(frozen=True, eq=False)
class Averages:
    """Averages over some transitions, in coordinates of the directions that features have.

    Attributes:
        A, C: (r, m) and (r, r): rows are in the span of features, of dimension r; columns of A in that of features
            and next features, of dimension m, whose first r coordinates are the others'.
        b: (r,).
        weights: (m,), the last layer's.
        h: (r,).
        share: (r, r), of each action in the transitions: h moves along its inverse times the average of all.
    """

    A: np.ndarray
    C: np.ndarray
    b: np.ndarray
    weights: np.ndarray
    h: np.ndarray
    share: np.ndarray


def averages(transitions: Transitions, blocks: int, resolution: float) -> list[Averages]:
    """Return the averages over each of so many blocks of consecutive transitions, all in the same coordinates.

    Directions along which features have less than `resolution` of the largest mean square are left out.
    """
    places = np.array_split(np.arange(len(transitions.action)), blocks)
    raw = [_products(transitions, block) for block in places]
    square, ahead = (np.mean([each[part] for each in raw], axis=0) for part in (0, 2))
    at = Coordinates(square, ahead, resolution)
    V, U = at.V, at.U
    actions, width = transitions.h.shape
    result = []
    for block, (square, across, _, reward) in zip(places, raw, strict=True):
        counts = np.bincount(transitions.action[block], minlength=actions) / len(block)
        result.append(
            Averages(
                A=V.T @ (square - across) @ U,
                C=V.T @ square @ V,
                b=V.T @ reward,
                weights=U.T @ transitions.weights.ravel(),
                h=V.T @ transitions.h.ravel(),
                share=V.T @ (np.repeat(counts, width)[:, None] * V),
            )
        )
    return result


def _products(transitions: Transitions, block: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the means of phi phi^T, phi phi'^T, phi' phi'^T and R phi, gamma in phi'."""
    x_next = transitions.x_next[block] * transitions.discount[block, None]  # 0 after a termination
    here = transitions.placed(transitions.x[block], transitions.action[block])
    ahead, count = transitions.placed(x_next, transitions.next_action[block]), len(block)
    return (
        here.T @ here / count,
        here.T @ ahead / count,
        ahead.T @ ahead / count,
        here.T @ transitions.reward[block] / count,
    )


def mean(parts: Sequence[Averages]) -> Averages:
    """Return the averages over blocks of equal lengths together."""
    return Averages(*(np.mean([getattr(part, each.name) for part in parts], axis=0) for each in fields(Averages)))


def abscissa(averages: Averages, beta: float, eta: float) -> float:
    """Return the largest real part among the eigenvalues of the linearised update."""
    return float(eigenvalues(averages, beta, eta).real.max())


def eigenvalues(averages: Averages, beta: float, eta: float) -> np.ndarray:
    """Return the eigenvalues (2 r,) of the linearised update, but for the m - r that are 0 whatever A and C are."""
    r = len(averages.A)
    scale = np.linalg.inv(averages.share)
    to_w = averages.A.T.copy()
    to_w[:r] -= averages.C
    # Of w only A w counts: in coordinates (h, A w) the m - r zeros are gone, and none is to be told by its size.
    G = np.block(
        [[-eta * (scale @ averages.C + beta * np.eye(r)), -eta * scale], [averages.A @ to_w, -averages.A[:, :r]]]
    )
    return np.asarray(np.linalg.eigvals(G))


def settled_h(averages: Averages, beta: float) -> float:
    """Return the norm of the h at which it settles while W stays as it is: (C + beta share) h = b - A w."""
    ridged = averages.C + beta * averages.share
    return float(np.linalg.norm(np.linalg.solve(ridged, averages.b - averages.A @ averages.weights)))


@dataclass(frozen=True)
class LastLayer:
    """What is known of one run: numbers and hypotheses by name, the norm of h, and of its part in directions kept."""

    norm_h: float
    norm_kept: float
    rank: int
    numbers: dict[str, Interval]
    hypotheses: dict[str, Status]

    def to_json(self) -> dict[str, Any]:
        """Return everything."""
        return {
            "norm_h": finite(self.norm_h),
            "norm_h_in_directions_kept": finite(self.norm_kept),
            "rank_C": self.rank,
            "numbers": {name: one.to_json() for name, one in self.numbers.items()},
            "hypotheses": {name: status.value for name, status in self.hypotheses.items()},
        }


def last_layer(run: Transitions, beta: float, eta: float, resolution: float) -> LastLayer:
    """Return what theory says of a run that learns with this beta and eta, in the directions that `averages` keeps."""
    parts = averages(run, BLOCKS, resolution)
    rounding = _ROUNDING * float(np.linalg.eigvalsh(mean(parts).C)[-1])
    numbers = {
        LOWEST: of_blocks(parts, lambda part: lowest_of_A(part.A), rounding=rounding),
        CONDITION: of_blocks(parts, lambda part: condition_of_C(part.C), logarithm=True),
        BETA: of_blocks(parts, lambda part: beta_bound(part.A), logarithm=True),
        ETA: of_blocks(parts, lambda part: eta_bound(part.A, part.C)),
    }
    for value in sorted({0.0, 1.0, beta}):
        rate = partial(abscissa, beta=value, eta=eta)
        numbers[RATE.format(value)] = of_blocks(parts, rate, rounding=rounding)
        end = partial(settled_h, beta=value)
        numbers[END.format(value)] = of_blocks(parts, end, logarithm=True)
    norm = float(np.linalg.norm(parts[0].h))
    hypotheses = {
        "A is positive definite": numbers[LOWEST].above(0),
        "beta is below its bound": numbers[BETA].above(beta) if beta else Status.HOLDS,
        "eta is above its bound": numbers[ETA].below(eta),
        "the update is stable": numbers[RATE.format(beta)].below(0),
        "h is to grow from where it is": numbers[END.format(beta)].above(norm),
    }
    return LastLayer(float(np.linalg.norm(run.h)), norm, len(parts[0].C), numbers, hypotheses)


def of_blocks(
    parts: Sequence[Averages],
    quantity: Callable[[Averages], float],
    *,
    logarithm: bool = False,
    rounding: float = 0.0,
) -> Interval:
    """Return a quantity of the mean of parts that are independent, with the interval of `jackknife`."""

    def evaluated(chosen: Sequence[Averages]) -> float:
        try:
            return quantity(mean(chosen))
        except np.linalg.LinAlgError:
            return math.nan

    whole = evaluated(parts)
    left = [evaluated([*parts[:i], *parts[i + 1 :]]) for i in range(len(parts))]
    return jackknife(whole, left, logarithm=logarithm, rounding=rounding)

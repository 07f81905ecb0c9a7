"""A, b and C of a last layer as averages over transitions, block by block, and what theory reads off them."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from reports.last_layer.transitions import Transitions
from verify.data.moments import coordinates


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

    Args:
        resolution: directions along which features have a smaller share of the largest mean square are left out.
    """
    places = np.array_split(np.arange(len(transitions.action)), blocks)
    raw = [_products(transitions, block) for block in places]
    square, ahead = (np.mean([each[part] for each in raw], axis=0) for part in (0, 2))
    at = coordinates(square, ahead, resolution)
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
    here, ahead, count = transitions.features(block), transitions.next_features(block), len(block)
    return (
        here.T @ here / count,
        here.T @ ahead / count,
        ahead.T @ ahead / count,
        here.T @ transitions.reward[block] / count,
    )


def mean(parts: list[Averages]) -> Averages:
    """Return the averages over blocks of equal lengths together."""
    return Averages(*(np.mean([getattr(part, each.name) for part in parts], axis=0) for each in fields(Averages)))


def abscissa(averages: Averages, beta: float, eta: float, by_action: bool) -> float:
    """Return the largest real part among the eigenvalues of the linearised update."""
    return float(eigenvalues(averages, beta, eta, by_action).real.max())


def eigenvalues(averages: Averages, beta: float, eta: float, by_action: bool) -> np.ndarray:
    """Return the eigenvalues (2 r,) of the linearised update, but for the m - r that are 0 whatever A and C are.

    Args:
        by_action: h moves along means over the transitions of its own action, as the agent's does.
    """
    r = len(averages.A)
    scale = np.linalg.inv(averages.share) if by_action else np.eye(r)
    to_w = averages.A.T.copy()
    to_w[:r] -= averages.C
    # Of w only A w counts: in coordinates (h, A w) the m - r zeros are gone, and none is to be told by its size.
    G = np.block(
        [[-eta * (scale @ averages.C + beta * np.eye(r)), -eta * scale], [averages.A @ to_w, -averages.A[:, :r]]]
    )
    return np.asarray(np.linalg.eigvals(G))


def settled_h(averages: Averages, beta: float, by_action: bool) -> float:
    """Return the norm of the h at which it settles while W stays as it is: (C + beta share) h = b - A w."""
    ridge = beta * (averages.share if by_action else np.eye(len(averages.C)))
    return float(np.linalg.norm(np.linalg.solve(averages.C + ridge, averages.b - averages.A @ averages.weights)))

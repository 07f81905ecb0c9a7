"""A, b and C of a last layer as averages over transitions, block by block, and what theory reads off them."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from reports.last_layer.transitions import Transitions


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


def averages(found: Transitions, blocks: int, resolution: float) -> list[Averages]:
    """Return the averages over each of so many blocks of consecutive transitions, all in the same coordinates.

    Args:
        resolution: directions along which features have a smaller share of the largest mean square are left out.
    """
    places = np.array_split(np.arange(len(found.action)), blocks)
    raw = [_products(found, block) for block in places]
    V, U = _bases(np.mean([each[0] for each in raw], axis=0), np.mean([each[2] for each in raw], axis=0), resolution)
    actions, width = found.h.shape
    made = []
    for block, (square, across, _, reward) in zip(places, raw, strict=True):
        counts = np.bincount(found.action[block], minlength=actions) / len(block)
        made.append(
            Averages(
                A=V.T @ (square - across) @ U,
                C=V.T @ square @ V,
                b=V.T @ reward,
                weights=U.T @ found.weights.ravel(),
                h=V.T @ found.h.ravel(),
                share=V.T @ (np.repeat(counts, width)[:, None] * V),
            )
        )
    return made


def _products(found: Transitions, block: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the means of phi phi^T, phi phi'^T, phi' phi'^T and R phi, gamma in phi'."""
    here, ahead, count = found.features(block), found.next_features(block), len(block)
    return here.T @ here / count, here.T @ ahead / count, ahead.T @ ahead / count, here.T @ found.reward[block] / count


def mean(parts: list[Averages]) -> Averages:
    """Return the averages over blocks of equal lengths together."""
    return Averages(*(np.mean([getattr(part, each.name) for part in parts], axis=0) for each in fields(Averages)))


def _bases(square: np.ndarray, ahead: np.ndarray, resolution: float) -> tuple[np.ndarray, np.ndarray]:
    """Return orthonormal bases of the span of phi, and of that of phi and phi', which begins with the former."""
    values, vectors = np.linalg.eigh(square)
    least = resolution * values[-1]
    V = vectors[:, values > least]
    off = np.eye(len(square)) - V @ V.T
    values, vectors = np.linalg.eigh(off @ ahead @ off)
    return V, np.hstack([V, vectors[:, values > least]])


def lowest_of_A(made: Averages) -> float:
    """Return the smallest eigenvalue of H = (A + A^T) / 2 on range(C): above 0 where A is positive definite there."""
    return float(np.linalg.eigvalsh(_H(made))[0])


def condition_of_C(made: Averages) -> float:
    """Return the smallest eigenvalue of C on its range, over the largest."""
    values = np.linalg.eigvalsh(made.C)
    return float(values[0] / values[-1])


def beta_bound(made: Averages) -> float:
    """Return the bound of beta that is sufficient in Theorem 3.1 (ii), corrected: inf where H is positive definite.

    It is the least z^T A A^T z / (-z^T H z) over z in range(C) with z^T H z < 0.
    """
    from scipy.linalg import eigh

    largest = float(eigh(-_H(made), made.A @ made.A.T, eigvals_only=True)[-1])
    return 1 / largest if largest > 0 else math.inf


def eta_bound(made: Averages) -> float:
    """Return the bound of eta there: max(0, -lambda_min(C^-1 H))."""
    from scipy.linalg import eigh

    return max(0.0, -float(eigh(_H(made), made.C, eigvals_only=True)[0]))


def abscissa(made: Averages, beta: float, eta: float, by_action: bool) -> float:
    """Return the largest real part among the eigenvalues of the linearised update."""
    return float(eigenvalues(made, beta, eta, by_action).real.max())


def eigenvalues(made: Averages, beta: float, eta: float, by_action: bool) -> np.ndarray:
    """Return the eigenvalues (2 r,) of the linearised update, but for the m - r that are 0 whatever A and C are.

    Args:
        by_action: h moves along means over the transitions of its own action, as the agent's does.
    """
    r = len(made.A)
    scale = np.linalg.inv(made.share) if by_action else np.eye(r)
    to_w = made.A.T.copy()
    to_w[:r] -= made.C
    # Of w only A w counts: in coordinates (h, A w) the m - r zeros are gone, and none is to be told by its size.
    G = np.block([[-eta * (scale @ made.C + beta * np.eye(r)), -eta * scale], [made.A @ to_w, -made.A[:, :r]]])
    return np.asarray(np.linalg.eigvals(G))


def settled_h(made: Averages, beta: float, by_action: bool) -> float:
    """Return the norm of the h at which it settles while W stays as it is: (C + beta share) h = b - A w."""
    ridge = beta * (made.share if by_action else np.eye(len(made.C)))
    return float(np.linalg.norm(np.linalg.solve(made.C + ridge, made.b - made.A @ made.weights)))


def _H(made: Averages) -> np.ndarray:
    """Return the symmetric part of A on range(C)."""
    square = made.A[:, : len(made.C)]
    return (square + square.T) / 2

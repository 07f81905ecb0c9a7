"""What theory reads off a last layer, with intervals, and which hypotheses hold as far as these tell.

A, b and C are averages over transitions, block by block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from reports.last_layer.transitions import Transitions
from tdrc_theory.cli.finite import finite
from verify.check import Status
from verify.data.intervals import Interval, jackknife
from verify.data.moments import Coordinates
from verify.data.numbers import BETA, CONDITION, ETA, LOWEST, beta_bound, condition_of_C, eta_bound, lowest_of_A

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

    Args:
        resolution: directions along which features have a smaller share of the largest mean square are left out.
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
    here, ahead, count = transitions.features(block), transitions.next_features(block), len(block)
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
    """What was found of one run: numbers and hypotheses by name, and the norm of h.

    Attributes:
        norm_kept: of the part of h in the directions that are kept.
        rank: how many these are.
    """

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

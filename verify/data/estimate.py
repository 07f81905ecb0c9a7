"""A, b, C, G and g as weighted means over units of the data, in coordinates of directions that the features have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tdrc_theory.learner.sample_update import places_of
from verify.data.intervals import Resampling, resample
from verify.data.moments import Moments
from verify.data.products import ROW, Form, KeyProducts, Product

RESOLUTION = 1e-12
"""Directions with a smaller share of the largest mean square are taken for rounding."""


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Orthonormal bases: of the span of x, and of that of x with what follows, which begins with the former.

    Attributes:
        U: (k, m), of both; the identity where x spans everything.
        rank: r, of its columns that span x.
    """

    U: np.ndarray
    rank: int

    @property
    def V(self) -> np.ndarray:
        """Return the basis of the span of x (k, r)."""
        return self.U[:, : self.rank]


def coordinates(square: np.ndarray, ahead: np.ndarray, resolution: float) -> Coordinates:
    """Return coordinates of the directions that features have.

    Args:
        square: mean of x x^T (k, k).
        ahead: mean of x_next x_next^T, and of other vectors' besides.
        resolution: directions with a smaller share of the largest mean square are left out.
    """
    values, vectors = np.linalg.eigh(square)
    least = resolution * values[-1]
    kept = values > least
    if kept.all():
        return Coordinates(np.eye(len(square)), len(square))
    V = vectors[:, kept]
    off = np.eye(len(square)) - V @ V.T
    values, vectors = np.linalg.eigh(off @ ahead @ off)
    return Coordinates(np.hstack([V, vectors[:, values > least]]), V.shape[1])


@dataclass(frozen=True, eq=False)
class Estimate:
    """Means over transitions.

    Attributes:
        A, C, b: (r, m), (r, r) and (r,); rows are in the span of x.
        means: of every product, vectors in m coordinates.
        square: of vec(X) vec(X)^T; None where it is not kept. See `verify.data.mean_square`.
    """

    A: np.ndarray
    C: np.ndarray
    b: np.ndarray
    means: Mapping[Product, np.ndarray]
    square: np.ndarray | None = None

    def update(self, form: Form) -> tuple[np.ndarray, np.ndarray]:
        """Return G (n, n) and g (n,) of a learner, weights in the order of `Algorithm.stacked`."""
        m = self.A.shape[1]
        places = places_of(form.algorithm, m)
        size = form.algorithm.size(m)
        G, g = np.zeros((size, size)), np.zeros(size)
        for term in form.terms:
            row, mean = places[term.row], self.means[term.product]
            value = term.share * (mean.T if term.transposed else mean)
            if term.column is None:
                g[row] += value
                continue
            column = places[term.column]
            if term.diagonal:
                value = value * np.eye(column.stop - column.start)
            G[row, column] += np.reshape(value, (row.stop - row.start, column.stop - column.start))
        return G, g


class Sample:
    """The sums of all units in common coordinates, of which estimates are weighted means.

    Attributes:
        at: the coordinates.
        whole: the estimate from all rows in the features' own coordinates (k of them).
        units: how many there are.
    """

    def __init__(self, moments: Moments, key: KeyProducts, gamma: float, resolution: float) -> None:
        """Project the sums, in place of those of `moments`, since two copies would need twice the memory."""
        k = moments.features
        ahead = sum((square for name, square in moments.spans.items() if name != "x"), np.zeros((k, k)))
        self.at = coordinates(moments.spans["x"] / moments.rows, ahead / moments.rows, resolution)
        self.gamma, self.key, self.units = gamma, key, moments.units
        means = {product: sums.sum(axis=0) / moments.rows for product, sums in moments.sums.items()}
        self.whole = self._estimate(means, k)
        self._sums = moments.sums
        self._squares = moments.squares if self.at.rank == k else None
        if self.at.rank < k:
            for product, sums in moments.sums.items():
                moments.sums[product] = self._projected(product, sums)

    def _projected(self, product: Product, sums: np.ndarray) -> np.ndarray:
        U = self.at.U
        if product.u is not None and product.v is not None:
            return U.T @ sums @ U
        return sums if product.u is product.v is None else sums @ U

    def estimate(self, counts: np.ndarray) -> Estimate:
        """Return the estimate from units, each taken so many times."""
        rows = counts @ self._sums[ROW]
        means = {p: np.tensordot(counts, sums, 1) / rows for p, sums in self._sums.items()}
        result = self._estimate(means, self.at.rank)
        if self._squares is None:
            return result
        return replace(result, square=np.tensordot(counts, self._squares, 1) / rows)

    def resample(
        self,
        numbers: Callable[[Estimate], Mapping[str, float]],
        resamples: int = 0,
        seed: int = 0,
        tell: Callable[[int], None] = lambda _: None,
    ) -> Resampling:
        """Return numbers of the estimates from all units, without each, and from draws; see `resample`."""
        return resample(self.units, lambda counts: numbers(self.estimate(counts)), resamples, seed, tell)

    def _estimate(self, means: dict[Product, np.ndarray], rank: int) -> Estimate:
        square, here, ahead, paid = (means[product] for product in self.key)
        return Estimate(A=(here - self.gamma * ahead)[:rank], C=square[:rank, :rank], b=paid[:rank], means=means)

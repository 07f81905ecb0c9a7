"""Sums over transitions, unit by unit, and the estimates that they make: A, b, C, G and g as weighted means over units.

Units are what a bootstrap draws, episodes or blocks of consecutive rows. Estimates are in coordinates of directions
that the features have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tdrc_theory.learner.sample_update import places_of
from verify.data.intervals import FEWEST_UNITS, Resampling, Tell
from verify.data.products import ROW, Form, KeyProducts, Memory, Numbers, Product, Vectors
from verify.data.transitions import Source, read_rows

LARGEST_SQUARED = 16
"""Weights up to which E[X (x) X], of their fourth power, is kept."""
_ROWS = 4096
"""Rows whose matrices are in memory at a time: 8 MiB at 16 weights."""
_ROUNDS = 200
"""Steps of the power method after which all eigenvalues are computed instead."""


def squares(form: Form, numbers: Numbers, vectors: Vectors) -> np.ndarray:
    """Return the sum over rows of vec(X) vec(X)^T (n^2, n^2), X (n, n) the matrix of a row's update."""
    k = vectors["x"].shape[1]
    size, total = form.algorithm.size(k), None
    for first in range(0, len(numbers["reward"]), _ROWS):
        part = slice(first, first + _ROWS)
        X = _of_rows(form, {n: a[part] for n, a in numbers.items()}, {n: a[part] for n, a in vectors.items()})
        flat = X.reshape(len(X), size * size)
        total = flat.T @ flat if total is None else total + flat.T @ flat
    return np.zeros((size * size, size * size)) if total is None else total


def _of_rows(form: Form, numbers: Numbers, vectors: Vectors) -> np.ndarray:
    count, k = vectors["x"].shape
    places, size = places_of(form.algorithm, k), form.algorithm.size(k)
    X = np.zeros((count, size, size))
    for term in form.terms:
        if term.column is None:
            continue
        row, column = places[term.row], places[term.column]
        weight = (term.share * term.product.weight(numbers, vectors))[:, None, None]
        if term.diagonal:
            X[:, row, column] += weight * np.eye(k)
            continue
        u, v = (term.product.v, term.product.u) if term.transposed else (term.product.u, term.product.v)
        left, right = (np.ones((count, 1)) if name is None else vectors[name] for name in (u, v))
        X[:, row, column] += weight * left[:, :, None] * right[:, None, :]
    return X


def largest_step_of_squares(G: np.ndarray, square: np.ndarray) -> float:
    """Return the largest step size of the mean square: 0 where G is not Hurwitz, inf where errors have no noise.

    From independent rows. With X the matrix of one row's update, S = E[error error^T] becomes
    S + alpha (G S + S G^T) + alpha^2 E[X S X^T]. That map keeps positive semidefinite matrices so, hence its radius is
    an eigenvalue, and reaches 1 where alpha times the radius of -(G (+) G)^-1 E[X (x) X] is 1, (+) the Kronecker sum.

    Args:
        G: (n, n).
        square: (n^2, n^2), the mean of vec(X) vec(X)^T.
    """
    n = len(G)
    if np.linalg.eigvals(G).real.max() >= 0:
        return 0.0
    noise = square.reshape(n, n, n, n).transpose(0, 2, 1, 3).reshape(n * n, n * n)  # E[X_ik X_jl] at (i j), (k l)
    eye = np.eye(n)
    gain = np.linalg.solve(-(np.kron(G, eye) + np.kron(eye, G)), noise)
    radius = float(np.abs(np.linalg.eigvals(gain)).max()) if n <= 4 else _radius(gain, eye.ravel())
    return 1 / radius if radius > 0 else math.inf


def _radius(gain: np.ndarray, start: np.ndarray) -> float:
    """Return the spectral radius of a map that keeps a cone, from a point within: how fast powers grow in the end."""
    last, radius = start / np.linalg.norm(start), 0.0
    for _ in range(_ROUNDS):
        after = gain @ last
        size = float(np.linalg.norm(after))
        if size == 0 or abs(size - radius) < 1e-12 * size:
            return size
        last, radius = after / size, size
    return float(np.abs(np.linalg.eigvals(gain)).max())


SMALL = 32
"""Features up to which numbers are evaluated often: on a bootstrap's draws, and in many units."""
MOST_UNITS, UNITS_OF_LARGE = 100, 20
"""Units at the most, and with more features than SMALL: a jackknife evaluates each number once a unit."""
_ROWS_A_BLOCK = 25
"""Rows of a unit at the least, so that what neighbouring rows have in common stays within units."""
_MEMORY = 1 << 30
"""Bytes that the sums of all units may take, unless that leaves fewer than FEWEST_UNITS."""
_CHUNK = 1 << 22
"""Numbers of a piece of the data that is in memory at a time."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over the rows of each unit.

    Attributes:
        sums: of each product, (units, k, k), (units, k) or (units,).
        squares: of vec(X) vec(X)^T, (units, n^2, n^2); None where it is not kept. See `largest_step_of_squares`.
        spans: of each vector, the sum of v v^T over all rows (k, k).
        rows: how many there were.
        features: k.
        ordered: whether a column tells where episodes end.
        episodes: how many there were.
        by_episode: whether each unit is one or more whole episodes.
        largest_ratio: the largest rho.
    """

    sums: dict[Product, np.ndarray]
    squares: np.ndarray | None
    spans: dict[str, np.ndarray]
    rows: int
    features: int
    ordered: bool
    episodes: int
    by_episode: bool
    largest_ratio: float

    @property
    def units(self) -> int:
        """Return how many units there are."""
        return len(self.sums[ROW])


def moments(source: Source, products: Sequence[Product], form: Form, ordered: bool, tell: Tell) -> Moments:
    """Return the sums of products, ROW among them, over all rows of a source, in units.

    With fewer episodes than FEWEST_UNITS, units are blocks. `ordered` says whether a column tells where episodes end;
    products may name the memory of `form`'s learner.
    """
    result = _read(source, products, form, ordered, tell)
    if result.units < FEWEST_UNITS and ordered:
        result = _read(source, products, form, False, tell)
    return replace(result, ordered=ordered)


def unit_count(rows: int, features: int, products: Sequence[Product]) -> int:
    """Return into how many units rows are divided: fewer where their sums would take much memory."""
    numbers = sum(features ** sum(name is not None for name in (p.u, p.v)) for p in products)
    fitting = max(FEWEST_UNITS, _MEMORY // (8 * numbers))
    most = MOST_UNITS if features <= SMALL else UNITS_OF_LARGE
    return max(2, min(most, fitting, rows // _ROWS_A_BLOCK))


def _read(source: Source, products: Sequence[Product], form: Form, by_episode: bool, tell: Tell) -> Moments:
    memory = Memory(form.algorithm, form.parameters, form.gamma) if form.algorithm.remembers else None
    sums: dict[Product, list[np.ndarray]] = {product: [] for product in products}
    updates: list[np.ndarray] = []
    spans: dict[str, Any] = {}
    rows, episodes, largest = 0, 0, 0.0
    bounds: _Boundaries | None = None
    for piece in read_rows(source, max(16, _CHUNK // _width(source))):
        k = piece.vectors["x"].shape[1]
        bounds = bounds or _Boundaries(source.rows, unit_count(source.rows, k, products), by_episode)
        numbers, vectors = (piece.numbers, piece.vectors) if memory is None else memory.before(piece)
        for name, a in piece.vectors.items():
            spans[name] = spans.get(name, 0.0) + a.T @ a
        for first, last in bounds.cut(piece.starts, rows):
            part = slice(first, last)
            here = {n: a[part] for n, a in numbers.items()}, {n: a[part] for n, a in vectors.items()}
            for product, kept in sums.items():
                _put(kept, bounds.unit, product.total(*here))
            if memory is None and form.algorithm.size(k) <= LARGEST_SQUARED:
                _put(updates, bounds.unit, squares(form, *here))
        rows += len(piece)
        episodes += int(piece.starts.sum())
        largest = max(largest, float(piece.numbers["rho"].max()))
        tell(rows)
    return Moments(
        sums={product: np.array(sums.pop(product)) for product in products},  # parts go as they are copied
        squares=np.array(updates) if updates else None,
        spans=spans,
        rows=rows,
        features=len(spans["x"]),
        ordered=by_episode,
        episodes=episodes,
        by_episode=by_episode,
        largest_ratio=largest,
    )


def _width(source: Source) -> int:
    """Return how many numbers a row has, about."""
    first = next(iter(source.chunks(1)), {})
    return max(1, sum(np.size(a) for a in first.values()))


class _Boundaries:
    """Where one unit ends and the next begins."""

    def __init__(self, rows: int, units: int, by_episode: bool) -> None:
        self.unit = 0
        self._ends = [-(-rows * (i + 1) // units) for i in range(units - 1)]
        self._by_episode = by_episode

    def cut(self, starts: np.ndarray, before: int) -> Iterator[tuple[int, int]]:
        """Yield stretches of a piece that belong to one unit, `unit` while it is yielded."""
        first, count = 0, len(starts)
        begins = np.flatnonzero(starts)
        while self._ends:
            end = self._ends[0] - before
            if self._by_episode:
                later = begins[begins >= max(end, first)]
                end = int(later[0]) if len(later) else count
            if end >= count:
                break
            if end > first:
                yield first, end
            first = end
            self.unit += 1
            del self._ends[0]
            while self._by_episode and self._ends and self._ends[0] - before <= first:
                del self._ends[0]  # an episode that is longer than a unit's share
        yield first, count


def _put(kept: list[np.ndarray], unit: int, total: np.ndarray) -> None:
    if unit == len(kept):
        kept.append(total)
    else:
        kept[unit] = kept[unit] + total


RESOLUTION = 1e-12
"""Directions with a smaller share of the largest mean square are taken for rounding."""


class Coordinates:
    """Orthonormal bases: of the span of x, and of that of x with what follows, which begins with the former.

    Args:
        square: mean of x x^T (k, k).
        ahead: mean of x_next x_next^T, and of other vectors' besides.
        resolution: directions with a smaller share of the largest mean square are left out.

    Attributes:
        U: (k, m), of both; the identity where x spans everything.
        V: (k, r), of the span of x.
        rank: r.
    """

    def __init__(self, square: np.ndarray, ahead: np.ndarray, resolution: float) -> None:
        values, vectors = np.linalg.eigh(square)
        least, self.U = resolution * values[-1], np.eye(len(square))
        kept = values > least
        self.rank = int(kept.sum())
        if not kept.all():
            V = vectors[:, kept]
            off = self.U - V @ V.T
            values, vectors = np.linalg.eigh(off @ ahead @ off)
            self.U = np.hstack([V, vectors[:, values > least]])
        self.V = self.U[:, : self.rank]


@dataclass(frozen=True, eq=False)
class Estimate:
    """Means over transitions.

    Attributes:
        A, C, b: (r, m), (r, r) and (r,); rows are in the span of x.
        means: of every product, vectors in m coordinates.
        square: of vec(X) vec(X)^T; None where it is not kept. See `largest_step_of_squares`.
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

    def __init__(self, moments: Moments, key: KeyProducts, gamma: float) -> None:
        """Project the sums, in place of those of `moments`, since two copies would need twice the memory."""
        k = moments.features
        ahead = sum((square for name, square in moments.spans.items() if name != "x"), np.zeros((k, k)))
        self.at = Coordinates(moments.spans["x"] / moments.rows, ahead / moments.rows, RESOLUTION)
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
        tell: Tell = lambda _: None,
    ) -> Resampling:
        """Return numbers of the estimates from all units, without each, and from draws."""
        return Resampling(self.units, lambda counts: numbers(self.estimate(counts)), resamples, seed, tell)

    def _estimate(self, means: dict[Product, np.ndarray], rank: int) -> Estimate:
        square, here, ahead, paid = (means[product] for product in self.key)
        return Estimate(A=(here - self.gamma * ahead)[:rank], C=square[:rank, :rank], b=paid[:rank], means=means)

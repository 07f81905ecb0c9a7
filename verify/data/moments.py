"""Sums over transitions, unit by unit: units are what a bootstrap draws, episodes or blocks of consecutive rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from verify.data.intervals import FEWEST_UNITS
from verify.data.mean_square import LARGEST_SQUARED, squares
from verify.data.products import ROW, Form, Memory, Product, remembers
from verify.data.transitions import Source, Transitions, read_rows

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

Tell = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over the rows of each unit.

    Attributes:
        sums: of each product, (units, k, k), (units, k) or (units,).
        squares: of vec(X) vec(X)^T, (units, n^2, n^2); None where it is not kept. See `verify.data.mean_square`.
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
    """Return the sums of products over all rows of a source, in units.

    Args:
        source: where the rows come from.
        products: whose sums; ROW is among them.
        form: the learner, whose memory products may name.
        ordered: whether a column tells where episodes end. With fewer episodes than FEWEST_UNITS, units are blocks.
        tell: gets the number of rows that are read.
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
    memory = Memory(form.algorithm, form.parameters, form.gamma) if remembers(form.algorithm) else None
    totals = _Totals(products, form)
    rows, episodes, largest = 0, 0, 0.0
    bounds: _Boundaries | None = None
    for piece in read_rows(source, max(16, _CHUNK // _width(source))):
        k = piece.vectors["x"].shape[1]
        bounds = bounds or _Boundaries(source.rows, unit_count(source.rows, k, products), by_episode)
        numbers, vectors = (piece.numbers, piece.vectors) if memory is None else memory.before(piece)
        totals.span(piece)
        for first, last in bounds.cut(piece.starts, rows):
            part = slice(first, last)
            totals.add(bounds.unit, {n: a[part] for n, a in numbers.items()}, {n: a[part] for n, a in vectors.items()})
        rows += len(piece)
        episodes += int(piece.starts.sum())
        largest = max(largest, float(piece.numbers["rho"].max()))
        tell(rows)
    features = len(totals.spans["x"])
    return Moments(
        totals.stacked(), totals.squares(), totals.spans, rows, features, by_episode, episodes, by_episode, largest
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


class _Totals:
    """Sums by unit, as they grow."""

    def __init__(self, products: Sequence[Product], form: Form) -> None:
        self._sums: dict[Product, list[np.ndarray]] = {product: [] for product in products}
        self._squares: list[np.ndarray] = []
        self._form = form
        self.spans: dict[str, np.ndarray] = {}

    def span(self, piece: Transitions) -> None:
        for name, a in piece.vectors.items():
            square = a.T @ a
            self.spans[name] = self.spans[name] + square if name in self.spans else square

    def add(self, unit: int, numbers: dict[str, np.ndarray], vectors: dict[str, np.ndarray]) -> None:
        for product, kept in self._sums.items():
            _put(kept, unit, product.total(numbers, vectors))
        algorithm = self._form.algorithm
        if algorithm.size(vectors["x"].shape[1]) <= LARGEST_SQUARED and not remembers(algorithm):
            _put(self._squares, unit, squares(self._form, numbers, vectors))

    def squares(self) -> np.ndarray | None:
        """Return those of the learner's updates; None where it has many weights."""
        return np.array(self._squares) if self._squares else None

    def stacked(self) -> dict[Product, np.ndarray]:
        """Return them by product, and let go of the parts as they are copied."""
        result = {}
        for product in list(self._sums):
            result[product] = np.array(self._sums.pop(product))
        return result


def _put(kept: list[np.ndarray], unit: int, total: np.ndarray) -> None:
    if unit == len(kept):
        kept.append(total)
    else:
        kept[unit] = kept[unit] + total

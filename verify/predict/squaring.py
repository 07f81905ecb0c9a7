"""Long horizons: many steps at once by a power of the second-moment operator, where it is small enough."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from verify.predict.operator import Layout, Operator, forward

LARGEST_WRITTEN_OUT = 1500
"""Numbers in the moments of a mode's symmetric half, all modes together, up to which the operator is written out."""
_STEP, _SMALL, _LARGE = 2e-5, 1e9, 1e10
"""Seconds that calls take, and multiplications a second in small and large products: rough, for choosing only."""


class Half:
    """Symmetric blocks (..., modes, N, N) as vectors of their upper halves, and back; inner products are kept."""

    def __init__(self, modes: int, N: int) -> None:
        self.modes, self.N = modes, N
        self.rows, self.columns = np.triu_indices(N)
        self.weights = np.where(self.rows == self.columns, 1.0, math.sqrt(2))

    @cached_property
    def constant(self) -> np.ndarray:
        """Whether a place is of the last column (size,): first moments and the mass, where that is the constant."""
        return np.tile(self.columns == self.N - 1, self.modes)

    @property
    def size(self) -> int:
        """Return the length of a vector."""
        return self.modes * len(self.rows)

    def pack(self, Q: np.ndarray) -> np.ndarray:
        """Return (..., size)."""
        return (Q[..., self.rows, self.columns] * self.weights).reshape(*Q.shape[:-3], self.size)

    def unpack(self, vector: np.ndarray) -> np.ndarray:
        """Return (..., modes, N, N)."""
        Q = np.zeros((*vector.shape[:-1], self.modes, self.N, self.N))
        values = vector.reshape(*vector.shape[:-1], self.modes, len(self.rows)) / self.weights
        Q[..., self.rows, self.columns] = values
        Q[..., self.columns, self.rows] = values
        return Q


def written_out(operator: Operator, half: Half, alpha: float) -> np.ndarray:
    """Return the operator at one alpha as a matrix on symmetric halves (size, size): for small ones only."""
    result = np.empty((half.size, half.size))
    piece = max(1, 2_000_000 // (half.modes * half.N**2))
    for at in range(0, half.size, piece):
        unit = np.eye(min(piece, half.size - at), half.size, at)
        result[:, at : at + piece] = half.pack(operator(half.unpack(unit), np.full(len(unit), alpha))).T
    return result


def excited(operator: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return the places of a vector, ascending, that are not 0 at the start or after some step.

    Others may grow without bound, such as moments of a mode that was left for good; they stay 0, but 0 times infinity
    is not.
    """
    places = start != 0
    while True:
        after = places | (operator[:, places] != 0).any(axis=1)
        if (after == places).all():
            return np.flatnonzero(places)
        places = after


@dataclass(frozen=True)
class Power:
    """The operator's power for a fixed number of steps, a matrix for each alpha, on the places excited.

    First moments do not depend on second ones, which may be past the range of floats: they have matrices of their own.
    """

    half: Half
    places: tuple[np.ndarray, ...]
    matrices: tuple[np.ndarray, ...]
    means: tuple[np.ndarray, ...]

    @staticmethod
    def dimension(layout: Layout) -> int:
        """Return the number of rows that the operator has when written out."""
        return Half(layout.modes, layout.size).size

    @staticmethod
    def wins(layout: Layout, steps: int, every: int) -> bool:
        """Return whether a power of the operator written out is cheaper than going step by step without."""
        size = Power.dimension(layout)
        if size > LARGEST_WRITTEN_OUT or not 0 < every <= steps:
            return False
        one = 3 * _STEP + 2 * len(layout.source) * layout.U.shape[1] * layout.size**2 / _SMALL
        products = size * one / 4 + 2 * math.log2(every) * size**3 / _LARGE
        return products + steps / every * (_STEP + size**2 / _SMALL) < steps * one

    def __call__(self, Q: np.ndarray) -> np.ndarray:
        """Return Q that many steps later."""
        after, vectors = np.zeros((len(self.matrices), self.half.size)), self.half.pack(Q)
        for out, vector, places, matrix, mean in zip(
            after, vectors, self.places, self.matrices, self.means, strict=True
        ):
            out[places] = matrix @ vector[places]
            first = places[self.half.constant[places]]
            out[first] = mean @ vector[first]
        return self.half.unpack(after)


def squared(layout: Layout, Q: np.ndarray, alpha: np.ndarray, steps: int, every: int) -> Power | None:
    """Return the power for `every` steps, from Q (modes, N, N) on, where it wins, else None."""
    if not Power.wins(layout, steps, every):
        return None
    half, operator = Half(layout.modes, layout.size), forward(layout)
    start, places, matrices, means = half.pack(Q), [], [], []
    with np.errstate(all="ignore"):
        for a in alpha:
            one = written_out(operator, half, float(a))
            places.append(excited(one, start))
            first = places[-1][half.constant[places[-1]]]
            matrices.append(np.linalg.matrix_power(one[np.ix_(places[-1], places[-1])], every))
            means.append(np.linalg.matrix_power(one[np.ix_(first, first)], every))
    return Power(half, tuple(places), tuple(matrices), tuple(means))


def last_and_sum(layout: Layout, Q: np.ndarray, form: np.ndarray, alpha: float, steps: int) -> tuple[float, float]:
    """Return <form, Q> after the last step, and its sum over all steps, the first moments Q included, by squaring.

    With c the form, (q, a) -> (T q, a + c.q) is linear, and its power adds up what the steps before saw.

    Args:
        form: (N, N), symmetric; Q: (modes, N, N).
    """
    half = Half(layout.modes, layout.size)
    operator, start = written_out(forward(layout), half, alpha), half.pack(Q)
    places = excited(operator, start)
    size, c = len(places), half.pack(np.broadcast_to(form, Q.shape))[places]
    both = np.zeros((size + 1, size + 1))
    both[:size, :size] = operator[np.ix_(places, places)]
    both[size, :size], both[size, size] = c, 1
    with np.errstate(all="ignore"):
        there = np.linalg.matrix_power(both, steps) @ np.append(start[places], 0.0)
        last = float(c @ there[:size])
        return last, float(there[size]) + last

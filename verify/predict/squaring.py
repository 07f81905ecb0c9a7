"""Long horizons: many steps at once by a power of the second-moment operator, where it is small enough."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from verify.predict.operator import Layout, Operator, forward

LARGEST = 1500
"""Numbers in the moments of a mode's symmetric half, all modes together, up to which the operator is written out."""
_STEP, _SMALL, _LARGE = 4e-5, 1e9, 1e10
"""Seconds of overhead a step, and multiplications a second in small and large products: rough, for choosing only."""


class Half:
    """Symmetric blocks (..., modes, N, N) as vectors of their upper halves, and back; inner products are kept."""

    def __init__(self, modes: int, N: int) -> None:
        self.modes, self.N = modes, N
        self.rows, self.columns = np.triu_indices(N)
        self.weights = np.where(self.rows == self.columns, 1.0, math.sqrt(2))

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
    made = np.empty((half.size, half.size))
    piece = max(1, 2_000_000 // (half.modes * half.N**2))
    for at in range(0, half.size, piece):
        unit = np.eye(min(piece, half.size - at), half.size, at)
        made[:, at : at + piece] = half.pack(operator(half.unpack(unit), np.full(len(unit), alpha))).T
    return made


@dataclass(frozen=True)
class Power:
    """The operator's power for a fixed number of steps, one matrix for each alpha."""

    half: Half
    matrices: np.ndarray

    @staticmethod
    def dimension(made: Layout) -> int:
        """Return the number of rows that the operator has when written out."""
        return Half(made.modes, made.size).size

    @staticmethod
    def wins(made: Layout, alphas: int, steps: int, every: int) -> bool:
        """Return whether a power is cheaper than going step by step."""
        size = Power.dimension(made)
        if size > LARGEST or every < 2 or every > steps:
            return False
        one = _STEP + 2 * len(made.source) * made.U.shape[1] * made.size**2 / _SMALL
        products = size * one + 2 * math.log2(every) * size**3 / _LARGE
        return alphas * (products + steps / every * size**2 / _SMALL) < alphas * steps * one

    def __call__(self, Q: np.ndarray) -> np.ndarray:
        """Return Q that many steps later."""
        return self.half.unpack(np.einsum("aij,aj->ai", self.matrices, self.half.pack(Q)))


def squared(made: Layout, alpha: np.ndarray, steps: int, every: int) -> Power | None:
    """Return the power for `every` steps where it wins, else None."""
    if not Power.wins(made, len(alpha), steps, every):
        return None
    half, operator = Half(made.modes, made.size), forward(made)
    matrices = [np.linalg.matrix_power(written_out(operator, half, float(a)), every) for a in alpha]
    return Power(half, np.array(matrices))

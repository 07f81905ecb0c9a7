"""Spectral radii of the first- and second-moment operators in floats, matrix-free, by Arnoldi's method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from verify.predict.operator import Half, Layout, Operator, forward

_SMALL, _LARGEST = 60, 1000
"""Sizes up to which LAPACK finds all eigenvalues: at once, and where Arnoldi's method gets stuck."""
_TRIES = ((40, 40, 1), (120, 15, 1), (40, 15, 64))
"""Lengths of the basis, numbers of restarts, and the power of the operator, which spreads eigenvalues near 1."""
RADIUS_ERROR = 2e-11
"""What a radius near 1 may be wrong by."""
_OFF_CONE = 1e-6
"""Share of the largest eigenvalue up to which one of the other sign is taken for an error of rounding."""


@dataclass(frozen=True)
class Spectrum:
    """The linear part of a recursion, as operators on moments.

    Attributes:
        arrays: the layout without constants.
    """

    arrays: Layout

    @cached_property
    def _forward(self) -> Operator:
        return forward(self.arrays)

    def second(self, alpha: float) -> float:
        """Return the spectral radius of the second-moment operator, NaN where it was not found.

        The operator maps positive semidefinite blocks to such, so its radius is an eigenvalue, no other has a larger
        real part, and it has an eigenvector of such blocks. Arnoldi's method may miss it: what it returns counts only
        with such an eigenvector.
        """
        half, step = Half.of(self.arrays), np.array([alpha])

        def apply(vector: np.ndarray) -> np.ndarray:
            return half.pack(self._forward(half.unpack(vector.reshape(1, -1)), step))[0]

        start = half.of_each(np.eye(half.N))

        def in_the_cone(vector: np.ndarray) -> bool:
            values = np.linalg.eigvalsh(half.unpack(vector))
            return bool(min(-values.min(), values.max()) <= _OFF_CONE * np.abs(values).max())

        return float(_extreme(apply, start, "LR", in_the_cone).real)

    def first(self, alpha: float) -> float:
        """Return the spectral radius of the first-moment operator, NaN where it was not found."""
        return float(abs(_extreme(self.first_operator(alpha), np.ones(self.arrays.modes * self.arrays.size), "LM")))

    def first_operator(self, alpha: float) -> Any:
        """Return the map of E[y; mode s], flattened, to the same a step later."""
        arrays = self.arrays
        modes, n = arrays.modes, arrays.size
        L = np.eye(n) + alpha * arrays.common
        U, V = arrays.U[arrays.update], arrays.V[arrays.update]
        collect = np.zeros((modes + 1, len(arrays.source)))
        collect[arrays.target, np.arange(len(arrays.source))] = arrays.probability

        def apply(vector: np.ndarray) -> np.ndarray:
            y = vector.reshape(modes, n)[arrays.source]
            moved = y @ L.T + alpha * np.einsum("tri,tr->ti", U, np.einsum("tri,ti->tr", V, y))
            total = collect @ moved
            return (total[:modes] + np.outer(arrays.start, total[modes])).ravel()

        return apply


def _extreme(
    apply: Any, start: np.ndarray, which: str, accepted: Callable[[np.ndarray], bool] = lambda _: True
) -> complex:
    """Return the eigenvalue with the largest real part (LR) or the largest modulus (LM); NaN where none was found.

    The former is taken to be the radius; of the latter it may be the modulus alone.

    Args:
        accepted: whether a real eigenvector may be that of the radius; all eigenvalues are found where it is not.
    """
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigs

    size = len(start)
    for basis, restarts, power in _TRIES if size > _SMALL else ():
        if power > 1 and size <= _LARGEST:
            continue

        def repeated(vector: np.ndarray, power: int = power) -> np.ndarray:
            for _ in range(power):
                vector = apply(vector)
            return vector

        powered = LinearOperator((size, size), matvec=repeated, dtype=np.float64)
        try:
            most = {"ncv": min(basis, size - 1), "maxiter": restarts, "tol": RADIUS_ERROR / 2}
            values, vectors = eigs(powered, 1, which=which if power == 1 else "LM", v0=start, **most)
        except ArpackError:  # no convergence, for one: where eigenvalues lie close to each other
            continue
        if which == "LR" and not accepted(vectors[:, 0].real):
            continue
        return complex(values[0]) if power == 1 else complex(abs(values[0]) ** (1 / power))
    if size > _LARGEST:
        return complex(np.nan)
    values = np.linalg.eigvals(np.column_stack([apply(unit) for unit in np.eye(size)]))
    return complex(values[np.argmax(values.real if which == "LR" else np.abs(values))])

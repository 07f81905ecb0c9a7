"""The second-moment operator in floats, matrix-free: what one step does to the moments of each mode, and its radius.

With M_t = I + alpha (common + sum of u v^T) the operator maps blocks Q_s to sum over steps s -> t of p M Q_s M^T. Of
M Q M^T only the common part is multiplied out, once a mode; the rest is Y + Y^T with Y of the rank of the update. So a
step costs about (updates x rank) N^2, where products of N x N matrices cost 2 updates N^3, and the Kronecker form
(modes N^2)^2. Several step sizes go side by side. Spectral radii come from Arnoldi's method.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Number
from tdrc_theory.exact.number import normal_float
from verify.predict.recursion import RESTART
from verify.predict.reduced_recursion import ReducedRecursion

SQUARED, _FACTOR = 500, 250
"""Powers of two: numbers up to that size have a square in the range of floats; of factors up to that, four have."""
_SPARSE, _LARGE = 1 / 8, 4096
"""Share of entries up to which a mixture of blocks is multiplied as a sparse matrix, and its least size."""
_SMALL, _LARGEST = 60, 1000
"""Sizes up to which LAPACK finds all eigenvalues: at once, and where Arnoldi's method gets stuck."""
_TRIES = ((40, 40, 1), (120, 15, 1), (40, 15, 64))
"""Lengths of the basis, numbers of restarts, and the power of the operator, which spreads eigenvalues near 1."""
RADIUS_ERROR = 2e-11
"""What a radius near 1 may be wrong by."""
_OFF_CONE = 1e-6
"""Share of the largest eigenvalue up to which one of the other sign is taken for an error of rounding."""


# As this block is freed, the C library (glibc) learns to keep blocks up to its size. Otherwise it gives the arrays of
# each step back to the system, and to get them again, page by page, takes as long as the arithmetic.
np.empty(1 << 21)


@dataclass(frozen=True)
class Operator:
    """Blocks (alphas, modes, N, N) to blocks of the same shape.

    Updates are laid out by source, so that one batch of products serves all that a mode can do, and steps by target,
    so that one batch collects them; those that arrive in one direction u are summed first. An episode's end leads to a
    place of its own, whose block the modes share in as their first states are distributed.

    Attributes:
        U, V: (sources, T, r, N), of the at most T distinct updates of each source; zeros where there are fewer.
        common: (N, N); `diagonal` is its diagonal where it has nothing else.
        mixing: (targets, sources), probabilities of steps; sparse where few are not 0.
        arriving: (targets R, sources T r), probabilities of the rows of all sources that arrive in each of the at most
            R directions of a target; sparse where few are not 0.
        directions: (targets, N, R), these; zeros where there are fewer.
        start: (modes,), how an episode's end is shared, where there are ends; then the last target stands for them.

    `moments.beside` puts operators of one structure beside each other, one for each alpha: then that is the first axis
    of U, V, common, diagonal and directions.
    """

    U: np.ndarray
    V: np.ndarray
    common: np.ndarray
    diagonal: np.ndarray | None
    mixing: Any
    arriving: Any
    directions: np.ndarray
    start: np.ndarray | None = None

    def __call__(self, Q: np.ndarray, alpha: np.ndarray) -> np.ndarray:
        """Return what one step makes of Q (alphas, modes, N, N), symmetric, at each alpha (alphas,)."""
        sources, T, r, N = self.V.shape[-4:]
        count, one = len(alpha), alpha.reshape(-1, 1, 1, 1)
        # With L = I + alpha common: Y = alpha U^T (V Q L^T + alpha/2 (V Q V^T) U), and M Q M^T = L Q L^T + Y + Y^T.
        K = np.matmul(self.V.reshape(*self.V.shape[:-4], sources, T * r, N), Q)
        inner = np.matmul(K.reshape(count, sources, T, r, N), self.V.swapaxes(-1, -2))
        mixed = _times(self.mixing, Q.reshape(count, -1, N * N)).reshape(count, -1, N, N)
        if self.diagonal is not None:
            scale = 1 + one[..., 0] * self.diagonal
            K *= scale[:, :, None]
            mixed *= scale[:, :, None] * scale[..., None]
        else:
            L = np.eye(N) + one * self.common
            K = np.matmul(K, L.swapaxes(-1, -2))
            mixed = np.matmul(np.matmul(L, mixed), L.swapaxes(-1, -2))
        K = K.reshape(count, sources, T, r, N) + (one[..., None] / 2) * np.matmul(inner, self.U)
        rows = _times(self.arriving, K.reshape(count, sources * T * r, N))
        rows *= one[..., 0]
        Y = np.matmul(self.directions, rows.reshape(count, self.directions.shape[-3], -1, N))
        mixed += Y
        mixed += Y.swapaxes(-1, -2)
        return mixed if self.start is None else mixed[:, :-1] + self.start[:, None, None] * mixed[:, -1:]


def _times(weights: Any, rows: np.ndarray) -> np.ndarray:
    """Return a matrix (m, n), dense or sparse, times each of (count, n, width)."""
    if weights.shape == (1, 1):
        return weights[0, 0] * rows
    if isinstance(weights, np.ndarray):
        return np.matmul(weights, rows)
    count, n, width = rows.shape
    if count == 1:
        return (weights @ rows[0])[None]
    together = weights @ rows.swapaxes(0, 1).reshape(n, count * width)
    return np.ascontiguousarray(together.reshape(-1, count, width).swapaxes(0, 1))


@dataclass(frozen=True)
class Layout:
    """The float arrays of a recursion, step by step.

    Attributes:
        source, target: (steps,); the target `modes` stands for an episode's end.
        probability: (steps,).
        update: (steps,), which of the distinct updates it is.
        U, V: (updates, r, N), N = n + 1.
        common: (N, N).
        start: (modes,).
        period: the number of updates after which weights are copied; 0: never.
        copied: (N, N), what that makes of the coordinates; None without copies.
    """

    source: np.ndarray
    target: np.ndarray
    probability: np.ndarray
    update: np.ndarray
    U: np.ndarray
    V: np.ndarray
    common: np.ndarray
    start: np.ndarray
    period: int = 0
    copied: np.ndarray | None = None

    @property
    def modes(self) -> int:
        """Return the number of modes."""
        return len(self.start)

    @property
    def size(self) -> int:
        """Return N, the number of coordinates, the constant included where there is one."""
        return len(self.common)

    def linear(self) -> Layout:
        """Return the recursion without its constant parts, so that N is n."""
        n = self.size - 1
        copied = None if self.copied is None else self.copied[:n, :n]
        return replace(self, U=self.U[..., :n], V=self.V[..., :n], common=self.common[:n, :n], copied=copied)

    def scale(self) -> float:
        """Return about how large the largest update is, in the coordinates that it has; 1 where there is none."""
        largest = np.abs(np.einsum("tri,trj->tij", self.U, self.V) + self.common).max(initial=0)
        return float(largest) or 1.0


def layout(reduced: ReducedRecursion) -> Layout:
    """Return the recursion's arrays, every exact number rounded once.

    Raises:
        BadNumber: some are so large or so small that their products leave the range of floats.
    """
    steps, N, modes = reduced.recursion.steps, reduced.n + 1, reduced.recursion.modes
    distinct, number = reduced.distinct
    U, V = np.zeros((2, len(distinct), max(map(len, distinct), default=0) or 1, N))
    for i, pairs in enumerate(distinct):
        for j, (u, v) in enumerate(pairs):
            U[i, j, :-1], V[i, j] = floats(reduced, u), floats(reduced, v)
    check_range(reduced, np.abs(U).max(axis=(0, 1), initial=0), _FACTOR)
    check_range(reduced, np.abs(V).max(axis=(0, 1), initial=0), _FACTOR)
    common = np.zeros((N, N))
    common[:-1] = np.array([floats(reduced, row) for row in reduced.common]).reshape(N - 1, N)
    return Layout(
        source=np.array([step.source for step in steps]),
        target=np.array([modes if step.target == RESTART else step.target for step in steps]),
        probability=np.array([float(step.probability) for step in steps]),
        update=np.array(number),
        U=U,
        V=V,
        common=common,
        start=np.array([float(p) for p in reduced.recursion.start]),
        period=reduced.recursion.copy.period if reduced.recursion.copy else 0,
        copied=np.array([floats(reduced, row) for row in reduced.copied()]) if reduced.recursion.copy else None,
    )


def floats(reduced: ReducedRecursion, vector: Iterable[Number]) -> list[float]:
    """Return exact numbers of a recursion, each rounded once; BadNumber where one is outside the range of floats."""
    what = f"{reduced.recursion.problem.name}: a coefficient of the prediction"
    return [normal_float(x, what) for x in vector]


def start(reduced: ReducedRecursion) -> np.ndarray:
    """Return y before any update (n,); BadNumber where it, or its square, is outside the range of floats."""
    first = np.array(floats(reduced, reduced.first))
    check_range(reduced, np.abs(first).max(initial=0, keepdims=True))
    return first


def check_range(reduced: ReducedRecursion, sizes: np.ndarray, power: int = SQUARED) -> None:
    """Raise BadNumber unless each size is 0, or from 2^-power to 2^power."""
    for size in sizes[sizes != 0]:
        if not np.isfinite(size) or abs(np.frexp(size)[1]) > power:
            text = f"products of {size:.1g}, which features, rewards and first weights lead to"
            raise BadNumber(f"{reduced.recursion.problem}: no prediction in floats: {text}, leave their range")


def _stored(places: tuple[np.ndarray, np.ndarray], values: np.ndarray, shape: tuple[int, int]) -> Any:
    """Return a matrix as it is multiplied by fastest: a sparse one has to have few entries, and be large."""
    size = shape[0] * shape[1]
    if size >= _LARGE and len(np.unique(places[0] * shape[1] + places[1])) <= _SPARSE * size:
        from scipy.sparse import csr_array

        return csr_array((values, places), shape=shape)
    dense = np.zeros(shape)
    np.add.at(dense, places, values)
    return dense


def forward(layout: Layout) -> Operator:
    """Return the operator on moments: updates laid out by source and steps by target, padded with zeros."""
    ends = bool((layout.target == layout.modes).any())
    sources, targets = layout.modes, layout.modes + ends
    _, r, N = layout.U.shape
    source, update, slot, of_step = _slots(layout.source, layout.update)
    T = int(slot.max()) + 1
    U, V = np.zeros((2, sources, T, r, N))
    U[source, slot], V[source, slot] = layout.U[update], layout.V[update]

    # A row for each part of each step; those that arrive at one target in one direction are summed.
    rows = ((layout.source * T + slot[of_step]) * r)[:, None] + np.arange(r)
    units, unit = np.unique(layout.U.reshape(-1, N), axis=0, return_inverse=True)
    arriving = unit.reshape(-1, r)[layout.update].ravel()
    target, direction, place, of_row = _slots(np.repeat(layout.target, r), arriving)
    R = int(place.max()) + 1
    directions = np.zeros((targets, N, R))
    directions[target, :, place] = units[direction]
    at = (target * R + place)[of_row], rows.ravel()
    collected = _stored(at, np.repeat(layout.probability, r), (targets * R, sources * T * r))
    mixing = _stored((layout.target, layout.source), layout.probability, (targets, sources))
    diagonal = np.diag(layout.common)
    only = diagonal if np.array_equal(np.diag(diagonal), layout.common) else None
    return Operator(U, V, layout.common, only, mixing, collected, directions, layout.start if ends else None)


def _slots(group: np.ndarray, member: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the group, the member and its number there of each distinct pair, sorted, and which pair each entry is."""
    pairs, entry = np.unique(np.stack([group, member]), axis=1, return_inverse=True)
    groups, members = pairs
    return groups, members, np.arange(len(groups)) - np.searchsorted(groups, groups), entry.ravel()


class Half:
    """Symmetric blocks (..., modes, N, N) as vectors of their upper halves, and back; inner products are kept."""

    def __init__(self, modes: int, N: int) -> None:
        self.modes, self.N = modes, N
        self.rows, self.columns = np.triu_indices(N)
        self.weights = np.where(self.rows == self.columns, 1.0, math.sqrt(2))

    @classmethod
    def of(cls, layout: Layout) -> Half:
        """Return the vectors of a recursion's moments."""
        return cls(layout.modes, layout.size)

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

    def of_each(self, block: np.ndarray) -> np.ndarray:
        """Return the vector of a block (N, N) that is the same in every mode."""
        return self.pack(np.broadcast_to(block, (self.modes, self.N, self.N)))

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
    some = max(1, 2_000_000 // (half.modes * half.N**2))
    for at in range(0, half.size, some):
        unit = np.eye(min(some, half.size - at), half.size, at)
        result[:, at : at + some] = half.pack(operator(half.unpack(unit), np.full(len(unit), alpha))).T
    return result


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

    The former is taken to be the radius; of the latter it may be the modulus alone. `accepted` says whether a real
    eigenvector may be that of the radius; all eigenvalues are found where it is not.
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

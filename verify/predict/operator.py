"""The second-moment operator in floats, matrix-free: what one step does to the moments of each mode.

With M_t = I + alpha (common + sum of u v^T) the operator maps blocks Q_s to sum over steps s -> t of p M Q_s M^T. Of
M Q M^T only the common part is multiplied out, once a mode; the rest is Y + Y^T with Y of the rank of the update. So a
step costs about (updates x rank) N^2, where products of N x N matrices cost 2 updates N^3, and the Kronecker form
(modes N^2)^2. Several step sizes go side by side.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Number
from tdrc_theory.exact.convert import normal_float
from verify.predict.moving import Moving
from verify.predict.recursion import RESTART

SQUARED, _FACTOR = 500, 250
"""Powers of two: numbers up to that size have a square in the range of floats; of factors up to that, four have."""
_SPARSE, _LARGE = 1 / 8, 1024
"""Share of entries up to which a mixture of blocks is multiplied as a sparse matrix, and its least size."""


@dataclass(frozen=True)
class Operator:
    """Blocks (alphas, modes, N, N) to blocks of the same shape.

    Updates are laid out by source, so that one batch of products serves all that a mode can do, and steps by target,
    so that one batch collects them. An episode's end leads to a place of its own, whose block the modes share in as
    their first states are distributed.

    Attributes:
        U, V: (sources, T, r, N), of the at most T distinct updates of each source; zeros where there are fewer.
        common: (N, N); `diagonal` is its diagonal where it has nothing else.
        mixing: (targets, sources), probabilities of steps; sparse where few are not 0.
        arrivals: (targets, R), which rows of all sources' (sources T r, N) arrive at each target.
        collected: (targets, N, R), what those rows are multiplied by: columns p u, zeros where there are fewer.
        before, after: mixtures of blocks before and after a step; None for none.
    """

    U: np.ndarray
    V: np.ndarray
    common: np.ndarray
    diagonal: np.ndarray | None
    mixing: Any
    arrivals: np.ndarray
    collected: np.ndarray
    before: np.ndarray | None
    after: np.ndarray | None

    def __call__(self, Q: np.ndarray, alpha: np.ndarray) -> np.ndarray:
        """Return what one step makes of Q (alphas, modes, N, N), symmetric, at each alpha (alphas,)."""
        if self.before is not None:
            Q = _mixed(self.before, Q)
        sources, T, r, N = self.V.shape
        count, one = len(alpha), alpha.reshape(-1, 1, 1, 1)
        # With L = I + alpha common: Y = alpha U^T (V Q L^T + alpha/2 (V Q V^T) U), and M Q M^T = L Q L^T + Y + Y^T.
        K = np.matmul(self.V.reshape(sources, T * r, N), Q)
        inner = np.matmul(K.reshape(count, sources, T, r, N), self.V.swapaxes(-1, -2))
        mixed = _mixed(self.mixing, Q)
        if self.diagonal is not None:
            scale = 1 + one[..., 0] * self.diagonal
            K *= scale[:, :, None]
            mixed *= scale[:, :, None] * scale[..., None]
        else:
            L = np.eye(N) + one * self.common
            K = np.matmul(K, L.swapaxes(-1, -2))
            mixed = np.matmul(np.matmul(L, mixed), L.swapaxes(-1, -2))
        K = K.reshape(count, sources, T, r, N) + (one[..., None] / 2) * np.matmul(inner, self.U)
        rows = K.reshape(count, sources * T * r, N)[:, self.arrivals]
        Y = np.matmul(self.collected, one * rows)
        made = mixed
        made += Y
        made += Y.swapaxes(-1, -2)
        return made if self.after is None else _mixed(self.after, made)


def _mixed(weights: Any, Q: np.ndarray) -> np.ndarray:
    """Return the blocks sum_s weights[t, s] Q[s], for each t."""
    count, modes, N, _ = Q.shape
    if weights.shape == (1, 1):
        return weights[0, 0] * Q
    if not isinstance(weights, np.ndarray):
        return np.stack([weights @ each.reshape(modes, N * N) for each in Q]).reshape(count, -1, N, N)
    return np.matmul(weights, Q.reshape(count, modes, N * N)).reshape(count, len(weights), N, N)


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

    def ends(self) -> bool:
        """Return whether episodes end."""
        return bool((self.target == self.modes).any())


def layout(made: Moving) -> Layout:
    """Return the recursion's arrays, every exact number rounded once.

    Raises:
        BadNumber: some are so large or so small that their products leave the range of floats.
    """
    steps, N, modes = made.recursion.steps, made.n + 1, made.recursion.modes
    distinct, number = made.distinct
    U, V = np.zeros((2, len(distinct), made.rank, N))
    for i, pairs in enumerate(distinct):
        for j, (u, v) in enumerate(pairs):
            U[i, j, :-1], V[i, j] = floats(made, u), floats(made, v)
    check_range(made, np.abs(U).max(axis=(0, 1), initial=0), _FACTOR)
    check_range(made, np.abs(V).max(axis=(0, 1), initial=0), _FACTOR)
    common = np.zeros((N, N))
    common[:-1] = np.array([floats(made, row) for row in made.common]).reshape(N - 1, N)
    return Layout(
        source=np.array([step.source for step in steps]),
        target=np.array([modes if step.target == RESTART else step.target for step in steps]),
        probability=np.array([float(step.probability) for step in steps]),
        update=np.array(number),
        U=U,
        V=V,
        common=common,
        start=np.array([float(p) for p in made.recursion.start]),
        period=made.recursion.copy.period if made.recursion.copy else 0,
        copied=np.array([floats(made, row) for row in made.copied()]) if made.recursion.copy else None,
    )


def floats(made: Moving, vector: Iterable[Number]) -> list[float]:
    """Return exact numbers of a recursion, each rounded once.

    Raises:
        BadNumber: one is outside the range of floats.
    """
    what = f"{made.recursion.problem.name}: a coefficient of the prediction"
    return [normal_float(x, what) for x in vector]


def start(made: Moving) -> np.ndarray:
    """Return y before any update (n,).

    Raises:
        BadNumber: it, or its square, is outside the range of floats.
    """
    first = np.array(floats(made, made.first))
    check_range(made, np.abs(first).max(initial=0, keepdims=True))
    return first


def check_range(made: Moving, sizes: np.ndarray, power: int = SQUARED) -> None:
    """Return if each size is 0, or from 2^-power to 2^power.

    Raises:
        BadNumber: one is not.
    """
    for size in sizes[sizes != 0]:
        if not np.isfinite(size) or abs(np.frexp(size)[1]) > power:
            told = f"products of {size:.1g}, which features, rewards and first weights lead to"
            raise BadNumber(f"{made.recursion.problem}: no prediction in floats: {told}, leave their range")


def forward(made: Layout) -> Operator:
    """Return the operator on moments: how Q of the modes becomes the next step's."""
    after = np.column_stack([np.eye(made.modes), made.start]) if made.ends() else None
    return replace(_operator(made, (made.modes, made.modes + made.ends())), after=after)


def adjoint(made: Layout) -> Operator:
    """Return the transposed operator, with respect to the sum of tr(X_s Y_s) over the modes."""
    before = np.vstack([np.eye(made.modes), made.start]) if made.ends() else None
    turned = replace(made, source=made.target, target=made.source, U=made.V, V=made.U, common=made.common.T)
    return replace(_operator(turned, (made.modes + made.ends(), made.modes)), before=before)


def _stored(mixing: np.ndarray) -> Any:
    """Return a matrix as it is multiplied by fastest: a sparse one has to have few entries, and be large."""
    if np.count_nonzero(mixing) > _SPARSE * mixing.size or mixing.size < _LARGE:
        return mixing
    from scipy.sparse import csr_array

    return csr_array(mixing)


def _operator(made: Layout, places: tuple[int, int]) -> Operator:
    """Lay updates out by source and steps by target, padded with zeros."""
    sources, targets = places
    _, r, N = made.U.shape
    slots: list[dict[int, int]] = [{} for _ in range(sources)]  # of each source's distinct updates
    for s, update in zip(made.source, made.update, strict=True):
        slots[s].setdefault(update, len(slots[s]))
    T = max(1, *map(len, slots))
    U, V = np.zeros((2, sources, T, r, N))
    for s, slot in enumerate(slots):
        for update, place in slot.items():
            U[s, place], V[s, place] = made.U[update], made.V[update]
    most = int(np.bincount(made.target, minlength=targets).max())
    arrivals = np.zeros((targets, most * r), dtype=int)
    collected = np.zeros((targets, N, most * r))
    mixing = np.zeros((targets, sources))
    filled = [0] * targets
    for s, t, p, update in zip(made.source, made.target, made.probability, made.update, strict=True):
        here = slice(filled[t] * r, (filled[t] + 1) * r)
        arrivals[t, here] = (s * T + slots[s][update]) * r + np.arange(r)
        collected[t, :, here] = (p * made.U[update]).T
        mixing[t, s] += p
        filled[t] += 1
    diagonal = np.diag(made.common)
    only = diagonal if np.array_equal(np.diag(diagonal), made.common) else None
    return Operator(U, V, made.common, only, _stored(mixing), arrivals, collected, None, None)

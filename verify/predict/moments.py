"""First and second moments of the weights, step after step, in floats: an exact recursion, rounded as it goes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.predict.operator import Layout, Operator, forward
from verify.predict.spectrum import Spectrum
from verify.predict.squaring import Power, squared


def first_moments(layout: Layout, first: np.ndarray) -> np.ndarray:
    """Return E[z z^T; mode s] before any update (modes, n + 1, n + 1), z = (y, 1)."""
    z = np.append(first, 1.0)
    return np.einsum("s,i,j->sij", layout.start, z, z)


def moments(
    layout: Layout, first: np.ndarray, alpha: np.ndarray, steps: int, every: int = 1
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (number of updates, E[z z^T; mode s]) at 0, every, 2 every, ... and at `steps`.

    Args:
        layout: the recursion's arrays.
        first: (n,), y before any update.
        alpha: (alphas,), step sizes that go side by side.

    Yields:
        Arrays (alphas, modes, n + 1, n + 1); infinities and NaNs where the moments are past the range of floats.
    """
    operator = forward(layout)
    start = first_moments(layout, first)
    Q = np.broadcast_to(start, (len(alpha), layout.modes, layout.size, layout.size))
    power = None if layout.period else squared(layout, start, alpha, steps, every)
    n = 0
    yield n, Q
    with np.errstate(all="ignore"):
        while n < steps:
            count = min(every, steps - n)
            Q = power(Q) if power is not None and count == every else _stepped(layout, operator, Q, alpha, n, count)
            n += count
            yield n, Q


def method(layout: Layout, steps: int, every: int) -> str:
    """Return in words how `moments` goes from one recorded step to the next."""
    if layout.period or not Power.wins(layout, steps, every):
        return "step by step, matrix-free"
    size = Power.dimension(layout)
    if every == 1:
        return f"step by step, the {size} x {size} second-moment operator written out"
    return f"repeated squaring of the {size} x {size} second-moment operator, {every} updates at a time"


def _stepped(layout: Layout, operator: Operator, Q: np.ndarray, alpha: np.ndarray, done: int, count: int) -> np.ndarray:
    for n in range(done + 1, done + count + 1):
        before, Q = Q, operator(Q, alpha)
        if layout.copied is not None and n % layout.period == 0:
            Q = layout.copied @ Q @ layout.copied.T
        if np.isfinite(Q[..., -1]).all() or layout.copied is not None:
            continue
        for after, old, a in zip(Q, before, alpha, strict=True):  # second moments past the range of floats: not these
            mean = Spectrum(layout).first_operator(float(a))(old[..., -1]).reshape(layout.modes, layout.size)
            after[..., -1] = after[:, -1] = mean
    return Q

"""First and second moments of the weights, step after step, in floats: an exact recursion, rounded as it goes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.predict.operator import Layout, Operator, forward
from verify.predict.spectrum import Spectrum
from verify.predict.squaring import Power, squared


def first_moments(made: Layout, first: np.ndarray) -> np.ndarray:
    """Return E[z z^T; mode s] before any update (modes, n + 1, n + 1), z = (y, 1)."""
    z = np.append(first, 1.0)
    return np.einsum("s,i,j->sij", made.start, z, z)


def moments(
    made: Layout, first: np.ndarray, alpha: np.ndarray, steps: int, every: int = 1
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (number of updates, E[z z^T; mode s]) at 0, every, 2 every, ... and at `steps`.

    Args:
        made: the recursion's arrays.
        first: (n,), y before any update.
        alpha: (alphas,), step sizes that go side by side.

    Yields:
        Arrays (alphas, modes, n + 1, n + 1); infinities and NaNs where the moments are past the range of floats.
    """
    operator = forward(made)
    start = first_moments(made, first)
    Q = np.broadcast_to(start, (len(alpha), made.modes, made.size, made.size))
    power = None if made.period else squared(made, start, alpha, steps, every)
    n = 0
    yield n, Q
    with np.errstate(all="ignore"):
        while n < steps:
            count = min(every, steps - n)
            Q = power(Q) if power is not None and count == every else _stepped(made, operator, Q, alpha, n, count)
            n += count
            yield n, Q


def method(made: Layout, steps: int, every: int) -> str:
    """Return in words how `moments` goes from one recorded step to the next."""
    if made.period or not Power.wins(made, steps, every):
        return "step by step, matrix-free"
    size = Power.dimension(made)
    if every == 1:
        return f"step by step, the {size} x {size} second-moment operator written out"
    return f"repeated squaring of the {size} x {size} second-moment operator, {every} updates at a time"


def _stepped(made: Layout, operator: Operator, Q: np.ndarray, alpha: np.ndarray, done: int, count: int) -> np.ndarray:
    for n in range(done + 1, done + count + 1):
        before, Q = Q, operator(Q, alpha)
        if made.copied is not None and n % made.period == 0:
            Q = made.copied @ Q @ made.copied.T
        if np.isfinite(Q[..., -1]).all() or made.copied is not None:
            continue
        for after, old, a in zip(Q, before, alpha, strict=True):  # second moments past the range of floats: not these
            mean = Spectrum(made).first_operator(float(a))(old[..., -1]).reshape(made.modes, made.size)
            after[..., -1] = after[:, -1] = mean
    return Q

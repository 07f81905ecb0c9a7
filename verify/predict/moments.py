"""First and second moments of the weights, step after step, in floats: an exact recursion, rounded as it goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

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
    operator, layouts = forward(layout), [layout] * len(alpha)
    start = first_moments(layout, first)
    Q = np.broadcast_to(start, (len(alpha), layout.modes, layout.size, layout.size))
    power = None if layout.period else squared(layout, start, alpha, steps, every)
    n = 0
    yield n, Q
    with np.errstate(all="ignore"):
        while n < steps:
            count = min(every, steps - n)
            Q = power(Q) if power is not None and count == every else _stepped(layouts, operator, Q, alpha, n, count)
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


def side_by_side(
    layouts: Sequence[Layout],
    operators: Sequence[Operator],
    starts: Sequence[np.ndarray],
    alpha: np.ndarray,
    steps: int,
    every: int,
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield what `moments` does of several recursions, one for each alpha, step by step.

    Args:
        layouts: of recursions without copies.
        operators: theirs, all `alike`.
        starts: y of each before any update.
        alpha: (recursions,), the step size of each.
    """
    together, n = beside(operators), 0
    Q = np.stack([first_moments(*each) for each in zip(layouts, starts, strict=True)])
    yield n, Q
    with np.errstate(all="ignore"):
        while n < steps:
            count = min(every, steps - n)
            Q = _stepped(layouts, together, Q, alpha, n, count)
            n += count
            yield n, Q


def alike(a: Operator, b: Operator) -> bool:
    """Return whether two operators have one structure: steps of the same probabilities, and updates of one shape."""
    names = ("mixing", "arriving", "start", "turned")
    shapes = ((each.U.shape, each.directions.shape, each.common.shape, each.diagonal is None) for each in (a, b))
    return len(set(shapes)) == 1 and all(_equal(getattr(a, name), getattr(b, name)) for name in names)


def beside(operators: Sequence[Operator]) -> Operator:
    """Return one operator that does to the blocks of each alpha what its own does; all are to be `alike`."""
    diagonals = [each.diagonal[None] for each in operators if each.diagonal is not None]
    return replace(
        operators[0],
        U=np.stack([each.U for each in operators]),
        V=np.stack([each.V for each in operators]),
        common=np.stack([each.common[None] for each in operators]),
        diagonal=np.stack(diagonals) if diagonals else None,
        directions=np.stack([each.directions for each in operators]),
    )


def _equal(a: Any, b: Any) -> bool:
    """Return whether two arrays are the same, dense or sparse."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    if hasattr(a, "nnz") and hasattr(b, "nnz"):
        return bool(a.shape == b.shape and (a != b).nnz == 0)
    return bool(type(a) is type(b) and a == b)


def _stepped(
    layouts: Sequence[Layout], operator: Operator, Q: np.ndarray, alpha: np.ndarray, done: int, count: int
) -> np.ndarray:
    period, copied = layouts[0].period, layouts[0].copied
    for n in range(done + 1, done + count + 1):
        before, Q = Q, operator(Q, alpha)
        if copied is not None and n % period == 0:
            Q = copied @ Q @ copied.T
        if copied is not None or np.isfinite(Q[..., -1]).all():
            continue
        for i in np.flatnonzero(~np.isfinite(Q[..., -1]).all(axis=(1, 2))).tolist():
            # Second moments are past the range of floats: first ones need not be.
            mean = Spectrum(layouts[i]).first_operator(float(alpha[i]))(before[i, ..., -1])
            Q[i, ..., -1] = Q[i, :, -1] = mean.reshape(layouts[i].modes, layouts[i].size)
    return Q

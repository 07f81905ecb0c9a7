"""An exact setting whose matrices are past exact arithmetic, enclosed in doubles."""

from __future__ import annotations

import numpy as np

from verify.conditions.setting import Setting
from verify.scale.ball import Ball
from verify.scale.verdict import EnclosedUpdate


def enclosed(setting: Setting) -> EnclosedUpdate:
    """Return a setting's update, every entry within half a unit in the last place where it is rational.

    Raises:
        BadNumber: an entry is past the largest double.
    """
    (A, b, _), (G, g) = setting.equation, setting.update
    return EnclosedUpdate(
        G=Ball.of(G),
        g=Ball.of(g),
        A=Ball.of(A),
        b=Ball.of(b),
        td_rows=has_td_rows(setting),
        own_fixed_points=setting.algorithm.own_fixed_points,
    )


def has_td_rows(setting: Setting) -> bool:
    """Return whether each block row of G and g is (..., -c A | c b), exactly."""
    (A, b, _), (G, g) = setting.equation, setting.update
    k, size = A.shape[0], G.shape[0]
    i, j = np.unravel_index(int(np.abs(A.to_float()).argmax()), A.shape)
    largest = A[int(i), int(j)]
    columns = range(size - k, size)
    for start in range(0, size, k):
        rows = range(start, start + k)
        block, constant = G.select(rows, columns), g.select(rows, [0])
        c = -block[int(i), int(j)] / largest if largest != 0 else 0
        if not ((block + A * c).is_zero() and (constant - b * c).is_zero()):
            return False
    return True

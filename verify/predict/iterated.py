"""An affine recursion with a constant matrix, at chosen numbers of steps."""

from __future__ import annotations

import numpy as np


def iterated(M: np.ndarray, constant: np.ndarray, y: np.ndarray, recorded: np.ndarray) -> np.ndarray:
    """Return y after each number of steps y <- M y + constant (points, n)."""
    n, rows = len(y), []
    affine = np.eye(n + 1)
    affine[:n, :n], affine[:n, n] = M, constant
    z = np.append(y, 1.0)
    powers: dict[int, np.ndarray] = {}
    with np.errstate(all="ignore"):
        for count in np.diff(recorded, prepend=0).tolist():
            if count:
                if count not in powers:
                    powers[count] = np.linalg.matrix_power(affine, count)
                z = powers[count] @ z
            rows.append(z[:n])
    return np.array(rows).reshape(len(recorded), n)

"""Matrices of balls around exact numbers and around floats."""

from __future__ import annotations

from collections.abc import Sequence

import flint
import numpy as np

from tdrc_theory.exact import Number
from tdrc_theory.exact.convert import to_arb
from verify.predict.moving import Moving
from verify.predict.sample_update import ZERO


def common_balls(made: Moving, alpha: flint.arb, size: int) -> flint.arb_mat:
    """Return I + alpha times the part that all updates share."""
    entries = [list(row[:size]) for row in made.common] + [[ZERO] * size] * (size - made.n)
    return identity(size) + exact_balls(entries) * alpha


def exact_balls(rows: Sequence[Sequence[Number]]) -> flint.arb_mat:
    """Return balls around exact numbers."""
    return flint.arb_mat([[to_arb(x) for x in row] for row in rows])


def float_balls(values: np.ndarray) -> flint.arb_mat:
    """Return the floats themselves, (rows, columns), as balls of radius 0."""
    return flint.arb_mat([[float(x) for x in row] for row in values])


def identity(n: int) -> flint.arb_mat:
    """Return the n x n identity."""
    return float_balls(np.eye(n))

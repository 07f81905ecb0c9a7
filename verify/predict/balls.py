"""Matrices of balls, made of exact numbers and of floats; steps of a recursion in balls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import flint
import numpy as np

from tdrc_theory.exact import Number
from tdrc_theory.exact.convert import to_arb, to_fmpq
from verify.predict.moving import Moving
from verify.predict.recursion import RESTART
from verify.predict.sample_update import ZERO

Blocks = list[flint.arb_mat]
"""A symmetric matrix for each mode."""
Parts = tuple[Blocks, Blocks, Blocks]
"""What multiplies 1, alpha and alpha^2."""


class BallStep(NamedTuple):
    """One step of a recursion; `target` is the number of modes where an episode ends. U and V have a row for each pair.

    An update without pairs has one of zeros.
    """

    source: int
    target: int
    probability: flint.arb
    U: flint.arb_mat
    V: flint.arb_mat


def ball_steps(made: Moving, size: int) -> list[BallStep]:
    """Return the steps at the working precision; size is n + 1, or n without the constant."""
    known: dict[tuple[Number, ...], flint.arb_mat] = {}

    def rows(vectors: Sequence[Sequence[Number]]) -> flint.arb_mat:
        key = tuple(v for vector in vectors for v in vector)
        if key not in known:
            known[key] = exact_balls([[*vector, ZERO][:size] for vector in vectors or [[ZERO] * size]])
        return known[key]

    return [
        BallStep(
            step.source,
            made.recursion.modes if step.target == RESTART else step.target,
            flint.arb(to_fmpq(step.probability)),
            rows([u for u, _ in pairs]),
            rows([v for _, v in pairs]),
        )
        for step, pairs in zip(made.recursion.steps, made.updates, strict=True)
    ]


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

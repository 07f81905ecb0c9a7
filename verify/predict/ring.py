"""The matrices of a recursion over a ring: exact, modulo a prime, or balls at the working precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import flint
import numpy as np

from tdrc_theory.errors import Inconsistent
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.number import to_arb
from tdrc_theory.learner.sample_update import ZERO
from verify.predict.recursion import RESTART
from verify.predict.reduced_recursion import ReducedRecursion

HALF = Fraction(1, 2)
PRIME = 2**31 - 1
"""Residues guide exact computations, many times faster than exact numbers."""

Rows = Matrix | Sequence[Sequence[Number]]


Ring = Callable[[Rows], Any]
"""What takes rows to a matrix; all matrices share *, +, - and transpose()."""


def scalar(ring: Ring, value: Number) -> Any:
    """Return a number over a ring."""
    return ring([[value]])[0, 0]


def rationals(rows: Rows) -> flint.fmpq_mat:
    """Return a matrix of a rational problem."""
    result = rows.rational if isinstance(rows, Matrix) else Matrix(rows).rational
    if result is None:
        raise Inconsistent("a rational problem has rational numbers only")
    return result


def exact_balls(rows: Rows) -> flint.arb_mat:
    """Return balls around exact numbers."""
    if isinstance(rows, Matrix):
        if rows.rational is not None:
            return flint.arb_mat(rows.rational)
        rows = rows.rows
    return flint.arb_mat([[to_arb(x) for x in row] for row in rows])


def float_balls(values: np.ndarray) -> flint.arb_mat:
    """Return the floats themselves, (rows, columns), as balls of radius 0."""
    return flint.arb_mat([[float(x) for x in row] for row in values])


def residues(rows: Rows) -> flint.nmod_mat:
    """Return a matrix of a rational problem modulo the prime; ValueError where that is a factor of a denominator."""
    rational = rationals(rows)
    values = [int(x.p) * pow(int(x.q), -1, PRIME) % PRIME if x else 0 for x in rational.entries()]
    return flint.nmod_mat(rational.nrows(), rational.ncols(), values, PRIME)


class RingStep(NamedTuple):
    """One step of a recursion; `target` is the number of modes where an episode ends. U and V have a row for each pair.

    An update without pairs has one of zeros.
    """

    source: int
    target: int
    probability: Any
    U: Any
    V: Any


def ring_steps(reduced: ReducedRecursion, size: int, ring: Ring) -> list[RingStep]:
    """Return the steps over a ring; size is n + 1, or n without the constant."""
    known: dict[tuple[Number, ...], Any] = {}

    def rows(vectors: Sequence[Sequence[Number]]) -> Any:
        key = tuple(v for vector in vectors for v in vector)
        if key not in known:
            known[key] = ring([[*vector, ZERO][:size] for vector in vectors or [[ZERO] * size]])
        return known[key]

    return [
        RingStep(
            step.source,
            reduced.recursion.modes if step.target == RESTART else step.target,
            scalar(ring, step.probability),
            rows([u for u, _ in pairs]),
            rows([v for _, v in pairs]),
        )
        for step, pairs in zip(reduced.recursion.steps, reduced.updates, strict=True)
    ]

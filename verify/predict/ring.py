"""The matrices of a recursion over a ring: exact, modulo a prime, or balls at the working precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import flint
import numpy as np

from tdrc_theory.errors import Inconsistent
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.number import to_arb, to_fmpq
from tdrc_theory.learner.sample_update import ZERO
from verify.predict.recursion import RESTART
from verify.predict.reduced_recursion import ReducedRecursion

HALF = Fraction(1, 2)
PRIME = 2**31 - 1
"""Residues guide exact computations, many times faster than exact numbers."""

Rows = Matrix | Sequence[Sequence[Number]]


class Ring(NamedTuple):
    """Where numbers and matrices are taken to; all matrices share *, +, - and transpose()."""

    number: Callable[[Number], Any]
    matrix: Callable[[Rows], Any]


def _rational_matrix(rows: Rows) -> flint.fmpq_mat:
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


def _residue(value: Number) -> int:
    rational = Fraction(value)  # type: ignore[arg-type]
    return rational.numerator * pow(rational.denominator, -1, PRIME) % PRIME


def _residues(rows: Rows) -> flint.nmod_mat:
    rational = _rational_matrix(rows)
    values = [int(x.p) * pow(int(x.q), -1, PRIME) % PRIME if x else 0 for x in rational.entries()]
    return flint.nmod_mat(rational.nrows(), rational.ncols(), values, PRIME)


RATIONALS = Ring(lambda value: to_fmpq(Fraction(value)), _rational_matrix)  # type: ignore[arg-type]
"""Of rational problems only."""
BALLS = Ring(to_arb, exact_balls)
RESIDUES = Ring(_residue, _residues)
"""Of rational problems in whose denominators the prime is no factor (ValueError otherwise)."""


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
            known[key] = ring.matrix([[*vector, ZERO][:size] for vector in vectors or [[ZERO] * size]])
        return known[key]

    return [
        RingStep(
            step.source,
            reduced.recursion.modes if step.target == RESTART else step.target,
            ring.number(step.probability),
            rows([u for u, _ in pairs]),
            rows([v for _, v in pairs]),
        )
        for step, pairs in zip(reduced.recursion.steps, reduced.updates, strict=True)
    ]

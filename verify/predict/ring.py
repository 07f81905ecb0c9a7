"""The matrices of a recursion over a ring: exact, modulo a prime, or balls at the working precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import flint
import numpy as np

from tdrc_theory.exact import Number
from tdrc_theory.exact.convert import to_arb, to_fmpq
from tdrc_theory.learner.sample_update import ZERO
from verify.predict.recursion import RESTART
from verify.predict.reduced_recursion import ReducedRecursion

HALF = Fraction(1, 2)


class Ring(NamedTuple):
    """Where numbers and matrices (rows of numbers) are taken to; all matrices share *, +, - and transpose()."""

    number: Callable[[Number], Any]
    matrix: Callable[[Sequence[Sequence[Number]]], Any]


def _rational(value: Number) -> flint.fmpq:
    return to_fmpq(value)  # type: ignore[arg-type]


def exact_balls(rows: Sequence[Sequence[Number]]) -> flint.arb_mat:
    """Return balls around exact numbers."""
    return flint.arb_mat([[to_arb(x) for x in row] for row in rows])


def float_balls(values: np.ndarray) -> flint.arb_mat:
    """Return the floats themselves, (rows, columns), as balls of radius 0."""
    return flint.arb_mat([[float(x) for x in row] for row in values])


RATIONALS = Ring(_rational, lambda rows: flint.fmpq_mat([[_rational(x) for x in row] for row in rows]))
"""Of rational problems only."""
BALLS = Ring(to_arb, exact_balls)


def modulo(prime: int) -> Ring:
    """Return the integers modulo a prime that divides no denominator (ZeroDivisionError or ValueError otherwise)."""

    def number(value: Number) -> flint.nmod:
        exact = _rational(value)
        return flint.nmod(int(exact.p), prime) / flint.nmod(int(exact.q), prime)

    def matrix(rows: Sequence[Sequence[Number]]) -> flint.nmod_mat:
        entries = [int(number(x)) for row in rows for x in row]
        return flint.nmod_mat(len(rows), len(rows[0]), entries, prime)

    return Ring(number, matrix)


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

"""G and g of any algorithm from enclosed key matrices, by the blocks that its function implies in every dimension."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.errors import BadOption
from tdrc_theory.formula.written import text
from tdrc_theory.learner.algorithm import Algorithm
from verify.scale.ball import Ball
from verify.scale.verdict import EnclosedUpdate


@dataclass(frozen=True, slots=True, kw_only=True)
class EnclosedKeyMatrices:
    """A = E[rho x (x - gamma x')^T], b = E[rho R x] and C = E[x x^T], each with its entrywise error bound.

    Attributes:
        A, b, C: (k, k), (k, 1) and (k, k).
        A_b: E[x (x - gamma x')^T] without importance ratios, (k, k); None where no behaviour chain was given.
        gamma: discount, exact.
    """

    A: Ball
    b: Ball
    C: Ball
    A_b: Ball | None
    gamma: Fraction


def update_of(key: EnclosedKeyMatrices, algorithm: Algorithm, beta: Fraction, eta: Fraction) -> EnclosedUpdate:
    """Return G and g, ordered as `Algorithm.stacked`.

    Raises:
        BadOption: the update has an expectation that is none of A, b, C, A_b, or A_b was not given; or a coefficient
            divides by 0.
    """
    from tdrc_theory.derive.symbolic import derive
    from tdrc_theory.notation import scalar_symbol

    update = derive(algorithm)
    if algorithm.scalars:
        raise BadOption(f"{algorithm.name} has weights that are numbers; only vectors are enclosed")
    used = algorithm.parameters({"beta": beta, "eta": eta})
    values = {scalar_symbol(name): value for name, value in (*used.items(), ("gamma", key.gamma))}
    letters = _letters(key)
    blocks = [[_numbers(block, values) for block in row] for row in update.G]
    constants = [_numbers(block, values) for block in update.g]
    k = key.A.shape[0]
    try:
        G = Ball.block([[_sum(block, letters, (k, k)) for block in row] for row in blocks])
        g = Ball.block([[_sum(block, letters, (k, 1))] for block in constants])
    except KeyError as error:
        name = error.args[0]
        missing = (
            "its behaviour chain was not given" if name in ("A_b", "A_b^T") else "only A, b, C and A_b are enclosed"
        )
        raise BadOption(f"{algorithm.name} needs {name}; {missing}") from None
    td_rows = all(_is_td_row(row[-1], constant) for row, constant in zip(blocks, constants, strict=True))
    return EnclosedUpdate(G=G, g=g, A=key.A, b=key.b, td_rows=td_rows, own_fixed_points=algorithm.own_fixed_points)


def _letters(key: EnclosedKeyMatrices) -> dict[str, Ball]:
    k = key.A.shape[0]
    named = {"A": key.A, "A^T": key.A.T, "C": key.C, "b": key.b, "I": Ball.exact(np.eye(k))}
    if key.A_b is not None:
        named |= {"A_b": key.A_b, "A_b^T": key.A_b.T}
    return named


def _numbers(block: Any, values: dict[Any, Any]) -> dict[str, Fraction]:
    """Return a linear combination of letters as {name: exact coefficient}."""
    import sympy

    numbers = {}
    for letter, coefficient in block.parts.items():
        value, name = sympy.sympify(coefficient).subs(values), text(letter)
        if not value.is_Rational:
            raise BadOption(f"the coefficient {coefficient} of {name} is no number at this beta, eta and gamma")
        numbers[name] = Fraction(int(value.p), int(value.q))
    return {name: value for name, value in numbers.items() if value}


def _sum(block: dict[str, Fraction], letters: dict[str, Ball], shape: tuple[int, int]) -> Ball:
    total = Ball.exact(np.zeros(shape))
    for name, coefficient in block.items():
        total = total + letters[name].times(coefficient)
    return total


def _is_td_row(of_w: dict[str, Fraction], constant: dict[str, Fraction]) -> bool:
    """Return whether it is (-c A, c b) for a number c."""
    return set(of_w) <= {"A"} and set(constant) <= {"b"} and of_w.get("A", 0) == -constant.get("b", Fraction(0))

"""Linear combinations of the letters of the expectation table, which stand for expectations in any dimension."""

from __future__ import annotations

from typing import Any

import sympy

from tdrc_theory.derive.formulas import combination
from tdrc_theory.formula.expression import ZERO, Expr, symbols
from tdrc_theory.formula.written import text

I, A, C, B = symbols("I A C b")  # noqa: E741 - what it is called
A_T = A.T
A_B, B_B = symbols("A_b b_b")
"""E[x (x - gamma x')^T] and E[R x] under the behaviour policy, without importance ratios."""
A_B_T = A_B.T


class MatrixSum:
    """A linear combination of letters; coefficients are sympy expressions in eta, beta and gamma.

    >>> eta, beta = sympy.symbols("eta beta")
    >>> str(MatrixSum({C: -eta, I: -eta * beta}))
    '-eta C - beta eta I'
    """

    __slots__ = ("parts",)

    def __init__(self, parts: dict[Expr, Any] | None = None) -> None:
        self.parts = {letter: c for letter, c in (parts or {}).items() if c != 0}

    def __add__(self, other: MatrixSum) -> MatrixSum:
        total = dict(self.parts)
        for letter, c in other.parts.items():
            total[letter] = sympy.expand(total.get(letter, 0) + c)
        return MatrixSum(total)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatrixSum):
            return NotImplemented
        letters = self.parts.keys() | other.parts.keys()
        return all(sympy.expand(self.parts.get(n, 0) - other.parts.get(n, 0)) == 0 for n in letters)

    def __str__(self) -> str:
        return text(self.tree())

    def tree(self, zero: Expr = ZERO) -> Expr:
        """Return it as a formula, `zero` where it has no part: what is added first, then what is taken away."""

        def place(part: tuple[Expr, Any]) -> tuple[bool, int, str]:
            written = text(part[0])
            return part[1].could_extract_minus_sign(), len(written), written

        return combination([(c, letter) for letter, c in sorted(self.parts.items(), key=place)], zero)

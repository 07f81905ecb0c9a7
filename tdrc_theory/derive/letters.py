"""The letters of the expectation table: named matrices and vectors that stand for expectations, in any dimension."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy

from tdrc_theory.notation import notation, scalar_symbol


@dataclass(frozen=True, slots=True)
class Letter:
    """A matrix or vector by its plain name and its LaTeX."""

    name: str
    latex: str

    def __str__(self) -> str:
        return self.name


I = Letter("I", r"\mathbf{I}")  # noqa: E741 - what it is called
A = Letter("A", notation("A").latex)
A_T = Letter("A^T", r"\mathbf{A}^\top")
C = Letter("C", notation("C").latex)
B = Letter("b", notation("b").latex)
A_B = Letter("A_b", r"\mathbf{A}_b")
"""E[x (x - gamma x')^T] under the behaviour policy, without importance ratios."""
A_B_T = Letter("A_b^T", r"\mathbf{A}_b^\top")
B_B = Letter("b_b", r"\mathbf{b}_b")
"""E[R x] under the behaviour policy."""


class MatrixSum:
    """A linear combination of letters; coefficients are sympy expressions in eta, beta and gamma.

    >>> eta, beta = sympy.symbols("eta beta")
    >>> str(MatrixSum({C: -eta, I: -eta * beta}))
    '-eta*C - beta*eta*I'
    """

    __slots__ = ("parts",)

    def __init__(self, parts: dict[Letter, Any] | None = None) -> None:
        self.parts = {letter: c for letter, c in (parts or {}).items() if c != 0}

    def __add__(self, other: MatrixSum) -> MatrixSum:
        total = dict(self.parts)
        for letter, c in other.parts.items():
            total[letter] = sympy.expand(total.get(letter, 0) + c)
        return MatrixSum(total)

    def __mul__(self, factor: Any) -> MatrixSum:
        return MatrixSum({letter: sympy.expand(c * factor) for letter, c in self.parts.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatrixSum):
            return NotImplemented
        letters = self.parts.keys() | other.parts.keys()
        return all(sympy.expand(self.parts.get(n, 0) - other.parts.get(n, 0)) == 0 for n in letters)

    def __str__(self) -> str:
        return joined((coefficient, letter.name, "*") for letter, coefficient in self._sorted())

    def latex(self) -> str:
        """Return the combination in LaTeX."""
        return joined((coefficient, letter.latex, None) for letter, coefficient in self._sorted())

    def _sorted(self) -> list[tuple[Letter, Any]]:
        """What is added first, then what is taken away, each by length and name."""
        return sorted(
            self.parts.items(),
            key=lambda part: (part[1].could_extract_minus_sign(), len(part[0].name), part[0].name),
        )


def joined(parts: Iterable[tuple[Any, str, str | None]]) -> str:
    """Return `c1 v1 + c2 v2 - ...`; with None as third entry the coefficients are written in LaTeX."""
    text = ""
    for coefficient, value, times in parts:
        negative = coefficient.could_extract_minus_sign()
        size = -coefficient if negative else coefficient
        text += (" - " if negative else " + ") if text else ("-" if negative else "")
        text += value if size == 1 else f"{_factor(size, times)}{times or ' '}{value}"
    return text or "0"


def _factor(size: Any, times: str | None) -> str:
    written = str(size) if times else sympy.latex(size, symbol_names={scalar_symbol("lam"): notation("lam").latex})
    if not size.is_Add:
        return written
    return f"({written})" if times else rf"\left({written}\right)"

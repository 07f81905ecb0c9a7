"""A formula as LaTeX, from its tree."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.vocabulary import glyph
from tdrc_theory.formula.written import BRACKETS, FUNCTIONS, PREDICATES, Style, write
from tdrc_theory.notation import Glyph


class _Latex(Style):
    signs: ClassVar[dict[str, str]] = {
        "!=": r"\neq",
        "<=": r"\leq",
        ">=": r"\geq",
        "implies": r"\implies",
        "iff": r"\iff",
        "and": r"\land",
        "or": r"\lor",
        "->": r"\to",
        "entrywise": r"\circ",
    }
    functions: ClassVar[dict[str, str]] = {
        "actions": r"\sum_a",
        "det": r"\det",
        "E": r"\mathbb{E}",
        "eigmax": r"\lambda_{\max}",
        "eigmin": r"\lambda_{\min}",
        "not": r"\lnot",
        "min": r"\min",
        "max": r"\max",
    }
    predicates: ClassVar[dict[str, str]] = {"posdef": r" \succ 0", "semidefinite": r" \succeq 0"}
    scripts: ClassVar[dict[str, str]] = {"T": r"\top", "star": "*", "inv": "{-1}"}
    forms: ClassVar[dict[str, str]] = {
        "negative": "-{}",
        "sqrt": r"\sqrt{{{}}}",
        "norm2": r"\lVert {} \rVert^2",
        "grad": r"\nabla_{{{}}}\left({}\right)",
        "definite_where": r"{}\ \text{{is positive definite where}}\ {} \text{{ > 0, and 0 elsewhere}}",
    }

    def number(self, value: Fraction) -> str:
        return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"

    def symbol(self, name: str) -> str:
        return glyph(name).latex

    def quantity(self, name: str, bold: bool, time: tuple[str, ...]) -> str:
        return Glyph.of(name, bold).at(time).latex

    def product(self, factors: Sequence[str]) -> str:
        return r" \, ".join(factors)

    def brackets(self, inner: str, kind: str = "()") -> str:
        return rf"\left{kind[0]}{inner}\right{kind[1]}"

    def block(self, rows: Sequence[Sequence[str]]) -> str:
        inside = r" \\ ".join(" & ".join(row) for row in rows)
        return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"

    def power(self, base: str, exponent: str, simple: bool) -> str:  # noqa: ARG002 - braces serve all
        return f"{base}^{{{exponent}}}"

    def function(self, op: str, arguments: Sequence[str]) -> str:
        name = self.functions.get(op, rf"\operatorname{{{FUNCTIONS[op]}}}")
        return name + self.brackets(", ".join(arguments), BRACKETS.get(op, "()"))

    def cases(self, parts: Sequence[tuple[str, ...]]) -> str:
        inside = r" \\ ".join(
            r" & \text{where } ".join(part) + r" & \text{otherwise}" * (len(part) == 1) for part in parts
        )
        return rf"\begin{{cases}} {inside} \end{{cases}}"

    def predicate(self, op: str, inner: str) -> str:
        return inner + self.predicates.get(op, rf"\ \text{{{PREDICATES[op]}}}")


_STYLE = _Latex()


def latex(formula: Expr) -> str:
    """Return LaTeX, without the surrounding dollars."""
    return write(formula, _STYLE)

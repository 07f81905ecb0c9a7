"""A formula as plain text and as LaTeX, from the one tree; `Style` is what another way of writing has to say."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from tdrc_theory.formula.expression import Expr, number
from tdrc_theory.formula.vocabulary import entry

_BINDING = {
    "implies": 0,
    "iff": 0,
    "or": 1,
    "and": 2,
    "=": 3,
    "!=": 3,
    "<": 3,
    "<=": 3,
    ">": 3,
    ">=": 3,
    "add": 4,
    "mul": 5,
}
_POSTFIX = ("T", "star", "inv")


FUNCTIONS = {
    "det": "det",
    "E": "E",
    "eigmax": "lambda_max",
    "eigmin": "lambda_min",
    "re": "Re",
    "im": "Im",
    "not": "not",
    "diag": "diag",
    "diagonal": "diagonal",
    "absolute": "abs",
    "before": "before",
    "earlier": "earlier",
}
PREDICATES = {
    "posdef": "is positive definite",
    "semidefinite": "is positive semidefinite",
    "hurwitz": "is Hurwitz",
    "diagonalizable": "has a full set of eigenvectors",
    "nonnegative": "has no negative entry",
    "positive": "has positive entries only",
}
ON_WEIGHTED = ("is positive definite where", "> 0, and 0 elsewhere")
"""What `definite_where` says around the weights."""


class Style:
    """How the pieces of a formula are set, as plain text; what the pieces are, and where brackets stand, is `write`.

    A new function or predicate is a line of `FUNCTIONS` or `PREDICATES`, and one in a style that has a sign for it.
    """

    signs: ClassVar[dict[str, str]] = {"implies": "=>", "iff": "<=>"}
    scripts: ClassVar[dict[str, str]] = {"T": "T", "star": "*", "inv": "-1"}

    def number(self, value: Fraction) -> str:
        """Return a number that is not negative."""
        return str(value)

    def symbol(self, name: str) -> str:
        """Return a symbol."""
        return name

    def negative(self, inner: str) -> str:
        """Return what has a minus in front."""
        return f"-{inner}"

    def sum(self, terms: Sequence[tuple[bool, str]]) -> str:
        """Return a sum of (negative, term) pairs."""
        (negative, first), *others = terms
        written = self.negative(first) if negative else first
        return written + "".join(f" {'-' if negative else '+'} {term}" for negative, term in others)

    def product(self, factors: Sequence[str]) -> str:
        """Return a product."""
        return " ".join(factors)

    def joined(self, op: str, parts: Sequence[str]) -> str:
        """Return a relation, or parts joined by a connective."""
        return f" {self.signs.get(op, op)} ".join(parts)

    def brackets(self, inner: str) -> str:
        """Return a part in brackets."""
        return f"({inner})"

    def block(self, rows: Sequence[Sequence[str]]) -> str:
        """Return a matrix of blocks."""
        return f"[{'; '.join(', '.join(row) for row in rows)}]"

    def script(self, base: str, op: str) -> str:
        """Return a transpose, conjugate transpose or inverse."""
        return f"{base}^{self.scripts[op]}"

    def power(self, base: str, exponent: str, simple: bool) -> str:
        """Return a power; `simple` where the exponent is one number or symbol."""
        return f"{base}^{exponent if simple else self.brackets(exponent)}"

    def function(self, op: str, arguments: Sequence[str]) -> str:
        """Return a function with its arguments."""
        return f"{FUNCTIONS[op]}({', '.join(arguments)})"

    def gradient(self, name: str, inner: str) -> str:
        """Return the gradient with respect to a vector."""
        return f"grad_{name}({inner})"

    def sqrt(self, inner: str) -> str:
        """Return a square root."""
        return f"sqrt({inner})"

    def norm2(self, inner: str) -> str:
        """Return a squared norm."""
        return f"|{inner}|^2"

    def predicate(self, op: str, inner: str) -> str:
        """Return what is said of a matrix."""
        return f"{inner} {PREDICATES[op]}"

    def where(self, inner: str, weights: str) -> str:
        """Return that a matrix is positive definite where weights are positive."""
        return f"{inner} {ON_WEIGHTED[0]} {weights} {ON_WEIGHTED[1]}"


class _Latex(Style):
    signs: ClassVar[dict[str, str]] = {
        "!=": r"\neq",
        "<=": r"\leq",
        ">=": r"\geq",
        "implies": r"\implies",
        "iff": r"\iff",
        "and": r"\land",
        "or": r"\lor",
    }
    functions: ClassVar[dict[str, str]] = {
        "det": r"\det",
        "E": r"\mathbb{E}",
        "eigmax": r"\lambda_{\max}",
        "eigmin": r"\lambda_{\min}",
        "not": r"\lnot",
    }
    predicates: ClassVar[dict[str, str]] = {"posdef": r" \succ 0", "semidefinite": r" \succeq 0"}
    scripts: ClassVar[dict[str, str]] = {"T": r"\top", "star": "*", "inv": "{-1}"}

    def number(self, value: Fraction) -> str:
        return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"

    def symbol(self, name: str) -> str:
        return entry(name).latex

    def product(self, factors: Sequence[str]) -> str:
        return r" \, ".join(factors)

    def brackets(self, inner: str) -> str:
        return rf"\left({inner}\right)"

    def block(self, rows: Sequence[Sequence[str]]) -> str:
        inside = r" \\ ".join(" & ".join(row) for row in rows)
        return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"

    def power(self, base: str, exponent: str, simple: bool) -> str:  # noqa: ARG002 - braces serve all
        return f"{base}^{{{exponent}}}"

    def function(self, op: str, arguments: Sequence[str]) -> str:
        return self.functions.get(op, rf"\operatorname{{{FUNCTIONS[op]}}}") + self.brackets(", ".join(arguments))

    def gradient(self, name: str, inner: str) -> str:
        return rf"\nabla_{{{self.symbol(name)}}}{self.brackets(inner)}"

    def sqrt(self, inner: str) -> str:
        return rf"\sqrt{{{inner}}}"

    def norm2(self, inner: str) -> str:
        return rf"\lVert {inner} \rVert^2"

    def predicate(self, op: str, inner: str) -> str:
        return inner + self.predicates.get(op, rf"\ \text{{{PREDICATES[op]}}}")

    def where(self, inner: str, weights: str) -> str:
        return rf"{inner}\ \text{{{ON_WEIGHTED[0]}}}\ {weights} \text{{ {ON_WEIGHTED[1]}}}"


TEXT, LATEX = Style(), _Latex()


def text(formula: Expr) -> str:
    """Return plain text."""
    return write(formula, TEXT)


def latex(formula: Expr) -> str:
    """Return LaTeX, without the surrounding dollars."""
    return write(formula, LATEX)


def write(formula: Expr, style: Style) -> str:
    """Return a formula in a style."""
    op, args = formula.op, formula.args
    if op == "symbol":
        return style.symbol(formula.name)
    if op in ("number", "mul"):
        negative, inner = _signed(formula, style)
        return style.negative(inner) if negative else inner
    if op == "add":
        return style.sum([_signed(part, style) for part in args])
    if op in _BINDING:
        return style.joined(op, [_inside(part, op, style) for part in args])
    if op == "block":
        return style.block([[write(cell, style) for cell in row.args] for row in args])
    if op in PREDICATES:
        return style.predicate(op, _inside(args[0], "mul", style))
    if op in _POSTFIX:
        return style.script(_inside(args[0], "power", style), op)
    if op == "power":
        exponent = write(args[1], style)
        return style.power(_inside(args[0], op, style), exponent, args[1].op in ("symbol", "number"))
    if op == "definite_where":
        return style.where(_inside(args[0], "mul", style), write(args[1], style))
    parts = [write(argument, style) for argument in args]
    if op == "grad":
        return style.gradient(formula.name, parts[0])
    if op in ("sqrt", "norm2"):
        return style.sqrt(parts[0]) if op == "sqrt" else style.norm2(parts[0])
    return style.function(op, parts)


def _signed(part: Expr, style: Style) -> tuple[bool, str]:
    """Return whether a term begins with a minus, and the term without it."""
    if part.op == "number":
        value = Fraction(part.name)
        return value < 0, style.number(abs(value))
    if part.op == "mul" and part.args[0].op == "number" and Fraction(part.args[0].name) < 0:
        first, *rest = part.args
        factors = [*([] if first == number(-1) and rest else [-first]), *rest]
        return True, style.product([_inside(factor, "mul", style) for factor in factors])
    if part.op == "mul":
        return False, style.product([_inside(factor, "mul", style) for factor in part.args])
    return False, _inside(part, "add", style) if part.op == "add" else write(part, style)


def _inside(part: Expr, outer: str, style: Style) -> str:
    """Return a part with brackets where it binds less than what surrounds it."""
    inner = write(part, style)
    signed = part.op == "number" and (Fraction(part.name) < 0 or Fraction(part.name).denominator > 1)
    loose = _BINDING.get(part.op, 9) <= _BINDING.get(outer, 8)
    postfix = outer == "power" and part.op in (*_POSTFIX, "power", "norm2")
    return style.brackets(inner) if loose or postfix or (signed and outer == "power") else inner

"""A formula as plain text, from its tree; other notations, such as LaTeX, override `Style`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from tdrc_theory.formula.expression import RELATIONS, Expr, number

_LEVELS = (("implies", "iff"), ("or",), ("and",), (*RELATIONS, "->"), ("add",), ("mul", "entrywise"))
_BINDING = {op: level for level, ops in enumerate(_LEVELS) for op in ops}
_POSTFIX = ("T", "star", "inv")
_QUANTITIES = ("vector", "scalar")
_TIMES = {"now": ("t",), "next": ("t", "+", "1")}


FUNCTIONS = {op: op for op in ("det", "E", "not", "diag", "diagonal", "before", "earlier", "min", "max")} | {
    "eigmax": "lambda_max",
    "eigmin": "lambda_min",
    "re": "Re",
    "im": "Im",
    "absolute": "abs",
    "actions": "sum_a",
}
BRACKETS = {"E": "[]"}
PREDICATES = {
    "posdef": "is positive definite",
    "semidefinite": "is positive semidefinite",
    "hurwitz": "is Hurwitz",
    "diagonalizable": "has a full set of eigenvectors",
    "nonnegative": "has no negative entry",
    "positive": "has positive entries only",
}


class Style:
    """How the pieces of a formula are set, as plain text; what the pieces are, and where brackets stand, is `write`.

    A new function or predicate is a line of `FUNCTIONS` or `PREDICATES`, and one in a style that has a sign for it.
    """

    signs: ClassVar[dict[str, str]] = {"implies": "=>", "iff": "<=>", "entrywise": "*"}
    scripts: ClassVar[dict[str, str]] = {"T": "T", "star": "*", "inv": "-1"}
    forms: ClassVar[dict[str, str]] = {
        "negative": "-{}",
        "sqrt": "sqrt({})",
        "norm2": "|{}|^2",
        "grad": "grad_{}({})",
        "definite_where": "{} is positive definite where {} > 0, and 0 elsewhere",
    }
    """What surrounds the parts: of what has a minus in front, of a square root, a squared norm, a gradient with respect
    to a vector, and of what is said of a matrix where weights are positive."""

    def number(self, value: Fraction) -> str:
        """Return a number that is not negative."""
        return str(value)

    def symbol(self, name: str) -> str:
        """Return a symbol."""
        return name

    def quantity(self, name: str, bold: bool, time: tuple[str, ...]) -> str:  # noqa: ARG002 - text has no bold
        """Return what a learner names: a vector, which is bold, or a number; at a time, where there is one."""
        return f"{name}_{''.join(time)}" if time else name

    def sum(self, terms: Sequence[tuple[bool, str]]) -> str:
        """Return a sum of (negative, term) pairs."""
        (negative, first), *others = terms
        written = self.forms["negative"].format(first) if negative else first
        return written + "".join(f" {'-' if negative else '+'} {term}" for negative, term in others)

    def product(self, factors: Sequence[str]) -> str:
        """Return a product."""
        return " ".join(factors)

    def joined(self, op: str, parts: Sequence[str]) -> str:
        """Return a relation, or parts joined by a connective."""
        return f" {self.signs.get(op, op)} ".join(parts)

    def brackets(self, inner: str, kind: str = "()") -> str:
        """Return a part in brackets."""
        return f"{kind[0]}{inner}{kind[1]}"

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
        return FUNCTIONS[op] + self.brackets(", ".join(arguments), BRACKETS.get(op, "()"))

    def cases(self, parts: Sequence[tuple[str, ...]]) -> str:
        """Return a piecewise value: that of the first (value, condition) pair that holds, else that of (value,)."""
        return self.brackets("; ".join(f"{' where '.join(part)}{' otherwise' * (len(part) == 1)}" for part in parts))

    def listed(self, parts: Sequence[str]) -> str:
        """Return statements beside each other."""
        return "; ".join(parts)

    def predicate(self, op: str, inner: str) -> str:
        """Return a predicate of a matrix."""
        return f"{inner} {PREDICATES[op]}"


_TEXT = Style()


def text(formula: Expr) -> str:
    """Return plain text."""
    return write(formula, _TEXT)


def write(formula: Expr, style: Style) -> str:
    """Return a formula in a style."""
    op, args = formula.op, formula.args
    if op == "symbol":
        return style.symbol(formula.name)
    if op in _QUANTITIES:
        return style.quantity(formula.name, op == "vector", ())
    if op in _TIMES:
        return style.quantity(args[0].name, args[0].op == "vector", _TIMES[op])
    if op in ("number", "mul"):
        negative, inner = _signed(formula, style)
        return style.forms["negative"].format(inner) if negative else inner
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
        return style.forms[op].format(_inside(args[0], "mul", style), write(args[1], style))
    if op == "cases":
        return style.cases([tuple(write(part, style) for part in row.args) for row in args])
    parts = [write(argument, style) for argument in args]
    if op == "chain":
        written, *others = parts
        for sign, part in zip(formula.name.split(), others, strict=True):
            written = style.joined(sign, [written, part])
        return written
    if op == "list":
        return style.listed(parts)
    if op == "grad":
        return style.forms[op].format(style.symbol(formula.name), parts[0])
    if op in style.forms:
        return style.forms[op].format(*parts)
    return style.function(op, parts)


def _signed(part: Expr, style: Style) -> tuple[bool, str]:
    """Return whether a term begins with a minus, and the term without it."""
    if part.op == "number":
        value = Fraction(part.name)
        return value < 0, style.number(abs(value))
    if part.op == "mul":
        first, *rest = part.args
        negative = first.op == "number" and Fraction(first.name) < 0
        leading = [first] if not negative else [] if first == number(-1) and rest else [-first]
        return negative, style.product([_inside(factor, "mul", style) for factor in (*leading, *rest)])
    return False, _inside(part, "add", style) if part.op == "add" else write(part, style)


def _inside(part: Expr, outer: str, style: Style) -> str:
    """Return a part with brackets where it binds less than what surrounds it."""
    inner = write(part, style)
    signed = part.op == "number" and (Fraction(part.name) < 0 or Fraction(part.name).denominator > 1)
    loose = _BINDING.get(part.op, 9) <= _BINDING.get(outer, 8)
    postfix = outer == "power" and part.op in (*_POSTFIX, "power", "norm2")
    return style.brackets(inner) if loose or postfix or (signed and outer == "power") else inner

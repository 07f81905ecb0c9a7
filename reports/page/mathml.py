"""Formulas as MathML, written from their trees; symbols are drawn from what the vocabulary writes of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import ClassVar

from reports.page.latex_reader import operator, read, space
from reports.page.latex_symbols import SIGN_TEXT
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.vocabulary import entry
from tdrc_theory.formula.written import FUNCTIONS, ON_WEIGHTED, PREDICATES, Style, write

_PRIME = "<mo>′</mo>"


class _MathML(Style):
    signs: ClassVar[dict[str, str]] = {
        "!=": "≠",
        "<=": "≤",
        ">=": "≥",
        "implies": "⟹",
        "iff": "⟺",
        "and": "∧",
        "or": "∨",
    }
    functions: ClassVar[dict[str, str]] = {
        "E": '<mi mathvariant="normal">𝔼</mi>',
        "eigmax": "<msub><mi>λ</mi><mi>max</mi></msub>",
        "eigmin": "<msub><mi>λ</mi><mi>min</mi></msub>",
        "not": "<mo>¬</mo>",
    }
    predicates: ClassVar[dict[str, str]] = {"posdef": f"{operator('≻')}<mn>0</mn>"}
    scripts: ClassVar[dict[str, str]] = {
        "T": '<mi mathvariant="normal">⊤</mi>',
        "star": "<mo>*</mo>",
        "inv": f"<mrow>{operator('-')}<mn>1</mn></mrow>",
    }

    def number(self, value: Fraction) -> str:
        if value.denominator == 1:
            return f"<mn>{value}</mn>"
        return f"<mfrac><mn>{value.numerator}</mn><mn>{value.denominator}</mn></mfrac>"

    def symbol(self, name: str) -> str:
        return _symbol(name)

    def negative(self, inner: str) -> str:
        return f'<mrow><mo form="prefix">{SIGN_TEXT["-"]}</mo>{inner}</mrow>'

    def sum(self, terms: Sequence[tuple[bool, str]]) -> str:
        (negative, first), *others = terms
        written = self.negative(first) if negative else first
        return _row(written + "".join(operator("-" if negative else "+") + term for negative, term in others))

    def product(self, factors: Sequence[str]) -> str:
        return factors[0] if len(factors) == 1 else _row(space(",").join(factors))

    def joined(self, op: str, parts: Sequence[str]) -> str:
        return _row(operator(self.signs.get(op, op)).join(parts))

    def brackets(self, inner: str) -> str:
        return _row(f"{_fence('(')}{inner}{_fence(')')}")

    def block(self, rows: Sequence[Sequence[str]]) -> str:
        cells = "".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in row)}</mtr>" for row in rows)
        return _row(f"{_fence('[')}<mtable>{cells}</mtable>{_fence(']')}")

    def script(self, base: str, op: str) -> str:
        return _raised(base, self.scripts[op])

    def power(self, base: str, exponent: str, simple: bool) -> str:  # noqa: ARG002 - it stands above, in no brackets
        return _raised(base, exponent)

    def function(self, op: str, arguments: Sequence[str]) -> str:
        name = self.functions.get(op, f"<mi>{FUNCTIONS[op]}</mi>")
        return _row(name + self.brackets(operator(",").join(arguments)))

    def gradient(self, name: str, inner: str) -> str:
        return _row(f'<msub><mi mathvariant="normal">∇</mi>{_symbol(name)}</msub>{self.brackets(inner)}')

    def sqrt(self, inner: str) -> str:
        return f"<msqrt>{inner}</msqrt>"

    def norm2(self, inner: str) -> str:
        return _raised(_row(f"{operator('‖')}{inner}{operator('‖')}"), "<mn>2</mn>")

    def predicate(self, op: str, inner: str) -> str:
        return _row(inner + self.predicates.get(op, f"<mtext>\u00a0{PREDICATES[op]}</mtext>"))

    def where(self, inner: str, weights: str) -> str:
        before, after = (f"<mtext>\u00a0{words.replace('>', '&gt;')}\u00a0</mtext>" for words in ON_WEIGHTED)
        return _row(inner + before + weights + after)


_STYLE = _MathML()


def mathml(formula: Expr) -> str:
    """Return a formula as MathML, without the `math` element around it.

    >>> from tdrc_theory.formula.expression import symbols
    >>> mathml(symbols("A")[0].T)
    '<msup><mi class="bold" mathvariant="normal">A</mi><mi mathvariant="normal">⊤</mi></msup>'
    """
    return write(formula, _STYLE)


@cache
def _symbol(name: str) -> str:
    return read(entry(name).latex)


def _row(inner: str) -> str:
    return f"<mrow>{inner}</mrow>"


def _fence(sign: str) -> str:
    return f'<mo fence="true" stretchy="true">{sign}</mo>'


def _raised(base: str, script: str) -> str:
    """Return a base with a script above; a symbol that has one below, or a prime, has both at one place."""
    if base.startswith("<msub>") and base.endswith("</msub>"):
        return f"<msubsup>{base.removeprefix('<msub>').removesuffix('</msub>')}{script}</msubsup>"
    if base.endswith(f"{_PRIME}</msup>"):
        return f"{base.removesuffix(f'{_PRIME}</msup>')}<mrow>{_PRIME}{script}</mrow></msup>"
    return f"<msup>{base}{script}</msup>"

"""Formulas of a page: as MathML, written from their trees, with plain text beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import ClassVar

from markupsafe import Markup

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.vocabulary import glyph
from tdrc_theory.formula.written import BRACKETS, FUNCTIONS, PREDICATES, Style, text, write
from tdrc_theory.notation import GREEK, Glyph

_PRIME = "<mo>′</mo>"
_BOLD = ' class="b"'
"""The page's style sheet has what this means, and how wide a thin space is: formulas are a large part of a page."""
_MARKS = {"hat": "^", "bar": "\u00af"}
_SIGNS = {"-": "−"}
_THIN = "<mspace/>"


def _operator(sign: str) -> str:
    """Return a sign, which does not grow with what stands beside it; a bracket that does is a fence."""
    stretch = ' stretchy="false"' if sign == "‖" else ""
    return f"<mo{stretch}>{escape(_SIGNS.get(sign, sign))}</mo>"


class _MathML(Style):
    signs: ClassVar[dict[str, str]] = {
        "!=": "≠",
        "<=": "≤",
        ">=": "≥",
        "implies": "⟹",
        "iff": "⟺",
        "and": "∧",
        "or": "∨",
        "->": "→",
        "entrywise": "∘",
    }
    functions: ClassVar[dict[str, str]] = {
        "E": '<mi mathvariant="normal">𝔼</mi>',
        "eigmax": "<msub><mi>λ</mi><mi>max</mi></msub>",
        "eigmin": "<msub><mi>λ</mi><mi>min</mi></msub>",
        "not": "<mo>¬</mo>",
        "actions": "<munder><mo>∑</mo><mi>a</mi></munder>",
    }
    predicates: ClassVar[dict[str, str]] = {"posdef": f"{_operator('≻')}<mn>0</mn>"}
    scripts: ClassVar[dict[str, str]] = {
        "T": '<mi mathvariant="normal">⊤</mi>',
        "star": "<mo>*</mo>",
        "inv": f"<mrow>{_operator('-')}<mn>1</mn></mrow>",
    }

    forms: ClassVar[dict[str, str]] = {
        "negative": '<mrow><mo form="prefix">−</mo>{}</mrow>',
        "sqrt": "<msqrt>{}</msqrt>",
        "norm2": f"<msup><mrow>{_operator('‖')}{{}}{_operator('‖')}</mrow><mn>2</mn></msup>",
        "grad": '<mrow><msub><mi mathvariant="normal">∇</mi>{}</msub><mrow><mo>(</mo>{}<mo>)</mo></mrow></mrow>',
        "definite_where": "<mrow>{}<mtext>\u00a0is positive definite where\u00a0</mtext>{}"
        "<mtext>\u00a0&gt; 0, and 0 elsewhere\u00a0</mtext></mrow>",
    }

    def number(self, value: Fraction) -> str:
        if value.denominator == 1:
            return f"<mn>{value}</mn>"
        return f"<mfrac><mn>{value.numerator}</mn><mn>{value.denominator}</mn></mfrac>"

    def symbol(self, name: str) -> str:
        return _drawn(glyph(name))

    def quantity(self, name: str, bold: bool, time: tuple[str, ...]) -> str:
        return _drawn(Glyph.of(name, bold).at(time))

    def sum(self, terms: Sequence[tuple[bool, str]]) -> str:
        (negative, first), *others = terms
        written = self.forms["negative"].format(first) if negative else first
        return _row(written + "".join(_operator("-" if negative else "+") + term for negative, term in others))

    def product(self, factors: Sequence[str]) -> str:
        return factors[0] if len(factors) == 1 else _row(_THIN.join(factors))

    def joined(self, op: str, parts: Sequence[str]) -> str:
        return _row(_operator(self.signs.get(op, op)).join(parts))

    def brackets(self, inner: str, kind: str = "()") -> str:
        return _row(_fence(kind[0]) + inner + _fence(kind[1]))

    def block(self, rows: Sequence[Sequence[str]]) -> str:
        return self.brackets(_table(rows), "[]")

    def cases(self, parts: Sequence[tuple[str, ...]]) -> str:
        rows = [
            (value, f"<mtext>where\u00a0</mtext>{where[0]}" if where else "<mtext>otherwise</mtext>")
            for value, *where in parts
        ]
        return _row(_fence("{") + _table(rows))

    def listed(self, parts: Sequence[str]) -> str:
        return _row(f'{_operator(";")}<mspace width="1em"></mspace>'.join(parts))

    def script(self, base: str, op: str) -> str:
        return _raised(base, self.scripts[op])

    def power(self, base: str, exponent: str, simple: bool) -> str:  # noqa: ARG002 - it stands above, in no brackets
        return _raised(base, exponent)

    def function(self, op: str, arguments: Sequence[str]) -> str:
        name = self.functions.get(op, f"<mi>{FUNCTIONS[op]}</mi>")
        return _row(name + self.brackets(_operator(",").join(arguments), BRACKETS.get(op, "()")))

    def predicate(self, op: str, inner: str) -> str:
        return _row(inner + self.predicates.get(op, f"<mtext>\u00a0{PREDICATES[op]}</mtext>"))


_STYLE = _MathML()


def mathml(formula: Expr) -> str:
    """Return a formula as MathML, without the `math` element around it.

    >>> from tdrc_theory.formula.expression import symbols
    >>> mathml(symbols("A")[0].T)
    '<msup><mi class="b">A</mi><mi mathvariant="normal">⊤</mi></msup>'
    """
    return write(formula, _STYLE)


@dataclass(frozen=True, slots=True)
class Formula:
    """A statement as plain text, and as a tree where it is a formula, which is drawn beside the text."""

    text: str
    tree: Expr | None = None

    @classmethod
    def of(cls, statement: Expr | str) -> Formula:
        """Return a statement of the registry."""
        return cls(statement) if isinstance(statement, str) else cls(text(statement), tree=statement)

    @property
    def drawn(self) -> Markup:
        """The formula as a `math` element, "" of words."""
        return Markup("" if self.tree is None else f'<math display="block">{mathml(self.tree)}</math>')


def _drawn(glyph: Glyph) -> str:
    """Return a symbol with its marks and scripts."""
    written = _token(glyph.letter, word="mi", look=_BOLD if glyph.bold else "")
    if glyph.mark:
        written = f'<mover accent="true">{written}<mo stretchy="false">{_MARKS[glyph.mark]}</mo></mover>'
    below, above = ("".join(map(_token, tokens)) for tokens in (glyph.below, glyph.above))
    below, above = (
        _row(each) if len(tokens) > 1 else each for each, tokens in ((below, glyph.below), (above, glyph.above))
    )
    above = _PRIME + above if glyph.prime else above
    if below and above:
        written = f"<msubsup>{written}{below}{above}</msubsup>"
    elif below or above:
        written = f"<msub>{written}{below}</msub>" if below else f"<msup>{written}{above}</msup>"
    return _row(f"<mi>{GREEK['Delta']}</mi>{written}") if glyph.change else written


def _token(token: str, word: str = "mtext", look: str = "") -> str:
    """Return a letter, a number, a sign or a word."""
    if token.isdigit():
        return f"<mn{look}>{token}</mn>"
    if len(token) == 1 and not token.isalpha():
        return _operator(token)
    tag = "mi" if len(token) == 1 or token in GREEK else word
    return f"<{tag}{look}>{escape(GREEK.get(token, token))}</{tag}>"


def _table(rows: Sequence[Sequence[str]]) -> str:
    cells = (f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in row)}</mtr>" for row in rows)
    return f"<mtable>{''.join(cells)}</mtable>"


def _row(inner: str) -> str:
    return f"<mrow>{inner}</mrow>"


def _fence(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def _raised(base: str, script: str) -> str:
    """Return a base with a script above; a symbol that has one below, or a prime, has both at one place."""
    if base.startswith("<msub>") and base.endswith("</msub>"):
        return f"<msubsup>{base.removeprefix('<msub>').removesuffix('</msub>')}{script}</msubsup>"
    if base.endswith(f"{_PRIME}</msup>"):
        return f"{base.removesuffix(f'{_PRIME}</msup>')}<mrow>{_PRIME}{script}</mrow></msup>"
    return f"<msup>{base}{script}</msup>"

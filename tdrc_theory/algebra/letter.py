"""Letters of words: names of symbols, their transposes, and what stands for a formula, such as an inverse."""

from __future__ import annotations

from functools import cache

from tdrc_theory.formula.expression import E, Expr, symbol, symbols
from tdrc_theory.formula.vocabulary import VOCABULARY

_SYMBOLS = frozenset(each.name for each in VOCABULARY)
_rho, _x, _x_next = symbols("rho x x'")
_BY_NAME = {"z*": symbol("z").star, "F": E(_rho * _x * _x_next.T), "F^T": E(_rho * _x_next * _x.T)}


class Letter(str):
    """A letter that is no symbol, with the formula that it stands for, which its name determines."""

    tree: Expr

    def __new__(cls, name: str, tree: Expr) -> Letter:
        """Return the letter."""
        letter = super().__new__(cls, name)
        letter.tree = tree
        return letter

    def __getnewargs__(self) -> tuple[str, Expr]:  # type: ignore[override] # of a str: its text
        return str(self), self.tree


def letter_tree(letter: str) -> Expr:
    """Return what a letter stands for; a name that is no symbol of formulas is that of a number.

    >>> from tdrc_theory.formula.written import text
    >>> text(letter_tree("A^T")), text(letter_tree("F")), text(letter_tree("s1"))
    ('A^T', "E[rho x x'^T]", 's1')
    """
    return letter.tree if isinstance(letter, Letter) else _tree(letter)


@cache
def _tree(letter: str) -> Expr:
    if letter in _BY_NAME:
        return _BY_NAME[letter]
    base = letter.removesuffix("^T")
    tree = symbol(base) if base in _SYMBOLS else Expr("scalar", (), base)
    return tree if base == letter else tree.T

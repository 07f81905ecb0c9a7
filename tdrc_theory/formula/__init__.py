"""Formulas as data: the expression language, its vocabulary, its shapes, and how it is written."""

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.latex_style import latex
from tdrc_theory.formula.vocabulary import expanded
from tdrc_theory.formula.written import text

__all__ = ["Expr", "expanded", "latex", "text"]

"""A statement of a page: as plain text, and as LaTeX where it is a formula."""

from __future__ import annotations

from dataclasses import dataclass

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import latex, text


@dataclass(frozen=True, slots=True)
class Formula:
    """A statement.

    Attributes:
        text: plain text, which stands beside what is drawn.
        latex: what is drawn; "" for words.
    """

    text: str
    latex: str = ""

    @classmethod
    def of(cls, statement: Expr | str) -> Formula:
        """Return a statement of the registry."""
        return cls(statement) if isinstance(statement, str) else cls(text(statement), latex(statement))

"""A statement of a page: as plain text, and drawn where it is a formula."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from reports.page.mathml import mathml
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import text


@dataclass(frozen=True, slots=True)
class Formula:
    """A statement.

    Attributes:
        text: plain text, which stands beside what is drawn.
        tree: the formula, where it is one.
    """

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

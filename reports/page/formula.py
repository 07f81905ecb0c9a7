"""A statement of a page: as plain text, and drawn where it is a formula."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from reports.page.latex_reader import BadFormula, operator, read
from reports.page.mathml import mathml
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.latex_style import latex
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step


@dataclass(frozen=True, slots=True)
class Formula:
    """A statement.

    Attributes:
        text: plain text, which stands beside what is drawn.
        latex: what is drawn after the tree; "" where there is nothing.
        tree: the formula, where it is one.
    """

    text: str
    tree: Expr | None = None
    latex: str = ""

    @classmethod
    def of(cls, statement: Expr | str) -> Formula:
        """Return a statement of the registry."""
        return cls(statement) if isinstance(statement, str) else cls(text(statement), tree=statement)

    @classmethod
    def of_step(cls, step: Step) -> Formula:
        """Return what stands at a step of a derivation; a normal form that cannot be drawn stands as text alone."""
        if step.formula is not None and not step.form:
            return cls(step.text, tree=step.formula)
        return cls(step.text, step.formula if step.form_latex else None, step.form_latex)

    @property
    def drawn(self) -> Markup:
        """The formula as a `math` element, "" of words; LaTeX that cannot be drawn is shown as the LaTeX that it is."""
        try:
            parts = [] if self.tree is None else [mathml(self.tree)]
            parts += [read(self.latex)] if self.latex else []
        except BadFormula:
            written = self.latex if self.tree is None else latex(self.tree)
            return Markup('<code class="latex">{}</code>').format(written)
        inside = operator("=").join(parts)
        return Markup(f'<math display="block">{inside}</math>' if inside else "")

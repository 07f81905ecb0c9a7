"""A claim of the paper in words: what it says, and what is true, each a value that is judged."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import text
from tdrc_theory.papers import claim
from tdrc_theory.papers.claim import BadClaim, Content, Role, Text, Words
from verify.judgement import Judgement
from verify.paper.facts.argument import Argument, Places, judge
from verify.paper.facts.cells import OfTables
from verify.paper.facts.truth import Statement

Said = Statement | Argument | Places | Expr
"""What can be judged: a statement of the language, an argument, two places, or a formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement of the paper, in our words.

    Attributes:
        id, title, source, role, erratum, remark: as a Claim has them.
        printed: what the paper says.
        corrected: what is true, where that is not.
        undecided: whether the evidence that there is decides nothing of what is printed; the remark says why.
    """

    id: str
    title: str
    source: str
    role: Role
    printed: Said
    corrected: Said | None = None
    erratum: str | None = None
    remark: str = ""
    undecided: bool = False
    theorem: None = None
    refutation: None = None

    def __post_init__(self) -> None:
        """Check that a correction belongs to an error, and that what is not decided is none and has its reason."""
        if self.corrected is not None and not self.erratum:
            raise BadClaim(f"{self.id}: a correction needs an erratum")
        if self.undecided and (self.erratum or not self.remark):
            raise BadClaim(f"{self.id}: what is undecided needs a remark, and is no erratum")

    @property
    def expected(self) -> tuple[str, str | None]:
        """Return the statuses that the registry expects of what is printed and what is corrected."""
        printed = "undecided" if self.undecided else "holds" if self.erratum is None else "fails"
        return (printed, None if self.corrected is None else "holds")

    @property
    def kind(self) -> str:
        """Return what the printed statement is, as the contract names it."""
        kinds = ((Places, "contradiction"), (Argument, "words"), (Expr, "formula"))
        found = next((name for kind, name in kinds if isinstance(self.printed, kind)), "problem")
        return "experiment" if found == "problem" and _reads_tables(self.printed) else found


def _reads_tables(node: object) -> bool:
    """Return whether published cells are somewhere in a statement."""
    inside = [getattr(node, field.name) for field in fields(node)] if is_dataclass(node) else node
    return isinstance(node, OfTables) or (isinstance(inside, list | tuple) and any(map(_reads_tables, inside)))


def ready(content: Content | Said) -> Said:
    """Return what a claim says, ready to be judged."""
    if isinstance(content, Text | Words | claim.Places):
        raise BadClaim("statements in files are not read yet")
    return content


def sentence(said: Said) -> str:
    """Return a statement as one sentence; a formula as plain text."""
    return text(said) if isinstance(said, Expr) else said.sentence()


def judged(said: Said) -> Judgement:
    """Judge a statement."""
    return judge(said) if isinstance(said, Expr) else said.judged()

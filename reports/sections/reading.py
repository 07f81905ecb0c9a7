"""How to read a page: what verdicts, statuses and kinds of evidence mean."""

from __future__ import annotations

from reports.page import evidence
from reports.page.section import Content, Section, Tell
from reports.page.subject import OnLearners, OnPage, OnProblem, OnSite
from verify.conditions.report import ASSUMPTIONS

_PRINCIPLE = (
    "Each answer has its kind of evidence beside it, the strongest there is, and never a stronger one. Unknown is "
    "shown as undecided, never as a no. Strict inequalities are decided by exact or enclosed arithmetic only."
)


def collect(subject: OnPage, _: Tell) -> Content:
    """Return the words that a page about such subjects has."""
    kinds = [(kind.value, text) for kind, text in evidence.PROOFS.items()]
    tables = [("Kinds of evidence", kinds), ("Statuses of statements", evidence.STATUSES)]
    principle = _PRINCIPLE
    if any(isinstance(each, OnLearners | OnProblem | OnSite) for each in subject.subjects):
        tables[:0] = [("Verdicts", evidence.VERDICTS), ("Beside a verdict", evidence.BIASES)]
        principle = f"{principle} On problems, {ASSUMPTIONS}."
    return Content(principle=principle, tables=tables)


SECTION = Section("reading", "How to read it", collect)

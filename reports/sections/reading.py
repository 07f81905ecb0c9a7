"""How to read a page: what verdicts, statuses and kinds of evidence mean."""

from __future__ import annotations

from dataclasses import dataclass

from reports.page import evidence
from reports.page.section import Section, Tell
from reports.page.subject import OnLearners, OnPage, OnProblem, OnSite
from verify.conditions.report import ASSUMPTIONS


@dataclass(frozen=True, slots=True)
class Legend:
    """Words and what they mean.

    Attributes:
        title: one line.
        entries: (word, meaning) pairs.
        proofs: whether the words are kinds of evidence, or else statuses.
    """

    title: str
    entries: tuple[tuple[str, str], ...]
    proofs: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What the section shows.

    Attributes:
        principle: what holds for all of it.
        tables: of words.
    """

    principle: str
    tables: tuple[Legend, ...]


_PRINCIPLE = (
    "Each answer has its kind of evidence beside it, the strongest there is, and never a stronger one. Unknown is "
    "shown as undecided, never as a no. Strict inequalities are decided by exact or enclosed arithmetic only."
)


def collect(subject: OnPage, _: Tell) -> Reading:
    """Return the words that a page about such subjects has."""
    proofs = Legend("Kinds of evidence", tuple((kind.value, text) for kind, text in evidence.PROOFS.items()), True)
    tables = [proofs, Legend("Statuses of statements", evidence.STATUSES)]
    principle = _PRINCIPLE
    if any(isinstance(each, OnLearners | OnProblem | OnSite) for each in subject.subjects):
        tables[:0] = [Legend("Verdicts", evidence.VERDICTS), Legend("Beside a verdict", evidence.BIASES)]
        principle = f"{principle} On problems, {ASSUMPTIONS}."
    return Reading(principle, tuple(tables))


SECTION = Section("reading", "How to read it", collect)

"""A sentence of the paper on experiments, in our own words, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

Evidence = TypeVar("Evidence")


class Support(NamedTuple):
    """Whether a statement is borne out, and the numbers, in one line.

    Attributes:
        supported: None where the numbers do not say.
        reason: the numbers.
    """

    supported: bool | None
    reason: str

    @property
    def status(self) -> str:
        """Return the answer as text."""
        return {True: "supported", False: "not supported", None: "undecided"}[self.supported]


def every(answers: Iterable[bool | None]) -> bool | None:
    """Return whether all answers are yes; None where that hangs on one that is not known.

    >>> every([True, None]), every([None, False]), every([True, True])
    (None, False, True)
    """
    given = list(answers)
    return False if False in given else None if None in given else True


@dataclass(frozen=True, eq=False)
class Statement(Generic[Evidence]):
    """A sentence that experiments can bear out or not.

    Attributes:
        key: its identifier.
        source: where it stands in the paper.
        text: what it says, in our own words, with its vague words made definite.
        judge: from what an experiment gave to the answer.
        proof: how it is known: `sampled`, or `exact` where no run is needed.
    """

    key: str
    source: str
    text: str
    judge: Callable[[Evidence], Support]
    proof: str = "sampled"


class Judged(NamedTuple):
    """A statement and what becomes of it under each setting of its experiment, by the setting's name."""

    statement: Statement[Any]
    findings: Mapping[str, Support]

    def to_json(self, settings: str) -> dict[str, Any]:
        """Return an object of JSON types; `settings` is the key of the findings."""
        return {
            "statement": self.statement.key,
            "source": self.statement.source,
            "text": self.statement.text,
            "proof": self.statement.proof,
            settings: {
                name: {"status": finding.status, "reason": finding.reason} for name, finding in self.findings.items()
            },
        }


def judged_text(judged: Sequence[Judged]) -> str:
    """Return statements, what becomes of each under each setting, and why."""
    width = max(10, *(len(name) for one in judged for name in one.findings))
    blocks = []
    for one in judged:
        findings = [f"  {name:{width}} {found.status:14} {found.reason}" for name, found in one.findings.items()]
        blocks.append("\n".join([f"{one.statement.key} ({one.statement.source}): {one.statement.text}", *findings]))
    return "\n\n".join(blocks) + "\n"

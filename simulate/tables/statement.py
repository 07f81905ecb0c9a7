"""A sentence of the paper on these experiments, in our own words, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from simulate.tables.comparison import Evidence


class Finding(NamedTuple):
    """Whether a statement is borne out, and the numbers, in one line."""

    supported: bool
    reason: str

    @property
    def status(self) -> str:
        """Return the answer as text."""
        return "supported" if self.supported else "not supported"


@dataclass(frozen=True, eq=False)
class Statement:
    """A sentence that the experiments can bear out or not.

    Attributes:
        key: its identifier.
        source: where it stands in the paper.
        text: what it says, in our own words, with its vague words made definite.
        judge: from what a variant gave to the answer.
        proof: how it is known: `sampled`, or `exact` where no run is needed.
    """

    key: str
    source: str
    text: str
    judge: Callable[[Evidence], Finding]
    proof: str = "sampled"


class Judged(NamedTuple):
    """A statement and what each variant says of it, by the variant's name."""

    statement: Statement
    findings: Mapping[str, Finding]

    def to_json(self) -> dict[str, Any]:
        """Return an object of JSON types."""
        return {
            "statement": self.statement.key,
            "source": self.statement.source,
            "text": self.statement.text,
            "proof": self.statement.proof,
            "variants": {
                name: {"status": finding.status, "reason": finding.reason} for name, finding in self.findings.items()
            },
        }

"""What a check returns: three outcomes, and how it knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from tdrc_theory.evidence import Proof, Status, weakest
from tdrc_theory.frozen import Frozen

__all__ = ["Check", "Proof", "Status", "check_of", "weakest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One statement judged on one problem.

    Attributes:
        claim: its identifier.
        source: where it stands in the paper.
        status: holds, fails, or undecided.
        proof: the kind of evidence.
        reason: one line.
        evidence: values of JSON types that let a reader check it again.
    """

    claim: str
    source: str
    status: Status
    proof: Proof
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def exact(cls, claim: str, source: str, holds: bool | None, reason: str, **evidence: Any) -> Check:
        """Return what exact arithmetic decides; None stands for undecided."""
        status = Status.of(holds)
        return cls(claim=claim, source=source, status=status, proof=Proof.EXACT, reason=reason, evidence=evidence)

    def __post_init__(self) -> None:
        """Freeze the evidence."""
        object.__setattr__(self, "evidence", Frozen(self.evidence))

    def __repr__(self) -> str:
        return f"<{self.claim} {self.status.value} ({self.proof.value}): {self.reason}>"

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{self.claim} is {self.status.value}: three outcomes do not fit in a bool; compare .status")

    def to_json(self) -> dict[str, Any]:
        """Return the check as the contract's object."""
        return {
            "claim": self.claim,
            "source": self.source,
            "status": self.status.value,
            "proof": self.proof.value,
            "reason": self.reason,
            "evidence": dict(self.evidence),
        }


def check_of(checks: Sequence[Check], claim: str) -> Check:
    """Return the check of a claim.

    Raises:
        KeyError: no check is of that claim.
    """
    for check in checks:
        if check.claim == claim:
            return check
    raise KeyError(claim)

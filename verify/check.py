"""What a check returns, three outcomes and how it knows; and the verdict on an expected update, with its rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NoReturn

from tdrc_theory.evidence import Proof, Status, weakest
from tdrc_theory.frozen import Frozen
from verify.exact.roots import Enclosure

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
    """Return the check of a claim; KeyError where there is none."""
    return {check.claim: check for check in checks}[claim]


class Outcome(Enum):
    """What the expected update does."""

    CONVERGENT = "convergent"
    CONVERGENT_TO_A_SET = "convergent-to-a-set"
    NOT_CONVERGENT = "not-convergent"
    UNDECIDED = "undecided"


CONVERGES = (Outcome.CONVERGENT, Outcome.CONVERGENT_TO_A_SET)

GROWS = "errors grow from almost every start, whatever the step size"
ENDURES = "errors do not die out, whatever the step size"
DRIFTS = "it has no fixed point, so the weights drift, whatever the step size"
STICKS = "part of an error stays, and makes the weights drift, whatever the step size"
OFF = "it may come to rest at points that do not solve the equation that it is made to solve"
"""What errors do where an update does not converge: an eigenvalue of G is in the right half-plane, or on the imaginary
axis; G varrho + g = 0 has no solution; 0 is a defective eigenvalue; spurious fixed points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An outcome, how it is known, and the rate.

    Attributes:
        status: the outcome.
        proof: the kind of evidence.
        reason: one line.
        spectral_abscissa: encloses the largest real part among the eigenvalues that decide; None where none do.
        evidence: what lets a reader check it again.
        effect: what becomes of errors where it does not converge, in plain words; "" where `reason` says no more.
    """

    status: Outcome
    proof: Proof
    reason: str
    spectral_abscissa: Enclosure | None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    effect: str = ""

    def __post_init__(self) -> None:
        """Freeze the evidence."""
        object.__setattr__(self, "evidence", Frozen(self.evidence))

    def __repr__(self) -> str:
        return f"<{self.status.value} ({self.proof.value}): {self.reason}>"

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object."""
        enclosure = self.spectral_abscissa
        return {
            "status": self.status.value,
            "proof": self.proof.value,
            "spectral_abscissa": None if enclosure is None else enclosure.to_json(),
            "reason": self.reason,
            "evidence": dict(self.evidence),
        }

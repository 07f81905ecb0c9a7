"""What an expected update does, how that is known, and how fast: the verdict as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from tdrc_theory.frozen import Frozen
from verify.check import Proof
from verify.exact.roots import Enclosure


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

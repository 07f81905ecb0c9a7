"""What a check returns: three outcomes, and how it knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NoReturn

from tdrc_theory.frozen import Frozen


class Status(Enum):
    """Whether a statement is true of a problem."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"

    @classmethod
    def of(cls, answer: bool | None) -> Status:
        """Return the status of an answer, None standing for unknown."""
        return cls.UNDECIDED if answer is None else cls.HOLDS if answer else cls.FAILS


class Proof(Enum):
    """How a status is known, strongest first.

    `EXACT` means: the machine derived the very statement that is shown, or an exact witness refutes it. A sentence that
    a person concludes from such statements is `ARGUED`, however short the step.
    """

    KERNEL = "kernel"
    EXACT = "exact"
    ENCLOSED = "enclosed"
    ARGUED = "argued"
    FLOAT = "float"
    SAMPLED = "sampled"


def weakest(proofs: Iterable[Proof]) -> Proof:
    """Return the weakest of kinds of evidence, which is that of a conclusion from all of them.

    >>> weakest([Proof.EXACT, Proof.ARGUED, Proof.ENCLOSED]).value
    'argued'
    """
    order = list(Proof)
    return max(proofs, key=order.index, default=Proof.EXACT)


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

    def __post_init__(self) -> None:
        """Freeze the evidence."""
        object.__setattr__(self, "evidence", Frozen(self.evidence))

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

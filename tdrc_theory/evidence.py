"""The status of a statement, and the kind of evidence for it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


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

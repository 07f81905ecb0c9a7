"""What becomes of a claim: holds, fails or undecided, how that is known, the steps that show it, a counterexample."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any


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


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: why, and what then stands there, as plain text and as LaTeX."""

    reason: str
    text: str
    latex: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer for one formula.

    Attributes:
        status: whether it holds for every instance of its symbols' domains.
        proof: the kind of evidence (`Proof`); None where none is claimed: two places that disagree.
        rule: which kind of argument decided, in a few words.
        steps: the derivation, or how the counterexample refutes.
        witness: an exact counterexample as data, where it fails.
    """

    status: Status
    proof: Proof | None
    rule: str
    steps: tuple[Step, ...]
    witness: dict[str, Any] | None = None

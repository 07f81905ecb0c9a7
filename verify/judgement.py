"""What a judge returns: holds, fails or undecided, the steps that show it, and a counterexample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verify.check import Proof, Status


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

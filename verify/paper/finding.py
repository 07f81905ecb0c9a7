"""What is found of claims: errors, contradictions, what goes too far only word for word, and what is not decided."""

from __future__ import annotations

from enum import Enum

CONTRADICTIONS = "E12"
"""The number that all contradictions share."""

WITHDRAWN = {"E17": "R21", "R9": "E19"}
"""Numbers that are no longer used, and the number of the same claim now; a number is never given twice.

E17 became a remark: the factor of the regulariser is right under the factor -1/2 of the paper's other gradients.
R9 became an error: a smaller beta fails on the paper's own sweep.
"""


class Finding(Enum):
    """What is found of a statement that does not hold as printed."""

    ERROR = "error"
    CONTRADICTION = "contradiction"
    OVERSTATED = "overstated"
    UNDECIDED = "undecided"


MEANING = {
    Finding.ERROR: "Errors (E): as printed these are false, by a counterexample; where it says argued, by an argument.",
    Finding.CONTRADICTION: f"Contradictions ({CONTRADICTIONS}): two places of the paper, or the paper and what "
    "reproduces its tables, do not agree. Where they are only quoted, in our words, no proof is claimed.",
    Finding.OVERSTATED: "Overstated (R): remarks that go too far only when they are read word for word, without what "
    "the paper says elsewhere or what a reader would supply. These are no errors; each stands here with the reading "
    "that fails and with what is true.",
    Finding.UNDECIDED: "Undecided: what there is as evidence decides nothing of these as printed; no number is given.",
}

COUNTED = {
    Finding.ERROR: "errors",
    Finding.CONTRADICTION: "contradictions",
    Finding.OVERSTATED: "overstated remarks",
    Finding.UNDECIDED: "undecided claims",
}
"""What several of a kind are called."""


def finding(number: str | None) -> Finding | None:
    """Return what an erratum's number says; None where there is none.

    >>> [finding(number) for number in ("E1", "E12", "R1", None)]
    [<Finding.ERROR: 'error'>, <Finding.CONTRADICTION: 'contradiction'>, <Finding.OVERSTATED: 'overstated'>, None]
    """
    if number is None:
        return None
    if number.startswith("R"):
        return Finding.OVERSTATED
    return Finding.CONTRADICTION if number == CONTRADICTIONS else Finding.ERROR


def order(number: str) -> int:
    """Return where a finding stands among those of its kind: E12 is 12th; what is no number, last."""
    digits = number[1:]
    return int(digits) if digits.isdigit() else 10**6

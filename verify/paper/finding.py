"""What is found of claims: errors, contradictions, what goes too far only word for word, and what is not decided."""

from __future__ import annotations

from enum import Enum

from tdrc_theory.papers.claim import Kind, Paper


class Finding(Enum):
    """What is found of a statement that does not hold as printed."""

    ERROR = "error"
    CONTRADICTION = "contradiction"
    OVERSTATED = "overstated"
    UNDECIDED = "undecided"


MEANING = {
    Finding.ERROR: "Errors (E): as printed these are false, by a counterexample; where it says argued, by an argument.",
    Finding.CONTRADICTION: "Contradictions: two places of the paper, or the paper and what reproduces its tables, do "
    "not agree. Where they are only quoted, in our words, no proof is claimed.",
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


def finding(number: str | None, paper: Paper) -> Finding | None:
    """Return what an erratum's number says in a paper; None where there is none.

    >>> from tdrc_theory.papers import find_paper
    >>> [finding(number, find_paper()) for number in ("E1", "E12", "R1", None)]
    [<Finding.ERROR: 'error'>, <Finding.CONTRADICTION: 'contradiction'>, <Finding.OVERSTATED: 'overstated'>, None]
    """
    if number is None:
        return None
    if number.startswith("R"):
        return Finding.OVERSTATED
    shared = {claim.erratum for claim in paper.of_kind(Kind.CONTRADICTION)}
    return Finding.CONTRADICTION if number in shared else Finding.ERROR


def order(number: str) -> int:
    """Return where a finding stands among those of its kind: E12 is 12th; what is no number, last."""
    digits = number[1:]
    return int(digits) if digits.isdigit() else 10**6

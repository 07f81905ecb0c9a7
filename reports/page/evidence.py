"""What statuses and kinds of evidence are called in a report, and what they mean."""

from __future__ import annotations

from verify.check import Proof

MEANING = {
    Proof.KERNEL: "a proof assistant checked a proof of it, for every dimension",
    Proof.EXACT: "rational or algebraic arithmetic, a polynomial identity, or a derivation step by step",
    Proof.ENCLOSED: "ball arithmetic: every rounding error is bounded",
    Proof.FLOAT: "floating point without error bounds: a hint, no proof",
    Proof.SAMPLED: "Monte Carlo, with its confidence interval",
}
"""Strongest first."""

_MARKS = {
    "convergent": ("good", "\u2713"),
    "convergent-to-a-set": ("good", "\u2713"),
    "not-convergent": ("bad", "\u2717"),
    "holds": ("good", "\u2713"),
    "fails": ("bad", "\u2717"),
    "undecided": ("open", "?"),
    "overstated": ("open", "\u2248"),
}


def mark(status: str) -> tuple[str, str]:
    """Return how a status is shown: `good`, `bad` or `open`, and a sign, so that colour never speaks alone."""
    return _MARKS.get(status, ("open", "?"))


def meaning(proof: str) -> str:
    """Return what a kind of evidence means."""
    return MEANING[Proof(proof)]

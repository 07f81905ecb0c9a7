"""Every claim of the paper with its status, its kind of proof and its derivation."""

from __future__ import annotations

from dataclasses import dataclass

from reports.page.claim import ShownClaim, shown
from reports.page.section import Section, Tell
from reports.page.subject import OnPaper
from tdrc_theory.cli.counted import counted


@dataclass(frozen=True, slots=True)
class Claims:
    """What the section shows.

    Attributes:
        claims: in the order of the registry.
        choices: (name, what is chosen by, values) of the filters, with values that occur.
        kernel: what is known here of the proof assistant's part, in one line.
        asked: whether it was to check its proofs.
    """

    claims: tuple[ShownClaim, ...]
    choices: tuple[tuple[str, str, tuple[str, ...]], ...]
    kernel: str
    asked: bool


def collect(subject: OnPaper, _: Tell) -> Claims:
    """Return what was judged."""
    claims = tuple(shown(each, subject.kernel) for each in subject.answers)
    choices = tuple(
        (name, text, tuple(sorted({getattr(claim, name) for claim in claims} - {""})))
        for name, text in (
            ("printed", "As printed"),
            ("printed_proof", "Its proof"),
            ("corrected_proof", "Proof of the correction"),
            ("kind", "Kind"),
            ("finding", "Finding"),
        )
    )
    accepted, stated = sum(claim.accepted for claim in claims), sum(bool(claim.theorems) for claim in claims)
    kernel = f"{counted(stated, 'claim')} also proven or refuted in Coq; {accepted} of these were checked for this page"
    if accepted < stated:
        why = next(each.reason for claim in claims for each in claim.theorems if not each.statement)
        kernel += f" ({why})" if subject.request.prove else " (--prove checks them)"
    return Claims(claims, choices, kernel, subject.request.prove)


SECTION = Section("claims", "Every claim", collect)

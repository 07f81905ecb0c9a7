"""Every claim of the paper with its status, its kind of proof and its derivation."""

from __future__ import annotations

from reports.page.claim import shown
from reports.page.section import Content, Section, Tell
from reports.page.subject import OnPaper
from tdrc_theory.cli.counted import counted


def collect(subject: OnPaper, _: Tell) -> Content:
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
    in_coq = [claim.theorems for claim in claims if claim.theorems]
    accepted, stated = sum(all(each.statement for each in theorems) for theorems in in_coq), len(in_coq)
    kernel = f"{counted(stated, 'claim')} also proven or refuted in Coq; {accepted} of these were checked for this page"
    if accepted < stated:
        why = next(each.reason for theorems in in_coq for each in theorems if not each.statement)
        kernel += f" ({why})" if subject.request.prove else " (--prove checks them)"
    return Content(claims=claims, choices=choices, kernel=kernel, asked=subject.request.prove)


SECTION = Section("claims", "Every claim", collect)

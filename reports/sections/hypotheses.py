"""Every condition of the convergence theorem and of the fixed points, with its status, its proof and the reason."""

from __future__ import annotations

import json
from dataclasses import dataclass

from reports.page.section import Missing, Section, Tell
from reports.page.subject import OnProblem

_MOST = 4000


@dataclass(frozen=True, slots=True)
class CheckShown:
    """One condition; `evidence` is what it can be checked by, as text, or empty."""

    claim: str
    source: str
    status: str
    proof: str
    reason: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What the section shows.

    Attributes:
        checks: in the theorem's order.
        counts: (status, how many) pairs.
        assumptions: what the verdict does not speak of.
    """

    checks: tuple[CheckShown, ...]
    counts: tuple[tuple[str, int], ...]
    assumptions: str


def collect(subject: OnProblem, _: Tell) -> Hypotheses | Missing:
    """Return the conditions of a subject."""
    stated = subject.conditions.checks
    if not stated:
        return Missing("No condition is stated for this algorithm.")
    checks = tuple(
        CheckShown(c.claim, c.source, c.status.value, c.proof.value, c.reason, _text(dict(c.evidence))) for c in stated
    )
    statuses = [check.status for check in checks]
    counts = tuple((status, statuses.count(status)) for status in dict.fromkeys(statuses))
    return Hypotheses(checks, counts, subject.conditions.assumptions)


def _text(evidence: dict[str, object]) -> str:
    text = "\n".join(f"{name} = {json.dumps(value)}" for name, value in evidence.items())
    return text if len(text) <= _MOST else f"{text[:_MOST]} ... ({len(text)} characters in all)"


SECTION = Section("hypotheses", "Conditions, one by one", OnProblem, collect)

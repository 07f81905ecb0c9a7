"""Every condition of the convergence theorem and of the fixed points, with its status, its proof and the reason."""

from __future__ import annotations

import json
from collections import Counter

from reports.page.section import Content, Missing, Section, Tell
from reports.page.subject import OnProblem

_MOST = 4000


def collect(subject: OnProblem, _: Tell) -> Content | Missing:
    """Return the conditions of a subject."""
    stated = subject.conditions.checks
    if not stated:
        return Missing("No condition is stated for this algorithm.")
    return Content(
        checks=[(check, _text(dict(check.evidence))) for check in stated],
        counts=Counter(check.status.value for check in stated).items(),
        assumptions=subject.conditions.assumptions,
    )


def _text(evidence: dict[str, object]) -> str:
    text = "\n".join(f"{name} = {json.dumps(value)}" for name, value in evidence.items())
    return text if len(text) <= _MOST else f"{text[:_MOST]} ... ({len(text)} characters in all)"


SECTION = Section("hypotheses", "Conditions, one by one", collect)

"""What the expected update does, how that is known, and how fast."""

from __future__ import annotations

from reports.page.section import Content, Section, Tell
from reports.page.subject import OnProblem
from verify.predict.report import settles_lines

_SAYS = (
    ("theorem-3.1.printed.implies-convergence", "Theorem 3.1 as printed"),
    ("theorem-3.1.implies-convergence", "Theorem 3.1 corrected"),
)


def collect(subject: OnProblem, _: Tell) -> Content:
    """Return the verdict of a subject."""
    conditions = subject.conditions
    ends = conditions.verdict.spectral_abscissa
    ranks = ", ".join(f"{name} {'not computed' if rank is None else rank}" for name, rank in conditions.ranks.items())
    within = "" if ends is None else f"{ends.middle:.8g}, enclosed in [{ends.lower!r}, {ends.upper!r}]"
    rate = () if ends is None else (("spectral abscissa", within),)
    estimated = () if conditions.estimate is None else tuple(conditions.estimate.facts())
    theorem = tuple((text, c.reason) for claim, text in _SAYS for c in conditions.checks if c.claim == claim)
    return Content(
        headline=subject.headline,
        reasons=(*(settles_lines(subject.mean) if subject.warning else ()), *conditions.reasons()),
        facts=(*rate, *estimated, ("ranks", ranks)),
        theorem=theorem,
    )


SECTION = Section("verdict", "Verdict", collect)

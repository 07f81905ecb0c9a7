"""The sections, one a file, in the order in which a page shows them. Adding one is a new file and a new line here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from reports.page.section import Section
from reports.page.subject import (
    OnComparison,
    OnControl,
    OnData,
    OnLearners,
    OnPage,
    OnPaper,
    OnProblem,
    OnSite,
    Subject,
)

SECTIONS: tuple[tuple[str, type], ...] = (
    ("overview", OnSite),
    ("benchmarks", OnSite),
    ("learner_verdicts", OnLearners),
    ("learner_regions", OnLearners),
    ("learners", OnLearners),
    ("logged_data", OnData),
    ("comparison", OnComparison),
    ("problem_card", OnComparison),
    ("verdict", OnProblem),
    ("algorithm", OnProblem),
    ("hypotheses", OnProblem),
    ("bounds", OnProblem),
    ("stability_map", OnProblem),
    ("learning_curves", OnProblem),
    ("certificate", OnProblem),
    ("errata", OnPaper),
    ("claims", OnPaper),
    ("reproduced_tables", OnPaper),
    ("statements", OnPaper),
    ("parameter_studies", OnPaper),
    ("control_curves", OnControl),
    ("reading", OnPage),
    ("notation", OnPage),
    ("provenance", OnPage),
)
"""Files, each with the kind of subject that has such a section."""


def section_of(name: str) -> Section:
    """Return the section of a file."""
    section: Section = importlib.import_module(f"reports.sections.{name}").SECTION
    return section


def sections_of(subject: Subject | OnPage) -> Iterator[Section]:
    """Yield a subject's sections, in order; only these are imported, since a paper's alone take a second."""
    yield from (section_of(name) for name, about in SECTIONS if isinstance(subject, about))

"""Collect all sections of a page, one subject after another."""

from __future__ import annotations

from collections.abc import Sequence

from reports.page.render import Part, page
from reports.page.subject import Found, OnPage, Request, Subject
from reports.sections import SECTIONS
from tdrc_theory.command import printable
from tdrc_theory.progress import progress_bar


def build(subjects: Sequence[Found], request: Request, *, home: str = "") -> str:
    """Return the page about some subjects; `home` is the file that leads to it and to others, if there is one."""
    about = OnPage(request=request, subjects=tuple(subjects))
    parts = [collect(subject, f"part-{number}") for number, subject in enumerate(subjects, 1)]
    title = "Referee's report: " + "; ".join(subject.title for subject in subjects)
    return page(title, [*parts, collect(about, "about")], home)


def collect(subject: Subject, name: str) -> Part:
    """Return what every section says of a subject; what takes a while shows how far it is."""
    found = []
    for section in SECTIONS:
        if isinstance(subject, section.about):
            with progress_bar(printable(f"{subject.title}: {section.title}"), section.amount(subject)) as tell:
                content = section.collect(subject, tell)
            if content is not None:
                found.append((section, content))
    return Part(name, subject.title, subject.headline, tuple(found))

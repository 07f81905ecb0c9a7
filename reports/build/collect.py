"""Collect all sections of a page, one subject after another."""

from __future__ import annotations

from collections.abc import Sequence

from reports.page.render import Part, page
from reports.page.request import Request
from reports.page.subject import Found, OnPage, Subject
from reports.sections import SECTIONS
from tdrc_theory.command import printable
from tdrc_theory.progress import progress_bar


def build(subjects: Sequence[Found], request: Request, *, home: str = "", among: str = "") -> str:
    """Return the page about some subjects.

    Args:
        subjects: a part each.
        request: what was asked for.
        home: the file that leads to the page and to others, if there is one.
        among: which page of how many it is, for the progress bars; empty where it is the only one.
    """
    about = OnPage(request=request, subjects=tuple(subjects))
    parts = [collect(subject, f"part-{number}", among) for number, subject in enumerate(subjects, 1)]
    title = "Referee's report: " + "; ".join(subject.title for subject in subjects)
    return page(title, [*parts, collect(about, "about", among)], home)


def collect(subject: Subject, name: str, among: str = "") -> Part:
    """Return what every section says of a subject; what takes a while shows how far it is."""
    found = []
    for section in SECTIONS:
        if isinstance(subject, section.about):
            with progress_bar(printable(f"{among}{subject.title}: {section.title}"), section.amount(subject)) as tell:
                content = section.collect(subject, tell)
            if content is not None:
                found.append((section, content))
    return Part(name, subject.title, subject.headline, tuple(found))

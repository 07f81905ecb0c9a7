"""Collect all sections of a page, one subject after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby

from reports.page.render import Part, page
from reports.page.subject import OnComparison, OnPage, OnProblem, Request, Subject
from reports.sections import sections_of
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.cli.workers import process_pool, worker_count


def build(subjects: Sequence[Subject], request: Request, *, home: str = "", among: str = "") -> str:
    """Return the page about some subjects.

    Args:
        subjects: a part each.
        request: what was asked for.
        home: the file that leads to the page and to others, if there is one.
        among: which page of how many it is, for the progress bars; empty where it is the only one.
    """
    about = OnPage(request=request, subjects=tuple(subjects))
    ordered = list(_in_order(subjects, request))
    parts: dict[str, Part] = {}
    with _limits_begun(subjects, request.workers):
        # What compares learners takes their limits, which others compute meanwhile: it is collected last.
        for name, subject, folded in sorted(ordered, key=lambda each: isinstance(each[1], OnComparison)):
            parts[name] = collect(subject, name, among, folded)
    listed = [parts[name] for name, *_ in ordered]
    title = "Referee's report: " + "; ".join(dict.fromkeys(part.title for part in listed if not part.folded))
    return page(title, [*listed, collect(about, "about", among)], home)


@contextmanager
def _limits_begun(subjects: Sequence[Subject], workers: int | None) -> Iterator[None]:
    """Have other processes search for limits that take long, while the block collects what does not need them."""
    long = [each for each in subjects if isinstance(each, OnProblem) and each.limits_take_long]
    if not long or worker_count(workers) == 1:
        yield
        return
    with process_pool(min(len(long), worker_count(workers))) as pool:
        for each in long:
            each.begin_limits(pool)
        yield


def _in_order(subjects: Sequence[Subject], request: Request) -> Iterator[tuple[str, Subject, bool]]:
    """Yield (name, subject, whether it is folded); before the learners of a problem, what compares them."""
    named = [(f"part-{number}", subject) for number, subject in enumerate(subjects, 1)]
    for _, group in groupby(named, key=lambda pair: id(getattr(pair[1], "problem", pair[1]))):
        together = list(group)
        learners = tuple((name, each) for name, each in together if isinstance(each, OnProblem))
        if learners:
            yield f"{learners[0][0]}-problem", OnComparison(request=request, learners=learners), False
        yield from ((name, each, len(learners) > 1) for name, each in together)


def collect(subject: Subject | OnPage, name: str, among: str = "", folded: bool = False) -> Part:
    """Return what every section says of a subject; what takes a while shows how far it is."""
    sections = []
    for section in sections_of(subject):
        with progress_bar(printable(f"{among}{subject.title}: {section.title}"), section.amount(subject)) as tell:
            content = section.collect(subject, tell)
        if content is not None:
            sections.append((section, content))
    title = subject.setting if folded and isinstance(subject, OnProblem) else subject.title
    return Part(name, title, subject.headline, tuple(sections), folded)

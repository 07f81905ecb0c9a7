"""A page from its sections, and a site: a page for every problem with all algorithms, learners, papers, an index."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import groupby
from pathlib import Path

from reports.page.render import Part, page
from reports.page.slider import begin_sliders
from reports.page.subject import (
    Headline,
    OnComparison,
    OnControl,
    OnLearners,
    OnPage,
    OnPaper,
    OnProblem,
    OnSite,
    Request,
    SiteRow,
    Subject,
)
from reports.sections import sections_of
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.files import check_writable, write_whole
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.cli.workers import process_pool, worker_count
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.papers import PAPERS
from tdrc_theory.parameters import parameters_text
from tdrc_theory.problem import Problem


def build(subjects: Sequence[Subject], request: Request, *, home: str = "", among: str = "") -> str:
    """Return the page about some subjects, a part each.

    `home` is the file that leads to it and to others, if there is one; `among` says on progress bars which page it is.
    """
    about = OnPage(request=request, subjects=tuple(subjects))
    ordered = list(_in_order(subjects, request))
    parts: dict[str, Part] = {}
    with _begun(subjects, request.workers):
        # What compares learners takes their limits, which others compute meanwhile: it is collected last.
        for name, subject, folded in sorted(ordered, key=lambda each: isinstance(each[1], OnComparison)):
            parts[name] = collect(subject, name, among, folded)
    listed = [parts[name] for name, *_ in ordered]
    title = "Referee's report: " + "; ".join(dict.fromkeys(part.title for part in listed if not part.folded))
    return page(title, [*listed, collect(about, "about", among)], home)


@contextmanager
def _begun(subjects: Sequence[Subject], workers: int | None) -> Iterator[None]:
    """Have other processes compute sliders and limits that take long, while the block collects what needs neither."""
    long = [each for each in subjects if isinstance(each, OnProblem) and each.takes_long]
    if not long or worker_count(workers) == 1:
        yield
        return
    with process_pool(min(len(long), worker_count(workers))) as pool:
        for each in long:
            begin_sliders(each, pool)
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
    title = subject.conditions.setting_text() if folded and isinstance(subject, OnProblem) else subject.title
    return Part(name, title, subject.headline, tuple(sections), folded)


INDEX, LEARNERS = "index.html", "learners.html"
PAPER_PAGES = {name: "paper.html" if name == PAPERS[0] else f"paper-{name}.html" for name in PAPERS}
"""The page of each built-in paper."""
_OWN = b'<meta name="generator" content="tdrc-referee">'
"""What every page has near its beginning; a file of the same name without it is not replaced."""
_LONGEST, _BEGINNING = 60, 2000


def site(
    problems: Sequence[Problem],
    algorithms: Sequence[Algorithm],
    papers: Sequence[OnPaper],
    control: OnControl,
    learners: OnLearners,
    request: Request,
    *,
    parameters: Mapping[str, Fraction],
) -> dict[str, str]:
    """Return the content of every file, by name, the index last: a page and a row a problem, a column an algorithm.

    Each paper has a page, the first with `control` besides; `parameters` are asked of every learner that has them.
    """
    files: dict[str, str] = {}
    asked = [{n: v for n, v in parameters.items() if n in ("beta", "eta", *a.own_parameters)} for a in algorithms]
    rows = []
    pages = len(problems) + 1 + len(papers)
    for number, (problem, name) in enumerate(zip(problems, file_names(problems), strict=True), 1):
        subjects = [
            OnProblem(problem=problem, algorithm=a, parameters=own, request=request)
            for a, own in zip(algorithms, asked, strict=True)
        ]
        files[name] = build(subjects, request, home=INDEX, among=f"page {number} of {pages}, ")
        size = f"{counted(problem.states, 'state')}, {counted(problem.k, 'feature')}"
        rows.append(SiteRow(problem.name, size, name, tuple(map(cell, subjects))))
    files[LEARNERS] = build([learners], request, home=INDEX, among=f"page {len(problems) + 1} of {pages}, ")
    listed: list[tuple[str, str, str]] = []
    for number, paper in enumerate(papers, len(problems) + 2):
        name = PAPER_PAGES[paper.paper.name]
        files[name] = build(
            [paper, *([] if listed else [control])], request, home=INDEX, among=f"page {number} of {pages}, "
        )
        listed.append((name, paper.title, paper.headline.reason))
    of_learners = LEARNERS, learners.headline.reason
    index = OnSite(request=request, rows=tuple(rows), papers=tuple(listed), learners=of_learners)
    files[INDEX] = build([index], request)
    return files


def cell(subject: OnProblem) -> tuple[str, str, Headline]:
    """Return the cell of a subject: learner, parameters, and verdict."""
    conditions = subject.conditions
    return subject.algorithm.name, parameters_text(conditions.parameters), Headline.of(conditions)


def file_names(problems: Sequence[Problem]) -> list[str]:
    """Return a name for each problem's page, of letters that every file system and address has; none stands twice."""
    taken = {INDEX, LEARNERS, *PAPER_PAGES.values()}
    names = []
    for problem in problems:
        stem = re.sub(r"[^a-z0-9]+", "-", problem.name.lower()).strip("-")[:_LONGEST] or "problem"
        name, number = f"{stem}.html", 2
        while name in taken:
            name, number = f"{stem}-{number}.html", number + 1
        taken.add(name)
        names.append(name)
    return names


def check_folder(folder: str | Path, problems: Sequence[Problem] = ()) -> None:
    """Return if a site can be written there, before the work for it.

    Raises:
        BadOption: it is no folder, or nothing can be written into it, or it cannot be made, or it has a file that a
            page of these problems would replace, and that is no page itself.
    """
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise BadOption(f"{' '.join(str(folder).splitlines())}: cannot be made: it is there, and is no folder")
    check_writable(path / INDEX if path.is_dir() else path)
    for name in (INDEX, LEARNERS, *PAPER_PAGES.values(), *file_names(problems)):
        if os.path.lexists(path / name) and not _is_page(path / name):
            where = " ".join(str(path / name).splitlines())
            raise BadOption(f"{where}: is no page of a site, and is not replaced; choose another folder")


def _is_page(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return _OWN in file.read(_BEGINNING)


def write_site(pages: dict[str, str], folder: str | Path) -> None:
    """Write every file whole, the index last, so that it never leads to what is not there.

    Raises:
        BadOption: one cannot be written.
    """
    try:
        Path(folder).mkdir(exist_ok=True)
    except OSError as error:
        raise BadOption(f"{folder}: cannot be made: {error.strerror}") from None
    for name, content in pages.items():
        write_whole(Path(folder) / name, content)

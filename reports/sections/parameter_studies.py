"""Parameter studies that have been run: the figure of each, and the numbers behind it."""

from __future__ import annotations

import math

from reports.page.figure import Figure
from reports.page.section import Content, Missing, Section, Tell
from reports.page.stored import computed, remedy
from reports.page.subject import OnPaper
from reports.page.table import Table
from simulate.sweep.experiment_file import built_in, find_experiment
from simulate.sweep.output import configurations, how, notes, picture, table
from simulate.sweep.study import Study, sweep
from simulate.sweep.summary import sensitivity
from tdrc_theory.figures.figure import svg
from tdrc_theory.papers import PAPERS


def collect(subject: OnPaper, tell: Tell) -> Content | Missing | None:
    """Return the studies that come with the package, as far as the store has them; they take minutes to run."""
    if subject.paper.name != PAPERS[0]:
        return None
    shown: list[Content] = []
    absent: list[str] = []
    for done, name in enumerate(built_in(), 1):
        result = [_study(subject, name, full) for full in (False, True)]
        shown += [each for each in result if each is not None]
        if not any(result):
            absent.append(name)
        tell(done)
    command = remedy("tdrc sweep NAME", subject.request.store)
    if not shown:
        why = f"No parameter study has been run into a store that was named; there are {', '.join(absent)}."
        return Missing(why, command)
    return Content(studies=shown, absent=absent, remedy=command)


def _study(subject: OnPaper, name: str, full: bool) -> Content | None:
    experiment = find_experiment(name, full)
    result = computed(subject.request, lambda store: sweep(experiment, store), run=False)
    if result is None:
        return None
    size = f"{experiment.runs} runs{', full size' if full else ''}"
    _, titles, rows = table(result)
    best = Table(f"{experiment.name}, the best of each", tuple(titles), tuple(map(tuple, rows)))
    numbers = best if experiment.figure.baseline else _points(result)
    caption = f"{experiment.name}, {size}: the best of the other parameters along {experiment.figure.along}."
    figure = Figure(f"{name}{'-full' if full else ''}", caption, svg(*picture(result)), numbers)
    return Content(
        title=f"{experiment.name} ({size})",
        how=how(result),
        figure=figure,
        best=best,
        notes=list(notes(result)),
        every=_every(result),
    )


def _points(study: Study) -> Table:
    """Return the points of the figure's curves."""
    along = study.experiment.figure.along
    rows = []
    for label, line in sensitivity(study.experiment, study.all()):
        for entry in line:
            result, value = entry.result, entry.result.value(along)
            ends = (result.area.mean, result.area.lower, result.area.upper)
            numbers = (f"{end:.6g}" if math.isfinite(end) else "" for end in ends)
            rows.append((result.problem, label, result.step_size, "" if value is None else str(value), *numbers))
    titles = ("problem", "learner", "step size", along, "mean", "from", "to")
    return Table(f"{study.experiment.name}: the best along {along}", titles, tuple(rows))


def _every(study: Study) -> Table:
    """Return all configurations of a study."""
    rows = configurations(study)
    cells = tuple(tuple("" if value is None else str(value) for value in row.values()) for row in rows)
    return Table(f"{study.experiment.name}: every configuration", tuple(rows[0]), cells)


SECTION = Section("parameter_studies", "Parameter studies", collect, lambda _: len(built_in()))

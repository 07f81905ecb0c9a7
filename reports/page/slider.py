"""A parameter of a learner along values that were judged and predicted beforehand: a slider chooses among them."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from reports.page.figure import Figure
from reports.page.subject import OnProblem
from reports.page.table import Table
from tdrc_theory.cli.command import printable
from tdrc_theory.errors import TheoryError
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import decades
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import out_of_range
from tdrc_theory.problem import Problem
from verify.check import CONVERGES
from verify.conditions.verdict import Decision, decide
from verify.predict.prediction import error_curves, prepared

MOVED = ("beta", "eta", "lam")
LARGEST = 20
"""Size of G up to which regions are computed for a page, in seconds."""
_POWERS, _SHARES, _POINTS = 6, 16, 50
_MOST = 1000
"""How many times the error at the start a curve is drawn up to."""
_WIDTH, _HEIGHT = 440, 300
_LEFT, _TOP, _END, _DOWN = 62, 22, 420, 260
"""The box of the axes."""


@dataclass(frozen=True, slots=True)
class Slider:
    """What is known along one parameter, the others as they are used.

    Attributes:
        name: of the parameter.
        places: its values, ascending.
        chosen: which of them is used.
        lines: of each value, what is known there.
        region: where the expected update converges, in words.
        figure: the curve of each value; a group of class `family` has one element a value, in their order.
    """

    name: str
    places: tuple[Fraction, ...]
    chosen: int
    lines: tuple[str, ...]
    region: str
    figure: Figure

    @property
    def last(self) -> int:
        """Return the number of the last value."""
        return len(self.places) - 1


def sliders(subject: OnProblem) -> Iterator[Slider]:
    """Yield a slider for each of beta, eta and lambda that the learner leaves free; none without a prediction."""
    for name in _free(subject):
        try:
            yield _slider(subject, name)
        except TheoryError:  # no region, or no prediction: other sections say why
            continue


def begin_sliders(subject: OnProblem, pool: Executor) -> None:
    """Begin to predict the curves of a subject's sliders in other processes; `sliders` waits for them."""
    for name in _free(subject):
        try:
            subject.region(name)
            subject.begun[name] = pool.submit(_curves_of(subject, name))
        except TheoryError:
            continue


def _free(subject: OnProblem) -> list[str]:
    if subject.algorithm.size(subject.problem.k) > LARGEST:
        return []
    return [name for name in MOVED if name in subject.conditions.parameters and name not in subject.algorithm.fixed]


def values(name: str, used: Fraction) -> tuple[Fraction, ...]:
    """Return the values that a slider has: powers of 2, or equal shares of a range that ends at 1, and the one used."""
    if out_of_range(name, Fraction(2)):
        among = {Fraction(n, _SHARES) for n in range(_SHARES + 1)}
    else:
        among = {Fraction(2) ** n for n in range(-_POWERS, _POWERS + 1)} | {Fraction(0)}
    return tuple(sorted(value for value in among | {used} if not out_of_range(name, value)))


def _curves_of(subject: OnProblem, name: str) -> Callable[[], tuple[np.ndarray, np.ndarray]]:
    """Return what predicts the curves of a slider, here or in another process."""
    recursion, used = subject.reduced.recursion, subject.conditions.parameters
    each = [{**used, name: value} for value in values(name, used[name])]
    alpha, steps = subject.step_size[0], subject.request.steps
    return partial(_curves, recursion.problem, subject.algorithm, each, recursion.sampling, alpha, steps)


def _curves(
    problem: Problem, algorithm: Algorithm, each: list[dict[str, Fraction]], sampling: str, alpha: Fraction, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    recursions = [prepared(problem, algorithm, parameters=own, sampling=sampling, steps=steps) for own in each]
    return error_curves(recursions, alpha, steps, max(1, steps // _POINTS))


def _slider(subject: OnProblem, name: str) -> Slider:
    used = subject.conditions.parameters
    region, alpha, steps = subject.region(name), subject.step_size[0], subject.request.steps
    places = values(name, used[name])
    judged = [decide(subject.conditions.setting.at(**{name: value})) for value in places]
    begun = subject.begun.get(name)
    recorded, errors = _curves_of(subject, name)() if begun is None else begun.result()
    known = list(zip(map(number_text, places), judged, map(_last, errors), strict=True))
    lines = tuple(
        f"{name} = {value}: {decision.status.value} ({decision.proof.value}); E[MSPBE] {last} after {steps} updates"
        for value, decision, last in known
    )
    chosen = places.index(used[name])
    title = f"E[MSPBE] of {subject.algorithm.name} on {subject.problem.name} over {name}, alpha = {number_text(alpha)}"
    rows = tuple((value, decision.status.value, last) for value, decision, last in known)
    titles = (name, "expected update", f"E[MSPBE] after {steps} updates")
    caption = f"{title}: one curve for each value (float), dashed where the expected update does not converge."
    drawn = _svg(title, name, recorded, errors, judged, lines, chosen)
    figure = Figure(f"over-{name}", caption, drawn, Table(title, titles, rows))
    return Slider(name, places, chosen, lines, region.where, figure)


def _last(mspbe: np.ndarray) -> str:
    last = float(mspbe[-1])
    return f"{last:.4g}" if math.isfinite(last) else "past the range of floats"


def _svg(
    title: str,
    name: str,
    recorded: np.ndarray,
    errors: np.ndarray,
    judged: Sequence[Decision],
    lines: Sequence[str],
    chosen: int,
) -> str:
    """Return the curves; errors more than a thousand times as large as the first one end at the top."""
    top = _MOST * float(errors[0][0]) or math.inf
    within = [[(int(n), float(y)) for n, y in zip(recorded, mspbe, strict=True) if y <= top] for mspbe in errors]
    axis = _Axis.of([y for points in within for _, y in points])
    last = int(recorded[-1])
    parts = [*axis.drawn(), *_updates(last)]
    paths = []
    for number, (points, decision, line) in enumerate(zip(within, judged, lines, strict=True)):
        way = "L".join(f"{_x(n, last):.0f} {axis.place(y):.1f}" for n, y in points)
        style = 'stroke="#0072b2"' if decision.status in CONVERGES else 'stroke="#d55e00" stroke-dasharray="5 3"'
        mark = ' class="chosen"' if number == chosen else ""
        paths.append(
            f'<path d="{way and "M"}{way}" fill="none" {style}{mark}><title>{html.escape(line)}</title></path>'
        )
    safe = html.escape(printable(title))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-size="12">',
            f"<title>{safe}</title>",
            f"<desc>{html.escape(printable('; '.join(lines)))}</desc>",
            *parts,
            f'<g class="family" data-of="{html.escape(name)}">',
            *paths,
            "</g></svg>",
        ]
    )


def _x(updates: int, last: int) -> float:
    return _LEFT + (_END - _LEFT) * updates / last


def _updates(last: int) -> Iterator[str]:
    for share in range(5):
        at = last * share // 4
        yield f'<text x="{_x(at, last):.0f}" y="{_DOWN + 16}" text-anchor="middle" fill="#333">{at}</text>'
    yield f'<text x="{(_LEFT + _END) // 2}" y="{_DOWN + 33}" text-anchor="middle" fill="#333">updates</text>'


def _label(value: float) -> str:
    """Return a number as an axis has it: 1000, and not 1e+03."""
    return f"{value:.0f}" if 100 <= value < 1e5 else f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class _Axis:
    """The axis of errors, from `least` to `most`; logarithmic where they are over more than three decades."""

    least: float
    most: float
    log: bool

    @classmethod
    def of(cls, errors: Sequence[float]) -> _Axis:
        log = decades(errors) is not None
        most = max(errors, default=1.0) or 1.0
        return cls(min(errors) if log else 0.0, most, log)

    def place(self, value: float) -> float:
        """Return the coordinate of an error."""
        low, high = (math.log(self.least), math.log(self.most)) if self.log else (0.0, self.most)
        share = ((math.log(value) if self.log else value) - low) / (high - low)
        return _DOWN - (_DOWN - _TOP) * share

    def drawn(self) -> Iterator[str]:
        """Yield the frame and at most six labels."""
        yield (
            f'<path d="M{_LEFT},{_TOP} V{_DOWN} H{_END}" fill="none" stroke="#333"/>'
            f'<text x="6" y="{_TOP - 9}" fill="#333">E[MSPBE]</text>'
        )
        for value in self._labelled():
            y = self.place(value)
            yield f'<path d="M{_LEFT},{y:.1f} H{_END}" stroke="#b0b0b0" stroke-width="0.5"/>'
            yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#333">{_label(value)}</text>'

    def _labelled(self) -> list[float]:
        if not self.log:
            return [self.most * share / 4 for share in range(4)]
        first, last = math.ceil(math.log10(self.least)), math.floor(math.log10(self.most))
        return [10.0**power for power in range(first, last + 1, max(1, (last - first) // 5 + 1))]

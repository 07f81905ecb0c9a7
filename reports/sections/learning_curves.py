"""The learning curve as predicted, and, where asked for, as it was run, with one test of their difference."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from reports.compare.comparison import Comparison, Unpredicted, compare
from reports.compare.output import picture, prediction_panels, setting_line, tables, verdict_lines
from reports.page.figure import Figure
from reports.page.section import Content, Missing, Section, Tell
from reports.page.subject import OnProblem
from reports.page.table import Table, curves_table
from simulate.uncertainty import LEVEL
from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadNumber, TheoryError
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.figure import svg
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem
from verify.predict.curve import AT_REST, checkpoints
from verify.predict.prediction import Prediction, predicted
from verify.predict.report import ASSUMPTIONS

_SOME = "Some points of these curves"


def collect(subject: OnProblem, tell: Tell) -> Content | Missing:
    """Return the curves of a subject."""
    request = subject.request
    every = request.every or max(1, request.steps // 100)
    try:
        reduced = subject.reduced
    except TheoryError as error:
        if not (request.simulate and isinstance(subject.problem, Problem)):
            return Missing(f"No prediction: {error}.")
        try:
            return _of_runs(subject, _run(subject, request.alpha, every, tell))
        except TheoryError as error:
            return Missing(f"No prediction, and no run: {error}.")
    try:
        alpha, why = subject.step_size
        if request.simulate:
            return _of_runs(subject, _run(subject, alpha, every, tell), why)
        return _of_prediction(subject, predicted(reduced, alpha, request.steps, every), why)
    except BadNumber as error:  # numbers of the problem leave the range of floats
        return Missing(f"No prediction: {error}.")


def _run(subject: OnProblem, alpha: Fraction | None, every: int, tell: Tell) -> Comparison | Unpredicted:
    request = subject.request
    asked: dict[str, Any] = {name: getattr(request, name) for name in ("sampling", "steps", "runs", "seed", "workers")}
    asked |= {"parameters": subject.parameters, "alpha": alpha, "every": every}
    return compare(find_problem(subject.problem), subject.algorithm, progress=tell, **asked)


def _of_prediction(subject: OnProblem, prediction: Prediction, why: str) -> Content:
    """Return a prediction beside which nothing was run."""
    setting = setting_line(prediction)
    first, last = prediction.mspbe[0], prediction.mspbe[-1]
    text = f"E[MSPBE] goes from {first:.6g} to {last:.6g} in {prediction.steps} updates; nothing was run."
    drawn = svg(setting, text, prediction_panels(prediction))
    numbers = _numbers(prediction.recorded, _predicted_columns(prediction))
    return Content(
        setting=setting,
        chosen=f"alpha = {number_text(prediction.alpha)}: {why}" + (f"; {AT_REST}" if prediction.at_rest else ""),
        facts=_limits(subject),
        figure=Figure("curves", _PREDICTED, drawn, numbers),
        checkpoints=Table(_SOME, numbers.titles, tuple(numbers.rows[i] for i in checkpoints(prediction.recorded))),
        verdicts=(),
        remedy="--with-simulation",
        assumptions=ASSUMPTIONS,
    )


def _of_runs(subject: OnProblem, result: Comparison | Unpredicted, why: str = "") -> Content:
    """Return runs, beside their prediction where there is one."""
    curve = result.curve
    runs = f"mean of {counted(curve.runs, 'run')}"
    squared, root = curve.mspbe, curve.rmspbe
    of_squares = {"mean MSPBE": squared.mean, "std. error": squared.standard_error}
    of_roots = {"mean RMSPBE": root.mean, "from": root.lower, "to": root.upper}
    if isinstance(result, Comparison):
        caption = f"{_PREDICTED} Both with the {runs} and its {LEVEL:.0%} interval."
        columns = {**_predicted_columns(result.prediction), **of_squares, "z": result.distances, **of_roots}
        note = "; z: difference in standard errors"
    else:
        caption = f"The {runs} with its {LEVEL:.0%} interval: MSPBE left, RMSPBE right. Nothing predicts it."
        columns, note = {**of_squares, **of_roots}, ""
    (shown,) = tables(result)
    return Content(
        setting=setting_line(curve),
        chosen=f"alpha = {number_text(curve.alpha)}: {why or curve.why_alpha or 'as asked for'}",
        facts=() if isinstance(result, Unpredicted) else _limits(subject),
        figure=Figure("curves", caption, svg(*picture(result)), _numbers(curve.steps, columns)),
        checkpoints=Table(f"{_SOME}{note}", tuple(shown.titles), tuple(map(tuple, shown.rows))),
        verdicts=[f"{line[:1].upper()}{line[1:]}." for line in verdict_lines(result)],
        remedy="",
        assumptions=() if isinstance(result, Unpredicted) else ASSUMPTIONS,
    )


_PREDICTED = (
    "Left: the expected squared error E[MSPBE] of the exact moment recursion. Right: the "
    "bounds between which the expected RMSPBE must lie."
)


def _limits(subject: OnProblem) -> tuple[tuple[str, str], ...]:
    return (
        ("largest alpha with a bounded mean", str(subject.limits.mean)),
        ("largest alpha with a bounded mean square", str(subject.limits.mean_square)),
    )


def _predicted_columns(prediction: Prediction) -> dict[str, Any]:
    least, most = prediction.rmspbe_least, prediction.rmspbe_most
    return {"E[MSPBE]": prediction.mspbe, "E[RMSPBE] at least": least, "at most": most}


def _numbers(steps: np.ndarray, columns: Mapping[str, np.ndarray]) -> Table:
    return curves_table("The curves at every recorded update", steps, columns, columns.values())


SECTION = Section(
    "learning_curves",
    "Learning curves",
    collect,
    lambda subject: subject.request.runs if subject.request.simulate else None,
)

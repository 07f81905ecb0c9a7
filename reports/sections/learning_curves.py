"""The learning curve as predicted, and, where asked for, as it was run, with one test of their difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from reports.compare.comparison import Comparison, Unpredicted
from reports.compare.output import checkpoint_rows, prediction_panels, titles, verdict_lines
from reports.compare.output import picture as both
from reports.page.figure import Figure
from reports.page.section import Content, Missing, Section, Tell
from reports.page.subject import OnProblem
from reports.page.table import Table
from simulate.uncertainty import LEVEL
from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadNumber, TheoryError
from tdrc_theory.exact.convert import number_text
from tdrc_theory.figures.figure import svg
from tdrc_theory.parameters import parameters_text
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem
from verify.predict.curve import AT_REST, checkpoints
from verify.predict.prediction import Prediction, predicted
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.report import ASSUMPTIONS

_REMEDY = "--with-simulation"
_SOME = "Some points of these curves"


def collect(subject: OnProblem, tell: Tell) -> Content | Missing:
    """Return the curves of a subject."""
    asked: dict[str, Any] = {"parameters": subject.parameters, "sampling": subject.request.sampling}
    try:
        reduced = subject.reduced
    except TheoryError as error:
        if not (subject.request.simulate and isinstance(subject.problem, Problem)):
            return Missing(f"No prediction: {error}.")
        return _run(subject, subject.request.alpha, asked, tell)
    try:
        return _made(subject, reduced, asked, tell)
    except BadNumber as error:  # numbers of the problem leave the range of floats
        return Missing(f"No prediction: {error}.")


def _run(subject: OnProblem, alpha: Fraction | None, asked: Mapping[str, Any], tell: Tell) -> Content | Missing:
    """Return the runs of a learner whose curve is not predicted, or why it is not run either."""
    try:
        result = _compared(subject, alpha, asked, tell)
    except TheoryError as error:
        return Missing(f"No prediction, and no run: {error}.")
    assert isinstance(result, Unpredicted)
    return _shown_alone(subject, result)


def _compared(
    subject: OnProblem, alpha: Fraction | None, asked: Mapping[str, Any], tell: Tell
) -> Comparison | Unpredicted:
    from reports.compare.comparison import compare

    request = subject.request
    text = {name: getattr(request, name) for name in ("steps", "runs", "seed", "workers")}
    every = request.every or max(1, request.steps // 100)
    problem = find_problem(subject.problem)
    return compare(problem, subject.algorithm, alpha=alpha, every=every, progress=tell, **asked, **text)


def _made(subject: OnProblem, reduced: ReducedRecursion, asked: Mapping[str, Any], tell: Tell) -> Content:
    request = subject.request
    alpha, why = subject.step_size
    every = request.every or max(1, request.steps // 100)
    if request.simulate:
        result = _compared(subject, alpha, asked, tell)
        if isinstance(result, Unpredicted):
            return _shown_alone(subject, result)
        return _shown(subject, result.prediction, result, why)
    return _shown(subject, predicted(reduced, alpha, request.steps, every), None, why)


def _shown(subject: OnProblem, prediction: Prediction, comparison: Comparison | None, why: str) -> Content:
    used = parameters_text({**prediction.parameters, "alpha": prediction.alpha})
    title = f"{subject.algorithm.name}, {used} on {subject.problem.name}, {prediction.sampling} sampling"
    numbers = _numbers(prediction, comparison)
    if comparison is None:
        some = Table(_SOME, numbers.titles, tuple(numbers.rows[i] for i in checkpoints(prediction.recorded)))
    else:
        some = Table(
            f"{_SOME}; z: difference in standard errors", titles(comparison), tuple(checkpoint_rows(comparison))
        )
    runs = (
        ""
        if comparison is None
        else f" Both with the mean of {counted(comparison.curve.runs, 'run')} and its {LEVEL:.0%} interval."
    )
    caption = (
        "Left: the expected squared error E[MSPBE] of the exact moment recursion. Right: the "
        f"bounds between which the expected RMSPBE must lie.{runs}"
    )
    drawn = _prediction_svg(title, prediction) if comparison is None else svg(*both(comparison))
    at_rest = prediction.at_rest and comparison is None  # beside runs, `verdict_lines` says so
    return Content(
        setting=title,
        chosen=f"alpha = {number_text(prediction.alpha)}: {why}" + (f"; {AT_REST}" if at_rest else ""),
        facts=(
            ("largest alpha with a bounded mean", str(subject.limits.mean)),
            ("largest alpha with a bounded mean square", str(subject.limits.mean_square)),
        ),
        figure=Figure("curves", caption, drawn, numbers),
        checkpoints=some,
        verdicts=() if comparison is None else tuple(map(_sentence, verdict_lines(comparison))),
        remedy=_REMEDY if comparison is None else "",
        assumptions=ASSUMPTIONS,
    )


def _shown_alone(subject: OnProblem, unpredicted: Unpredicted) -> Content:
    curve = unpredicted.curve
    used = parameters_text({**curve.parameters, "alpha": curve.alpha})
    why = curve.why_alpha or "as asked for"
    mean = f"The mean of {counted(curve.runs, 'run')} with its {LEVEL:.0%} interval"
    caption = f"{mean}: MSPBE left, RMSPBE right. Nothing predicts it."
    names = ("mean MSPBE", "std. error", "mean RMSPBE", "from", "to")
    columns = [curve.mspbe.mean, curve.mspbe.standard_error, curve.rmspbe.mean, curve.rmspbe.lower, curve.rmspbe.upper]
    numbers = _table(("updates", *names), curve.steps.tolist(), columns)
    return Content(
        setting=f"{subject.algorithm.name}, {used} on {subject.problem.name}, {curve.sampling} sampling",
        chosen=f"alpha = {number_text(curve.alpha)}: {why}",
        facts=(),
        figure=Figure("curves", caption, svg(*both(unpredicted)), numbers),
        checkpoints=Table(_SOME, titles(unpredicted), tuple(checkpoint_rows(unpredicted))),
        verdicts=tuple(map(_sentence, verdict_lines(unpredicted))),
        remedy="",
        assumptions=(),
    )


def _prediction_svg(title: str, prediction: Prediction) -> str:
    first, last = prediction.mspbe[0], prediction.mspbe[-1]
    text = f"E[MSPBE] goes from {first:.6g} to {last:.6g} in {prediction.steps} updates; nothing was run."
    return svg(title, text, prediction_panels(prediction))


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."


def _numbers(prediction: Prediction, comparison: Comparison | None) -> Table:
    names = ["updates", "E[MSPBE]", "E[RMSPBE] at least", "at most"]
    columns = [prediction.mspbe, prediction.rmspbe_least, prediction.rmspbe_most]
    if comparison is not None:
        squared, root = comparison.curve.mspbe, comparison.curve.rmspbe
        names += ["mean MSPBE", "std. error", "z", "mean RMSPBE", "from", "to"]
        columns += [squared.mean, squared.standard_error, comparison.distances, root.mean, root.lower, root.upper]
    return _table(names, prediction.recorded.tolist(), columns)


def _table(names: Sequence[str], steps: Sequence[int], columns: Sequence[Any]) -> Table:
    rows = tuple(
        (str(n), *(f"{column[i]:.6g}" if math.isfinite(column[i]) else "-" for column in columns))
        for i, n in enumerate(steps)
    )
    return Table("The curves at every recorded update", tuple(names), rows)


SECTION = Section(
    "learning_curves",
    "Learning curves",
    collect,
    lambda subject: subject.request.runs if subject.request.simulate else None,
)

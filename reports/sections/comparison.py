"""The learners of a problem beside each other: verdict, bias, rate, largest step size, value error, and curves."""

from __future__ import annotations

from fractions import Fraction

from reports.page.figure import Figure
from reports.page.section import Content, Section, Tell
from reports.page.subject import Headline, OnComparison, OnProblem
from reports.page.table import Table, curves_table
from tdrc_theory.errors import TheoryError
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.figure import svg
from tdrc_theory.figures.panel import Curve, Panel, decades
from tdrc_theory.parameters import parameters_text
from tdrc_theory.problem.sampling import IID, MARKOV
from verify.check import CONVERGES
from verify.predict.prediction import Prediction, predicted

TITLES = ("learner", "verdict", "biased", "rate", "largest step size", "value error")


def collect(subject: OnComparison, tell: Tell) -> Content:
    """Return the learners of a subject beside each other."""
    rows = []
    for done, (part, learner) in enumerate(subject.learners, 1):
        rows.append(_row(part, learner))
        tell(done)
    texts = tuple((f"{r.name} {r.parameters}".strip(), *_texts(r)) for r in rows)
    figure, unpredicted = _curves(subject)
    numbers = Table("Learners", TITLES, texts)
    return Content(rows=rows, numbers=numbers, figure=figure, unpredicted=unpredicted, sampled=_sampled(subject))


def _texts(row: Content) -> tuple[str, ...]:
    verdict = f"{row.verdict.status} ({row.verdict.proof})"
    return verdict, biased(row.verdict), *(f"{text} ({proof})" if proof else text for text, proof in row.cells)


def biased(verdict: Headline) -> str:
    """Return whether a learner rests elsewhere than TD, in a word."""
    if verdict.bias is not None:
        return verdict.bias.word
    return "no" if any(verdict.status == each.value for each in CONVERGES) else "-"


_SOURCES = {MARKOV: ", with transitions along the chain", IID: ", with independent transitions"}


def _sampled(subject: OnComparison) -> str:
    """Return where transitions come from in what is predicted."""
    for _, learner in subject.learners:
        try:
            return _SOURCES[learner.reduced.recursion.sampling]
        except TheoryError:
            continue
    return ""


def _row(part: str, learner: OnProblem) -> Content:
    conditions = learner.conditions
    estimated = conditions.estimate if conditions.verdict.status in CONVERGES else None
    error = None if estimated is None else estimated.value_error
    vary = " (varies)" if estimated is not None and estimated.values_vary else ""
    return Content(
        part=part,
        name=learner.algorithm.name,
        parameters=parameters_text(conditions.parameters),
        verdict=Headline.of(conditions, _answer(learner)),
        cells=(_rate(learner), _step_size(learner), ("-" if error is None else f"{error:.4g}{vary}", "")),
    )


def _answer(learner: OnProblem) -> str:
    """Return a learner's answer without its subject, which its row names."""
    subject = f"The expected update of {learner.algorithm.name} on {learner.problem.name} "
    short = learner.conditions.answer.removeprefix(subject)
    return " ".join(filter(None, [learner.warning, f"{short[:1].upper()}{short[1:]}"]))


def _rate(learner: OnProblem) -> tuple[str, str]:
    """Return how fast errors shrink per unit of summed step size, or that they grow."""
    ends = learner.conditions.verdict.spectral_abscissa
    if ends is None:
        return "-", ""
    rate = -ends.middle
    return (f"{rate:.3g}" if rate > 0 else f"grows at {-rate:.3g}" if rate < 0 else "0"), "enclosed"


def _step_size(learner: OnProblem) -> tuple[str, str]:
    """Return the largest constant step size at which second moments stay bounded."""
    try:
        limit = learner.limits.mean_square
    except TheoryError:
        return "-", ""
    if limit.value is None:
        return limit.status.value.replace("-", " "), limit.proof.value
    return f"{limit.value:.4g}", limit.weakest.value


def _curves(subject: OnComparison) -> tuple[Figure | None, tuple[tuple[str, str], ...]]:
    """Return the expected errors of all learners at one step size, and which learners have none."""
    known, unknown = [], []
    for _, learner in subject.learners:
        try:
            known.append((learner, learner.reduced))
        except TheoryError as error:
            unknown.append((learner.algorithm.name, str(error)))
    if len(known) < 2:
        return None, ()
    alpha = _common([learner for learner, _ in known])
    steps = subject.request.steps
    every = subject.request.every or max(1, steps // 100)
    predictions = [(learner, predicted(moving, alpha, steps, every)) for learner, moving in known]
    return _figure(subject, predictions, alpha), tuple(unknown)


def _common(learners: list[OnProblem]) -> Fraction:
    """Return the least step size that one of them has by itself, of those that converge where there are any."""
    stable = [each for each in learners if each.conditions.verdict.status in CONVERGES]
    return min(each.step_size[0] for each in stable or learners)


def _figure(subject: OnComparison, predictions: list[tuple[OnProblem, Prediction]], alpha: Fraction) -> Figure:
    names = [learner.algorithm.name for learner, _ in predictions]
    names = names if len(set(names)) == len(names) else [each.conditions.setting_text() for each, _ in predictions]
    recorded, errors = predictions[0][1].recorded, [prediction.mspbe for _, prediction in predictions]
    curves = [Curve(name, recorded.tolist(), mspbe.tolist()) for name, mspbe in zip(names, errors, strict=True)]
    sampling = predictions[0][1].sampling
    title = f"{subject.problem.name}: expected error of each learner, alpha = {number_text(alpha)}, {sampling} sampling"
    description = "E[MSPBE] from the exact recursion of the moments, computed in floats."
    panel = Panel(curves, "updates", "E[MSPBE]", log_y=decades([y for curve in curves for y in curve.y]))
    numbers = curves_table("E[MSPBE] of each learner", recorded, names, errors)
    return Figure("together", f"{title}. {description}", svg(title, description, [panel]), numbers)


SECTION = Section("comparison", "At a glance", collect, lambda subject: len(subject.learners))

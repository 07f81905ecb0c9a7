"""A comparison as text, as JSON, and as a figure."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from reports.compare.comparison import FEW, Comparison, Unpredicted, too_few
from simulate.run.learning_curve import Estimates, LearningCurve
from simulate.run.output import UNMOVED, course
from simulate.uncertainty import LEVEL
from simulate.work import UNSQUARED
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.finite import finite, finite_list
from tdrc_theory.default_step_size import chosen_lines
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import Curve, Panel, Picture, decades
from tdrc_theory.parameters import parameter_texts, parameters_text
from tdrc_theory.problem.sampling import remarks, sampling_warnings
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table, some_rows
from verify.check import Proof
from verify.predict.curve import AT_REST
from verify.predict.first_order import ORDER
from verify.predict.prediction import Prediction

REFUSED = 0.001
"""p-value below which runs and prediction are said to differ."""


def plain_text(comparison: Comparison | Unpredicted) -> str:
    """Return what was compared, the checkpoints, and the test of all of them."""
    curve = comparison.curve
    size = f"  {counted(curve.runs, 'run')} of {counted(curve.updates, 'update')}, seed {curve.seed}"
    head = [*answer_lines(comparison), setting_line(curve), size]
    blocks = [*map(printable, head), "", tables(comparison)[0].text(), "", *map(printable, verdict_lines(comparison))]
    return "\n".join(blocks) + "\n"


def tables(comparison: Comparison | Unpredicted) -> list[Table]:
    """Return prediction and runs at every checkpoint; z is their difference in standard errors."""
    curve = comparison.curve
    steps, squared, root = curve.steps, curve.mspbe, curve.rmspbe
    if isinstance(comparison, Unpredicted):
        names = ("updates", "mean MSPBE", "std. error", "mean RMSPBE", "std. error")
        rows = [
            (str(n), f"{square:.6g}", f"{error:.2g}", f"{mean:.4g}", f"{of_mean:.2g}")
            for n, square, error, mean, of_mean in zip(steps, *squared[:2], *root[:2], strict=True)
        ]
        return [Table("predicted and run", names, [rows[i] for i in some_rows(len(rows))])]
    prediction = comparison.prediction
    titles = ("updates", "E[MSPBE]", "mean of runs", "std. error", "z", "mean RMSPBE", "predicted to be in")
    at_checkpoints = [
        (
            str(steps[i]),
            f"{prediction.mspbe[i]:.6g}",
            f"{squared.mean[i]:.6g}",
            f"{squared.standard_error[i]:.2g}",
            f"{comparison.distances[i]:+.1f}" if math.isfinite(comparison.distances[i]) else "-",
            f"{root.mean[i]:.4g}",
            f"[{prediction.rmspbe_least[i]:.4g}, {prediction.rmspbe_most[i]:.4g}]",
        )
        for i in (0, *comparison.places)
    ]
    return [Table("predicted and run", titles, at_checkpoints)]


def answer_lines(comparison: Comparison | Unpredicted) -> list[str]:
    """Return a warning where errors grow, whether runs and prediction agree, and how a step size was chosen."""
    curve = comparison.curve
    warned = [f"{curve.warning}."] if curve.warning else []
    return [*warned, f"{_agreement(comparison)}.", *chosen_lines(curve.alpha, curve.why_alpha)]


def _agreement(comparison: Comparison | Unpredicted) -> str:
    """Return whether the runs agree with the prediction, as far as the joint test tells."""
    who = f"{comparison.curve.algorithm.name} on {comparison.curve.problem.name}"
    if isinstance(comparison, Unpredicted):
        return f"Nothing predicts this curve, so that the runs stand alone: {course(comparison.curve)}"
    if comparison.test is None:
        return f"Whether runs of {who} agree with the prediction was not tested: {comparison.why_no_test}"
    agree = comparison.test.p_value >= REFUSED and comparison.between_bounds is not False
    runs, updates = counted(comparison.curve.runs, "run"), counted(comparison.prediction.steps, "update")
    mspbe = comparison.prediction.mspbe
    ends = f"E[MSPBE] goes from {mspbe[0]:.4g} to {mspbe[-1]:.4g} in {updates}"
    word = "agree with" if agree else "differ, by more than chance explains, from"
    some = len(comparison.tested) < len(comparison.places)
    where = f" at {len(comparison.tested)} of {len(comparison.places)} checkpoints, the others untested" if some else ""
    how = f"p = {comparison.test.p_value:.2g}, {Proof.SAMPLED.value}"
    return f"{runs} of {who} {word} the prediction{where} ({how}): {ends}"


def verdict_lines(comparison: Comparison | Unpredicted) -> list[str]:
    """Return what the joint test and the bounds say, and what is to be known of the runs."""
    if isinstance(comparison, Comparison):
        # A test names the checkpoints without z itself.
        unsaid = comparison.test is None or comparison.curve.runs < FEW
        lines = [
            *_test_lines(comparison),
            *filter(None, [comparison.why_no_distance if unsaid else ""]),
            _bounds_line(comparison),
        ]
        still = [AT_REST] if comparison.prediction.at_rest else []
    else:
        lines = [f"no prediction: {comparison.why}"]
        still = [UNMOVED] if comparison.curve.unmoved else []
        if comparison.floor is not None:
            lines.append(f"E[MSPBE] in the long run is {comparison.floor:.6g} ({ORDER}, float), which is not tested")
    few = comparison.curve.vanished_runs
    small = f"{counted(few, 'run')} with errors that fell below {UNSQUARED:.0e} and read as 0 or lost digits"
    return [
        *lines,
        *([small] if few else []),
        *still,
        *remarks(comparison.curve.problem, comparison.curve.sampling),
    ]


def to_json(comparison: Comparison | Unpredicted) -> dict[str, Any]:
    """Return both curves at every recorded update, and the test; what is not finite is null."""
    curve = comparison.curve
    return {
        "answer": " ".join(line for line in answer_lines(comparison) if line.endswith(".")),
        "problem": curve.problem.to_json(),
        "algorithm": {"name": curve.algorithm.name, **parameter_texts(curve.parameters)},
        "alpha": number_text(curve.alpha),
        "why_alpha": curve.why_alpha or None,
        "copy": None if curve.copy is None else asdict(curve.copy),
        "sampling": curve.sampling,
        "sampling_warnings": list(sampling_warnings(curve.problem, curve.sampling)),
        "initial_weights": [number_text(w) for w in curve.problem.initial_weights],
        "steps": curve.steps.tolist(),
        "run": {
            "runs": curve.runs,
            "seed": curve.seed,
            "mspbe": _of_runs(curve.mspbe),
            "rmspbe": _of_runs(curve.rmspbe),
            "diverged_runs": len(curve.diverged_runs),
            "vanished_runs": curve.vanished_runs,
            "unmoved": curve.unmoved,
            "proof": Proof.SAMPLED.value,
        },
        **(_compared(comparison) if isinstance(comparison, Comparison) else _not_compared(comparison)),
    }


def _compared(comparison: Comparison) -> dict[str, Any]:
    prediction, curve, test = comparison.prediction, comparison.curve, comparison.test
    return {
        "predicted": {
            "mspbe": finite_list(prediction.mspbe),
            "mean_rmspbe_at_least": finite_list(prediction.rmspbe_least),
            "mean_rmspbe_at_most": finite_list(prediction.rmspbe_most),
            "at_rest": prediction.at_rest,
            "proof": prediction.proof.value,
        },
        "why_not_predicted": None,
        "test": None
        if test is None
        else {
            "checkpoints": curve.steps[comparison.tested].tolist(),
            "left_out": curve.steps[np.setdiff1d(comparison.places, comparison.tested)].tolist(),
            "statistic": finite(test.statistic),
            "degrees": test.degrees,
            "p_value": test.p_value,
        },
        "why_no_test": None if test is not None else comparison.why_no_test,
        "z": finite_list(comparison.distances),
        "why_no_z": comparison.why_no_distance or None,
        "mean_rmspbe_between_bounds": comparison.between_bounds,
    }


def _not_compared(unpredicted: Unpredicted) -> dict[str, Any]:
    nothing = ("predicted", "test", "z", "why_no_z", "mean_rmspbe_between_bounds", "long_run_mspbe")
    none: dict[str, Any] = dict.fromkeys(nothing)
    if unpredicted.floor is not None:
        none["long_run_mspbe"] = {"value": unpredicted.floor, "order": ORDER, "proof": Proof.FLOAT.value}
    return {**none, "why_not_predicted": unpredicted.why, "why_no_test": "there is no prediction"}


def _of_runs(band: Estimates) -> dict[str, list[float | None]]:
    return {"mean": finite_list(band.mean), "standard_error": finite_list(band.standard_error)}


def picture(comparison: Comparison | Unpredicted) -> Picture:
    """Return E[MSPBE] beside the mean of the runs, and the mean RMSPBE within its predicted bounds."""
    curve = comparison.curve
    x, runs = curve.steps.tolist(), f"mean of {counted(curve.runs, 'run')}, {LEVEL:.0%} interval"
    squared, root = (
        [Curve(runs, x, band.mean.tolist(), band.lower.tolist(), band.upper.tolist())]
        for band in (curve.mspbe, curve.rmspbe)
    )
    if isinstance(comparison, Comparison):
        expected, bounds = _predicted(comparison.prediction)
        squared, root = [expected, *squared], [bounds, *root]
    return Picture(setting_line(curve), "; ".join(verdict_lines(comparison)) + ".", _panels(squared, root))


def prediction_panels(prediction: Prediction) -> list[Panel]:
    """Return E[MSPBE], and the bounds of the mean RMSPBE, as `picture` has them beside runs."""
    squared, root = _predicted(prediction)
    return _panels([squared], [root])


def _predicted(prediction: Prediction) -> tuple[Curve, Curve]:
    x, most, least = prediction.recorded.tolist(), prediction.rmspbe_most.tolist(), prediction.rmspbe_least.tolist()
    return Curve("predicted", x, prediction.mspbe.tolist()), Curve("predicted bounds", x, most, least, most)


def _panels(squared: list[Curve], root: list[Curve]) -> list[Panel]:
    kinds = ((squared, "MSPBE"), (root, "RMSPBE"))
    return [Panel(curves, "updates", name, log_y=decades(curves[0].y)) for curves, name in kinds]


def setting_line(curve: Prediction | LearningCurve) -> str:
    """Return what was predicted or run, on one line."""
    text = parameters_text({**curve.parameters, "alpha": curve.alpha})
    copied = "" if curve.copy is None else f", {curve.copy}"
    return f"{curve.algorithm.name}, {text}{copied} on {curve.problem.name}, {curve.sampling} sampling"


def _test_lines(comparison: Comparison) -> list[str]:
    """Return what the joint test says, or why there is none."""
    test = comparison.test
    if test is None:
        return [f"no test: {comparison.why_no_test}"]
    left_out = np.setdiff1d(comparison.places, comparison.tested)
    which = (
        f"{len(comparison.tested)} of {len(comparison.places)}" if left_out.size else f"all {len(comparison.places)}"
    )
    lines = [
        f"{which} checkpoints together: chi-square {test.statistic:.3g} with {test.degrees} degrees of freedom, "
        f"p = {test.p_value:.2g}"
    ]
    felt = comparison.rounded[left_out]
    for why, places in (
        (too_few(comparison.curve.runs), left_out[~felt]),
        ("where rounding may be felt in the MSPBE", left_out[felt]),
    ):
        if places.size:
            left = ", ".join(str(step) for step in comparison.curve.steps[places])
            lines.append(f"left out, and without z, {why}: after {left}")
    return lines


def _bounds_line(comparison: Comparison) -> str:
    """Return whether the mean RMSPBE is where it was predicted to be."""
    prediction, telling = comparison.prediction, comparison.telling[1:]
    if not telling.any():
        last = f"[{prediction.rmspbe_least[-1]:.4g}, {prediction.rmspbe_most[-1]:.4g}]"
        return f"the predicted bounds of the mean RMSPBE say nothing here: {last} after the last update"
    if comparison.between_bounds is None:
        return "the mean RMSPBE has no interval to hold against its predicted bounds"
    where = "everywhere" if comparison.between_bounds else "not everywhere"
    wide = ""
    if not telling.all():
        where = "wherever they say something" if comparison.between_bounds else where
        silent = [int(step) for step in comparison.curve.steps[1:][~telling]]
        first = counted(silent[0], "update")
        wide = f"; they say nothing at {counted(len(silent), 'point')}, the first after {first}"
    text = f"as far as {LEVEL:.0%} intervals of all points tell"
    return f"the mean RMSPBE is within its predicted bounds {where}, {text}{wide}"


def _line(comparison: Comparison | Unpredicted) -> str:
    return f"{setting_line(comparison.curve)}, {counted(comparison.curve.runs, 'run')}: {verdict_lines(comparison)[0]}"


Comparison.view = Unpredicted.view = View(_line, tables, picture, lambda comparison: verdict_lines(comparison)[1:])

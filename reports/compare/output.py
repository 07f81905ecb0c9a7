"""A comparison as text, as JSON, and as a figure."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from reports.compare.comparison import FEW, Comparison, Unpredicted, too_few
from simulate.outcome import UNSQUARED
from simulate.run.learning_curve import Estimates
from simulate.run.output import UNMOVED, course
from simulate.uncertainty import LEVEL
from tdrc_theory.columns import some_rows
from tdrc_theory.command import printable
from tdrc_theory.counted import counted
from tdrc_theory.default_step_size import chosen_lines
from tdrc_theory.exact.convert import number_text
from tdrc_theory.finite import finite, finite_list
from tdrc_theory.panel import Curve, Panel, Picture, decades
from tdrc_theory.parameters import parameter_texts, parameters_text
from tdrc_theory.remarks import remarks, sampling_warnings
from tdrc_theory.shown import View
from tdrc_theory.table import Table
from verify.check import Proof
from verify.predict.curve import AT_REST
from verify.predict.first_order import ORDER

TITLES = ("updates", "E[MSPBE]", "mean of runs", "std. error", "z", "mean RMSPBE", "predicted to be in")
REFUSED = 0.001
"""p-value below which runs and prediction are said to differ."""
TITLES_OF_RUNS = ("updates", "mean MSPBE", "std. error", "mean RMSPBE", "std. error")


def plain_text(found: Comparison | Unpredicted) -> str:
    """Return what was compared, the checkpoints, and the test of all of them."""
    curve = found.curve
    size = f"  {counted(curve.runs, 'run')} of {counted(curve.updates, 'update')}, seed {curve.seed}"
    head = [*answer_lines(found), _what(found), size]
    blocks = [*map(printable, head), "", tables(found)[0].text(), "", *map(printable, verdict_lines(found))]
    return "\n".join(blocks) + "\n"


def tables(found: Comparison | Unpredicted) -> list[Table]:
    """Return the checkpoints."""
    return [Table("predicted and run", titles(found), checkpoint_rows(found))]


def answer_lines(found: Comparison | Unpredicted) -> list[str]:
    """Return a warning where errors grow, whether runs and prediction agree, and how a step size was chosen."""
    curve = found.curve
    warned = [f"{curve.warning}."] if curve.warning else []
    return [*warned, f"{_agreement(found)}.", *chosen_lines(curve.alpha, curve.why_alpha)]


def _agreement(found: Comparison | Unpredicted) -> str:
    """Return whether the runs agree with the prediction, as far as the joint test tells."""
    who = f"{found.curve.algorithm.name} on {found.curve.problem.name}"
    if isinstance(found, Unpredicted):
        return f"Nothing predicts this curve, so that the runs stand alone: {course(found.curve)}"
    if found.test is None:
        return f"Whether runs of {who} agree with the prediction was not tested: {found.why_no_test}"
    agree = found.test.p_value >= REFUSED and found.between_bounds is not False
    made, runs = found.prediction, counted(found.curve.runs, "run")
    ends = f"E[MSPBE] goes from {made.mspbe[0]:.4g} to {made.mspbe[-1]:.4g} in {counted(made.steps, 'update')}"
    word = "agree with" if agree else "differ, by more than chance explains, from"
    some = len(found.tested) < len(found.places)
    where = f" at {len(found.tested)} of {len(found.places)} checkpoints, the others untested" if some else ""
    return f"{runs} of {who} {word} the prediction{where} (p = {found.test.p_value:.2g}, {Proof.SAMPLED.value}): {ends}"


def titles(found: Comparison | Unpredicted) -> tuple[str, ...]:
    """Return what is above the columns of `checkpoint_rows`."""
    return TITLES if isinstance(found, Comparison) else TITLES_OF_RUNS


def verdict_lines(found: Comparison | Unpredicted) -> list[str]:
    """Return what the joint test and the bounds say, and what is to be known of the runs."""
    if isinstance(found, Comparison):
        # A test names the checkpoints without z itself.
        unsaid = found.test is None or found.curve.runs < FEW
        said = [*test_lines(found), *filter(None, [found.why_no_distance if unsaid else ""]), bounds_line(found)]
    else:
        said = [f"no prediction: {found.why}"]
        if found.floor is not None:
            said.append(f"E[MSPBE] in the long run is {found.floor:.6g} ({ORDER}, float), which is not tested")
    few = found.curve.vanished_runs
    small = f"{counted(few, 'run')} with errors that fell below {UNSQUARED:.0e} and read as 0 or lost digits"
    return [*said, *([small] if few else []), *_rest_lines(found), *remarks(found.curve.problem, found.curve.sampling)]


def _rest_lines(found: Comparison | Unpredicted) -> list[str]:
    """Return a line where learning starts at rest: as predicted, or, without a prediction, as it was run."""
    if isinstance(found, Comparison):
        return [AT_REST] if found.prediction.at_rest else []
    return [UNMOVED] if found.curve.unmoved else []


def checkpoint_rows(found: Comparison | Unpredicted) -> list[tuple[str, ...]]:
    """Return prediction and runs at every checkpoint, under `titles`; z is their difference in standard errors."""
    curve = found.curve
    if isinstance(found, Unpredicted):
        squared, root = curve.mspbe, curve.rmspbe
        return [
            (
                str(curve.steps[i]),
                f"{squared.mean[i]:.6g}",
                f"{squared.standard_error[i]:.2g}",
                f"{root.mean[i]:.4g}",
                f"{root.standard_error[i]:.2g}",
            )
            for i in some_rows(len(curve.steps))
        ]
    made = found.prediction
    return [
        (
            str(curve.steps[i]),
            f"{made.mspbe[i]:.6g}",
            f"{curve.mspbe.mean[i]:.6g}",
            f"{curve.mspbe.standard_error[i]:.2g}",
            _distance(found, i),
            f"{curve.rmspbe.mean[i]:.4g}",
            f"[{made.rmspbe_least[i]:.4g}, {made.rmspbe_most[i]:.4g}]",
        )
        for i in (0, *found.places)
    ]


def to_json(found: Comparison | Unpredicted) -> dict[str, Any]:
    """Return both curves at every recorded update, and the test; what is not finite is null."""
    curve = found.curve
    return {
        "answer": " ".join(line for line in answer_lines(found) if line.endswith(".")),
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
        **(_compared(found) if isinstance(found, Comparison) else _not_compared(found)),
    }


def _compared(found: Comparison) -> dict[str, Any]:
    made, curve, test = found.prediction, found.curve, found.test
    return {
        "predicted": {
            "mspbe": finite_list(made.mspbe),
            "mean_rmspbe_at_least": finite_list(made.rmspbe_least),
            "mean_rmspbe_at_most": finite_list(made.rmspbe_most),
            "at_rest": made.at_rest,
            "proof": made.proof.value,
        },
        "why_not_predicted": None,
        "test": None
        if test is None
        else {
            "checkpoints": curve.steps[found.tested].tolist(),
            "left_out": curve.steps[np.setdiff1d(found.places, found.tested)].tolist(),
            "statistic": finite(test.statistic),
            "degrees": test.degrees,
            "p_value": test.p_value,
        },
        "why_no_test": None if test is not None else found.why_no_test,
        "z": finite_list(found.distances),
        "why_no_z": found.why_no_distance or None,
        "mean_rmspbe_between_bounds": found.between_bounds,
    }


def _not_compared(found: Unpredicted) -> dict[str, Any]:
    nothing = ("predicted", "test", "z", "why_no_z", "mean_rmspbe_between_bounds", "long_run_mspbe")
    none: dict[str, Any] = dict.fromkeys(nothing)
    if found.floor is not None:
        none["long_run_mspbe"] = {"value": found.floor, "order": ORDER, "proof": Proof.FLOAT.value}
    return {**none, "why_not_predicted": found.why, "why_no_test": "there is no prediction"}


def _of_runs(band: Estimates) -> dict[str, list[float | None]]:
    return {"mean": finite_list(band.mean), "standard_error": finite_list(band.standard_error)}


def picture(found: Comparison | Unpredicted) -> Picture:
    """Return E[MSPBE] beside the mean of the runs, and the mean RMSPBE within its predicted bounds."""
    curve = found.curve
    x, runs = curve.steps.tolist(), f"mean of {counted(curve.runs, 'run')}, {LEVEL:.0%} interval"
    squared, root = (
        [Curve(runs, x, band.mean.tolist(), band.lower.tolist(), band.upper.tolist())]
        for band in (curve.mspbe, curve.rmspbe)
    )
    if isinstance(found, Comparison):
        made = found.prediction
        most, least = made.rmspbe_most.tolist(), made.rmspbe_least.tolist()
        squared.insert(0, Curve("predicted", x, made.mspbe.tolist()))
        root.insert(0, Curve("predicted bounds", x, most, least, most))
    panels = [
        Panel(squared, "updates", "MSPBE", log_y=decades(squared[0].y)),
        Panel(root, "updates", "RMSPBE", log_y=decades(root[0].y)),
    ]
    return Picture(_what(found), "; ".join(verdict_lines(found)) + ".", panels)


def _what(found: Comparison | Unpredicted) -> str:
    curve = found.curve
    told = parameters_text({**curve.parameters, "alpha": curve.alpha})
    copied = "" if curve.copy is None else f", {curve.copy}"
    return f"{curve.algorithm.name}, {told}{copied} on {curve.problem.name}, {curve.sampling} sampling"


def test_lines(found: Comparison) -> list[str]:
    """Return what the joint test says, or why there is none."""
    test = found.test
    if test is None:
        return [f"no test: {found.why_no_test}"]
    left_out = np.setdiff1d(found.places, found.tested)
    which = f"{len(found.tested)} of {len(found.places)}" if left_out.size else f"all {len(found.places)}"
    lines = [
        f"{which} checkpoints together: chi-square {test.statistic:.3g} with {test.degrees} degrees of freedom, "
        f"p = {test.p_value:.2g}"
    ]
    felt = found.rounded[left_out]
    for why, places in (
        (too_few(found.curve.runs), left_out[~felt]),
        ("where rounding may be felt in the MSPBE", left_out[felt]),
    ):
        if places.size:
            lines.append(
                f"left out, and without z, {why}: after {', '.join(str(step) for step in found.curve.steps[places])}"
            )
    return lines


def bounds_line(found: Comparison) -> str:
    """Return whether the mean RMSPBE is where it was predicted to be."""
    made, telling = found.prediction, found.telling[1:]
    if not telling.any():
        last = f"[{made.rmspbe_least[-1]:.4g}, {made.rmspbe_most[-1]:.4g}]"
        return f"the predicted bounds of the mean RMSPBE say nothing here: {last} after the last update"
    if found.between_bounds is None:
        return "the mean RMSPBE has no interval to hold against its predicted bounds"
    where = "everywhere" if found.between_bounds else "not everywhere"
    wide = ""
    if not telling.all():
        where = "wherever they say something" if found.between_bounds else where
        silent = [int(step) for step in found.curve.steps[1:][~telling]]
        first = counted(silent[0], "update")
        wide = f"; they say nothing at {counted(len(silent), 'point')}, the first after {first}"
    told = f"as far as {LEVEL:.0%} intervals of all points tell"
    return f"the mean RMSPBE is within its predicted bounds {where}, {told}{wide}"


def _distance(found: Comparison, place: int) -> str:
    value = found.distances[place]
    return f"{value:+.1f}" if math.isfinite(value) else "-"


def _line(found: Comparison | Unpredicted) -> str:
    return f"{_what(found)}, {counted(found.curve.runs, 'run')}: {verdict_lines(found)[0]}"


def _notes(found: Comparison | Unpredicted) -> list[str]:
    return verdict_lines(found)[1:]


Comparison.view = Unpredicted.view = View(_line, tables, picture, _notes)

"""A comparison as text, as JSON, and as a figure."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reports.compare.comparison import Comparison
from simulate.run.learning_curve import Estimates
from simulate.uncertainty import LEVEL
from tdrc_theory.columns import columns
from tdrc_theory.command import printable
from tdrc_theory.counted import counted
from tdrc_theory.exact.convert import number_text
from tdrc_theory.figure import Curve, Panel, decades, svg
from tdrc_theory.finite import finite, finite_list
from tdrc_theory.parameters import parameter_texts, parameters_text
from verify.check import Proof

TITLES = ("updates", "E[MSPBE]", "mean of runs", "std. error", "apart", "mean RMSPBE", "predicted to be in")


def plain_text(found: Comparison) -> str:
    """Return what was compared, the checkpoints, and the test of all of them."""
    curve = found.curve
    head = [_what(found), f"  {counted(curve.runs, 'run')} of {counted(curve.updates, 'update')}, seed {curve.seed}"]
    tail = [*test_lines(found), bounds_line(found)]
    return "\n".join([*map(printable, head), "", columns(TITLES, checkpoint_rows(found)), "", *tail]) + "\n"


def checkpoint_rows(found: Comparison) -> list[tuple[str, ...]]:
    """Return prediction and runs at every checkpoint, under TITLES; apart is in standard errors."""
    made, curve = found.prediction, found.curve
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


def to_json(found: Comparison) -> dict[str, Any]:
    """Return both curves at every recorded update, and the test; what is not finite is null."""
    made, curve, test = found.prediction, found.curve, found.test
    return {
        "problem": made.problem.to_json(),
        "algorithm": {"name": made.algorithm.name, **parameter_texts(made.parameters)},
        "alpha": number_text(made.alpha),
        "sampling": made.sampling,
        "steps": curve.steps.tolist(),
        "predicted": {
            "mspbe": finite_list(made.mspbe),
            "mean_rmspbe_at_least": finite_list(made.rmspbe_least),
            "mean_rmspbe_at_most": finite_list(made.rmspbe_most),
            "proof": made.proof.value,
        },
        "run": {
            "runs": curve.runs,
            "seed": curve.seed,
            "mspbe": _of_runs(curve.mspbe),
            "rmspbe": _of_runs(curve.rmspbe),
            "diverged_runs": len(curve.diverged_runs),
            "proof": Proof.SAMPLED.value,
        },
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
        "mean_rmspbe_between_bounds": found.between_bounds,
    }


def _of_runs(band: Estimates) -> dict[str, list[float | None]]:
    return {"mean": finite_list(band.mean), "standard_error": finite_list(band.standard_error)}


def to_svg(found: Comparison) -> str:
    """Return E[MSPBE] beside the mean of the runs, and the mean RMSPBE within its predicted bounds."""
    made, curve = found.prediction, found.curve
    x, runs = curve.steps.tolist(), f"mean of {counted(curve.runs, 'run')}, {LEVEL:.0%} interval"
    squared = [
        Curve("predicted", x, made.mspbe.tolist()),
        Curve(runs, x, curve.mspbe.mean.tolist(), curve.mspbe.lower.tolist(), curve.mspbe.upper.tolist()),
    ]
    root = [
        Curve("predicted bounds", x, made.rmspbe_most.tolist(), made.rmspbe_least.tolist(), made.rmspbe_most.tolist()),
        Curve(runs, x, curve.rmspbe.mean.tolist(), curve.rmspbe.lower.tolist(), curve.rmspbe.upper.tolist()),
    ]
    panels = [
        Panel(squared, "updates", "MSPBE", log_y=decades(squared[0].y)),
        Panel(root, "updates", "RMSPBE", log_y=decades(root[0].y)),
    ]
    return svg(_what(found), "; ".join(test_lines(found)) + ".", panels)


def _what(found: Comparison) -> str:
    made = found.prediction
    told = parameters_text({**made.parameters, "alpha": made.alpha})
    return f"{made.algorithm.name}, {told} on {made.problem.name}, {made.sampling} sampling"


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
        ("a few of so many runs make up the mean MSPBE", left_out[~felt]),
        ("rounding may be felt in the MSPBE", left_out[felt]),
    ):
        if places.size:
            lines.append(f"left out, because {why}: after {', '.join(str(step) for step in found.curve.steps[places])}")
    return lines


def bounds_line(found: Comparison) -> str:
    """Return whether the mean RMSPBE is where it was predicted to be."""
    if found.between_bounds is None:
        return "the mean RMSPBE has no interval to hold against its predicted bounds"
    where = "everywhere" if found.between_bounds else "not everywhere"
    return f"the mean RMSPBE is within its predicted bounds {where}, as far as {LEVEL:.0%} intervals of all points tell"


def _distance(found: Comparison, place: int) -> str:
    value = found.distances[place]
    return f"{value:+.1f}" if math.isfinite(value) else "-"

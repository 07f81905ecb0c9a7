"""What is known to first order in the step size, as rows and as a figure, labelled as such."""

from __future__ import annotations

import math

from tdrc_theory.exact.convert import number_text
from tdrc_theory.figures.panel import Curve, Panel, Picture
from tdrc_theory.tables.csv_text import csv_text
from tdrc_theory.tables.shown import View
from verify.predict.first_order import FirstOrder
from verify.predict.study import logarithm_for


def first_order_csv(first_order: FirstOrder) -> str:
    """Return one row for each recorded step: the expected update iterated, its MSPBE, and the floor of the long run."""
    weights = [f"mean_w{i}" for i in range(first_order.mean_weights.shape[1])]
    others = [] if first_order.mean_h is None else [f"mean_h{i}" for i in range(first_order.mean_h.shape[1])]
    rows: list[list[str | int | float]] = []
    for point, n in enumerate(first_order.recorded):
        means = [*first_order.mean_weights[point], *([] if first_order.mean_h is None else first_order.mean_h[point])]
        rows.append(
            [first_order.order, int(n), *map(float, (first_order.mspbe_of_mean[point], first_order.floor, *means))]
        )
    titles = ["order", "updates", "mspbe_of_mean_weights", "mspbe_in_the_long_run", *weights, *others]
    return csv_text(titles, rows)


def first_order_picture(first_order: FirstOrder) -> Picture:
    """Return the MSPBE of the mean weights, beside E[MSPBE] in the long run where it is known."""
    x, mspbe = first_order.recorded.tolist(), first_order.mspbe_of_mean.tolist()
    curves = [Curve("MSPBE of the mean weights", x, mspbe)]
    known = math.isfinite(first_order.floor)
    if known:
        curves.append(Curve("E[MSPBE] in the long run", x, [first_order.floor] * len(x)))
    kind = f"{first_order.order}, {first_order.proof.value}"
    rest = f"E[MSPBE] is {first_order.floor:.6g} in the long run" if known else f"in the long run: {first_order.reason}"
    course = f"goes from {mspbe[0]:.6g} to {mspbe[-1]:.6g} in {first_order.steps} updates"
    text = f"the MSPBE of the mean weights {course}; {rest}"
    what = f"{first_order.algorithm.name} on {first_order.problem.name}"
    name = f"{what}, alpha = {number_text(first_order.alpha)}, markov sampling"
    panel = Panel(curves, "updates", "MSPBE", log_y=logarithm_for([*mspbe, *([first_order.floor] if known else [])]))
    return Picture(f"Predicted: {name} ({kind})", f"{text} ({kind})", [panel])


def _line(first_order: FirstOrder) -> str:
    floor = f"floor {first_order.floor:.6g}" if math.isfinite(first_order.floor) else first_order.reason
    return (
        f"{first_order.algorithm.name} on {first_order.problem.name}, alpha = {number_text(first_order.alpha)}: "
        f"{floor} ({first_order.order}, {first_order.proof.value})"
    )


FirstOrder.view = View(_line, lambda found: found.tables(), first_order_picture)

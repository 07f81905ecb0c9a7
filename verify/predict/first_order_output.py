"""What is known to first order in the step size, as rows and as a figure, labelled as such."""

from __future__ import annotations

import math

from tdrc_theory.csv_text import csv_text
from tdrc_theory.exact.convert import number_text
from tdrc_theory.panel import Curve, Panel, Picture
from tdrc_theory.shown import View
from verify.predict.first_order import FirstOrder
from verify.predict.study import logarithm_for


def first_order_csv(found: FirstOrder) -> str:
    """Return one row for each recorded step: the expected update iterated, its MSPBE, and the floor of the long run."""
    weights = [f"mean_w{i}" for i in range(found.mean_weights.shape[1])]
    others = [] if found.mean_h is None else [f"mean_h{i}" for i in range(found.mean_h.shape[1])]
    rows: list[list[str | int | float]] = []
    for point, n in enumerate(found.recorded):
        means = [*found.mean_weights[point], *([] if found.mean_h is None else found.mean_h[point])]
        rows.append([found.order, int(n), *map(float, (found.mspbe_of_mean[point], found.floor, *means))])
    titles = ["order", "updates", "mspbe_of_mean_weights", "mspbe_in_the_long_run", *weights, *others]
    return csv_text(titles, rows)


def first_order_picture(found: FirstOrder) -> Picture:
    """Return the MSPBE of the mean weights, beside E[MSPBE] in the long run where it is known."""
    x, mspbe = found.recorded.tolist(), found.mspbe_of_mean.tolist()
    curves = [Curve("MSPBE of the mean weights", x, mspbe)]
    known = math.isfinite(found.floor)
    if known:
        curves.append(Curve("E[MSPBE] in the long run", x, [found.floor] * len(x)))
    kind = f"{found.order}, {found.proof.value}"
    rest = f"E[MSPBE] is {found.floor:.6g} in the long run" if known else f"in the long run: {found.reason}"
    told = f"the MSPBE of the mean weights goes from {mspbe[0]:.6g} to {mspbe[-1]:.6g} in {found.steps} updates; {rest}"
    name = f"{found.algorithm.name} on {found.problem.name}, alpha = {number_text(found.alpha)}, markov sampling"
    panel = Panel(curves, "updates", "MSPBE", log_y=logarithm_for([*mspbe, *([found.floor] if known else [])]))
    return Picture(f"Predicted: {name} ({kind})", f"{told} ({kind})", [panel])


def _line(found: FirstOrder) -> str:
    floor = f"floor {found.floor:.6g}" if math.isfinite(found.floor) else found.reason
    return (
        f"{found.algorithm.name} on {found.problem.name}, alpha = {number_text(found.alpha)}: "
        f"{floor} ({found.order}, {found.proof.value})"
    )


FirstOrder.view = View(_line, lambda found: found.tables(), first_order_picture)

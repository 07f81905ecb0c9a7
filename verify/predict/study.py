"""A parameter study predicted: for many step sizes, the error after n steps, the area under its curve, its floor."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.finite import finite
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import Curve, Panel
from tdrc_theory.tables.table import Table
from verify.predict.curve import logarithm_for, shown
from verify.predict.moments import LARGEST_WRITTEN_OUT, excited, first_moments, last_and_sum, moments, power_wins
from verify.predict.operator import RADIUS_ERROR, Half, Layout, Spectrum, forward, layout, start, written_out
from verify.predict.reduced_recursion import ReducedRecursion, factored
from verify.predict.subspaces import ErrorForm, observable, reachable


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One step size: E[MSPBE] after the last step, its mean over all steps, and where it ends up (inf: nowhere).

    `floor` is NaN where it was not found.
    """

    alpha: Fraction
    final: float
    area: float
    floor: float


@dataclass(frozen=True, slots=True)
class Best:
    """The step size with the lowest value that a float search between the grid's ends found; there may be a better one
    beyond where it is at an edge.
    """

    alpha: float
    value: float
    at_edge: bool


@dataclass(frozen=True, slots=True)
class PredictedStudy:
    """A grid of step sizes, and the best ones near its best for the error after `steps` updates and for the area."""

    steps: int
    rows: tuple[StudyRow, ...]
    best_final: Best
    best_area: Best

    def to_json(self) -> dict[str, Any]:
        """Return everything, null for what is not finite; all of it is floating point."""
        both, names = (("final", self.best_final), ("area", self.best_area)), ("final", "area", "floor")
        numbers = [{name: finite(getattr(row, name)) for name in names} for row in self.rows]
        return {
            "steps": self.steps,
            "area_over": "all steps",
            "rows": [{"alpha": number_text(r.alpha), **each} for r, each in zip(self.rows, numbers, strict=True)],
            "best": {name: asdict(one) | {"value": finite(one.value)} for name, one in both},
            "proof": "float",
        }

    @property
    def table(self) -> Table:
        """Return a row for each step size."""
        titles = ("alpha", f"E[MSPBE] after {self.steps}", "area", "floor")
        rows = [(number_text(r.alpha), *(shown(v) for v in (r.final, r.area, r.floor))) for r in self.rows]
        return Table("predicted study", titles, rows)

    def lines(self) -> Iterator[str]:
        """Yield the lines of text."""
        yield f"area: mean of E[MSPBE] over {counted(self.steps + 1, 'step')}, 0 to {self.steps}, recorded or not"
        yield from self.table.text().splitlines()
        for name, one in ((f"E[MSPBE] after {self.steps}", self.best_final), ("area", self.best_area)):
            edge = ", at the grid's edge" if one.at_edge else ""
            yield f"lowest {name}: {shown(one.value)} at alpha = {one.alpha:.4g}{edge} (float search)"

    def panel(self, level: float) -> Panel:
        """Return the study as a part of a figure; what is far above a level is past its axis."""
        x = [float(row.alpha) for row in self.rows]
        labels = (f"after {self.steps} updates", "mean over all steps", "in the long run")
        columns = zip(*((row.final, row.area, row.floor) for row in self.rows), strict=True)
        drawn = [Curve(label, x, list(column)) for label, column in zip(labels, columns, strict=True)]
        values = [value for curve in drawn for value in curve.y]
        return Panel(drawn, "alpha", "E[MSPBE]", log_x=2, log_y=logarithm_for(values), level=level)


def study(reduced: ReducedRecursion, alphas: Sequence[Fraction], steps: int, floors: bool = True) -> PredictedStudy:
    """Return the study of a recursion over step sizes, all of them side by side.

    Args:
        alphas: at least one, above 0.
        steps: number of updates.
        floors: whether to find the floors too.
    """
    narrow = observable(reachable(reduced))
    arrays, W, first = layout(narrow), ErrorForm(narrow).floats(), start(narrow)

    def errors(sizes: Sequence[Fraction]) -> tuple[np.ndarray, np.ndarray]:
        if narrow.n != 1:
            return _final_and_area(arrays, W, first, np.array([float(size) for size in sizes]), steps)
        each = ((layout(one), float(size)) for one, size in (factored(narrow, size) for size in sizes))
        result = [_final_and_area(one, W, first, np.array([size]), steps) for one, size in each]
        final, area = (np.concatenate(column) for column in zip(*result, strict=True))
        return final, area

    ordered = sorted(set(alphas))
    grid = np.array([float(alpha) for alpha in ordered])
    final, area = errors(ordered)
    spectrum = Spectrum(arrays.linear())
    floors = floors and reduced.recursion.horizon is None and reduced.recursion.copy is None
    ends = [_floor(arrays, W, spectrum, first, float(a)) if floors else math.nan for a in ordered]
    rows = [StudyRow(a, float(f), float(m), end) for a, f, m, end in zip(ordered, final, area, ends, strict=True)]
    best_final = _searched(lambda a: float(errors([Fraction(a)])[0][0]), grid, final)
    best_area = _searched(lambda a: float(errors([Fraction(a)])[1][0]), grid, area)
    return PredictedStudy(steps, tuple(rows), best_final, best_area)


def _final_and_area(
    arrays: Layout, W: np.ndarray, first: np.ndarray, alphas: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    if power_wins(arrays, steps, steps):
        Q = first_moments(arrays, first)
        pairs = [last_and_sum(arrays, Q, W, float(alpha), steps) for alpha in alphas]
        last, total = (np.array(column) for column in zip(*pairs, strict=True))
    else:
        last = total = np.zeros(len(alphas))
        with np.errstate(all="ignore"):
            for _, Q in moments(arrays, first, alphas, steps):
                last = np.tensordot(Q.sum(axis=1), W, 2)
                total = total + last
    return tuple(  # type: ignore[return-value]
        np.where(np.isnan(v), np.inf, np.maximum(v, 0)) for v in (last, total / (steps + 1))
    )


def _searched(evaluate: Callable[[float], float], grid: np.ndarray, values: np.ndarray) -> Best:
    """Search between the neighbours of the grid's best, in the logarithm of the step size, to about 1 %."""
    from scipy.optimize import minimize_scalar

    at = int(np.argmin(values))
    best = Best(float(grid[at]), float(values[at]), at in (0, len(grid) - 1))
    low, high = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
    if not (low < high and math.isfinite(best.value)):
        return best

    def logarithm(x: float) -> float:
        return math.log(min(max(evaluate(math.exp(x)), 1e-300), 1e300))

    ends = math.log(low), math.log(high)
    minimum = minimize_scalar(logarithm, bounds=ends, method="bounded", options={"xatol": 0.01})
    value = math.exp(float(minimum.fun))
    return Best(math.exp(float(minimum.x)), value, at_edge=False) if value < best.value else best


def floor(reduced: ReducedRecursion, alpha: Fraction) -> float:
    """Return where E[MSPBE] ends up at one step size, as `study` does; NaN with copies, or not all modes."""
    if reduced.recursion.horizon is not None or reduced.recursion.copy is not None:
        return math.nan
    narrow = observable(reachable(reduced))
    arrays = layout(narrow)
    return _floor(arrays, ErrorForm(narrow).floats(), Spectrum(arrays.linear()), start(narrow), float(alpha))


def _floor(arrays: Layout, W: np.ndarray, spectrum: Spectrum, first: np.ndarray, alpha: float) -> float:
    """Return where E[MSPBE] ends up (its mean over a period, should the chain have one): inf where it grows for ever.

    The moments settle at Q = T(Q) with total mass 1. Mass is kept, so Q also solves (I - T + q ell) Q = q, with ell the
    mass and q any moments of mass 1, and that system is nonsingular where the linear part is stable. NaN where that is
    too close to call, or too large a system for the iterative method to finish.
    """
    noiseless = not (arrays.V[:, :, -1].any() or arrays.common[:, -1].any())
    if noiseless and not first.any():
        return float(W[-1, -1])  # at the origin nothing moves
    half, operator = Half.of(arrays), forward(arrays)
    q, places, matrix = half.pack(first_moments(arrays, first)), np.arange(half.size), None
    radius = spectrum.second(alpha)
    if half.size <= LARGEST_WRITTEN_OUT:
        matrix = written_out(operator, half, alpha)
        places = excited(matrix, q)
        if radius > 1 - RADIUS_ERROR and len(places) < half.size:  # what grows may be where nothing ever is
            moving = places[~half.constant[places]]
            radius = float(np.abs(np.linalg.eigvals(matrix[np.ix_(moving, moving)])).max(initial=0))
    if not radius < 1 - RADIUS_ERROR:
        return math.inf if radius > 1 + RADIUS_ERROR else math.nan
    if noiseless:
        return float(W[-1, -1])
    mass = half.of_each(np.diag(np.append(np.zeros(len(first)), 1.0)))
    form = half.of_each(W)
    if matrix is not None:
        system = np.eye(len(places)) - matrix[np.ix_(places, places)] + np.outer(q, mass)[np.ix_(places, places)]
        try:
            return max(0.0, float(form[places] @ np.linalg.solve(system, q[places])))
        except np.linalg.LinAlgError:
            return math.nan
    from scipy.sparse.linalg import LinearOperator, gmres

    step = np.array([alpha])

    def apply(vector: np.ndarray) -> np.ndarray:
        moved = half.pack(operator(half.unpack(vector.reshape(1, -1)), step))[0]
        return vector - moved + q * (mass @ vector)

    result, trouble = gmres(LinearOperator((half.size,) * 2, apply, dtype=float), q, rtol=1e-10, restart=60, maxiter=20)
    return math.nan if trouble else max(0.0, float(form @ result))

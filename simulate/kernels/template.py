"""The text of a kernel: an algorithm's and a rule's own functions, and the loop that runs them in lockstep."""

from __future__ import annotations

import inspect

from simulate.compiling.function_source import INLINED, FunctionSource
from simulate.kernels.kernel_residual_gradient import Smoothing
from simulate.kernels.layout import LANES, PLACES, TOGETHER, parameter_places, state_places
from simulate.kernels.update_text import BATCH, DIRECTION, SINGLE, SMOOTHED
from simulate.step_sizes import StepSize
from simulate.step_sizes.step_size import arguments
from tdrc_theory.learner.algorithm import Algorithm

_MODULE = '''
import math

import numpy as np
from numba import njit
from numba.types import Array, float64, int64, void

{functions}


@njit(nogil=True, error_model="numpy")
def keep(room, kept, place, width):
    """Copy w into the columns of one place."""
    for i in range(room.shape[0]):
        to = kept[i, place * width : (place + 1) * width]
        for l in range(width):
            to[l] = {w}


@njit(nogil=True, error_model="numpy")
def scaled_error(kept, residual, offset, l):
    """Return |offset - residual w| of finite weights where its square is past the range of floats."""
    largest = size = 0.0
    for again in range(2):
        for j in range(residual.shape[0]):
            rest = offset[j]
            for i in range(j, residual.shape[1]):
                rest -= residual[j, i] * kept[i, l]
            if again:
                size += (rest / largest) ** 2
            else:
                largest = max(largest, abs(rest))
        if not 0.0 < largest < math.inf:
            return largest
    return largest * math.sqrt(size)


@njit(nogil=True, error_model="numpy")
def read_errors(kept, residual, offset, rest, squares, places, width, errors, point, at):
    """Fill rows of `errors` with |offset - residual w|, w a column of `kept`; residual is upper triangular.

    It is inf where weights have left the range of floats.
    """
    rows, k = residual.shape
    columns = {together} * width
    for l in range(columns):
        squares[l] = 0.0
    # Two columns at a time, and the last ones together with the square: loops wait for memory, not for arithmetic.
    for j in range(rows):
        start = offset[j]
        if k - j > 2:
            left, right = residual[j, j], residual[j, j + 1]
            for l in range(columns):
                rest[l] = start - left * kept[j, l] - right * kept[j + 1, l]
            for i in range(j + 2, k - 2, 2):
                left, right = residual[j, i], residual[j, i + 1]
                for l in range(columns):
                    rest[l] = rest[l] - left * kept[i, l] - right * kept[i + 1, l]
            if (k - j) % 2:
                last = residual[j, k - 1]
                for l in range(columns):
                    squares[l] += (rest[l] - last * kept[k - 1, l]) ** 2
            else:
                left, right = residual[j, k - 2], residual[j, k - 1]
                for l in range(columns):
                    squares[l] += (rest[l] - left * kept[k - 2, l] - right * kept[k - 1, l]) ** 2
        elif k - j == 2:
            left, right = residual[j, j], residual[j, j + 1]
            for l in range(columns):
                squares[l] += (start - left * kept[j, l] - right * kept[j + 1, l]) ** 2
        elif k - j == 1:
            last = residual[j, j]
            for l in range(columns):
                squares[l] += (start - last * kept[j, l]) ** 2
        else:
            for l in range(columns):
                squares[l] += start * start
    doubts = 0
    for l in range(columns):
        doubts += not squares[l] < math.inf
        squares[l] = math.sqrt(squares[l])
    if doubts:
        for l in range(columns):
            rest[l] = 0.0
        for i in range(k):
            for l in range(columns):
                rest[l] += abs(kept[i, l])
        for l in range(columns):
            if not squares[l] < math.inf:
                squares[l] = scaled_error(kept, residual, offset, l) if rest[l] < math.inf else math.inf
    for place in range(places):
        for l in range(width):
            errors[point + place, at + l] = squares[place * width + l]


@njit(nogil=True, error_model="numpy")
def note_divergence(room, n, diverged):
    """Record update n for the lanes whose weights have left the finite range, if none is recorded."""
    for l in range(len(diverged)):
        if diverged[l] < 0:
            for i in range(room.shape[0]):
                if not (math.isfinite({w}) and math.isfinite({h})):
                    diverged[l] = n


@njit(nogil=True, error_model="numpy")
def any_doubt(lane, diverged):
    """Whether a TD error or its estimate is not finite in a lane for which no divergence is recorded."""
    doubts = 0
    for l in range(len(diverged)):
        doubts += not (abs({delta}) + abs({delta_hat}) < math.inf) and diverged[l] < 0
    return doubts > 0


given_1, given_2 = Array(float64, 1, "C", readonly=True), Array(float64, 2, "C", readonly=True)
rows = Array(int64, 1, "C", readonly=True)
filled_1, filled_2 = float64[::1], float64[:, ::1]


@njit(
    void(
        given_2, float64, given_2, given_1, given_2, rows, rows, given_1, given_1, int64, int64, rows,
        int64, filled_1, filled_2, filled_2, filled_2, filled_2, filled_2, int64[::1],
    ),
    cache=True, nogil=True, error_model="numpy",
)
def run(
    features, gamma, residual, offset, similarity, s, s_next, rhos, rewards, batch, steps, points,
    at, lane, room, kept, sums, deltas, errors, lost,
):
    """Run one block of lanes: `room` and `lost` are changed in place, columns of `errors` are filled.

    It has as many lanes as `lost`; loops of constant length would be unrolled before they could be vectorised.
    """
    k, width = features.shape[1], len(lost)
    rest, squares = sums[0], sums[1]
    for l in range(width):
        {alpha_w} = {alpha}
        {alpha_h} = {eta} * {alpha}
    # Errors that are read, and that are to be read; a plain 0 would be a literal, for which all is compiled once more.
    point = waiting = int64(0)
    if len(points) > 0 and points[0] == 0:
        keep(room, kept, waiting, width)
        waiting += 1
    for t in range(1, steps + 1):
{schedule}
{update}
        if point + waiting < len(points) and t == points[point + waiting]:
            keep(room, kept, waiting, width)
            waiting += 1
            if waiting == {together}:
                read_errors(kept, residual, offset, rest, squares, waiting, width, errors, point, at)
                point += waiting
                waiting = 0
    read_errors(kept, residual, offset, rest, squares, waiting, width, errors, point, at)
    note_divergence(room, steps, lost)
'''


def kernel_text(
    algorithm: Algorithm, rule: StepSize, *, has_h: bool, batched: bool, smoothing: Smoothing | None = None
) -> str:
    """Return the module that runs up to LANES configurations of an algorithm under a step-size rule.

    Args:
        algorithm, rule: what is run; of both only their functions and the rule's accumulators and parameters enter.
        has_h: whether the algorithm has secondary weights; without them they stay 0 and cost nothing.
        batched: whether an update averages several samples.
        smoothing: where delta_hat comes from, if not from h; such an algorithm has no h and is batched.

    Raises:
        BadAlgorithm: the algorithm's function cannot be compiled.
    """
    sources = FunctionSource(INLINED)
    sources.add(algorithm.direction, "direction", algorithm.name)
    sources.add(rule.function, "rule", rule.name)
    if rule.schedule is not None:
        sources.add(rule.schedule, "schedule", rule.name)
    parts = {
        **PLACES,
        "lanes": LANES,
        "sum_w": state_places(rule)["w"]["sum"],
        "sum_h": state_places(rule)["h"]["sum"],
        "sample": "sample" if batched else "t - 1",
        "direction": DIRECTION,
        "step_w": _step("w", rule),
        "estimate": f"{PLACES['delta_hat']} += x * {PLACES['h']}" if has_h else "",
        "step_h": _step("h", rule) if has_h else "",
        "counts": "other != sample" if smoothing and smoothing.distinct else "True",
        "pairs": "(batch - 1)" if smoothing and smoothing.distinct else "batch",
    }
    update = SMOOTHED if smoothing else BATCH if batched else SINGLE
    return _MODULE.format(
        **PLACES,
        functions=sources.text,
        lanes=LANES,
        together=TOGETHER,
        schedule=_indented(_schedule(rule), 8),
        update=_indented(update.format(**parts), 8),
    ).lstrip() + _remembered(smoothing)


def _remembered(smoothing: Smoothing | None) -> str:
    """Return, as a comment, the source of what is computed outside, so that the text decides every bit all the same."""
    source = inspect.getsource(smoothing.similarity) if smoothing else ""
    return "".join(f"# {line}\n" for line in source.splitlines())


def _step(weights: str, rule: StepSize) -> str:
    """Return the statements that move one component of w or h by the rule."""
    states = {name: place for name, place in state_places(rule)[weights].items() if name in rule.state}
    given = {"g": f"d{weights}", "t": "t", "alpha": PLACES[f"alpha_{weights}"], **states, **parameter_places(rule)}
    call = f"rule({', '.join(given[name] for name in arguments(rule.function))})"
    return f"{', '.join(['step', *states.values()])}, = {call}; {PLACES[weights]} += step"


def _schedule(rule: StepSize) -> str:
    if rule.schedule is None:
        return ""
    given = {"t": "t", "alpha": PLACES["alpha"], **parameter_places(rule)}
    call = f"schedule({', '.join(given[name] for name in arguments(rule.schedule))})"
    of_h = f"{PLACES['alpha_h']} = {PLACES['eta']} * {PLACES['alpha_w']}"
    return f"for l in range(width):\n    {PLACES['alpha_w']} = {call}\n    {of_h}"


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line if line else "" for line in text.splitlines())

"""How a kernel reads errors: plain loops, which become part of every kernel from their own source."""

from __future__ import annotations

import inspect
import math
from typing import Any

from simulate.kernels.layout import TOGETHER


def keep(room: Any, kept: Any, place: Any, width: Any) -> None:
    """Copy w into the columns of one place."""
    for i in range(room.shape[0]):
        to = kept[i, place * width : (place + 1) * width]
        for lane in range(width):
            to[lane] = room[i, lane]


def scaled_error(kept: Any, residual: Any, offset: Any, lane: Any) -> Any:
    """Return |offset - residual w| of finite weights where its square is past the range of floats."""
    largest = size = 0.0
    for again in range(2):
        for j in range(residual.shape[0]):
            rest = offset[j]
            for i in range(j, residual.shape[1]):
                rest -= residual[j, i] * kept[i, lane]
            if again:
                size += (rest / largest) ** 2
            else:
                largest = max(largest, abs(rest))
        if not 0.0 < largest < math.inf:
            return largest
    return largest * math.sqrt(size)


def read_errors(
    kept: Any,
    residual: Any,
    offset: Any,
    rest: Any,
    squares: Any,
    places: Any,
    width: Any,
    errors: Any,
    point: Any,
    at: Any,
) -> None:
    """Fill rows of `errors` with |offset - residual w|, w a column of `kept`; residual is upper triangular.

    It is inf where weights have left the range of floats.
    """
    rows, k = residual.shape
    columns = TOGETHER * width
    for lane in range(columns):
        squares[lane] = 0.0
    # Two columns at a time, and the last ones together with the square: loops wait for memory, not for arithmetic.
    for j in range(rows):
        start = offset[j]
        if k - j > 2:
            left, right = residual[j, j], residual[j, j + 1]
            for lane in range(columns):
                rest[lane] = start - left * kept[j, lane] - right * kept[j + 1, lane]
            for i in range(j + 2, k - 2, 2):
                left, right = residual[j, i], residual[j, i + 1]
                for lane in range(columns):
                    rest[lane] = rest[lane] - left * kept[i, lane] - right * kept[i + 1, lane]
            if (k - j) % 2:
                last = residual[j, k - 1]
                for lane in range(columns):
                    squares[lane] += (rest[lane] - last * kept[k - 1, lane]) ** 2
            else:
                left, right = residual[j, k - 2], residual[j, k - 1]
                for lane in range(columns):
                    squares[lane] += (rest[lane] - left * kept[k - 2, lane] - right * kept[k - 1, lane]) ** 2
        elif k - j == 2:
            left, right = residual[j, j], residual[j, j + 1]
            for lane in range(columns):
                squares[lane] += (start - left * kept[j, lane] - right * kept[j + 1, lane]) ** 2
        elif k - j == 1:
            last = residual[j, j]
            for lane in range(columns):
                squares[lane] += (start - last * kept[j, lane]) ** 2
        else:
            for lane in range(columns):
                squares[lane] += start * start
    doubts = 0
    for lane in range(columns):
        doubts += not squares[lane] < math.inf
        squares[lane] = math.sqrt(squares[lane])
    if doubts:
        for lane in range(columns):
            rest[lane] = 0.0
        for i in range(k):
            for lane in range(columns):
                rest[lane] += abs(kept[i, lane])
        for lane in range(columns):
            if not squares[lane] < math.inf:
                squares[lane] = scaled_error(kept, residual, offset, lane) if rest[lane] < math.inf else math.inf
    for place in range(places):
        for lane in range(width):
            errors[point + place, at + lane] = squares[place * width + lane]


READING = "\n\n".join(
    [f"TOGETHER = {TOGETHER}\n", *(inspect.getsource(of) for of in (keep, scaled_error, read_errors))]
)
"""The text of these functions."""

"""Floats as JSON may hold them: what is not finite is None."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


def finite(value: float) -> float | None:
    """Return a float, or None where it is not finite.

    >>> finite(0.5), finite(math.inf)
    (0.5, None)
    """
    return float(value) if math.isfinite(value) else None


def finite_list(values: Iterable[Any]) -> list[Any]:
    """Return an array as nested lists, with None where a value is not finite.

    >>> finite_list([[1.0, math.nan], [2.0, 3.0]])
    [[1.0, None], [2.0, 3.0]]
    """
    return [finite_list(value) if isinstance(value, Iterable) else finite(value) for value in values]

"""The text of plain functions of this program, as it stands in their files."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def sources(*functions: Callable[..., Any]) -> str:
    """Return the text of functions; what they take from outside has to be in the text that theirs becomes part of."""
    return "\n\n".join(inspect.getsource(function) for function in functions)

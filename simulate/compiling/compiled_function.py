"""A plain function alone, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulate.compiling.cache import compiled
from simulate.compiling.function_source import FunctionSource


def compiled_function(function: Callable[..., Any], signature: str) -> Callable[..., Any]:
    """Return a plain function compiled for one of Numba's signatures; its machine code is kept between processes.

    Raises:
        BadAlgorithm: the function cannot be compiled.
    """
    source = FunctionSource(f'@njit("{signature}", cache=True, nogil=True)')
    source.add(function, function.__name__, function.__name__)
    module = compiled(f"from numba import njit\n\n\n{source.text}\n")
    made: Callable[..., Any] = getattr(module, function.__name__)
    return made

"""Plain functions of this program, compiled from their own source text."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from simulate.compiling.cache import compiled

INLINED = '@njit(nogil=True, error_model="numpy", forceinline=True)'
"""The decorator of functions that become part of the loop that calls them."""


def sources(functions: Iterable[Callable[..., Any]], decorator: str) -> str:
    """Return the text of functions as it stands in their files, each under a decorator.

    What they take from outside has to be in the module that the text becomes part of.
    """
    return "\n\n".join(f"{decorator}\n{inspect.getsource(function)}" for function in functions)


def compiled_function(function: Callable[..., Any], signature: str) -> Callable[..., Any]:
    """Return a function, which takes nothing from outside, compiled for one of Numba's signatures.

    Its machine code is kept between processes.
    """
    text = sources([function], f'@njit("{signature}", cache=True, nogil=True)')
    module = compiled(f"from __future__ import annotations\n\nfrom numba import njit\n\n\n{text}")
    of_module: Callable[..., Any] = getattr(module, function.__name__)
    return of_module

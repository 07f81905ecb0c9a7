"""Stand-ins, in a recorded function, for functions of `math` and built-ins that take plain numbers only."""

from __future__ import annotations

import contextlib
import functools
import math
import types
from collections.abc import Callable
from typing import Any

from tdrc_theory.learner.symbol import Symbol


def with_stand_ins(function: Any, copies: dict[Any, Any] | None = None) -> Any:
    """Return a copy of a function that calls stand-ins, as do the functions that it calls by their names.

    What is no plain function is returned as it is; its comparisons and arithmetic are recorded all the same.
    """
    if not isinstance(function, types.FunctionType):
        return function
    copies = {} if copies is None else copies
    if function in copies:
        return copies[function]
    outside = {**_OF_PYTHON, **function.__globals__}
    cells = tuple(types.CellType() for _ in function.__closure__ or ())
    code, defaults = function.__code__, function.__defaults__
    copy = types.FunctionType(code, outside, function.__name__, defaults, cells or None)
    functools.update_wrapper(copy, function)
    copy.__kwdefaults__ = function.__kwdefaults__
    copies[function] = copy  # it may call itself
    for name in set(_names(function.__code__)) & function.__globals__.keys():
        outside[name] = _stand_in(outside[name], copies)
    for cell, original in zip(cells, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # nothing is in it yet
            cell.cell_contents = _stand_in(original.cell_contents, copies)
    return copy


def _names(code: types.CodeType) -> list[str]:
    """Return the names that a function and those inside it look up."""
    inner = [name for part in code.co_consts if isinstance(part, types.CodeType) for name in _names(part)]
    return [*code.co_names, *inner]


def _stand_in(value: Any, copies: dict[Any, Any]) -> Any:
    """Return what stands for a value that a function takes from outside."""
    if value is math:
        return _MATH
    if isinstance(value, types.BuiltinFunctionType) and getattr(value, "__self__", None) is math:
        return getattr(_MATH, value.__name__)
    return with_stand_ins(value, copies)


def _of_symbols(function: Callable[..., Any], recorded: Callable[..., Symbol], fewest: int = 1) -> Callable[..., Any]:
    """Return a function that is recorded where one of at least `fewest` arguments is a symbol, and called elsewhere."""

    def stand_in(*values: Any, **options: Any) -> Any:
        symbol = next((value for value in values if isinstance(value, Symbol)), None)
        if symbol is None or options or len(values) < fewest:
            return function(*values, **options)
        return recorded(*(symbol.like(value) for value in values))

    return stand_in


def _of_math(name: str) -> Any:
    function, of_machine = getattr(math, name), "abs" if name == "fabs" else f"math.{name}"
    if not callable(function):
        return function
    return _of_symbols(function, lambda first, *others: first.applied(of_machine, *others))


def _extreme(below: bool) -> Callable[..., Symbol]:
    """Return the least of numbers, or the largest, if not `below`, without a branch for each."""
    return lambda first, *others: functools.reduce(lambda best, other: other.instead_of(best, below), others, first)


_MATH = types.SimpleNamespace(**{name: _of_math(name) for name in dir(math) if not name.startswith("_")})
_OF_PYTHON = {
    "min": _of_symbols(min, _extreme(below=True), fewest=2),
    "max": _of_symbols(max, _extreme(below=False), fewest=2),
    "float": _of_symbols(float, lambda number: number),
    "int": _of_symbols(int, lambda number: number.applied("np.trunc")),
}

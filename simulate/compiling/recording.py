"""Recording: a function is called on symbols, once for each way through its comparisons, and the ways are joined."""

from __future__ import annotations

import contextlib
import functools
import math
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulate.compiling.record import Node, Record
from simulate.compiling.symbol import Asked, Symbol
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.fork import every_path
from tdrc_theory.learner.trace import one_line

Outputs = dict[str, Node]


def recorded(
    record: Record,
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    read: Callable[[Any], Mapping[str, Node]],
    owner: str,
) -> Outputs:
    """Return what a function calculates of symbols; comparisons become selections.

    Args:
        record: where it is recorded.
        function: any; of it and of the functions that it calls by name, `math` is recorded too.
        arguments: by name: symbols, or numbers.
        read: from what the function returns to nodes by name.
        owner: whose function it is, for messages.

    Raises:
        BadAlgorithm: it does what is not recorded, or it remembers something between its calls.
    """
    called = _with_recorded_math(function, {})

    def once() -> Outputs:
        try:
            with contextlib.redirect_stdout(sys.stderr):  # what it prints is not the answer
                return dict(read(called(**arguments)))
        except BadAlgorithm as error:
            raise BadAlgorithm(f"{owner} {error}") from None
        except (Exception, SystemExit) as error:
            raise BadAlgorithm(f"{owner} fails where its arithmetic is recorded: {one_line(error)}") from None

    try:
        ways, again = (list(every_path(once)) for _ in range(2))
    except BadAlgorithm as error:
        message = str(error)
        raise BadAlgorithm(message if message.startswith(owner) else f"{owner} {message}") from None
    if [outputs for _, outputs in ways] != [outputs for _, outputs in again]:
        raise BadAlgorithm(f"{owner} is no equation: called twice with the same, it returns different directions")
    return _joined(record, ways)


def _joined(record: Record, ways: Sequence[tuple[tuple[Asked, ...], Outputs]], known: int = 0) -> Outputs:
    """Return the outputs of ways that have so many answers in common, as one."""
    conditions, outputs = ways[0]
    if len(ways) == 1:
        return outputs
    asked = conditions[known].node
    yes, no = (_joined(record, [w for w in ways if w[0][known].taken is taken], known + 1) for taken in (True, False))
    return {name: record.select(asked, yes[name], no[name]) for name in yes}


def _with_recorded_math(function: Any, copies: dict[Any, Any]) -> Any:
    """Return a function, or a copy of it, in which the functions of `math` take symbols as well."""
    if not isinstance(function, types.FunctionType):
        return function
    if function in copies:
        return copies[function]
    names = set(_names(function.__code__))
    outside = {"float": _plain_float, **function.__globals__}
    cells = tuple(types.CellType() for _ in function.__closure__ or ())
    code, defaults = function.__code__, function.__defaults__
    copy = types.FunctionType(code, outside, function.__name__, defaults, cells or None)
    copy.__kwdefaults__ = function.__kwdefaults__
    copies[function] = copy  # it may call itself
    for name in names & outside.keys():
        outside[name] = _recording(outside[name], copies)
    for cell, original in zip(cells, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # nothing is in it yet
            cell.cell_contents = _recording(original.cell_contents, copies)
    return copy


def _names(code: types.CodeType) -> list[str]:
    """Return the names that a function and those inside it look up."""
    inner = [name for part in code.co_consts if isinstance(part, types.CodeType) for name in _names(part)]
    return [*code.co_names, *inner]


def _recording(value: Any, copies: dict[Any, Any]) -> Any:
    """Return what stands for a value that a function takes from outside."""
    if value is math:
        return _RECORDED_MATH
    if isinstance(value, types.BuiltinFunctionType) and getattr(value, "__self__", None) is math:
        return getattr(_RECORDED_MATH, value.__name__)
    return _with_recorded_math(value, copies)


def _of_math(name: str) -> Any:
    function = getattr(math, name)
    if not callable(function):
        return function

    @functools.wraps(function)
    def applied(*values: Any) -> Any:
        symbols = [value for value in values if isinstance(value, Symbol)]
        if not symbols:
            return function(*values)
        if name == "fabs":
            return abs(symbols[0])
        first, *others = (symbols[0]._other(value) for value in values)
        return first.applied(f"math.{name}", *others)

    return applied


def _plain_float(value: Any = 0.0) -> Any:
    return value if isinstance(value, Symbol) else float(value)


_RECORDED_MATH = types.SimpleNamespace(**{name: _of_math(name) for name in dir(math) if not name.startswith("_")})

"""Recording: a function is called on symbols, once for each way through its comparisons, and the ways are joined.

Stand-ins take the place of functions of `math` and built-ins that take plain numbers only, and a time limit gives one
line of error in place of a process that never answers.
"""

from __future__ import annotations

import contextlib
import functools
import math
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.fork import Comparison, every_path
from tdrc_theory.learner.place import place_of_error, place_of_return
from tdrc_theory.learner.record import Node, Record
from tdrc_theory.learner.symbol import Symbol

MOST_SECONDS = 20.0
"""Seconds that reading a file or recording a function may take; functions of algorithms take milliseconds."""


class OutOfTime(BaseException):
    """Code that ran longer than it may; no Exception, so that `except Exception` does not catch it."""

    def __init__(self) -> None:
        super().__init__(f"did not end within {MOST_SECONDS:g} s")


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise `OutOfTime` in the block after MOST_SECONDS.

    There is no limit where Python delivers no signals: outside the main thread, and on systems without SIGALRM.
    """
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    began = time.monotonic()
    before = signal.signal(signal.SIGALRM, _end)
    # Again each second: the code may catch everything, once.
    left, interval = signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        if left:  # the alarm of a program that calls this goes on
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - began), 1e-6), interval)


def _end(_: int, __: object) -> NoReturn:
    raise OutOfTime


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
        function: any; what it and the functions that it calls by name call of `math` is recorded too.
        arguments: by name: symbols, or numbers.
        read: from what the function returns to nodes by name.
        owner: whose function it is, for messages.

    Raises:
        BadAlgorithm: it does what is not recorded, or it remembers something between its calls.
    """
    called = with_stand_ins(function)

    def once() -> Outputs:
        try:
            with contextlib.redirect_stdout(sys.stderr), time_limit():  # what it prints is not the answer
                return dict(read(called(**arguments)))
        except (BadAlgorithm, KeyboardInterrupt):
            raise
        except BaseException as error:
            reason = BadAlgorithm(f"fails where its equation is read: {one_line(error)}")
            raise reason.with_traceback(error.__traceback__) from None

    try:
        ways, again = (list(every_path(once)) for _ in range(2))
    except BadAlgorithm as error:
        raise BadAlgorithm(f"{place_of_error(function, error)}{owner} {error}") from None
    if [outputs for _, outputs in ways] != [outputs for _, outputs in again]:
        raise BadAlgorithm(
            f"{place_of_return(function)}{owner} is no equation: called twice with the same, it returns different "
            "directions"
        )
    return _joined(record, ways)


def _joined(record: Record, ways: Sequence[tuple[tuple[Comparison, ...], Outputs]], known: int = 0) -> Outputs:
    """Return the outputs of ways, whose first `known` answers agree, joined by selections."""
    comparisons, outputs = ways[0]
    if len(ways) == 1:
        return outputs
    asked = comparisons[known]
    condition = record.node(asked.relation, asked.left, asked.right)
    yes, no = (_joined(record, [w for w in ways if w[0][known].taken is taken], known + 1) for taken in (True, False))
    return {name: record.select(condition, yes[name], no[name]) for name in yes}


def one_line(error: BaseException) -> str:
    """Return an error's type and message on one line."""
    try:
        message = str(error)
    except Exception:
        message = "its message cannot be shown"
    return " ".join(f"{type(error).__name__}: {message}".split())

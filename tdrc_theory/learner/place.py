"""The prefix `FILE:LINE: ` of messages about an operation in a user's function."""

from __future__ import annotations

import dis
import functools
import inspect
import traceback
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any


def place_of_definition(function: Callable[..., Any]) -> str:
    """Return where a function begins; empty where it has no source file, as in an interactive session."""
    return _place(_code(function))


def place_of_return(function: Callable[..., Any]) -> str:
    """Return where a function returns; where it begins, if it returns on several lines."""
    code = _code(function)
    lines = {line for instruction, line in _instructions(code) if instruction.opname in _RETURNS}
    return _place(code, lines.pop() if len(lines) == 1 else None)


def place_of_assignment(function: Callable[..., Any], name: str) -> str:
    """Return where a function last assigns to a local variable; where it returns, if it does not."""
    line = assignments(function).get(name)
    return place_of_return(function) if line is None else _place(_code(function), line)


def place_of_error(function: Callable[..., Any], error: BaseException) -> str:
    """Return where an error was raised: the innermost line of the function's file; where it returns, if after that."""
    code = _code(function)
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if code is not None and frame.f_code.co_filename == code.co_filename]
    return _place(code, lines[-1]) if lines else place_of_return(function)


def assignments(function: Callable[..., Any]) -> dict[str, int]:
    """Return the local variables that a function assigns to, with the last line where it does."""
    lines: dict[str, int] = {}
    for instruction, line in _instructions(_code(function)):
        if instruction.opname.startswith(("STORE_FAST", "STORE_DEREF")):
            value = instruction.argval
            names = value if isinstance(value, tuple) else (value,)  # two in the instructions that do two things
            for name in names[:1] if instruction.opname == "STORE_FAST_LOAD_FAST" else names:
                lines[name] = max(line, lines.get(name, line))
    return lines


_RETURNS = ("RETURN_VALUE", "RETURN_CONST")


def _instructions(code: CodeType | None) -> Iterator[tuple[dis.Instruction, int]]:
    """Yield a function's instructions with their lines."""
    if code is None:
        return
    for instruction in dis.get_instructions(code):
        line = instruction.positions and instruction.positions.lineno
        yield instruction, code.co_firstlineno if line is None else line


def _code(function: Any) -> CodeType | None:
    """Return the code of a function, of a callable object, or of what is decorated or partly applied."""
    function = inspect.unwrap(function)
    if isinstance(function, functools.partial):
        function = function.func
    code = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _place(code: CodeType | None, line: int | None = None) -> str:
    """Return a line of a function's file, by default its first."""
    if code is None or code.co_filename.startswith("<"):
        return ""
    return f"{code.co_filename}:{code.co_firstlineno if line is None else line}: "

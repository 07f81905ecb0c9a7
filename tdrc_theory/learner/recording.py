"""Recording: a function is called on symbols, once for each way through its comparisons, and the ways are joined.

Stand-ins take the place of functions of `math` and built-ins that take plain numbers only, and a time limit gives one
line of error in place of a process that never answers. Messages about an operation in a user's function begin with
its place, `FILE:LINE: `. What is recorded of a learner's function is one step of it: the
calculation from a sample, weights and memory.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import inspect
import math
import signal
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType
from typing import Any, NoReturn

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.quantity import is_zero, names_of, on_first_way, term_text, text
from tdrc_theory.learner.record import NUMBER, SUM, Comparison, Node, Rate, Record, every_path, leaves
from tdrc_theory.learner.step_data import NUMBERS, VECTORS
from tdrc_theory.learner.symbol import Symbol, node_of


def place(function: Callable[..., Any], line: int | None = None) -> str:
    """Return a line of a function's file, by default its first; empty where there is none, as at a prompt."""
    code = _code(function)
    if code is None or code.co_filename.startswith("<"):
        return ""
    return f"{code.co_filename}:{code.co_firstlineno if line is None else line}: "


def place_of_return(function: Callable[..., Any]) -> str:
    """Return where a function returns; where it begins, if it returns on several lines."""
    lines = {line for instruction, line in _instructions(_code(function)) if instruction.opname in _RETURNS}
    return place(function, lines.pop() if len(lines) == 1 else None)


def place_of_assignment(function: Callable[..., Any], name: str) -> str:
    """Return where a function last assigns to a local variable; where it returns, if it does not."""
    line = assignments(function).get(name)
    return place_of_return(function) if line is None else place(function, line)


def place_of_error(function: Callable[..., Any], error: BaseException) -> str:
    """Return where an error was raised: the innermost line of the function's file; where it returns, if after that."""
    code = _code(function)
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if code is not None and frame.f_code.co_filename == code.co_filename]
    return place(function, lines[-1]) if lines else place_of_return(function)


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


MOST_SECONDS = 20.0
"""Seconds that reading a file or recording a function may take; functions of algorithms take milliseconds."""


class OutOfTime(BaseException):
    """Code that ran longer than it may; no Exception, so that `except Exception` does not catch it."""


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
    raise OutOfTime(f"did not end within {MOST_SECONDS:g} s")


def with_stand_ins(function: Any, copies: dict[Any, Any] | None = None) -> Any:
    """Return what stands for `math` or a function of it; else a copy that calls stand-ins, as do those that it calls.

    What is no plain function is returned as it is; its comparisons and arithmetic are recorded all the same.
    """
    if function is math:
        return _MATH
    if isinstance(function, types.BuiltinFunctionType) and getattr(function, "__self__", None) is math:
        return getattr(_MATH, function.__name__)
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
        outside[name] = with_stand_ins(outside[name], copies)
    for cell, original in zip(cells, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # nothing is in it yet
            cell.cell_contents = with_stand_ins(original.cell_contents, copies)
    return copy


def _names(code: types.CodeType) -> list[str]:
    """Return the names that a function and those inside it look up."""
    inner = [name for part in code.co_consts if isinstance(part, types.CodeType) for name in _names(part)]
    return [*code.co_names, *inner]


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
        record, function: where it is recorded, and what; what it and those that it calls call of `math` is too.
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


class Step(dict[str, Any]):
    """What a step moves: `Step(w=..., e=...)`, directions of weights and new values of memory, by name."""


@dataclass(frozen=True, eq=False)
class RecordedStep:
    """What is recorded of a learner's function.

    Attributes:
        record: where.
        weights, memory: the leaves that are moved, by name, the value estimate first.
        directions: of the weights, by name; w moves by alpha times that.
        becomes: of the memory, its value after the step, by name.
        parameters: the leaves that are parameters, by name; those that it depends on.
        scale: of alpha where a weight has a step size of its own, by name.
        errors: of a function of components, the nodes of the TD error and of its estimate, by name.
    """

    record: Record
    weights: dict[str, Node]
    memory: dict[str, Node]
    directions: dict[str, Node]
    becomes: dict[str, Node]
    parameters: dict[str, Node]
    scale: dict[str, Node] = field(default_factory=dict)
    errors: dict[str, Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Keep the parameters that are used."""
        used = {name: node for name, node in self.parameters.items() if name in self.names}
        object.__setattr__(self, "parameters", used)

    @property
    def outputs(self) -> dict[str, Node]:
        """Return all that is calculated, by name."""
        return {**self.directions, **self.becomes}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names that it depends on."""
        return frozenset(str(node) for node in leaves([*self.outputs.values(), *self.scale.values()]))


def step_of_components(
    name: str,
    function: Callable[..., Any],
    arguments: Collection[str],
    defaults: Collection[str],
    *,
    errors_apart: bool = False,
) -> RecordedStep:
    """Return the record of a function of one component, which returns (dw, dh); its gamma is that of the transition.

    With `errors_apart` delta and delta_hat are leaves, whose values come from elsewhere.

    Raises:
        BadAlgorithm: the function does what is not recorded, or is no learner's.
    """
    record = Record()
    weights = {n: record.leaf(n, lane=True, component=True) for n in ("w", "h")}
    parameters = _parameters(record, ("beta", "eta", *defaults))
    nodes = {**_offered(record), **weights, **parameters}
    nodes["gamma"] = nodes["gamma_next"]
    moved = record.node("-", record.node("*", nodes["gamma"], nodes["x_next"]), nodes["x"])
    errors = {
        "delta": record.node(SUM, nodes["reward"], record.node("*", moved, weights["w"])),
        "delta_hat": record.node(SUM, record.number(0.0), record.node("*", nodes["x"], weights["h"])),
    }
    nodes |= {n: record.leaf(n, lane=True) for n in errors} if errors_apart else errors

    def directions_of(returned: Any) -> dict[str, Node]:
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise BadAlgorithm(f"returns {_kind(returned)}; an algorithm returns the two directions (dw, dh)")
        return {n: _node(record, part) for n, part in zip(weights, returned, strict=True)}

    symbols = {n: Symbol(record, nodes[n]) for n in arguments}
    directions = recorded(record, function, symbols, directions_of, name)
    resting = directions["h"].operation == NUMBER and directions["h"].value == 0
    if resting and weights["h"] not in leaves([directions["w"]]):  # it stays 0 and costs nothing
        del weights["h"], directions["h"]
    scale = {"h": parameters["eta"]} if "h" in weights else {}
    return RecordedStep(record, weights, {}, directions, {}, parameters, scale, errors)


def step_of_vectors(
    name: str,
    function: Callable[..., Any],
    arguments: Collection[str],
    defaults: Collection[str],
    weights: Collection[str],
    memory: Collection[str],
    scalars: Collection[str],
) -> RecordedStep:
    """Return the record of a function of vectors and numbers, which returns a Step.

    Raises:
        BadAlgorithm: the function does what is not recorded, or is no learner's.
    """
    record = Record()
    moving, kept = (
        {n: record.leaf(n, lane=True, component=n not in scalars) for n in names} for names in (weights, memory)
    )
    parameters = _parameters(record, defaults)
    nodes = {**_offered(record), **moving, **kept, **parameters}
    symbols = {n: Symbol(record, nodes[n], of_vectors=True) for n in arguments}
    moves = (*moving, *kept)

    def outputs_of(returned: Any) -> dict[str, Node]:
        if not isinstance(returned, Step):
            parts = ", ".join(f"{n}=..." for n in moves)
            raise BadAlgorithm(f"returns {_kind(returned)}; a learner returns Step({parts})")
        unknown, missing = set(returned) - set(moves), set(moves) - set(returned)
        if unknown or missing:
            wrong = (
                f"returns {min(unknown)}, which it does not declare" if unknown else f"does not return {min(missing)}"
            )
            raise BadAlgorithm(f"{wrong}; its Step has {', '.join(moves)}")
        return {n: _part(record, n, returned[n], n in scalars) for n in moves}

    outputs = recorded(record, function, symbols, outputs_of, name)
    for n in kept:
        if driving := leaves([outputs[n]]) & set(moving.values()):
            names, terms = {str(weight) for weight in driving}, (on_first_way(outputs[n]) or {}).items()
            term = next((term_text(key, c) for key, c in terms if names.intersection(names_of(key))), min(names))
            raise BadAlgorithm(
                f"{place_of_assignment(function, n)}{name} computes its memory {n} from weights ({term}); memory is "
                "driven by the chain alone: declare it among the weights"
            )
    directions, becomes = ({n: outputs[n] for n in names} for names in (moving, kept))
    return RecordedStep(record, moving, kept, directions, becomes, parameters)


def _offered(record: Record) -> dict[str, Node]:
    return {**{n: record.leaf(n, component=True) for n in VECTORS}, **{n: record.leaf(n) for n in NUMBERS}}


def _parameters(record: Record, names: Iterable[str]) -> dict[str, Node]:
    return {n: record.leaf(n, lane=True, rate=Rate.RUN) for n in names}


def _part(record: Record, name: str, value: Any, scalar: bool) -> Node:
    node = _node(record, value)
    if node.component is scalar and not is_zero(node):
        kinds = ("a number", "a vector") if scalar else ("a vector", "a number")
        raise BadAlgorithm(f"returns {name} = {text(node)}: {name} is {kinds[0]}, and this is {kinds[1]}")
    return node


def _node(record: Record, value: Any) -> Node:
    try:
        return node_of(record, value)
    except BadAlgorithm:
        raise BadAlgorithm(f"returns {_kind(value)} as a direction; a direction is a number") from None


def _kind(value: Any) -> str:
    if isinstance(value, Symbol):
        return "one vector or number"
    return f"a tuple of {len(value)}" if isinstance(value, tuple) else f"a value of type {type(value).__name__}"

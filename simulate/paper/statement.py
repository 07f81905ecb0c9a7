"""What an experiment must show, evaluated on its runs: the language of claims (`tdrc_theory.formula.parsed`) over numbers.

A statement is made of names and functions that the experiment's runs give (`Seen`), the paper's definitions, arithmetic,
comparisons, `and or not`, and these, which bind a name to each of some values:

    every(p, values, S)  some(p, values, S)  most(p, values, S)  at_least(n, p, values, S)
    largest(p, values, number)  least(p, values, number)  total(p, values, number)  count(p, values, S)

It has three answers: what an interval does not tell, what was not run and what is not a number is unknown.
"""

from __future__ import annotations

import ast
import copy
import inspect
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simulate.bootstrap import Interval
from tdrc_theory.exact.convert import number_text
from tdrc_theory.formula.parsed import called, fault, parse
from tdrc_theory.judgement import Judgement, Proof, Status, Step

RULE = "runs compared"


class Unseen(ValueError):
    """What a function is asked for is nothing that was run; the message says what was."""


class NotRun(Exception):
    """Runs that a statement asks for were not made; the message says why, and what makes them."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What one experiment gave, under one of its settings.

    Attributes:
        names: values by name, such as the problems that were run.
        functions: by name; they take values, and return numbers, texts, lists, `Found`, or what others of them take.
    """

    names: Mapping[str, Any] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


class Found(NamedTuple):
    """A truth value, None for unknown, and the numbers that it rests on."""

    value: bool | None
    steps: tuple[Step, ...] = ()


def judge(text: str, seen: Seen, definitions: Mapping[str, str] | None = None) -> Judgement:
    """Judge a statement on runs.

    Args:
        text: the statement.
        seen: what was run.
        definitions: names of the paper's own, and the text that each stands for.

    Raises:
        BadStatement: the text is no statement on these runs; the message names the place and what is allowed.
    """
    tree = parse(text)
    try:
        found = _Evaluation(seen, {name: parse(of) for name, of in (definitions or {}).items()}).of(tree)
    except NotRun as reason:
        return Judgement(Status.UNDECIDED, Proof.SAMPLED, "not run", (Step("not run", str(reason)),))
    if not isinstance(found, Found):
        raise fault(tree, f"{shown(found)} is not true or false; a statement compares")
    return Judgement(Status.of(found.value), Proof.SAMPLED, RULE, found.steps)


def shown(value: Any) -> str:
    """Return a value in a few digits.

    >>> shown(Fraction(1, 64)), shown(0.12345), shown(float("inf"))
    ('1/64', '0.123', 'diverged')
    """
    if isinstance(value, int | Fraction):
        return number_text(Fraction(value))
    if isinstance(value, float):
        return "diverged" if math.isinf(value) else f"{value:.3g}"
    if isinstance(value, np.ndarray):
        return f"{shown(float(value.mean()))} on average"
    return str(value)


def three_valued(values: list[bool | None]) -> bool | None:
    """Return whether all values are true; None where that hangs on one that is not known.

    >>> three_valued([True, None]), three_valued([None, False]), three_valued([])
    (None, False, True)
    """
    return False if False in values else None if None in values else True


def negated(found: Found) -> Found:
    """Return the contrary."""
    return Found(None if found.value is None else not found.value, found.steps)


def _all(parts: list[Found]) -> Found:
    """Return whether all hold; the steps are those of the parts that settle it."""
    value = three_valued([part.value for part in parts])
    return Found(value, _steps(part for part in parts if part.value is value))


def _any(parts: list[Found]) -> Found:
    return negated(_all([negated(part) for part in parts]))


def _steps(parts: Any) -> tuple[Step, ...]:
    return tuple(dict.fromkeys(step for part in parts for step in part.steps))


_RELATIONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
Number = int | Fraction | float


def compared(left: Any, relation: str, right: Any) -> bool | None:
    """Return whether a relation holds; None where an interval holds its limit, and of what is not a number.

    Two numbers for each run are compared run by run: the relation holds where it does in every run.
    """
    if isinstance(right, Interval) and not isinstance(left, Interval):
        left, relation, right = right, _MIRRORED[relation], left
    if isinstance(left, Interval) and isinstance(right, Interval):
        apart = compared(left, relation, right.lower), compared(left, relation, right.upper)
        return apart[0] if apart[0] is apart[1] else None
    if isinstance(left, Interval):
        return left.above(float(right)) if relation in (">", ">=") else left.below(float(right))
    compare = next(function for name, function in _RELATIONS.values() if name == relation)
    if any(isinstance(each, float) and math.isnan(each) for each in (left, right)):
        return None
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        known = ~(np.isnan(left) | np.isnan(right))
        return three_valued([bool(each) if sure else None for each, sure in zip(compare(left, right), known, strict=True)])
    return bool(compare(left, right))


class _Evaluation:
    """Evaluates trees on runs; bound names are in `bound`."""

    def __init__(self, seen: Seen, definitions: Mapping[str, ast.expr], bound: Mapping[str, Any] | None = None) -> None:
        self._seen, self._definitions, self._bound = seen, definitions, dict(bound or {})

    def of(self, node: ast.expr) -> Any:
        """Return what an expression comes to."""
        match node:
            case ast.Constant(value=value):
                return Fraction(value) if type(value) is int else value
            case ast.List(elts=elements):
                return [self.of(element) for element in elements]
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._number(operand)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negated(self._truth(operand))
            case ast.BoolOp(op=op, values=values):
                return (_all if isinstance(op, ast.And) else _any)([self._truth(value) for value in values])
            case ast.BinOp():
                return self._operation(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.Call():
                return self._call(node)
        raise fault(node, "is nothing that runs have; allowed: names, numbers, lists, arithmetic, comparisons, calls")

    def _named(self, node: ast.expr, name: str) -> Any:
        if name in self._bound:
            return self._bound[name]
        if name in self._seen.names:
            return self._seen.names[name]
        if name in self._definitions:
            return self.of(self._definitions[name])
        allowed = ", ".join(dict.fromkeys([*self._bound, *self._seen.names, *self._definitions]))
        raise fault(node, f"unknown name {name!r}; allowed: {allowed}")

    def _truth(self, node: ast.expr) -> Found:
        found = self.of(node)
        if not isinstance(found, Found):
            raise fault(node, f"{shown(found)} is not true or false")
        return found

    def _number(self, node: ast.expr) -> Any:
        found = self.of(node)
        if isinstance(found, bool) or not isinstance(found, Number | np.ndarray):
            raise fault(node, f"{shown(found)} is no number that can be computed with")
        return found

    def _listed(self, node: ast.expr) -> list[Any]:
        found = self.of(node)
        if not isinstance(found, list):
            raise fault(node, f"{shown(found)} is no list")
        return found

    def _operation(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Sub) and isinstance(left := self.of(node.left), list):
            without = self._listed(node.right)
            return [value for value in left if value not in without]
        operands = [self._number(part) for part in (node.left, node.right)]
        if any(isinstance(each, np.ndarray) for each in operands):
            operands = [float(each) if isinstance(each, Fraction) else each for each in operands]
        try:
            with np.errstate(all="ignore"):
                return _OPERATIONS[type(node.op)](*operands)
        except ZeroDivisionError:
            return math.nan
        except OverflowError:
            raise fault(node, "is too large") from None

    def _comparison(self, node: ast.Compare) -> Found:
        parts = []
        values = [self.of(each) for each in (node.left, *node.comparators)]
        for op, left, right in zip(node.ops, values, values[1:], strict=False):
            if not _comparable(left, right):
                raise fault(node, f"{shown(left)} and {shown(right)} cannot be compared")
            parts.append(compared(left, _RELATIONS[type(op)][0], right))
        numbers = [shown(v) for v, of in zip(values, (node.left, *node.comparators), strict=True) if not _written(of)]
        return Found(three_valued(parts), (Step(self._text(node), f"{_run_by_run(node, values)}{' and '.join(numbers)}"),))

    def _call(self, node: ast.Call) -> Any:
        name = called(node)
        if name in _QUANTIFIERS:
            return self._quantified(node, name)
        function = self._seen.functions.get(name)
        if function is None:
            allowed = ", ".join([*_QUANTIFIERS, *self._seen.functions])
            raise fault(node, f"unknown function {name!r}; allowed: {allowed}")
        given = [self.of(argument) for argument in node.args]
        named = {keyword.arg or "": self.of(keyword.value) for keyword in node.keywords}
        try:
            inspect.signature(function).bind(*given, **named)
            found = function(*given, **named)
        except (TypeError, Unseen) as error:
            raise fault(node, f"{self._text(node)}: {' '.join(str(error).split())}") from None
        if isinstance(found, Found) and len(found.steps) == 1 and not found.steps[0].reason:
            return Found(found.value, (Step(self._text(node), found.steps[0].text),))
        return found

    def _quantified(self, node: ast.Call, name: str) -> Any:
        first = [self.of(node.args[0])] if name == "at_least" and node.args else []
        rest = node.args[len(first) :]
        if len(rest) != 3 or node.keywords or not isinstance(rest[0], ast.Name):
            raise fault(node, f"{name} takes {'a number, ' if name == 'at_least' else ''}a name, a list, and what is said of each")
        variable, values = rest[0].id, self._listed(rest[1])
        inner = [_Evaluation(self._seen, self._definitions, {**self._bound, variable: value}) for value in values]
        if name in _OF_NUMBERS:
            return _OF_NUMBERS[name]([each._number(rest[2]) for each in inner])
        found = [each._truth(rest[2]) for each in inner]
        if name in ("every", "some"):
            return (_all if name == "every" else _any)(found)
        true, unknown = (sum(part.value is value for part in found) for value in (True, None))
        if name == "count":
            return true if not unknown else math.nan
        least = len(found) // 2 + 1 if name == "most" else first[0]
        value = True if true >= least else None if true + unknown >= least else False
        head = Step(f"{name} {variable}", f"{true} of {len(found)}")
        return Found(value, (head, *_steps(part for part in found if part.value is value or value is None)))

    def _text(self, node: ast.expr) -> str:
        """Return an expression with the values of bound names in it."""
        return ast.unparse(_Substituted(self._bound).visit(copy.deepcopy(node)))


_QUANTIFIERS = ("every", "some", "most", "at_least", "largest", "least", "total", "count")
_OF_NUMBERS: dict[str, Callable[[list[Any]], Any]] = {"largest": max, "least": min, "total": sum}


def _comparable(left: Any, right: Any) -> bool:
    numbers = (int, Fraction, float, Interval, np.ndarray)
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str)
    return all(isinstance(each, numbers) and not isinstance(each, bool) for each in (left, right))


def _run_by_run(node: ast.Compare, values: list[Any]) -> str:
    """Return in how many runs a comparison holds, where it is made run by run."""
    if not any(isinstance(value, np.ndarray) for value in values) or len(values) != 2:
        return ""
    left, right = values
    holds = next(compare for relation, (_, compare) in _RELATIONS.items() if isinstance(node.ops[0], relation))
    found = holds(left, right)
    return f"in {int(found.sum())} of {len(found)} runs; "


def _written(node: ast.expr) -> bool:
    """Return whether an operand is a number or a text that is written there."""
    return isinstance(node, ast.Constant)


class _Substituted(ast.NodeTransformer):
    def __init__(self, bound: Mapping[str, Any]) -> None:
        self._bound = bound

    def visit_Name(self, node: ast.Name) -> ast.AST:  # noqa: N802 - the name that `ast` calls
        value = self._bound.get(node.id)
        return node if value is None else ast.Name(repr(value) if isinstance(value, str) else shown(value))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:  # noqa: N802 - likewise
        return ast.Name(shown(node.value)) if isinstance(node.value, Fraction) else node

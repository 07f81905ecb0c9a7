"""What an experiment must show, evaluated on its runs, in the language of claims (`formula_reader`).

A statement is made of names and functions that an experiment gives (`Seen`), the paper's definitions, arithmetic,
comparisons, `and or not`, and these, which bind a name to each of some values:

    every(p, values, S)  some(p, values, S)  most(p, values, S)  at_least(n, p, values, S)
    largest(p, values, number)  least(p, values, number)  total(p, values, number)  count(p, values, S)

Values are numbers, texts, intervals, and numbers with one for each run. A statement has three answers: what an interval
does not tell, what was not run and what is not a number is unknown.
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

from simulate.uncertainty import Interval
from tdrc_theory.evidence import Proof, Status
from tdrc_theory.exact.number import number_text
from tdrc_theory.formula.formula_reader import called, fault, parse
from tdrc_theory.judgement import Judgement, Step


class Unseen(ValueError):
    """What a function is asked for is nothing that was run; the message says what was."""


class NotRun(Exception):
    """Runs that a statement asks for were not made; the message says why, and what makes them."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What one experiment gave, under one of its settings.

    Attributes:
        names: values by name, such as the problems that were run.
        functions: by name; they take values, and return numbers, texts, lists, `Truth`, or what others of them take.
    """

    names: Mapping[str, Any] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


class Truth(NamedTuple):
    """A truth value, None for unknown, and the numbers that it rests on."""

    value: bool | None
    steps: tuple[Step, ...] = ()


def three_valued(values: list[bool | None]) -> bool | None:
    """Return whether all values are true; None where that hangs on one that is not known.

    >>> three_valued([True, None]), three_valued([None, False]), three_valued([])
    (None, False, True)
    """
    return False if False in values else None if None in values else True


def negated(result: Truth) -> Truth:
    """Return the contrary."""
    return Truth(None if result.value is None else not result.value, result.steps)


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


Relation = Callable[[Any, Any], Any]
_RELATIONS: Mapping[type[ast.cmpop], Relation] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_MIRRORED = {operator.lt: operator.gt, operator.le: operator.ge, operator.gt: operator.lt, operator.ge: operator.le}


def compared(left: Any, relation: Relation, right: Any) -> bool | None:
    """Return whether a relation holds; None where an interval holds its limit, and of what is not a number.

    Two numbers for each run are compared run by run: the relation holds where it does in every run.
    """
    if isinstance(right, Interval) and not isinstance(left, Interval):
        left, relation, right = right, _MIRRORED[relation], left
    if isinstance(left, Interval) and isinstance(right, Interval):
        apart = compared(left, relation, right.lower), compared(left, relation, right.upper)
        return apart[0] if apart[0] is apart[1] else None
    if isinstance(left, Interval):
        above = left.above(float(right))
        return above if above is None or relation in (operator.gt, operator.ge) else not above
    if any(isinstance(each, float) and math.isnan(each) for each in (left, right)):
        return None
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        left, right = _floats(left, right)
        known = ~(np.isnan(left) | np.isnan(right))
        each = zip(relation(left, right), known, strict=True)
        return three_valued([bool(holds) if sure else None for holds, sure in each])
    return bool(relation(left, right))


def _floats(*values: Any) -> list[Any]:
    return [float(each) if isinstance(each, Fraction) else each for each in values]


def is_number(value: Any) -> bool:
    """Return whether a value is one number."""
    return isinstance(value, int | Fraction | float) and not isinstance(value, bool)


def comparable(left: Any, right: Any) -> bool:
    """Return whether two values can be compared: numbers, intervals and numbers of runs; or two texts."""
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str)
    return all(isinstance(each, Interval | np.ndarray) or is_number(each) for each in (left, right))


RULE = "runs compared"


def judge(text: str, seen: Seen, definitions: Mapping[str, str] | None = None) -> Judgement:
    """Judge a statement on runs, with names of the paper's own, each defined by a text.

    Raises:
        BadStatement: the text is no statement on these runs; the message names the place and what is allowed.
    """
    tree = parse(text)
    try:
        result = _Evaluation(seen, {name: parse(of) for name, of in (definitions or {}).items()}).of(tree)
    except NotRun as reason:
        return Judgement(Status.UNDECIDED, Proof.SAMPLED, "not run", (Step("not run", str(reason)),))
    if not isinstance(result, Truth):
        raise fault(tree, f"{shown(result)} is not true or false; a statement compares")
    return Judgement(Status.of(result.value), Proof.SAMPLED, RULE, result.steps)


def numbers_in(definitions: Mapping[str, str]) -> dict[str, Fraction]:
    """Return the definitions that are numbers, such as the limit up to which a value is comparable to another.

    >>> numbers_in({"comparable": "9/8", "C1": "Omega > 0"})
    {'comparable': Fraction(9, 8)}
    """
    numbers = {}
    for name, text in definitions.items():
        tree = parse(text)
        if all(isinstance(node, _OF_A_NUMBER) for node in ast.walk(tree)):
            value = _Evaluation(Seen(), {}).of(tree)
            if isinstance(value, Fraction):
                numbers[name] = value
    return numbers


def _all(parts: list[Truth]) -> Truth:
    """Return whether all hold; the steps are those of the parts that settle it."""
    value = three_valued([part.value for part in parts])
    return Truth(value, _steps(part for part in parts if part.value is value))


def _any(parts: list[Truth]) -> Truth:
    return negated(_all([negated(part) for part in parts]))


def _steps(parts: Any) -> tuple[Step, ...]:
    return tuple(dict.fromkeys(step for part in parts for step in part.steps))


_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


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

    def _truth(self, node: ast.expr) -> Truth:
        result = self.of(node)
        if not isinstance(result, Truth):
            raise fault(node, f"{shown(result)} is not true or false")
        return result

    def _number(self, node: ast.expr) -> Any:
        result = self.of(node)
        if not isinstance(result, np.ndarray) and not is_number(result):
            raise fault(node, f"{shown(result)} is no number that can be computed with")
        return result

    def _listed(self, node: ast.expr) -> list[Any]:
        result = self.of(node)
        if not isinstance(result, list):
            raise fault(node, f"{shown(result)} is no list")
        return result

    def _operation(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Sub) and isinstance(left := self.of(node.left), list):
            without = self._listed(node.right)
            return [value for value in left if value not in without]
        operands = [self._number(part) for part in (node.left, node.right)]
        if any(isinstance(each, np.ndarray) for each in operands):
            operands = _floats(*operands)
        try:
            with np.errstate(all="ignore"):
                return _OPERATIONS[type(node.op)](*operands)
        except ZeroDivisionError:
            return math.nan
        except OverflowError:
            raise fault(node, "is too large") from None

    def _comparison(self, node: ast.Compare) -> Truth:
        parts, text = [], ""
        values = [self.of(each) for each in (node.left, *node.comparators)]
        for op, left, right in zip(node.ops, values, values[1:], strict=False):
            if not comparable(left, right):
                raise fault(node, f"{shown(left)} and {shown(right)} cannot be compared")
            relation = _RELATIONS[type(op)]
            if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
                holds = relation(*_floats(left, right))
                text += f"in {int(holds.sum())} of {len(holds)} runs; "
            parts.append(compared(left, relation, right))
        operands = zip(values, (node.left, *node.comparators), strict=True)
        numbers = [shown(value) for value, of in operands if not isinstance(of, ast.Constant)]
        return Truth(three_valued(parts), (Step(self._text(node), text + " and ".join(numbers)),))

    def _call(self, node: ast.Call) -> Any:
        name = called(node)
        if name in _QUANTIFIERS:
            return self._quantified(node, name)
        function = self._seen.functions.get(name)
        if function is None:
            allowed = ", ".join([*_QUANTIFIERS, *self._seen.functions])
            raise fault(node, f"unknown function {name!r}; allowed: {allowed}")
        positional = [self.of(argument) for argument in node.args]
        named = {keyword.arg or "": self.of(keyword.value) for keyword in node.keywords}
        try:
            inspect.signature(function).bind(*positional, **named)
            result = function(*positional, **named)
        except (TypeError, Unseen) as error:
            raise fault(node, f"{self._text(node)}: {' '.join(str(error).split())}") from None
        if isinstance(result, Truth) and len(result.steps) == 1 and not result.steps[0].reason:
            return Truth(result.value, (Step(self._text(node), result.steps[0].text),))
        return result

    def _quantified(self, node: ast.Call, name: str) -> Any:
        counted = name == "at_least"
        rest = node.args[counted:]
        if len(rest) != 3 or node.keywords or not isinstance(rest[0], ast.Name):
            first_of = "a number, " if counted else ""
            raise fault(node, f"{name} takes {first_of}a name, a list, and a statement or a number for each")
        variable, values = rest[0].id, self._listed(rest[1])
        inner = [_Evaluation(self._seen, self._definitions, {**self._bound, variable: value}) for value in values]
        if name in _OF_NUMBERS:
            return _OF_NUMBERS[name]([each._number(rest[2]) for each in inner])
        results = [each._truth(rest[2]) for each in inner]
        if name in ("every", "some"):
            return (_all if name == "every" else _any)(results)
        true, unknown = (sum(part.value is value for part in results) for value in (True, None))
        if name == "count":
            return true if not unknown else math.nan
        least = self._number(node.args[0]) if counted else len(results) // 2 + 1
        value = True if true >= least else None if true + unknown >= least else False
        head = Step(f"{name} {variable}", f"{true} of {len(results)}")
        return Truth(value, (head, *_steps(part for part in results if part.value is value or value is None)))

    def _text(self, node: ast.expr) -> str:
        """Return an expression with the values of bound names in it."""
        return ast.unparse(_Substituted(self._bound).visit(copy.deepcopy(node)))


_OF_A_NUMBER = (ast.Constant, ast.BinOp, ast.operator, ast.UnaryOp, ast.USub)
_QUANTIFIERS = ("every", "some", "most", "at_least", "largest", "least", "total", "count")
_OF_NUMBERS: dict[str, Callable[[list[Any]], Any]] = {"largest": max, "least": min, "total": sum}


class _Substituted(ast.NodeTransformer):
    def __init__(self, bound: Mapping[str, Any]) -> None:
        self._bound = bound

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self._bound.get(node.id)
        return node if value is None else ast.Name(repr(value) if isinstance(value, str) else shown(value))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(shown(node.value)) if isinstance(node.value, Fraction) else node

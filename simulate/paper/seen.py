"""Values that statements on runs are about: numbers, intervals, a number for each run; and truth with three answers."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simulate.bootstrap import Interval
from tdrc_theory.exact.convert import number_text
from tdrc_theory.judgement import Step


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


RELATIONS: Mapping[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


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
    compare = next(function for name, function in RELATIONS.values() if name == relation)
    if any(isinstance(each, float) and math.isnan(each) for each in (left, right)):
        return None
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        left, right = (float(each) if isinstance(each, Fraction) else each for each in (left, right))
        known = ~(np.isnan(left) | np.isnan(right))
        return three_valued(
            [bool(each) if sure else None for each, sure in zip(compare(left, right), known, strict=True)]
        )
    return bool(compare(left, right))


def run_by_run(relation: type[ast.cmpop], left: Any, right: Any) -> str:
    """Return in how many runs a comparison holds, where it is made run by run."""
    if not isinstance(left, np.ndarray) and not isinstance(right, np.ndarray):
        return ""
    left, right = (float(each) if isinstance(each, Fraction) else each for each in (left, right))
    holds = RELATIONS[relation][1](left, right)
    return f"in {int(holds.sum())} of {len(holds)} runs; "


def is_number(value: Any) -> bool:
    """Return whether a value is one number."""
    return isinstance(value, int | Fraction | float) and not isinstance(value, bool)


def comparable(left: Any, right: Any) -> bool:
    """Return whether two values can be compared: numbers, intervals and numbers of runs; or two texts."""
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str)
    return all(isinstance(each, Interval | np.ndarray) or is_number(each) for each in (left, right))

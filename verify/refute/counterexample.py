"""The search for an exact counterexample to any formula, smallest first, and its independent check.

One to a formula over time is sequences of numbers, and a time at which the formula is false.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from tdrc_theory.exact.number import from_fmpq
from tdrc_theory.formula.expression import IN_TIME, Expr, at_time, implies, number, parted
from tdrc_theory.formula.vocabulary import of_actions
from verify.refute.evaluate import Instance, holds_at, value_at
from verify.refute.instances import instances
from verify.refute.numbers import NoValue, imaginary_part, real_part
from verify.refute.witness_check import refutes

_LAST = 3
"""The latest time that is looked at."""
_VALUES = tuple(Fraction(p, q) for p in (0, 1, 2, 3, -1) for q in (1, 2))
_NOWHERE = Instance(1, {})


def sequences(formula: Expr, count: int) -> Iterator[tuple[Expr, dict[str, Fraction]]]:
    """Yield (what the formula says at one time, values at which that is false and its hypotheses hold up to then).

    A sequence that a hypothesis is solved for is computed from the others, step by step; an equation between other
    terms is solved for the current value of a sequence that is in it.
    """
    hypotheses, goal = parted(formula)
    solved = {h.args[0].name: h.args[1] for h in hypotheses if h.op == "=" and h.args[0].op == "symbol"}
    others = [h for h in hypotheses if h.op == "=" and h.args[0].op != "symbol"]
    drawn, rng = sorted(formula.names() - solved.keys()), random.Random(0)
    for i in range(count):
        t = 1 + i % _LAST
        values = {f"{name}[{k}]": rng.choice(_VALUES) for name in drawn for k in range(t + 1)}
        try:
            for k in range(t + 1):
                for equation in others:
                    _solve(equation, k, drawn, solved, values)
                values |= _computed(solved, k, values)
            assumed = [at_time(h, k) for h in hypotheses for k in range(t + 1)]
            text = implies(*assumed, at_time(goal, t)) if assumed else at_time(goal, t)
            if not holds_at(_numbered(text, values), _NOWHERE):
                yield text, values
        except (NoValue, ValueError, KeyError):  # no value, a time before 0, or one sequence in terms of another
            continue


def _computed(solved: Mapping[str, Expr], k: int, values: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the values at time k of the sequences that hypotheses are solved for, constants first."""
    result: dict[str, Fraction] = {}
    for name, term in sorted(solved.items(), key=lambda pair: len(pair[1].names())):
        value = value_at(_numbered(at_time(term, k), {**values, **result}), _NOWHERE)
        result[f"{name}[{k}]"] = from_fmpq(value)
    return result


def _solve(
    equation: Expr, k: int, drawn: Iterable[str], solved: Mapping[str, Expr], values: dict[str, Fraction]
) -> None:
    """Change the value at time k of the first drawn sequence in which an equation is linear, so that it holds there."""
    left, right = equation.args

    def gap(name: str, value: int) -> Fraction:
        there = {**values, f"{name}[{k}]": Fraction(value)}
        there |= _computed(solved, k, there)
        result = value_at(_numbered(at_time(left - right, k), there), _NOWHERE)
        return from_fmpq(result)

    for name in drawn:
        at = [gap(name, value) for value in (0, 1, 2)]
        if at[1] != at[0] and at[2] - at[1] == at[1] - at[0]:
            values[f"{name}[{k}]"] = -at[0] / (at[1] - at[0])
            return


def _numbered(formula: Expr, values: Mapping[str, Fraction]) -> Expr:
    """Return a formula with numbers for its symbols."""
    if formula.op == "symbol":
        return number(values[formula.name])
    return Expr(formula.op, tuple(_numbered(argument, values) for argument in formula.args), formula.name)


_KEPT = 20
"""Counterexamples among which the simplest is chosen."""

_ACTIONS = (2, 3)
"""How many actions there are where a formula has sums over them."""

_LONGER, _AT_LEAST = 1.5, 1000
"""The search for these ends after this many times as many instances as the first one took, and so many more."""


def counterexample(formula: Expr, count: int) -> dict[str, Any] | None:
    """Return a counterexample to a formula without defined symbols, as data, by `count` instances of each dimension.

    None where none is found, or the independent checker does not confirm it.
    """
    if formula.has(*IN_TIME):
        return _in_time(formula, count)
    if formula.has("actions"):
        result = (counterexample(of_actions(formula, actions), count // len(_ACTIONS)) for actions in _ACTIONS)
        return next(filter(None, result), None)
    refuting: list[Instance] = []
    enough = math.inf
    for i, instance in enumerate(instances(formula, count)):
        if refuting and (instance.dimension > refuting[0].dimension or len(refuting) == _KEPT or i > enough):
            break
        try:
            if not holds_at(formula, instance):
                enough = min(enough, _AT_LEAST + _LONGER * i)
                refuting.append(instance)
        except NoValue:
            continue
    if not refuting:
        return None
    witness = _as_data(min(refuting, key=_size))
    return witness if refutes(formula.to_json(), witness) else None


def _in_time(formula: Expr, count: int) -> dict[str, Any] | None:
    """Return the first sequences at which a formula over time is false, where the independent checker agrees."""
    for text, values in sequences(formula, count):
        witness = {"dimension": 1, "values": {name: [[str(value)]] for name, value in sorted(values.items())}}
        if refutes(text.to_json(), witness):
            return witness
    return None


def _size(instance: Instance) -> tuple[int, Any]:
    tables = [*instance.values.values(), *(v for _, sample in instance.transitions for v in sample.values())]
    numbers = (v for rows in tables for row in rows for v in row)
    parts: list[Any] = [part for v in numbers for part in (real_part(v), imaginary_part(v))]
    # A 0 costs more than a 1: a reader learns more from an instance that is not degenerate.
    return (len(instance.transitions), sum(2 * (abs(int(p.p)) + int(p.q)) if p != 0 else 5 for p in parts))


def _as_data(instance: Instance) -> dict[str, Any]:
    data: dict[str, Any] = {"dimension": instance.dimension}
    data["values"] = {name: _texts(rows) for name, rows in sorted(instance.values.items())}
    if instance.transitions:
        data["transitions"] = [
            {"probability": _number_text(p), **{name: _texts(rows) for name, rows in sorted(sample.items())}}
            for p, sample in instance.transitions
        ]
    return data


def _texts(rows: Any) -> list[list[str]]:
    return [[_number_text(v) for v in row] for row in rows]


def _number_text(value: Any) -> str:
    """Return a rational number as `p/q`, a complex one as `re,im`."""
    re, im = (from_fmpq(part) for part in (real_part(value), imaginary_part(value)))
    return f"{re},{im}" if im else str(re)

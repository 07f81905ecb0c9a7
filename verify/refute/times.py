"""Counterexamples to formulas over time: sequences of numbers, and a time at which the formula is false."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from tdrc_theory.exact.convert import from_fmpq
from tdrc_theory.formula.expression import Expr, at_time, conjuncts, implies, number
from verify.refute.evaluate import Instance, holds_at, value_at
from verify.refute.numbers import NoValue

_LAST = 3
"""The latest time that is looked at."""
_VALUES = tuple(Fraction(p, q) for p in (0, 1, 2, 3, -1) for q in (1, 2))
_NOWHERE = Instance(1, {})


def sequences(formula: Expr, count: int) -> Iterator[tuple[Expr, dict[str, Fraction]]]:
    """Yield (what the formula says at one time, values at which that is false and its hypotheses hold up to then).

    A sequence that a hypothesis is solved for is computed from the others, step by step; an equation between other
    terms is solved for the current value of a sequence that is in it.
    """
    hypotheses = conjuncts(formula.args[0]) if formula.op == "implies" else ()
    goal = formula.args[1] if formula.op == "implies" else formula
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

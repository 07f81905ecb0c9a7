"""Counterexamples to formulas over time: sequences of numbers, and a time at which the formula is false."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import flint

from tdrc_theory.formula.expression import Expr, conjuncts, implies
from tdrc_theory.formula.in_time import at_time
from verify.refute.evaluate import Instance, NoValue, Rows, holds_at, value_at

_LAST = 3
"""The latest time that is looked at."""
_VALUES = tuple(Fraction(p, q) for p in (0, 1, 2, 3, -1) for q in (1, 2))


def sequences(formula: Expr, count: int) -> Iterator[tuple[Expr, Instance]]:
    """Yield (what the formula says at one time, values at which its hypotheses hold at every time up to it).

    A sequence that a hypothesis is solved for is computed from the others, step by step.
    """
    hypotheses = conjuncts(formula.args[0]) if formula.op == "implies" else ()
    goal = formula.args[1] if formula.op == "implies" else formula
    solved = {h.args[0].name: h.args[1] for h in hypotheses if h.op == "=" and h.args[0].op == "symbol"}
    rng = random.Random(0)
    for i in range(count):
        t = 1 + i % _LAST
        values: dict[str, Rows] = {
            f"{name}[{k}]": ((flint.fmpq(*rng.choice(_VALUES).as_integer_ratio()),),)
            for name in sorted(formula.names() - solved.keys())
            for k in range(t + 1)
        }
        try:
            for k in range(t + 1):
                for name, term in solved.items():
                    values[f"{name}[{k}]"] = value_at(at_time(term, k), Instance(1, values))
            there = Instance(1, values)
            assumed = [at_time(h, k) for h in hypotheses for k in range(t + 1)]
            if all(holds_at(h, there) for h in assumed):
                yield (implies(*assumed, at_time(goal, t)) if assumed else at_time(goal, t)), there
        except (NoValue, ValueError):
            continue

"""Counterexamples to formulas over time: sequences of numbers, and a time at which the formula is false."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction

from tdrc_theory.formula.expression import Expr, conjuncts, implies, number
from tdrc_theory.formula.in_time import at_time
from verify.refute.evaluate import holds_at, value_at
from verify.refute.instance import Instance
from verify.refute.quadratic_surd import NoValue

_LAST = 3
"""The latest time that is looked at."""
_VALUES = tuple(Fraction(p, q) for p in (0, 1, 2, 3, -1) for q in (1, 2))
_NOWHERE = Instance(1, {})


def sequences(formula: Expr, count: int) -> Iterator[tuple[Expr, dict[str, Fraction]]]:
    """Yield (what the formula says at one time, values at which that is false and its hypotheses hold up to then).

    A sequence that a hypothesis is solved for is computed from the others, step by step.
    """
    hypotheses = conjuncts(formula.args[0]) if formula.op == "implies" else ()
    goal = formula.args[1] if formula.op == "implies" else formula
    solved = {h.args[0].name: h.args[1] for h in hypotheses if h.op == "=" and h.args[0].op == "symbol"}
    drawn, rng = sorted(formula.names() - solved.keys()), random.Random(0)
    for i in range(count):
        t = 1 + i % _LAST
        values = {f"{name}[{k}]": rng.choice(_VALUES) for name in drawn for k in range(t + 1)}
        try:
            for k in range(t + 1):
                for name, term in sorted(solved.items(), key=lambda pair: len(pair[1].names())):  # constants first
                    found = value_at(_numbered(at_time(term, k), values), _NOWHERE)
                    values[f"{name}[{k}]"] = Fraction(int(found.p), int(found.q))
            assumed = [at_time(h, k) for h in hypotheses for k in range(t + 1)]
            said = implies(*assumed, at_time(goal, t)) if assumed else at_time(goal, t)
            if not holds_at(_numbered(said, values), _NOWHERE):
                yield said, values
        except (NoValue, ValueError, KeyError):  # no value, a time before 0, or one sequence in terms of another
            continue


def _numbered(formula: Expr, values: Mapping[str, Fraction]) -> Expr:
    """Return a formula with numbers for its symbols."""
    if formula.op == "symbol":
        return number(values[formula.name])
    return Expr(formula.op, tuple(_numbered(argument, values) for argument in formula.args), formula.name)

"""The search for an exact counterexample to any formula, smallest first, and its independent check."""

from __future__ import annotations

import math
from typing import Any

from tdrc_theory.exact.convert import from_fmpq
from tdrc_theory.formula.expression import IN_TIME, Expr
from tdrc_theory.formula.vocabulary import of_actions
from verify.refute.evaluate import Instance, holds_at
from verify.refute.instances import instances
from verify.refute.numbers import NoValue, imaginary_part, real_part
from verify.refute.times import sequences
from verify.refute.witness_check import refutes

_KEPT = 20
"""Counterexamples among which the simplest is chosen."""

_ACTIONS = (2, 3)
"""How many actions there are where a formula has sums over them."""

_LONGER, _AT_LEAST = 1.5, 1000
"""The search for these ends after this many times as many instances as the first one took, and so many more."""


def counterexample(formula: Expr, count: int) -> dict[str, Any] | None:
    """Return a counterexample to a formula without defined symbols, as data, or None where none was found.

    Args:
        formula: any formula.
        count: how many instances of each dimension to try.

    Returns:
        The counterexample as data; None where none is found, or the independent checker does not confirm it.
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


def _numbers(instance: Instance) -> list[Any]:
    tables = [*instance.values.values(), *(v for _, sample in instance.transitions for v in sample.values())]
    return [v for rows in tables for row in rows for v in row]


def _size(instance: Instance) -> tuple[int, Any]:
    parts: list[Any] = [part for v in _numbers(instance) for part in (real_part(v), imaginary_part(v))]
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

"""Instances changed so that they meet equations that chance would not meet, and the boundaries of inequalities."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.formula.expression import CONNECTIVES, Expr
from tdrc_theory.formula.shapes import shape
from tdrc_theory.formula.vocabulary import SCALAR, entry
from verify.refute.evaluate import Instance, degree, holds_at, value_at
from verify.refute.numbers import Gaussian, NoValue, QuadraticSurd, Rows, difference, real_matrix, transpose

_STEPS = tuple(Fraction(p, q) for p in (1, -1) for q in (64, 16, 8, 4, 2, 1))
"""How far from a boundary an instance is put, unless it is put on it."""

_GRAIN = 64
"""An irrational boundary is rounded to multiples of one part in so many."""

_ON = 0.3
"""How often it is put on it."""


def solving(hypotheses: Iterable[Expr], instance: Instance) -> Instance | None:
    """Return the instance changed so that linear hypotheses M v = r hold; None where they cannot."""
    for hypothesis in hypotheses:
        if hypothesis.op == "=" and shape(hypothesis.args[0]) == SCALAR:
            instance = _with_scalar_solved(hypothesis, instance, sorted(instance.values, key=_real_first)) or instance
            continue
        chain = _chain_of(hypothesis, instance)
        if chain is not None:
            instance = instance.with_value("P_pi", chain)
            continue
        unknown = _unknown(hypothesis)
        if unknown is not None:
            solved = _solved(hypothesis, unknown, instance)
            if solved is None:
                return None
            instance = instance.with_value(unknown, solved)
    return instance


def _real_first(name: str) -> tuple[bool, str]:
    return (entry(name).domain != "real", name)


def aimed(formula: Expr, instance: Instance, rng: random.Random) -> Instance:
    """Return the instance with scalars changed so that inequalities of a formula are on their boundaries, or near.

    A formula may fail only there: at equality, or where a hypothesis holds narrowly.
    """
    relations = [relation for relation in _inequalities(formula) if shape(relation.args[0]) == SCALAR]
    for relation in rng.sample(relations, min(len(relations), 1 + rng.randrange(2))):
        names = sorted(relation.names() & instance.values.keys())
        step = Fraction(0) if rng.random() < _ON else rng.choice(_STEPS)
        instance = _with_scalar_solved(relation, instance, rng.sample(names, len(names)), step) or instance
    return instance


def narrowly(hypotheses: Iterable[Expr], instance: Instance, rng: random.Random) -> Instance | None:
    """Return the instance with scalars such that it meets the hypotheses on eigenvalues by a small step each.

    None where a hypothesis has no value, or no scalar that a step from its boundary meets it with.
    """
    for relation in hypotheses:
        if not relation.has("eigmax", "eigmin") or relation.op not in ("<", "<=", ">", ">="):
            continue
        names = sorted(relation.names() & instance.values.keys())
        step = abs(rng.choice(_STEPS))
        moved = [_with_scalar_solved(relation, instance, names, towards) for towards in (step, -step)]
        met = [there for there in moved if there is not None and _is_met(relation, there)]
        if not met:
            return None
        instance = met[0]
    return instance


def _is_met(relation: Expr, instance: Instance) -> bool:
    try:
        return holds_at(relation, instance)
    except NoValue:
        return False


def _inequalities(formula: Expr) -> Iterator[Expr]:
    if formula.op in CONNECTIVES:
        for part in formula.args:
            yield from _inequalities(part)
    elif formula.op in ("<", "<=", ">", ">="):
        yield formula


def _with_scalar_solved(
    relation: Expr, instance: Instance, names: Iterable[str], step: Fraction = Fraction(0)
) -> Instance | None:
    """Return the instance with one scalar such that both sides of a relation are equal, and then moved by a step.

    The scalar is the first of the names in which the sides are linear and that stays in its domain; None where none is.
    """
    for name in names:
        if name not in relation.names() or entry(name).shape != SCALAR:
            continue
        try:
            first, second = (_gap(relation, instance, name, k) for k in (0, 1))
            slope = difference(second, first)
            if isinstance(slope, Gaussian) or slope == 0:
                continue
            linear = all(degree(side, name) <= 1 for side in relation.args)
            if not linear and difference(_gap(relation, instance, name, 2), second) != slope:
                continue
        except NoValue:
            continue
        solution = -first / slope
        if isinstance(solution, QuadraticSurd):
            solution = flint.fmpq(round(_GRAIN * float(solution)), _GRAIN)
        if isinstance(solution, Gaussian):
            continue
        solution += to_fmpq(step)
        if _in_domain(solution, entry(name).domain):
            return instance.with_value(name, ((solution,),))
    return None


def _gap(relation: Expr, instance: Instance, name: str, k: int) -> Any:
    """Return left - right where a scalar is k."""
    there = instance.with_value(name, ((flint.fmpq(k),),))
    left, right = relation.args
    return difference(value_at(left, there), value_at(right, there))


def _in_domain(value: flint.fmpq, domain: str) -> bool:
    if domain == "discount":
        return bool(0 <= value <= 1)
    return bool(domain == "real" or value > 0 or (domain == "nonnegative" and value == 0))


def _chain_of(hypothesis: Expr, instance: Instance) -> Rows | None:
    """Return the stochastic matrix that an equation says P_pi is; None where it is none, or decides d_pi as well."""
    left, right = hypothesis.args if hypothesis.op == "=" else (hypothesis, hypothesis)
    turned, of = (True, left.args[0]) if left.op == "T" else (False, left)
    if of.name != "P_pi" or "P_pi" in right.names() or "d_pi" in instance.values:
        return None
    try:
        result: Rows = value_at(right, instance)
    except NoValue:
        return None
    rows = transpose(result) if turned else result
    is_stochastic = all(sum(row) == 1 and min(row) >= 0 for row in rows)
    return rows if is_stochastic else None


def _unknown(hypothesis: Expr) -> str | None:
    """Return the vector that an equation can be solved for: the last factor of its left side."""
    if hypothesis.op != "=" or hypothesis.args[0].op not in ("mul", "symbol"):
        return None
    last = hypothesis.args[0].args[-1] if hypothesis.args[0].args else hypothesis.args[0]
    return last.name if last.op == "symbol" and last.name in ("w", "h", "z", "theta") else None


def _solved(equation: Expr, unknown: str, instance: Instance) -> Rows | None:
    """Solve by the values at the unit vectors, which give the linear map; of a homogeneous one take a kernel vector."""
    d = len(instance.values[unknown])
    images = []
    try:
        for i in range(d + 1):
            unit = tuple((flint.fmpq(int(i - 1 == j)),) for j in range(d))
            at = instance.with_value(unknown, unit)
            left, right = (value_at(side, at) for side in equation.args)
            images.append(real_matrix(difference(left, right)))
    except NoValue:
        return None
    linear = Matrix.block([[image - images[0] for image in images[1:]]])
    kernel = linear.null_space()
    solution = linear.solve(-images[0])
    if images[0].is_zero() and kernel.shape[1]:
        solution = kernel.select(range(d), [0])
    if solution is None:
        return None
    assert solution.rational is not None
    scale = _phase(unknown, instance) if images[0].is_zero() else 1
    return tuple((scale * v,) for (v,) in solution.rational.tolist())


def _phase(unknown: str, instance: Instance) -> Any:
    """Return a number that a solution of a homogeneous equation is multiplied by: complex where the drawn one was."""
    return next((v for (v,) in instance.values[unknown] if isinstance(v, Gaussian) and v != 0), 1)

"""Readable rows of a normal form: one coefficient a term, with names for the TD error and for memory after the step."""

from __future__ import annotations

from typing import Any

import sympy

from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.coefficient import Coefficient
from tdrc_theory.learner.fork import Condition
from tdrc_theory.learner.quantity import Key
from tdrc_theory.learner.trace import Terms, Way
from tdrc_theory.notation import scalar_symbol

Sample = Key
Direction = dict[Sample, Any]

ERRORS, REWARD = {("delta",): "x_next", ("delta_bar",): "x_bar"}, ("reward",)
"""The atoms that stand for R + gamma w.y - w.x, with y, and for R."""


def memory_after(way: Way, algorithm: Algorithm) -> Way:
    """Return a way in which the directions have memory after the step where that leaves none before it."""
    rows = dict(way.rows)
    for name in algorithm.memory:
        for weight in algorithm.stacked:
            rows[weight] = _after(rows[weight], name, way.rows[name])
    return Way(way.conditions, rows)


def _after(terms: Terms, name: str, row: Terms) -> Terms:
    """Replace a memory before the step: with e' = c e + u, a term q c e is q e' - q u."""
    own: Key = (((name,),), ()) if (((name,),), ()) in row else ((), (name,))
    c, result = row.get(own), dict(terms)
    # Where a product with a dot product of memory comes from memory after the step, replacing others cancels it.
    for key in sorted((key for key in terms if _has(key, name)), key=lambda key: len(key[0])):
        value = result.get(key)
        if c is None or not value:
            continue
        q = value.divided_by(c)
        if q is None:
            return terms
        for other, d in row.items():
            product = _replaced(key, name, other)
            result[product] = result[product] - q * d if product in result else -(q * d)
        after = _replaced(key, name, ((own[0] and ((name + "'",),)) or (), (own[1] and (name + "'",)) or ()))
        result[after] = result[after] + q if after in result else q
    kept = {key: value for key, value in result.items() if value}
    if any(_has(key, name) for key in kept):
        return terms
    return {_renamed(key, name + "'", name): value for key, value in kept.items()}


def _has(key: Key, name: str) -> bool:
    return name in key[1] or any(name in atom for atom in key[0])


def _renamed(key: Key, old: str, new: str) -> Key:
    atoms = (tuple(sorted(new if n == old else n for n in atom)) for atom in key[0])
    return tuple(sorted(atoms)), tuple(new if n == old else n for n in key[1])


def _replaced(key: Key, name: str, by: Key) -> Key:
    """Return a product with a factor of the memory replaced by a product that is of its kind."""
    atoms, vectors = key
    more, put = by
    if name in vectors:
        place = vectors.index(name)
        return tuple(sorted((*atoms, *more))), (*vectors[:place], *put, *vectors[place + 1 :])
    place = next(i for i, atom in enumerate(atoms) if name in atom)
    rest = atoms[:place] + atoms[place + 1 :]
    if len(atoms[place]) == 1:
        return tuple(sorted((*rest, *more))), vectors
    other = next(n for n in atoms[place] if n != name)
    return tuple(sorted((*rest, *more, tuple(sorted((other, put[0])))))), vectors


def merged(ways: list[Way], algorithm: Algorithm) -> dict[str, Direction]:
    """Return one coefficient a term: piecewise where the function branches, as min or max where it is one."""
    result: dict[str, Direction] = {}
    for name in (*algorithm.stacked, *algorithm.memory):
        branches = [(way.conditions, _by_reward(way.rows[name])) for way in ways]
        keys = list(dict.fromkeys(key for _, terms in branches for key in terms))
        row = {
            key: _one([(conditions, terms.get(key, sympy.Integer(0))) for conditions, terms in branches])
            for key in keys
        }
        row = {key: c for key, c in row.items() if c != 0}
        result[name] = _with_errors(row, algorithm.stacked[-1]) if name in algorithm.stacked else row
    return result


def _by_reward(terms: Terms) -> Direction:
    """Return a row with sympy coefficients, in which the reward is an atom."""
    reward = scalar_symbol("reward")
    result: Direction = {}
    for (atoms, vectors), c in terms.items():
        for term in sympy.Add.make_args(_written(c)):
            scale, power = term.as_coeff_exponent(reward)
            key: Key = tuple(sorted((*atoms, *[REWARD] * int(power)))), vectors
            result[key] = result.get(key, sympy.Integer(0)) + scale
    return result


def _written(c: Coefficient) -> Any:
    """Return a coefficient as sympy's, with the constants that every problem has: gamma' = gamma, interest 1."""
    constants = {scalar_symbol(name): scalar_symbol("gamma") for name in ("gamma_next", "gamma_next_2")}
    constants[scalar_symbol("interest")] = 1
    return sympy.expand(c.to_sympy().subs(constants))


def _with_errors(row: Direction, value: str) -> Direction:
    """Return a row in which R + gamma w.x' - w.x, with x' or x_bar, is an atom, wherever it is a factor."""
    gamma, result = scalar_symbol("gamma"), dict(row)
    for (factors, vectors), of_reward in row.items():
        if factors.count(REWARD) != 1:
            continue
        atoms = tuple(atom for atom in factors if atom != REWARD)
        for error, arrived in ERRORS.items():
            here, there = ((*atoms, tuple(sorted((value, v)))) for v in ("x", arrived))
            keys = [(tuple(sorted(a)), vectors) for a in (here, there)]
            now, later = (result.get(key, sympy.Integer(0)) for key in keys)
            if sympy.expand(now + of_reward) != 0 or sympy.expand(later - gamma * of_reward) != 0:
                continue
            for key in (*keys, (factors, vectors)):
                result.pop(key, None)
            result[tuple(sorted((*atoms, error))), vectors] = of_reward
            break
    return result


def _one(branches: list[tuple[tuple[Condition, ...], Any]]) -> Any:
    first = branches[0][1]
    if all(sympy.expand(value - first) == 0 for _, value in branches):
        return sympy.expand(first)
    if len(branches) == 2:
        (first_condition,), low, high = branches[0][0], *(value for _, value in branches)
        condition = first_condition.to_sympy()
        sides = condition.args
        for clip in (sympy.Min(*sides), sympy.Max(*sides)):
            for side, other in (sides, sides[::-1]):
                if not side.is_Symbol:
                    continue
                clipped = high.subs(side, clip) if high.has(side) else low.subs(side, clip)
                ends = {sympy.expand(clipped.subs(clip, end)) for end in (side, other)}
                agrees = _agrees(clipped, condition, low, high)
                if ends == {sympy.expand(low), sympy.expand(high)} and agrees:
                    return clipped
    return sympy.Piecewise(*((value, sympy.And(*(c.to_sympy() for c in conditions))) for conditions, value in branches))


def _agrees(clipped: Any, condition: Any, low: Any, high: Any) -> bool:
    """Return whether a clipped form takes the right branch on both sides of the condition, at sample points."""
    free = sorted(condition.free_symbols | low.free_symbols | high.free_symbols, key=str)
    for shift in (sympy.Rational(1, 7), sympy.Rational(3, 2), sympy.Integer(5)):
        point = {symbol: shift + sympy.Rational(i, 11) for i, symbol in enumerate(free)}
        expected = low if condition.subs(point) == sympy.true else high
        if sympy.expand((clipped - expected).subs(point)) != 0:
            return False
    return True

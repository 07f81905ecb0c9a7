"""Small instances at which a formula may fail, smallest first, always the same ones.

Matrices C are positive semidefinite and A any real ones with z^T A = 0 where C z = 0: every such pair belongs to a
Markov chain (features that span the range of C, any next features). Where a formula has expectations or samples, the
instance is a chain of transitions with its policies, and A, b and C are computed from it. Formulas
about states are looked at on small chains: stochastic matrices, stationary weights, shares, interests, features.

Instances are changed so that they meet equations that chance would not meet, and the boundaries of inequalities.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import to_fmpq
from tdrc_theory.formula.expression import CONNECTIVES, E, Expr, conjuncts, parted, symbols
from tdrc_theory.formula.vocabulary import FEATURES, MATRIX, SCALAR, TALL, WEIGHTS, entry, shape
from verify.refute.evaluate import Instance, degree, holds_at, value_at
from verify.refute.numbers import (
    NoValue,
    Quadratic,
    Rows,
    difference,
    is_complex,
    is_irrational,
    real_matrix,
    transpose,
)

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
            names = sorted(instance.values, key=lambda name: (entry(name).domain != "real", name))
            instance = _with_scalar_solved(hypothesis, instance, names) or instance
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
            if is_complex(slope) or slope == 0:
                continue
            linear = all(degree(side, name) <= 1 for side in relation.args)
            if not linear and difference(_gap(relation, instance, name, 2), second) != slope:
                continue
        except NoValue:
            continue
        solution = -first / slope
        if is_irrational(solution):
            solution = flint.fmpq(round(_GRAIN * float(solution)), _GRAIN)
        if is_complex(solution):
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
    drawn = (v for (v,) in instance.values[unknown] if is_complex(v) and v != 0)
    scale = next(drawn, 1) if images[0].is_zero() else 1  # complex where the drawn one was
    return tuple((scale * v,) for (v,) in solution.rational.tolist())


DOMAINS = ("stochastic", "shares", "probabilities", "distribution", "stationary", "policy", "ratio")
_SHARES = (Fraction(0), Fraction(1), Fraction(1, 2), Fraction(9, 10), Fraction(1, 3))
_WHOLE = 0.2
"""How often all shares are 1."""
_OFTEN = 0.3
"""How often an action permutes the states, and how often policies are the same in all states."""
_WEIGHTS = (0, 0, 1, 1, 2, 3)
"""Probabilities are shares of these: 0 is likely, since claims fail at the edges."""
_INTERESTS = (Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2), Fraction(1, 10))


def is_of_states(name: str) -> bool:
    """Return whether a symbol's values are of states."""
    symbol = entry(name)
    return symbol.domain in DOMAINS or symbol.shape in (FEATURES, WEIGHTS) or name in ("interests", "ones")


def state_values(names: Iterable[str], d: int, rng: random.Random) -> dict[str, Rows]:
    """Return values of the symbols that are of states, drawn so that they fit together."""
    asked = [name for name in names if is_of_states(name)]
    values: dict[str, Rows] = {}
    if not asked:
        return values
    P, d_pi = _stochastic(d, rng, stationary="d_pi" in asked)
    policies = _policies(asked, d, rng)
    for name in asked:
        symbol = entry(name)
        if name in policies:
            values[name] = policies[name]
        elif symbol.domain == "stochastic" and name != "P_pi":
            values[name] = _permutation(d, rng) if rng.random() < _OFTEN else _stochastic(d, rng, stationary=False)[0]
        elif symbol.domain in ("stochastic", "stationary"):
            values[name] = P if symbol.domain == "stochastic" else d_pi
        elif symbol.domain == "shares":
            values[name] = _diagonal(_shares(d, rng))
        elif symbol.domain in ("distribution", "probabilities"):
            values[name] = _column(_distribution(d, rng, least=int(symbol.domain == "distribution")))
        elif name == "interests":
            values[name] = _column([rng.choice(_INTERESTS) for _ in range(d)])
        elif name != "ones":
            n = max(1, d - 1)  # fewer features than states, where there are several
            rows, columns = (d, n) if symbol.shape == FEATURES else (n, 1)
            values[name] = tuple(tuple(flint.fmpq(rng.randint(-3, 3)) for _ in range(columns)) for _ in range(rows))
    return values


def _policies(asked: Iterable[str], d: int, rng: random.Random) -> dict[str, Rows]:
    """Return the diagonal matrices of both policies and of their ratios, by action: target covered by behaviour."""
    count = max((1 + int(name.partition("[")[2][:-1]) for name in asked if "[" in name), default=0)
    if not count:
        return {}
    alike = rng.random() < _OFTEN
    behaviour = [_distribution(count, rng, least=0) for _ in range(d)]
    behaviour = [behaviour[0] if alike else row for row in behaviour]
    target = [_covered(row, rng) for row in behaviour]
    target = [target[0] if alike else row for row in target]
    ratios = [
        [p / b if b else rng.choice(_SHARES) for p, b in zip(*rows, strict=True)]
        for rows in zip(target, behaviour, strict=True)
    ]
    tables = {"B_a": behaviour, "Pi_a": target, "rho_a": ratios}
    names = ((f"{family}[{a}]", [row[a] for row in table]) for family, table in tables.items() for a in range(count))
    return {name: _diagonal(column) for name, column in names if name in asked}


def _covered(behaviour: list[Fraction], rng: random.Random) -> list[Fraction]:
    """Return a distribution on the actions that a behaviour takes."""
    weights = [rng.choice(_WEIGHTS) * int(b > 0) for b in behaviour]
    if not sum(weights):
        weights[rng.choice([a for a, b in enumerate(behaviour) if b])] = 1
    return [Fraction(w, sum(weights)) for w in weights]


def _shares(d: int, rng: random.Random) -> list[Fraction]:
    """Return shares of any kind, or all 1, or only 0 and 1: a claim may fail only where nothing is discounted."""
    few = _SHARES[: rng.choice((len(_SHARES), 2))]
    return [Fraction(1)] * d if rng.random() < _WHOLE else [rng.choice(few) for _ in range(d)]


def _stochastic(d: int, rng: random.Random, stationary: bool) -> tuple[Rows, Rows]:
    """Return a stochastic matrix, with one closed class of all states where its stationary weights are asked for."""
    rows = [_distribution(d, rng, least=0) for _ in range(d)]
    if stationary:
        rows = [[(v + int(t == (s + 1) % d)) / 2 for t, v in enumerate(row)] for s, row in enumerate(rows)]
        kernel = (Matrix(rows).T - Matrix.identity(d)).null_space()
        weights = [Fraction(str(row[0])) for row in kernel.rows]
        return _rows(rows), _column([w / sum(weights) for w in weights])
    return _rows(rows), ()


def _permutation(d: int, rng: random.Random) -> Rows:
    to = rng.sample(range(d), d)
    return _rows([[Fraction(int(t == to[s])) for t in range(d)] for s in range(d)])


def _distribution(d: int, rng: random.Random, least: int) -> list[Fraction]:
    weights = [max(least, rng.choice(_WEIGHTS)) for _ in range(d)]
    if not sum(weights):
        weights[rng.randrange(d)] = 1
    return [Fraction(w, sum(weights)) for w in weights]


def _rows(rows: list[list[Fraction]]) -> Rows:
    return tuple(tuple(to_fmpq(v) for v in row) for row in rows)


def _column(values: list[Any]) -> Rows:
    return _rows([[Fraction(v)] for v in values])


def _diagonal(values: list[Fraction]) -> Rows:
    return _rows([[v * int(i == j) for j in range(len(values))] for i, v in enumerate(values)])


Pool = tuple[flint.fmpq, ...]

_POOLS: tuple[Pool, ...] = (
    tuple(map(flint.fmpq, (1, 2, -1, 0))),
    (*map(flint.fmpq, (1, -1, 2, -2, 0, 3)), flint.fmpq(1, 2), flint.fmpq(-3)),
    (
        *map(flint.fmpq, (1, -1, 2, -2, 3, -3, 4, 5, -5)),
        *(flint.fmpq(p, q) for p in (1, -1, 3) for q in (2, 4, 8)),
        flint.fmpq(1, 3),
        flint.fmpq(0),
    ),
)
_QUARTERS: Pool = tuple(flint.fmpq(p, 4) for p in range(-16, 17))
"""What scalars are drawn from where there is nothing else to draw."""

_HALVES: Pool = tuple(flint.fmpq(p, 2) for p in range(-4, 5))

_WITHIN = 4
"""How many more instances within bounds are looked at."""

_MORE = 4
"""How many more instances of dimension 1 are looked at, which are cheap and the best to read."""

_MUCH_MORE = 20
"""The same for formulas of scalars alone."""

_TRIANGULAR = 0.2
"""How often a matrix is triangular with one number on its diagonal, and how often diagonal."""

_AS_IT_IS = 0.3
"""How often a matrix is left as it is where others are made simpler."""

_CONSTANTS = ("d", "I", "I_2d", "0", "ones", "i")


def instances(formula: Expr, count: int) -> Iterator[Instance]:
    """Yield `count` instances of dimension 2, after more of dimension 1, for a formula without defined symbols."""
    names = sorted(_free_names(formula) - set(_CONSTANTS))
    hypotheses, _ = parted(formula)
    sampled = formula.has("E")
    sized = sampled or "d" in formula.names() or any(entry(name).shape != SCALAR for name in names)
    of_states = any(is_of_states(name) for name in names)
    for dimension in (1, 2, 3) if of_states else (1, 2) if sized else (1,):
        rng = random.Random(dimension)
        if dimension == 1:
            count = count * (1 if of_states else _MORE if sized else _MUCH_MORE)
        for i in range(count):
            pool = _POOLS[min(3 * i // count, 2)] if sized or 3 * i < count else _QUARTERS
            drawn = _chain(names, dimension, rng, pool) if sampled else _free(names, dimension, rng, pool)
            solved = solving((*hypotheses, *_side(formula, i)), drawn)
            if solved is not None:
                yield solved
        if not sampled and not of_states and formula.has("<", "<=", ">", ">="):
            yield from _near_boundaries(formula, names, dimension, count)
    if any(h.has("eigmax", "eigmin") for h in hypotheses) and {"A", "C"} <= set(names):
        yield from _within_bounds(hypotheses, names, _WITHIN * count)


def _near_boundaries(formula: Expr, names: list[str], dimension: int, count: int) -> Iterator[Instance]:
    """Yield instances on or near the boundaries of a formula's inequalities, with rational eigenvalues where it can."""
    rng = random.Random(dimension)
    hypotheses, _ = parted(formula)
    for i in range(count):
        drawn = _free(names, dimension, rng, _POOLS[min(3 * i // count, 2)])
        if dimension > 1 and formula.has("eigmax", "eigmin"):
            drawn = _with_rational_eigenvalues(drawn, rng)
        solved = solving(hypotheses, aimed(formula, drawn, rng))
        if solved is not None:
            yield solved


def _within_bounds(hypotheses: tuple[Expr, ...], names: list[str], count: int) -> Iterator[Instance]:
    """Yield instances of dimension 2 whose parameters meet bounds by eigenvalues narrowly.

    H is negative definite, where no convergence comes for nothing, and C large in one direction, so that the bound on
    eta is low in that direction and what is multiplied by C there differs most from what is not.
    """
    rng = random.Random(count)
    for _ in range(count):
        drawn = _free(names, 2, rng, _POOLS[-1])
        drawn = drawn.with_value("A", _negative_definite(rng)).with_value("C", _large_in_one_direction(rng))
        within = narrowly(hypotheses, drawn, rng)
        if within is not None:
            yield within


def _negative_definite(rng: random.Random) -> Rows:
    """Return -(S S^T + t I) + k [[0, 1], [-1, 0]], t > 0, in quarters."""
    (a, b), (c, d) = (tuple(rng.choice(_HALVES) for _ in range(2)) for _ in range(2))
    t, k = abs(rng.choice(_QUARTERS)) + flint.fmpq(1, 4), rng.choice(_QUARTERS)
    return ((-(a * a + b * b) - t, k - a * c - b * d), (-k - a * c - b * d, -(c * c + d * d) - t))


def _large_in_one_direction(rng: random.Random) -> Rows:
    """Return s I + t u u^T with 0 < s <= 8 and t up to 64."""
    u, s, t = [rng.choice(_HALVES) for _ in range(2)], rng.randint(1, 8), rng.randint(1, 64)
    return tuple(tuple(s * int(i == j) + t * u[i] * u[j] for j in range(2)) for i in range(2))


def _with_rational_eigenvalues(instance: Instance, rng: random.Random) -> Instance:
    """Return the instance with simpler matrices: triangular A, and C that is a multiple of I."""
    for name, rows in instance.values.items():
        if len(rows) != len(rows[0]) or len(rows) == 1 or rng.random() < _AS_IT_IS:
            continue
        if entry(name).domain == "real":
            instance = instance.with_value(name, _entries(rows, lambda v, i, j: v[i][j] * int(i <= j)))
        else:
            instance = instance.with_value(name, _entries(rows, lambda v, i, j: v[0][0] * int(i == j)))
    return instance


def _entries(rows: Rows, of: Callable[[Rows, int, int], Any]) -> Rows:
    """Return a table of the shape of another, whose entries it gives."""
    return tuple(tuple(of(rows, i, j) for j in range(len(row))) for i, row in enumerate(rows))


def _side(formula: Expr, i: int) -> tuple[Expr, ...]:
    """Return the equations of one side of an equivalence, which chance would not meet; the sides take turns."""
    _, inner = parted(formula)
    if inner.op != "iff" or i % 3 == 2:
        return ()
    return tuple(part for part in conjuncts(inner.args[i % 3]) if part.op == "=")


def _free_names(formula: Expr) -> frozenset[str]:
    """Return the symbols of a formula; those of one transition are bound inside an expectation."""
    if formula.op == "E":
        return formula.names() - {"x", "x'", "rho", "R", "gamma"}
    if formula.op == "symbol":
        return formula.names()
    return frozenset().union(*map(_free_names, formula.args))


def _free(names: list[str], d: int, rng: random.Random, pool: Pool) -> Instance:
    values = {name: _value(name, d, rng, pool) for name in names if not is_of_states(name)}
    values |= state_values(names, d, rng)
    if "A" in values and "C" in values:
        values["A"] = _of_a_chain(values["A"], values["C"])
    return Instance(d, values)


def _of_a_chain(A: Rows, C: Rows) -> Rows:
    """Return A with the rows that a chain can have: z^T A = 0 wherever C z = 0."""
    kernel = real_matrix(C).null_space()
    if kernel.shape[1] == 0:
        return A
    projected = real_matrix(C) @ real_matrix(A)  # its columns are in the range of C
    assert projected.rational is not None
    return tuple(tuple(row) for row in projected.rational.tolist())


def _value(name: str, d: int, rng: random.Random, pool: Pool) -> Rows:
    symbol = entry(name)
    if symbol.shape == SCALAR:
        return ((_number(symbol.domain, rng, pool),),)
    rows = 2 * d if symbol.shape == TALL else d
    columns = d if symbol.shape == MATRIX else 1
    if symbol.domain in ("covariance", "symmetric"):
        return _symmetric(d, rng, pool, semidefinite=symbol.domain == "covariance" or rng.random() < 0.5)
    pick = _complex if symbol.domain == "complex" else random.Random.choice
    drawn = tuple(tuple(pick(rng, pool) for _ in range(columns)) for _ in range(rows))
    if columns > 1 and rng.random() < _TRIANGULAR:  # rational eigenvalues, often one eigenvector
        return _entries(drawn, lambda v, i, j: v[0][0] if i == j else v[i][j] * int(i < j))
    if columns > 1 and rng.random() < _TRIANGULAR:
        return _entries(drawn, lambda v, i, j: v[i][j] * int(i == j))
    return drawn


def _number(domain: str, rng: random.Random, pool: Pool) -> Any:
    if domain == "discount":
        return flint.fmpq(*rng.choice([(1, 2), (9, 10), (1, 1), (1, 3), (0, 1)]))
    value = rng.choice(pool)
    if domain == "positive":
        return abs(value) if value != 0 else flint.fmpq(1)
    return abs(value) if domain == "nonnegative" else value


def _complex(rng: random.Random, pool: Pool) -> Any:
    return Quadratic(rng.choice(pool), rng.choice(pool)) if rng.random() < 0.5 else rng.choice(pool)


def _symmetric(d: int, rng: random.Random, pool: Pool, semidefinite: bool) -> Rows:
    """Return L D L^T with unit lower triangular L and D of any signs, or D that is positive, or has a 0."""
    weights = [_number("positive" if semidefinite else "real", rng, pool) for _ in range(d)]
    if rng.random() < 0.2:
        weights[-1] = flint.fmpq(0)
    low = [[rng.choice(pool) if j < i else flint.fmpq(int(i == j)) for j in range(d)] for i in range(d)]
    return tuple(
        tuple(sum((low[i][k] * weights[k] * low[j][k] for k in range(d)), flint.fmpq(0)) for j in range(d))
        for i in range(d)
    )


def _chain(names: list[str], d: int, rng: random.Random, pool: Pool) -> Instance:
    """Return a process of two states with two actions each, features that may be dependent, and its A, b and C."""
    discount = _number("discount", rng, pool)
    features = [tuple((rng.choice(pool),) for _ in range(d)) for _ in range(3)]
    transitions = []
    weights = rng.choice([(1, 1), (1, 3), (1, 0)])
    for s in range(2):
        behaves, aims = rng.choice([((1, 1), (1, 1)), ((1, 1), (1, 0)), ((1, 2), (2, 1))])
        for a in range(2):
            probability = flint.fmpq(weights[s], sum(weights)) * flint.fmpq(behaves[a], sum(behaves))
            rho = flint.fmpq(aims[a] * sum(behaves), sum(aims) * behaves[a])
            arrives = features[rng.randrange(3)]
            reward = rng.choice(pool)
            sample = {"x": features[s], "x'": arrives, "rho": ((rho,),), "R": ((reward,),)}
            transitions.append((probability, sample))
    one = _free([name for name in names if name not in ("A", "b", "C")], d, rng, pool)
    chain = Instance(d, {**one.values, "gamma": ((discount,),)}, tuple(transitions))
    key_values = {name: value_at(meaning, chain) for name, meaning in _KEY_VALUES.items()}
    return Instance(d, {**chain.values, **key_values}, chain.transitions)


_x, _x_next, _rho, _reward, _gamma = symbols("x x' rho R gamma")
_KEY_VALUES = {
    "A": E(_rho * _x * (_x - _gamma * _x_next).T),
    "b": E(_rho * _reward * _x),
    "C": E(_x * _x.T),
}

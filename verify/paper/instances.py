"""Small instances at which a formula may fail, smallest first, always the same ones.

Matrices C are positive semidefinite and A any real ones with z^T A = 0 where C z = 0: every such pair belongs to a
Markov chain (features that span the range of C, any next features). Where a formula has expectations or samples, the
instance is a chain of transitions with its policies, and A, b and C are computed from it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.formula.expression import E, Expr, conjuncts, symbols
from tdrc_theory.formula.shapes import shape
from tdrc_theory.formula.vocabulary import MATRIX, SCALAR, TALL, entry
from verify.paper.evaluate import Instance, NoValue, Rows, difference, real_rows, value_at
from verify.paper.gaussian import Gaussian

_POOLS = (
    (1, 2, -1, 0),
    (1, -1, 2, -2, 0, 3, Fraction(1, 2), -3),
    (1, -1, 2, -2, 3, -3, 4, 5, -5, *(Fraction(p, q) for p in (1, -1, 3) for q in (2, 4, 8)), Fraction(1, 3), 0),
)
_QUARTERS = tuple(Fraction(p, 4) for p in range(-16, 17))
"""What scalars are drawn from where there is nothing else to draw."""

_MORE = 4
"""How many more instances of dimension 1 are looked at, which are cheap and the best to read."""

_MUCH_MORE = 20
"""The same for formulas of scalars alone."""

_TRIANGULAR = 0.2
"""How often a matrix is triangular with one number on its diagonal, and how often diagonal."""

_CONSTANTS = ("d", "I", "I_2d", "0", "i")


def instances(formula: Expr, count: int) -> Iterator[Instance]:
    """Yield `count` instances of dimension 2, after more of dimension 1, for a formula without defined symbols."""
    names = sorted(_free_names(formula) - set(_CONSTANTS))
    hypotheses = conjuncts(formula.args[0]) if formula.op == "implies" else ()
    sampled = formula.has("E")
    sized = sampled or "d" in formula.names() or any(entry(name).shape != SCALAR for name in names)
    for dimension in (1, 2) if sized else (1,):
        rng = random.Random(dimension)
        count = count * (_MORE if sized else _MUCH_MORE) if dimension == 1 else count
        for i in range(count):
            pool = _POOLS[min(3 * i // count, 2)] if sized or 3 * i < count else _QUARTERS
            made = _chain(names, dimension, rng, pool) if sampled else _free(names, dimension, rng, pool)
            solved = _solving((*hypotheses, *_side(formula, i)), made)
            if solved is not None:
                yield solved


def _side(formula: Expr, i: int) -> tuple[Expr, ...]:
    """Return the equations of one side of an equivalence, which chance would not meet; the sides take turns."""
    inner = formula.args[1] if formula.op == "implies" else formula
    if inner.op != "iff" or i % 3 == 2:
        return ()
    return tuple(part for part in conjuncts(inner.args[i % 3]) if part.op == "=")


def _free_names(formula: Expr) -> set[str]:
    """Return the symbols of a formula; those of one transition are bound inside an expectation."""
    if formula.op == "E":
        return formula.names() - {"x", "x'", "rho", "R", "gamma"}
    if formula.op == "symbol":
        return {formula.name}
    return set().union(*(_free_names(argument) for argument in formula.args)) if formula.args else set()


def _free(names: list[str], d: int, rng: random.Random, pool: tuple[Any, ...]) -> Instance:
    values = {name: _value(name, d, rng, pool) for name in names}
    if "A" in values and "C" in values:
        values["A"] = _of_a_chain(values["A"], values["C"])
    return Instance(d, values)


def _of_a_chain(A: Rows, C: Rows) -> Rows:
    """Return A with the rows that a chain can have: z^T A = 0 wherever C z = 0."""
    kernel = Matrix(real_rows(C)).null_space()
    if kernel.shape[1] == 0:
        return A
    projected = Matrix(real_rows(C)) @ Matrix(real_rows(A))  # its columns are in the range of C
    assert projected.rational is not None
    return tuple(tuple(row) for row in projected.rational.tolist())


def _value(name: str, d: int, rng: random.Random, pool: tuple[Any, ...]) -> Rows:
    symbol = entry(name)
    if symbol.shape == SCALAR:
        return ((_number(symbol.domain, rng, pool),),)
    rows = 2 * d if symbol.shape == TALL else d
    columns = d if symbol.shape == MATRIX else 1
    if symbol.domain == "covariance":
        return _covariance(d, rng, pool)
    pick = _complex if symbol.domain == "complex" else _rational
    drawn = tuple(tuple(pick(rng, pool) for _ in range(columns)) for _ in range(rows))
    if columns > 1 and rng.random() < _TRIANGULAR:  # rational eigenvalues, often one eigenvector
        return tuple(
            tuple(drawn[0][0] if i == j else v * int(i < j) for j, v in enumerate(r)) for i, r in enumerate(drawn)
        )
    if columns > 1 and rng.random() < _TRIANGULAR:
        return tuple(tuple(v * int(i == j) for j, v in enumerate(r)) for i, r in enumerate(drawn))
    return drawn


def _number(domain: str, rng: random.Random, pool: tuple[Any, ...]) -> Any:
    if domain == "discount":
        return flint.fmpq(*rng.choice([(1, 2), (9, 10), (1, 1), (1, 3), (0, 1)]))
    value = _rational(rng, pool)
    if domain == "positive":
        return abs(value) if value != 0 else flint.fmpq(1)
    return abs(value) if domain == "nonnegative" else value


def _rational(rng: random.Random, pool: tuple[Any, ...]) -> flint.fmpq:
    return flint.fmpq(*Fraction(rng.choice(pool)).as_integer_ratio())


def _complex(rng: random.Random, pool: tuple[Any, ...]) -> Any:
    return Gaussian(_rational(rng, pool), _rational(rng, pool)) if rng.random() < 0.5 else _rational(rng, pool)


def _covariance(d: int, rng: random.Random, pool: tuple[Any, ...]) -> Rows:
    """Return L D L^T with unit lower triangular L and D that is positive, or has a 0."""
    weights = [_number("positive", rng, pool) for _ in range(d)]
    if rng.random() < 0.2:
        weights[-1] = flint.fmpq(0)
    low = [[_rational(rng, pool) if j < i else flint.fmpq(int(i == j)) for j in range(d)] for i in range(d)]
    return tuple(
        tuple(sum((low[i][k] * weights[k] * low[j][k] for k in range(d)), flint.fmpq(0)) for j in range(d))
        for i in range(d)
    )


def _chain(names: list[str], d: int, rng: random.Random, pool: tuple[Any, ...]) -> Instance:
    """Return a process of two states with two actions each, features that may be dependent, and its A, b and C."""
    discount = _number("discount", rng, pool)
    features = [tuple((_rational(rng, pool),) for _ in range(d)) for _ in range(3)]
    transitions = []
    weights = rng.choice([(1, 1), (1, 3), (1, 0)])
    for s in range(2):
        behaves, aims = rng.choice([((1, 1), (1, 1)), ((1, 1), (1, 0)), ((1, 2), (2, 1))])
        for a in range(2):
            probability = flint.fmpq(weights[s], sum(weights)) * flint.fmpq(behaves[a], sum(behaves))
            rho = flint.fmpq(aims[a] * sum(behaves), sum(aims) * behaves[a])
            arrives = features[rng.randrange(3)]
            reward = _rational(rng, pool)
            sample = {"x": features[s], "x'": arrives, "rho": ((rho,),), "R": ((reward,),)}
            transitions.append((probability, sample))
    one = _free([name for name in names if name not in ("A", "b", "C")], d, rng, pool)
    made = Instance(d, {**one.values, "gamma": ((discount,),)}, tuple(transitions))
    return Instance(d, {**made.values, **_key_values(made)}, made.transitions)


def _key_values(instance: Instance) -> dict[str, Rows]:
    x, x_next, rho, reward, gamma = symbols("x x' rho R gamma")
    return {
        "A": value_at(E(rho * x * (x - gamma * x_next).T), instance),
        "b": value_at(E(rho * reward * x), instance),
        "C": value_at(E(x * x.T), instance),
    }


def _solving(hypotheses: tuple[Expr, ...], instance: Instance) -> Instance | None:
    """Return the instance changed so that linear hypotheses M v = r hold; None where they cannot."""
    for hypothesis in hypotheses:
        if hypothesis.op == "=" and shape(hypothesis.args[0]) == SCALAR:
            instance = _with_scalar_solved(hypothesis, instance)
            continue
        unknown = _unknown(hypothesis)
        if unknown is not None:
            solved = _solved(hypothesis, unknown, instance)
            if solved is None:
                return None
            instance = instance.with_value(unknown, solved)
    return instance


def _with_scalar_solved(equation: Expr, instance: Instance) -> Instance:
    """Return the instance with one scalar changed so that an equation holds, where it is linear in one."""
    for name in sorted(equation.names() & instance.values.keys(), key=lambda n: (entry(n).domain != "real", n)):
        if entry(name).shape != SCALAR:
            continue
        try:
            at = [instance.with_value(name, ((flint.fmpq(k),),)) for k in (0, 1, 2)]
            gaps = [difference(*(value_at(side, there) for side in equation.args))[0][0] for there in at]
        except NoValue:
            continue
        slope = gaps[1] - gaps[0]
        if isinstance(slope, Gaussian) or slope == 0 or gaps[2] - gaps[1] != slope:
            continue
        solution = -gaps[0] / slope
        if not isinstance(solution, Gaussian) and _in_domain(solution, entry(name).domain):
            return instance.with_value(name, ((solution,),))
    return instance


def _in_domain(value: flint.fmpq, domain: str) -> bool:
    return bool(domain == "real" or value > 0 or (domain == "nonnegative" and value == 0))


def _unknown(hypothesis: Expr) -> str | None:
    """Return the vector that an equation can be solved for: the last factor of its left side."""
    if hypothesis.op != "=" or hypothesis.args[0].op not in ("mul", "symbol"):
        return None
    last = hypothesis.args[0].args[-1] if hypothesis.args[0].args else hypothesis.args[0]
    return last.name if last.op == "symbol" and last.name in ("w", "h", "z") else None


def _solved(equation: Expr, unknown: str, instance: Instance) -> Rows | None:
    """Solve by the values at the unit vectors, which give the linear map; of a homogeneous one take a kernel vector."""
    d = instance.dimension
    images = []
    try:
        for i in range(d + 1):
            unit = tuple((flint.fmpq(int(i - 1 == j)),) for j in range(d))
            at = instance.with_value(unknown, unit)
            left, right = (value_at(side, at) for side in equation.args)
            images.append(Matrix(real_rows(difference(left, right))))
    except NoValue:
        return None
    linear = Matrix.block([[image - images[0] for image in images[1:]]])
    kernel = linear.null_space()
    found = linear.solve(-images[0])
    if images[0].is_zero() and kernel.shape[1]:
        found = kernel.select(range(d), [0])
    if found is None:
        return None
    assert found.rational is not None
    scale = _phase(unknown, instance) if images[0].is_zero() else 1
    return tuple((scale * v,) for (v,) in found.rational.tolist())


def _phase(unknown: str, instance: Instance) -> Any:
    """Return a number that a solution of a homogeneous equation is multiplied by: complex where the drawn one was."""
    return next((v for (v,) in instance.values[unknown] if isinstance(v, Gaussian) and v != 0), 1)

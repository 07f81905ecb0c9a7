"""The value of a formula at one instance, exactly: what finds counterexamples.

An instance gives every symbol a value; transitions, where there are some, say what an expectation ranges over. A
formula that has no value there (an inverse of a singular matrix, the largest of complex eigenvalues) is skipped, never
counted for or against.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any

import flint

from tdrc_theory.errors import Inconsistent
from tdrc_theory.exact import Matrix
from tdrc_theory.formula.expression import CONNECTIVES, RELATIONS, Expr, conjuncts
from verify.exact.definiteness import is_positive_definite
from verify.exact.routh import is_hurwitz
from verify.refute.elimination import determinant, identity, inverse
from verify.refute.entry_predicates import predicate_holds
from verify.refute.gaussian import Gaussian, conjugate, imaginary_part, real_part
from verify.refute.quadratic_surd import QuadraticSurd, square_root

Rows = tuple[tuple[Any, ...], ...]


class NoValue(Exception):
    """The formula says nothing at this instance."""


@dataclass(frozen=True)
class Instance:
    """Values at which a formula is looked at.

    Attributes:
        dimension: d.
        values: rows of numbers for each symbol; scalars are 1 x 1.
        transitions: each a probability and the values of rho, R, x and x' there; what E ranges over.
    """

    dimension: int
    values: Mapping[str, Rows]
    transitions: tuple[tuple[Any, Mapping[str, Rows]], ...] = field(default=())

    def with_value(self, name: str, rows: Rows) -> Instance:
        """Return the instance with another value of a symbol."""
        return Instance(self.dimension, {**self.values, name: rows}, self.transitions)


def holds_at(formula: Expr, instance: Instance) -> bool:
    """Return whether a formula without defined symbols is true at an instance.

    Raises:
        NoValue: it has no value there.
    """
    op, args = formula.op, formula.args
    if op in CONNECTIVES:
        return _connected(op, args, instance)
    if op in RELATIONS:
        left, right = (value_at(argument, instance) for argument in args)
        if op in ("=", "!="):
            return (difference(left, right) == _zeros(left)) == (op == "=")
        return _compared(op, left[0][0], right[0][0])
    found = predicate_holds(op, [real_rows(value_at(argument, instance)) for argument in args])
    if found is not None:
        return found
    matrix = Matrix(real_rows(value_at(args[0], instance)))
    if op == "hurwitz":
        return is_hurwitz(matrix.charpoly())
    if op != "posdef":
        raise Inconsistent(f"{op} is no predicate")
    return is_positive_definite((matrix + matrix.T) * Fraction(1, 2))


def _connected(op: str, args: tuple[Expr, ...], instance: Instance) -> bool:
    if op == "implies":
        return not all(holds_at(part, instance) for part in conjuncts(args[0])) or holds_at(args[1], instance)
    answers = [holds_at(part, instance) for part in args]  # of all: where one has no value, neither has the whole
    if op == "not":
        return not answers[0]
    if op == "iff":
        return answers[0] == answers[1]
    return all(answers) if op == "and" else any(answers)


def _compared(op: str, left: Any, right: Any) -> bool:
    if any(isinstance(side, Gaussian) and side.im != 0 for side in (left, right)):
        raise NoValue("an inequality between complex numbers")
    try:
        gap: Any = real_part(left) - real_part(right)
    except ArithmeticError as reason:
        raise NoValue(str(reason)) from None
    if isinstance(gap, QuadraticSurd):
        gap = gap.sign
    return bool({"<": gap < 0, "<=": gap <= 0, ">": gap > 0, ">=": gap >= 0}[op])


def value_at(formula: Expr, instance: Instance) -> Rows:
    """Return the value of a term at an instance, as rows.

    Raises:
        NoValue: it has none there.
    """
    op, args = formula.op, formula.args
    if op == "number":
        return ((flint.fmpq(*Fraction(formula.name).as_integer_ratio()),),)
    if op == "symbol":
        return _symbol(formula.name, instance)
    if op == "E":
        return _expectation(args[0], instance)
    if op == "grad":
        return _gradient(args[0], formula.name, instance)
    if op == "block":
        rows = [[value_at(cell, instance) for cell in row.args] for row in args]
        return tuple(tuple(v for part in parts for v in part) for row in rows for parts in zip(*row, strict=True))
    parts = [value_at(argument, instance) for argument in args]
    if op in ("add", "mul"):
        total = parts[0]
        for part in parts[1:]:
            total = _sum(total, part) if op == "add" else _product(total, part)
        return total
    return _of_one(op, parts)


def _of_one(op: str, parts: list[Rows]) -> Rows:
    value = parts[0]
    if op == "T":
        return tuple(zip(*value, strict=True))
    if op == "star":
        return tuple(tuple(conjugate(v) for v in column) for column in zip(*value, strict=True))
    if op == "diagonal":
        return tuple((row[i],) for i, row in enumerate(value))
    if op == "absolute":
        return tuple(tuple(abs(v) for v in row) for row in value)
    if op == "diag":
        return tuple(tuple(v if i == j else flint.fmpq(0) for j in range(len(value))) for i, (v,) in enumerate(value))
    if op == "norm2":
        return ((sum((v * conjugate(v) for row in value for v in row), flint.fmpq(0)),),)
    if op in ("re", "im"):
        return (((real_part if op == "re" else imaginary_part)(value[0][0]),),)
    if op == "power":
        return ((_power(value[0][0], parts[1][0][0]),),)
    if op == "inv":
        found = inverse(value)
        if found is None:
            raise NoValue("the inverse of a singular matrix")
        return found
    if op == "det":
        return ((determinant(value),),)
    if op in ("eigmax", "eigmin"):
        return ((_extreme(value, op == "eigmax"),),)
    raise NoValue(op)


def _symbol(name: str, instance: Instance) -> Rows:
    if name == "d":
        return ((flint.fmpq(instance.dimension),),)
    if name == "i":
        return ((Gaussian(flint.fmpq(0), flint.fmpq(1)),),)
    if name == "ones":
        return tuple((flint.fmpq(1),) for _ in range(instance.dimension))
    if name in ("I", "I_2d"):
        return identity(instance.dimension * (1 + (name == "I_2d")))
    if name == "0":
        return tuple((flint.fmpq(0),) for _ in range(instance.dimension))
    if name not in instance.values:
        raise NoValue(f"{name} has no value here")
    return instance.values[name]


def _expectation(inside: Expr, instance: Instance) -> Rows:
    total: Rows | None = None
    for probability, sample in instance.transitions:
        there = Instance(instance.dimension, {**instance.values, **sample}, instance.transitions)
        part = _product(((probability,),), value_at(inside, there))
        total = part if total is None else _sum(total, part)
    if total is None:
        raise NoValue("no transitions")
    return total


def _gradient(function: Expr, variable: str, instance: Instance) -> Rows:
    """Return the gradient of a function that is at most quadratic, by differences, which are then exact."""
    if _degree(function, variable) > 2:
        raise NoValue("the gradient of what is not quadratic")
    w = instance.values[variable]
    found = []
    for i in range(len(w)):
        ends = []
        for step in (1, -1):
            moved = tuple((row[0] + step,) if j == i else row for j, row in enumerate(w))
            ends.append(value_at(function, instance.with_value(variable, moved))[0][0])
        found.append(((ends[0] - ends[1]) / 2,))
    return tuple(found)


def _degree(formula: Expr, variable: str) -> float:
    """Return a bound of the degree in a variable; infinite where it may be no polynomial."""
    op, args = formula.op, formula.args
    if variable not in formula.names():
        return 0
    if op == "symbol":
        return 1
    degrees = [_degree(argument, variable) for argument in args]
    if op == "mul":
        return sum(degrees)
    if op in ("add", "T", "E"):
        return max(degrees)
    if op == "norm2":
        return 2 * degrees[0]
    exponent = Fraction(args[1].name) if op == "power" and args[1].op == "number" else Fraction(-1)
    return degrees[0] * float(exponent) if exponent >= 0 else inf


def _zeros(like: Rows) -> Rows:
    return tuple(tuple(flint.fmpq(0) for _ in row) for row in like)


def _sum(left: Rows, right: Rows) -> Rows:
    return tuple(tuple(a + b for a, b in zip(r, s, strict=True)) for r, s in zip(left, right, strict=True))


def difference(left: Rows, right: Rows) -> Rows:
    """Return left - right, entry by entry."""
    return tuple(tuple(a - b for a, b in zip(r, s, strict=True)) for r, s in zip(left, right, strict=True))


def _product(left: Rows, right: Rows) -> Rows:
    if len(left[0]) == len(right):
        columns = list(zip(*right, strict=True))
        return tuple(tuple(_dot(row, column) for column in columns) for row in left)
    scalar, other = (left[0][0], right) if len(left) == len(left[0]) == 1 else (right[0][0], left)
    return tuple(tuple(scalar * v for v in row) for row in other)


def _dot(row: tuple[Any, ...], column: tuple[Any, ...]) -> Any:
    total = row[0] * column[0]
    for a, b in zip(row[1:], column[1:], strict=True):
        total = total + a * b
    return total


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Gaussian | QuadraticSurd) or exponent.q != 1:
        raise NoValue("an exponent that is not an integer")
    result: Any = flint.fmpq(1)
    for _ in range(abs(int(exponent.p))):
        result = result * base
    if exponent < 0:
        if result == 0:
            raise NoValue("division by 0")
        return flint.fmpq(1) / result
    return result


def real_rows(rows: Rows) -> list[list[Fraction]]:
    """Return rows of fractions.

    Raises:
        NoValue: a number is not real.
    """
    if any(isinstance(v, QuadraticSurd) or imaginary_part(v) != 0 for row in rows for v in row):
        raise NoValue("a complex or irrational matrix where a rational one is needed")
    return [[Fraction(int(real_part(v).p), int(real_part(v).q)) for v in row] for row in rows]


def _extreme(rows: Rows, largest: bool) -> Any:
    """Return the largest or smallest eigenvalue, which is undefined where one is not real.

    Raises:
        NoValue: one is not real, or one of a matrix that is larger than 2 x 2 is irrational.
    """
    if len(rows) != 2:
        roots = _rational_roots(rows)
        return max(roots) if largest else min(roots)
    if any(isinstance(v, Gaussian | QuadraticSurd) for row in rows for v in row):
        raise NoValue("eigenvalues of a matrix that is not rational")
    middle = (rows[0][0] + rows[1][1]) / 2
    inside = (rows[0][0] - rows[1][1]) ** 2 / 4 + rows[0][1] * rows[1][0]
    if inside < 0:
        raise NoValue("complex eigenvalues")
    return middle + square_root(inside) if largest else middle - square_root(inside)


def _rational_roots(rows: Rows) -> list[flint.fmpq]:
    polynomial = Matrix(real_rows(rows)).charpoly().rational
    assert polynomial is not None
    factors = polynomial.numer().factor()[1]
    if any(factor.degree() > 1 for factor, _ in factors):
        raise NoValue("an irrational or complex eigenvalue")
    return [flint.fmpq(-factor[0], factor[1]) for factor, _ in factors]

"""The value of a formula at one instance, exactly: what finds counterexamples.

An instance gives every symbol a value; transitions, where there are some, say what an expectation ranges over. A
formula that has no value there (an inverse of a singular matrix, the largest of complex eigenvalues) is skipped, never
counted for or against.

A formula is evaluated at thousands of instances, so it is read once, as a function of the instance. A value is a number
where the shape is (1, 1), and rows of numbers otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial, reduce
from math import inf
from operator import add
from typing import Any

import flint

from tdrc_theory.errors import Inconsistent
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import from_fmpq, to_fmpq
from tdrc_theory.formula.expression import CONNECTIVES, RELATIONS, Expr, conjuncts
from tdrc_theory.formula.vocabulary import SCALAR, shape
from verify.exact.definiteness import inertia, is_positive_definite
from verify.exact.roots import is_hurwitz
from verify.refute import numbers
from verify.refute.numbers import I, NoValue, Rows


def _symmetric(matrix: Matrix) -> Matrix:
    return (matrix + matrix.T) * Fraction(1, 2)


def _definite_where(matrix: Matrix, weights: Matrix) -> bool:
    """Return whether the form is definite on the states of positive weight and has no other entries."""
    form, states = _symmetric(matrix), range(matrix.shape[0])
    inside = [s for s in states if weights[s, 0] > 0]
    outside = [s for s in states if s not in inside]
    if outside and not form.select(outside, states).is_zero():
        return False
    return not inside or is_positive_definite(form.select(inside, inside))


def _diagonalizable(matrix: Matrix) -> bool:
    """Return whether the characteristic polynomial without its repeated factors has the matrix as a root."""
    polynomial = matrix.charpoly().rational
    if polynomial is None:
        raise Inconsistent("a rational matrix has a rational characteristic polynomial")
    simple = polynomial // polynomial.gcd(polynomial.derivative())
    total = Matrix.zeros(*matrix.shape)
    for c in reversed(simple.coeffs()):
        total = total @ matrix + Matrix.identity(matrix.shape[0]) * from_fmpq(c)
    return total.is_zero()


PREDICATES: dict[str, Callable[..., bool]] = {
    "hurwitz": lambda matrix: is_hurwitz(matrix.charpoly()),
    "posdef": lambda matrix: is_positive_definite(_symmetric(matrix)),
    "semidefinite": lambda matrix: inertia(_symmetric(matrix)).negative == 0,
    "definite_where": _definite_where,
    "diagonalizable": _diagonalizable,
    "nonnegative": lambda matrix: all(v >= 0 for row in matrix.rows for v in row),
    "positive": lambda matrix: all(v > 0 for row in matrix.rows for v in row),
}
"""What is true or false of rational matrices."""


@dataclass(frozen=True)
class Instance:
    """Values at which a formula is looked at.

    Attributes:
        dimension: d.
        values: rows of numbers for each symbol; scalars are 1 x 1.
        transitions: each a probability and the values of rho, R, x and x' there; what E ranges over.
        origin, changed: the instance that this one differs from in one symbol, and that symbol.
        computed: the values of costly parts of formulas here.
    """

    dimension: int
    values: Mapping[str, Rows]
    transitions: tuple[tuple[Any, Mapping[str, Rows]], ...] = field(default=())
    origin: Instance | None = field(default=None, repr=False, compare=False)
    changed: str = field(default="", repr=False, compare=False)
    computed: dict[Expr, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def with_value(self, name: str, rows: Rows) -> Instance:
        """Return the instance with another value of a symbol."""
        return Instance(self.dimension, {**self.values, name: rows}, self.transitions, self, name)


_READ = 4096  # formulas, parts included, whose functions are kept


Reading = Callable[[Instance], Any]
"""A term as a function of an instance."""
Truth = Callable[[Instance], bool]
"""The same of what is true or false."""


def holds_at(formula: Expr, instance: Instance) -> bool:
    """Return whether a formula without defined symbols is true at an instance.

    Raises:
        NoValue: it has no value there.
    """
    return bool(_truth(formula)(instance))


def value_at(formula: Expr, instance: Instance) -> Any:
    """Return the value of a term at an instance: a number where its shape is (1, 1), else rows of numbers.

    Raises:
        NoValue: it has none there.
    """
    return _value(formula)(instance)


@lru_cache(_READ)
def _truth(formula: Expr) -> Truth:
    op, args = formula.op, formula.args
    if op in CONNECTIVES:
        return _connected(op, args)
    if op in RELATIONS:
        return _related(op, *args)
    if op not in PREDICATES:
        raise Inconsistent(f"{op} is no predicate")
    reads, predicate = [_value(argument) for argument in args], PREDICATES[op]
    return lambda instance: predicate(*(numbers.real_matrix(read(instance)) for read in reads))


def _connected(op: str, args: Sequence[Expr]) -> Truth:
    """Return the truth of parts that are joined by a connective, as a function of the instance."""
    if op == "implies":
        hypotheses, conclusion = [_truth(part) for part in conjuncts(args[0])], _truth(args[1])
        return lambda instance: not all(read(instance) for read in hypotheses) or conclusion(instance)
    reads = [_truth(part) for part in args]
    if op == "and":
        return partial(_every, reads)
    joined: Callable[[list[bool]], bool] = {
        "not": lambda answers: not answers[0],
        "iff": lambda answers: answers[0] == answers[1],
        "or": any,
    }[op]
    return lambda instance: joined([read(instance) for read in reads])  # where one has no value, neither has the whole


def _every(reads: Sequence[Truth], instance: Instance) -> bool:
    """Return whether all hold: where one does not, whether the others have a value does not matter."""
    missing: NoValue | None = None
    for read in reads:
        try:
            if not read(instance):
                return False
        except NoValue as reason:
            missing = reason
    if missing is not None:
        raise missing
    return True


def _related(op: str, left: Expr, right: Expr) -> Truth:
    first, second = _value(left), _value(right)
    if op not in ("=", "!="):
        return lambda instance: _compared(op, first(instance), second(instance))
    scalar = shape(left) == SCALAR
    return lambda instance: _is_zero(numbers.difference(first(instance), second(instance)), scalar) == (op == "=")


def _is_zero(value: Any, scalar: bool) -> bool:
    return bool(value == 0) if scalar else all(v == 0 for row in value for v in row)


def _compared(op: str, left: Any, right: Any) -> bool:
    if any(numbers.imaginary_part(side) != 0 for side in (left, right)):
        raise NoValue("an inequality between complex numbers")
    gap: Any = numbers.difference(numbers.real_part(left), numbers.real_part(right))
    if numbers.is_irrational(gap):
        gap = gap.sign
    return bool(gap < 0 if op == "<" else gap <= 0 if op == "<=" else gap > 0 if op == ">" else gap >= 0)


@lru_cache(_READ)
def _value(formula: Expr) -> Reading:
    op, args = formula.op, formula.args
    if op == "number":
        number = to_fmpq(Fraction(formula.name))
        return lambda _: number
    if op == "symbol":
        return _symbol(formula.name, shape(formula) == SCALAR)
    if op == "E":
        return _once(formula, partial(_expectation, _value(args[0]), shape(formula) == SCALAR))
    if op == "grad":
        if degree(args[0], formula.name) > 2:
            return partial(_without_value, "the gradient of what is not quadratic")
        return _once(formula, partial(_gradient, _value(args[0]), formula.name))
    if op == "block":
        return _block(formula)
    reads = [_value(argument) for argument in args]
    if op == "add":
        return _sum_of(reads, shape(formula) == SCALAR)
    if op == "mul":
        return reduce(_product_of, [(read, shape(part)) for read, part in zip(reads, args, strict=True)])[0]
    if op == "power":
        base, exponent = reads
        return lambda instance: numbers.power(base(instance), exponent(instance))
    return _of_one(formula, reads[0])


def _of_one(formula: Expr, read: Reading) -> Reading:
    op = formula.op
    if op in _COSTLY:
        calculate = _COSTLY[op]
        return _once(formula, lambda instance: calculate(read(instance)))
    known = _OF_NUMBERS if shape(formula.args[0]) == SCALAR else _OF_ROWS
    if op not in known:
        return partial(_without_value, op)
    change = known[op]
    return lambda instance: change(read(instance))


def _without_value(why: str, _: Instance) -> Any:
    raise NoValue(why)


def _once(formula: Expr, read: Reading) -> Reading:
    """Return a reading that is computed once for an instance and those that differ in symbols that it does not have."""
    names = formula.names()

    def kept(instance: Instance) -> Any:
        while instance.origin is not None and instance.changed not in names:
            instance = instance.origin
        if formula not in instance.computed:
            try:
                instance.computed[formula] = read(instance)
            except NoValue as reason:
                instance.computed[formula] = reason
        value = instance.computed[formula]
        if isinstance(value, NoValue):
            raise value
        return value

    return kept


def _symbol(name: str, scalar: bool) -> Reading:
    if name == "d":
        return lambda instance: flint.fmpq(instance.dimension)
    if name == "i":
        return lambda _: I
    if name in ("I", "I_2d"):
        return lambda instance: numbers.identity(instance.dimension * (1 + (name == "I_2d")))
    if name in ("0", "ones"):
        return lambda instance: tuple((flint.fmpq(int(name == "ones")),) for _ in range(instance.dimension))

    def read(instance: Instance) -> Any:
        if name not in instance.values:
            raise NoValue(f"{name} has no value here")
        rows = instance.values[name]
        return rows[0][0] if scalar else rows

    return read


def _expectation(inside: Reading, scalar: bool, instance: Instance) -> Any:
    if not instance.transitions:
        raise NoValue("no transitions")
    parts = []
    for probability, sample in instance.transitions:
        value = inside(Instance(instance.dimension, {**instance.values, **sample}, instance.transitions))
        parts.append(probability * value if scalar else numbers.scale(probability, value))
    return reduce(add if scalar else numbers.add_rows, parts)


def _gradient(function: Reading, variable: str, instance: Instance) -> Rows:
    """Return the gradient of a function that is at most quadratic, by differences, which are then exact."""
    w = instance.values[variable]
    slopes = []
    for i in range(len(w)):
        moved = [tuple((v + step,) if j == i else (v,) for j, (v,) in enumerate(w)) for step in (1, -1)]
        above, below = (function(instance.with_value(variable, rows)) for rows in moved)
        slopes.append(((above - below) / 2,))
    return tuple(slopes)


@lru_cache(_READ)
def degree(formula: Expr, variable: str) -> float:
    """Return a bound of the degree in a variable; infinite where it may be no polynomial."""
    op, args = formula.op, formula.args
    if variable not in formula.names():
        return 0
    if op == "symbol":
        return 1
    degrees = [degree(argument, variable) for argument in args]
    if op == "mul":
        return sum(degrees)
    if op in ("add", "T", "E"):
        return max(degrees)
    if op == "norm2":
        return 2 * degrees[0]
    exponent = Fraction(args[1].name) if op == "power" and args[1].op == "number" else Fraction(-1)
    return degrees[0] * float(exponent) if exponent >= 0 else inf


def _block(formula: Expr) -> Reading:
    lines = [[(_value(cell), shape(cell) == SCALAR) for cell in row.args] for row in formula.args]

    def read(instance: Instance) -> Any:
        rows: list[tuple[Any, ...]] = []
        for line in lines:
            cells = [((value(instance),),) if scalar else value(instance) for value, scalar in line]
            rows += [tuple(v for part in parts for v in part) for parts in zip(*cells, strict=True)]
        return rows[0][0] if scalar_whole else tuple(rows)

    scalar_whole = shape(formula) == SCALAR
    return read


def _sum_of(reads: list[Reading], scalar: bool) -> Reading:
    first, *others = reads

    def read(instance: Instance) -> Any:
        total = first(instance)
        for other in others:
            total = total + other(instance) if scalar else numbers.add_rows(total, other(instance))
        return total

    return read


def _product_of(left: tuple[Reading, Any], right: tuple[Reading, Any]) -> tuple[Reading, Any]:
    """Return the product of two readings with their shapes."""
    (first, rows), (second, columns) = left, right
    if rows == columns == SCALAR:
        return lambda instance: first(instance) * second(instance), SCALAR
    if rows == SCALAR:
        return lambda instance: numbers.scale(first(instance), second(instance)), columns
    if columns == SCALAR:
        return lambda instance: numbers.scale(second(instance), first(instance)), rows
    whole = (rows[0], columns[1])
    if whole == SCALAR:
        return lambda instance: numbers.inner(first(instance), second(instance)), SCALAR
    return lambda instance: numbers.multiply(first(instance), second(instance)), whole


_COSTLY: dict[str, Callable[[Rows], Any]] = {
    "inv": numbers.inverse,
    "det": numbers.determinant,
    "eigmax": partial(numbers.extreme, largest=True),
    "eigmin": partial(numbers.extreme, largest=False),
}
_OF_NUMBERS: dict[str, Reading] = {
    "T": lambda value: value,
    "star": numbers.conjugate,
    "norm2": lambda value: value * numbers.conjugate(value),
    "re": numbers.real_part,
    "im": numbers.imaginary_part,
}
_OF_ROWS: dict[str, Callable[[Rows], Any]] = {
    "diag": lambda rows: tuple(
        tuple(v if i == j else flint.fmpq(0) for j in range(len(rows))) for i, (v,) in enumerate(rows)
    ),
    "diagonal": lambda rows: tuple((row[i],) for i, row in enumerate(rows)),
    "absolute": lambda rows: tuple(tuple(abs(v) for v in row) for row in rows),
    "T": numbers.transpose,
    "star": lambda rows: tuple(tuple(numbers.conjugate(v) for v in column) for column in zip(*rows, strict=True)),
    "norm2": lambda rows: sum((v * numbers.conjugate(v) for row in rows for v in row), flint.fmpq(0)),
}

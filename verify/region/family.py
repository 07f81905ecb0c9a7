"""How G depends on open parameters, and the polynomials on whose zeros alone stability can change.

One of them vanishes where an eigenvalue reaches the axis, or, of expected memory, the unit circle. The characteristic
polynomial of a matrix that is a polynomial in the parameters is one too, and it is factored: an eigenvalue on the
imaginary axis, and its conjugate, are roots of the same irreducible factor, which is real.
"""

from __future__ import annotations

import contextlib
import functools
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import flint

from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadOption, NoExpectation
from tdrc_theory.exact import Matrix, Number, Polynomial
from tdrc_theory.exact.number import from_fmpq, to_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import averaged_update, driving_order, memory_of, widths
from tdrc_theory.learner.modes import Modes, needs_chain
from tdrc_theory.problem import Problem
from verify.conditions.setting import Setting, longest
from verify.exact.roots import integer_points, interpolate

Exponents = tuple[int, ...]
Coefficients = dict[Exponents, Matrix]
"""Of a matrix that is a polynomial in the parameters: {exponents: matrix}, those that are not 0."""
Values = tuple[Fraction, ...]

LARGEST_MIXED = 24
"""Size of a system for memory with entries of both signs up to which it is known where the memory exists."""

EIGENVALUE = "an eigenvalue"
"""The name of the unknown of a characteristic polynomial, which no parameter has."""
LONGEST = 36_000.0
"""Seconds that a region is estimated to take beyond which it is refused."""
LARGEST = 48
"""Size of G up to which regions are computed."""
_GRIDS = 20
"""Grids that are tried, until no point of one is singular."""


def interpolated(points: Sequence[Sequence[Fraction]], value: Callable[[Values], Matrix]) -> Coefficients:
    """Return a matrix polynomial by its values at a grid, of more points along each parameter than its degree."""
    if not points:
        return {(): value(())}
    tables = [interpolated(points[1:], lambda rest, t=t: value((t, *rest))) for t in points[0]]  # type: ignore[misc]
    weights = Matrix([[t**j for j in range(len(tables))] for t in points[0]]).solve(Matrix.identity(len(tables)))
    assert weights is not None, "the points are different"
    keys = sorted({key for table in tables for key in table})
    result: Coefficients = {}
    for j, row in enumerate(weights.rows):
        for key in keys:
            parts = [table[key] * weight for table, weight in zip(tables, row, strict=True) if key in table]
            total = functools.reduce(operator.add, parts)
            if not total.is_zero():
                result[j, *key] = total
    return result


def at_point(coefficients: Mapping[Exponents, Matrix], values: Values, shape: tuple[int, int]) -> Matrix:
    """Return the matrix at values of the parameters."""
    total = Matrix.zeros(*shape)
    for exponents, matrix in coefficients.items():
        total = total + matrix * math.prod(map(pow, values, exponents), start=Fraction(1))
    return total


def charpoly_factors(names: tuple[str, ...], coefficients: Coefficients, size: int) -> list[tuple[Any, int]]:
    """Return the irreducible factors of the characteristic polynomial, the eigenvalue's name first, and multiplicities.

    In each parameter the coefficient of the m-th power from the top has a degree of at most min(m, q) times that of the
    matrix, q the rank of what the parameter multiplies, since it is a sum of minors of m rows.
    """
    bounds = []
    for i in range(len(names)):
        moving = [matrix for exponents, matrix in coefficients.items() if exponents[i]]
        degree = max((exponents[i] for exponents in coefficients), default=0)
        bounds.append(degree * Matrix.block([moving]).rank() if moving else 0)
    points = [list(map(Fraction, integer_points(bound + 1))) for bound in bounds]

    def row(values: Values) -> Matrix:
        listed = at_point(coefficients, values, (size, size)).charpoly().coefficients
        return Matrix([[*listed, *[Fraction(0)] * (size + 1 - len(listed))]])

    context = flint.fmpq_mpoly_ctx.get((EIGENVALUE, *names), "lex")
    terms = {
        (power, *exponents): value
        for exponents, matrix in interpolated(points, row).items()
        if matrix.rational is not None
        for power, value in enumerate(matrix.rational.entries())
        if value
    }
    return [(factor, int(count)) for factor, count in context.from_dict(terms).factor()[1]]


def of_axis(factor: Any) -> tuple[Any, Any]:
    """Return what vanishes where a factor's root is 0, and what does where two of its roots have the sum 0.

    The latter is the resultant of even and odd part in the square of the eigenvalue. Either is the polynomial 0 where
    it would vanish everywhere.
    """
    context = factor.context()
    none, constant = context.constant(0), factor.subs({EIGENVALUE: 0})
    parts: list[dict[Exponents, Any]] = [{}, {}]
    for (power, *rest), c in factor.to_dict().items():
        parts[int(power) % 2][(int(power) // 2, *map(int, rest))] = c
    even, odd = map(context.from_dict, parts)
    if not constant:
        return none, none  # the eigenvalue 0 itself
    return constant, even.resultant(odd, EIGENVALUE) if int(factor.degrees()[0]) > 1 and odd else none


def memory_boundary(names: tuple[str, ...], T: Coefficients, size: int, below: Any) -> list[Any]:
    """Return what vanishes where an eigenvalue of T / below reaches the unit circle; both are polynomials.

    Raises:
        BadOption: T, a matrix of that size, has entries of both signs and is too large.
    """
    # Parameters are 0 or above, so that coefficients tell signs; then the largest eigenvalue is positive.
    nonnegative = all(value >= 0 for matrix in T.values() for row in matrix.rows for value in row) and all(
        c > 0 for c in below.to_dict().values()
    )
    if not nonnegative and size > LARGEST_MIXED:
        what = f"its memory is {size} equations with both signs"
        raise BadOption(f"{what}; regions in {' and '.join(names)} are computed up to {LARGEST_MIXED}")
    factors = charpoly_factors(names, T, size)
    return [without_first(each) for factor, _ in factors for each in _of_circle(factor, below, nonnegative)]


def _of_circle(factor: Any, radius: Any, nonnegative: bool) -> list[Any]:
    """Return what vanishes where a factor's root reaches the circle of a radius around 0."""
    context, degree = factor.context(), int(factor.degrees()[0])
    if not factor.subs({EIGENVALUE: 0}):
        return []  # the eigenvalue 0
    at_radius = factor.compose(radius, *context.gens()[1:], ctx=context)
    if nonnegative:
        return [at_radius]
    mirrored = context.constant(0)
    for (power, *rest), c in factor.to_dict().items():
        mirrored += context.from_dict({(degree - int(power), *map(int, rest)): c}) * radius ** (2 * int(power))
    opposite = factor.compose(-radius, *context.gens()[1:], ctx=context)
    return [at_radius, opposite, factor.resultant(mirrored, EIGENVALUE)]


def irreducible(polynomials: Sequence[Any]) -> list[Any]:
    """Return the irreducible factors of polynomials, each once, with integers without a common factor."""
    result: dict[str, Any] = {}
    for polynomial in polynomials:
        if polynomial and not polynomial.is_constant():
            for factor, _ in polynomial.factor()[1]:
                values = factor.to_dict().values()
                scale = flint.fmpq(math.lcm(*(int(c.q) for c in values)), math.gcd(*(int(c.p) for c in values)))
                primitive = factor * (scale if factor.leading_coefficient() > 0 else -scale)
                result.setdefault(str(primitive), primitive)
    return sorted(result.values(), key=lambda p: (sum(map(int, p.degrees())), str(p)))


def without_first(polynomial: Any) -> Any:
    """Return a polynomial that does not depend on its ring's first name in the ring of the others."""
    context = flint.fmpq_mpoly_ctx.get(polynomial.context().names()[1:], "lex")
    return context.from_dict({tuple(map(int, e))[1:]: c for e, c in polynomial.to_dict().items()})


def univariate(polynomial: Any) -> Polynomial:
    """Return a polynomial of python-flint's in one parameter as one of ours."""
    terms = {int(exponent): c for (exponent,), c in polynomial.to_dict().items()}
    return Polynomial([terms.get(i, 0) for i in range(max(terms, default=-1) + 1)])


def irrational_boundary(coefficients: Coefficients, size: int) -> tuple[Polynomial, Polynomial]:
    """Return the boundary in one parameter t of a matrix with square roots in it, from exact values at enough points.

    With m zero eigenvalues at almost every t, the characteristic polynomial is x^m p(x; t). It is p(0; t) and the last
    but one Hurwitz determinant of p, which is the product of -(x_i + x_j) over pairs of roots (Orlando's formula).
    """
    points = [Fraction(i) for i in range(_determinant_degree(coefficients, size) + 1)]
    charpolys = [at_point(coefficients, (t,), (size, size)).charpoly() for t in points]
    zeros = min(poly.split_zero()[0] for poly in charpolys)
    rests = [Polynomial(poly.coefficients[zeros:]) for poly in charpolys]
    constant = interpolate(points, [rest.coefficients[0] if rest.coefficients else Fraction(0) for rest in rests])
    return constant, interpolate(points, [hurwitz_determinant(rest) for rest in rests])


def _determinant_degree(coefficients: Coefficients, n: int) -> int:
    """Return a bound on the degree of the Hurwitz determinant in t.

    With q the rank of (G_1, G_2, ...), the coefficient of the m-th power from the top has a degree of at most
    min(m, q) in t^degree. So, by the Newton polygon, have the m largest eigenvalues together, for every m, and the
    product over pairs is at most the sum of min(m, q) over m below n.
    """
    moving = [matrix for (power,), matrix in coefficients.items() if power]
    if not moving:
        return 0
    q = Matrix.block([moving]).rank()
    return max(power for (power,) in coefficients) * max(q, q * n - q * (q + 1) // 2)


def hurwitz_determinant(polynomial: Polynomial) -> Number:
    """Return the determinant of the leading (n - 1) x (n - 1) block of Hurwitz's matrix; 1 where n is below 2."""
    descending = dict(enumerate(polynomial.coefficients[::-1]))
    places = range(len(descending) - 2)
    return Matrix([[descending.get(2 * j - i + 1, 0) for j in places] for i in places]).det() if places else Fraction(1)


def degrees_in(algorithm: Algorithm, name: str) -> dict[str, int]:
    """Return the degree of the numerators of each row of a learner's normal form in a parameter.

    Raises:
        BadOption: it branches on the parameter.
    """
    degrees = dict.fromkeys((*algorithm.stacked, *algorithm.memory), 0)
    for way in algorithm.trace.ways:
        if any(name in condition.names for condition in way.conditions):
            raise BadOption(f"{algorithm.name} branches on {name}; its region in {name} is not computed")
        for row, terms in way.rows.items():
            known = (c.degree(name)[0] for c in terms.values() if name in c.names)
            degrees[row] = max(degrees[row], *known, 0)
    return degrees


@dataclass(frozen=True)
class Duration:
    """How long a region takes, estimated from the size of G and the bits of its longest number; less with structure.

    The resultants have a degree of n^2 / 4 in the parameter, for a G of size n, and coefficients n^2 times as long as
    its numbers. That makes n^6 operations on each of their bits, whose time was measured for n from 6 to 24.
    """

    size: int
    bits: int

    @property
    def seconds(self) -> float:
        """Return the estimate."""
        return 4e-9 * self.size**6 * self.bits

    def __str__(self) -> str:
        for unit, length in (("hour", 3600), ("minute", 60)):
            if self.seconds >= 2 * length:
                return counted(round(self.seconds / length), unit)
        return counted(round(self.seconds), "second")

    def check(self, who: str, most: float = LONGEST) -> None:
        """Raise BadOption, with a text that begins with `who`, where a region takes more than `most` seconds."""
        if self.seconds > most:
            estimate = f"G is {self.size} x {self.size} with long numbers, so that a region may take {self}"
            raise BadOption(f"{who}: {estimate}; fewer digits take less")


class Boundary(NamedTuple):
    """Polynomials in the open parameters: of rational data in python-flint's ring, irreducible, each once.

    Attributes:
        zero: one vanishes where G has one zero eigenvalue more than at almost every value.
        imaginary: one vanishes where two eigenvalues meet the imaginary axis elsewhere.
        undefined: one vanishes where expected memory ceases to exist, or the learner divides by 0.
    """

    zero: tuple[Any, ...]
    imaginary: tuple[Any, ...]
    undefined: tuple[Any, ...]

    @property
    def univariate(self) -> tuple[tuple[Polynomial, ...], ...]:
        """The three of one parameter, as polynomials of ours."""
        return tuple(tuple(p if isinstance(p, Polynomial) else univariate(p) for p in each) for each in self)


@dataclass(frozen=True)
class Family:
    """One algorithm on one problem, with one or two parameters left open.

    Attributes:
        setting: any member; its values of the open parameters do not matter.
        names: of the open parameters.
    """

    setting: Setting
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse what has no such parameters, or branches on them."""
        algorithm = self.setting.algorithm
        for name in self.names:
            if name not in self.setting.parameters:
                have = ", ".join(self.setting.parameters)
                raise BadOption(f"{algorithm.name} has no {name}{f'; it has {have}' if have else ''}")
            if name in algorithm.fixed:
                raise BadOption(f"{algorithm.name} fixes {name} at {algorithm.fixed[name]}")
        if len(set(self.names)) < len(self.names):
            raise BadOption(f"--over: {self.names[0]} is named twice")
        size = algorithm.size(self.setting.problem.k)
        if size > LARGEST:
            raise BadOption(f"{self.setting.problem.name}: G is {size} x {size}; regions are computed up to {LARGEST}")

    def at(self, *values: Fraction) -> Setting:
        """Return the member at values of the open parameters."""
        return self.setting.at(**dict(zip(self.names, values, strict=True)))

    @property
    def size(self) -> int:
        """The number of weights."""
        return self.setting.algorithm.size(self.setting.problem.k)

    def is_defined(self, *values: Fraction) -> bool:
        """Return whether there is an expected update: no division by 0, and memory that has an expectation."""
        if self._denominator_at(values) == 0:
            return False
        setting = self.at(*values)
        try:
            if self._remembers:
                memory_of(setting.process, setting.algorithm, setting.parameters, modes=self._modes)
        except NoExpectation:
            return False
        return True

    @cached_property
    def coefficients(self) -> Coefficients:
        """Of a multiple of G that is a polynomial in the open parameters.

        The factor is 1 where G is a polynomial. Else it is one power of the learner's common denominator, times one of
        det(I - T) for each system for memory.
        """
        square = range(self.size)
        parts = {key: matrix.select(square, square) for key, matrix in self._interpolated[0].items()}
        return {key: matrix for key, matrix in parts.items() if not matrix.is_zero()}

    @cached_property
    def duration(self) -> Duration:
        """How long `boundary` takes, at most."""
        return Duration(self.size, max(map(longest, self.coefficients.values()), default=0))

    def G(self, *values: Fraction) -> Matrix:
        """Return what `coefficients` are of, at any values of the parameters, whether allowed or not."""
        return at_point(self.coefficients, values, (self.size, self.size))

    @cached_property
    def boundary(self) -> Boundary:
        """Where stability may change, or whether there is an expected update."""
        self.duration.check(self.setting.problem.name)
        undefined = irreducible([self._denominator, *self._memory_boundary()])
        if any(matrix.rational is None for matrix in self.coefficients.values()):
            if len(self.names) > 1:
                raise BadOption(f"{self.setting.problem.name}: square roots in it; regions of two parameters have none")
            constant, determinant = irrational_boundary(self.coefficients, self.size)
            return Boundary((constant,), (determinant,), tuple(undefined))
        zero, imaginary = [], []
        for factor, _ in charpoly_factors(self.names, self.coefficients, self.size):
            constant, both = of_axis(factor)
            zero.append(without_first(constant))
            imaginary.append(without_first(both))
        return Boundary(tuple(irreducible(zero)), tuple(irreducible(imaginary)), tuple(undefined))

    def check_resting(self) -> None:
        """Raise BadOption where the directions of zero eigenvalues, or whether they drift, depend on the parameters.

        Then whether there are fixed points, and which, may change where no eigenvalue does. Not so where one point
        rests at all values, nor where no direction drifts and the learner is held to an equation that moves as well,
        nor in the eta of a function of components, which only scales rows of G and g.
        """
        if not self.setting.algorithm.weights and "eta" in self.names:
            others = tuple(name for name in self.names if name != "eta")
            if others:
                Family(self.setting, others).check_resting()
            return
        n, algorithm = self.size, self.setting.algorithm
        parts = list(self._interpolated[0].values())
        matrices, forces = ([part.select(range(n), columns) for part in parts] for columns in (range(n), [n]))
        points = [tuple(Fraction(t + i) for i in range(len(self.names))) for t in (3, 7, 11, 16, 22)]
        zeros = min(self.G(*point).charpoly().split_zero()[0] for point in points)
        right = Matrix.block([[matrix] for matrix in matrices]).null_space()
        left = Matrix.block([[matrix.T] for matrix in matrices]).null_space()
        here = Matrix.block([[matrix] for matrix in matrices]).solve(Matrix.block([[-force] for force in forces]))
        moving = algorithm.own_fixed_points or algorithm.solves is not None
        driftless = left.shape[1] == zeros and all((left.T @ force).is_zero() for force in forces)
        if zeros and not (right.shape[1] == zeros and (here is not None or (moving and driftless))):
            open_ones = " and ".join(self.names)
            what = f"{algorithm.name}: the directions of its zero eigenvalues, or its drift along them,"
            raise BadOption(f"{what} depend on {open_ones}; its region in {open_ones} is not computed")

    @property
    def _remembers(self) -> bool:
        return needs_chain(self.setting.problem, self.setting.algorithm)

    @cached_property
    def _modes(self) -> Modes:
        return Modes.of_chain(self.setting.process, self.setting.algorithm)

    @cached_property
    def _denominator(self) -> Any:
        """The least common denominator of the learner's coefficients on the steps that can be taken."""
        algorithm = self.setting.algorithm
        context = flint.fmpq_mpoly_ctx.get(self.names, "lex")
        total = context.constant(1)
        listed = [c for way in algorithm.trace.ways for terms in way.rows.values() for c in terms.values()]
        if not any(c.degree(name)[1] for c in listed for name in self.names if name in c.names):
            return total
        known = {name: value for name, value in self.setting.parameters.items() if name not in self.names}
        problem = self.setting.problem
        points: Sequence[Mapping[str, Fraction]] = ({},)  # A, b and C say nothing of single steps
        if isinstance(problem, Problem):
            points = (self._modes if self._remembers else Modes.of_states(problem, second=algorithm.second)).points
        for way in [way for point in points for way in algorithm.bound({**known, **point})]:
            for coefficient in (c for terms in way.rows.values() for c in terms.values()):
                below = coefficient.denominator
                places = [below.context().names().index(name) for name in self.names]
                terms = {tuple(int(powers[i]) for i in places): c for powers, c in below.to_dict().items()}
                read = context.from_dict(terms)
                total = total * (read / total.gcd(read))
        return total

    def _denominator_at(self, values: Values) -> Fraction:
        return from_fmpq(self._denominator(*map(to_fmpq, values)))

    @cached_property
    def _interpolated(self) -> list[Coefficients]:
        """The coefficients of a multiple of (G, g), side by side, and of each T, denominators cleared."""
        bounds, kinds = [self._degree(name) for name in self.names], range(1 + len(self._systems))
        member = functools.cache(self._member)
        for shift in range(_GRIDS):
            points = [[Fraction(n + 1 + shift * (i + 1)) for n in range(bound + 1)] for i, bound in enumerate(bounds)]
            with contextlib.suppress(NoExpectation):
                return [interpolated(points, lambda values, kind=kind: member(values)[kind]) for kind in kinds]  # type: ignore[misc]
        raise BadOption(f"{self.setting.algorithm.name}: its memory has no expectation wherever it was tried")

    def _member(self, values: Values) -> list[Matrix]:
        """Return what is interpolated, at a point; NoExpectation where the point is singular."""
        below, setting = self._denominator_at(values), self.at(*values)
        if below == 0:
            raise NoExpectation(f"{setting.algorithm.name} divides by 0")
        if not self._remembers:
            G, g = setting.update
            return [Matrix.block([[G, g]]) * below]
        used = setting.process, setting.algorithm, setting.parameters
        memory = memory_of(*used, formal=True, modes=self._modes)
        G, g = averaged_update(memory.table(), *used[1:])
        scale: Number = below ** (1 + sum(self._systems))
        for T in memory.transitions:
            scale = scale * (Matrix.identity(T.shape[0]) - T).det()
        return [Matrix.block([[G, g]]) * scale, *(T * below for T in memory.transitions)]

    @cached_property
    def _systems(self) -> list[int]:
        """The sizes of the systems for expected memory."""
        algorithm, k = self.setting.algorithm, self.setting.problem.k
        if not algorithm.memory:
            return []
        return [len(self._modes.places) * sum(widths(algorithm, names, k)) for names in driving_order(algorithm)]

    def _degree(self, name: str) -> int:
        """Return a bound on the degree of what is interpolated.

        A system (I - T) z = c with coefficients of degree d, of size n, is solved by quotients of degree (n + 1) d.
        """
        algorithm = self.setting.algorithm
        above = degrees_in(algorithm, name)
        below = max(int(self._denominator.degrees()[self.names.index(name)]), 0)
        degree = below + max(above[weight] for weight in algorithm.stacked)
        for size, names in zip(self._systems, driving_order(algorithm), strict=True):
            degree += (size + 1) * (below + max(above[memory] for memory in names))
        return degree

    def _memory_boundary(self) -> list[Any]:
        """Return what vanishes where an eigenvalue of a system for memory reaches the unit circle."""
        context = flint.fmpq_mpoly_ctx.get((EIGENVALUE, *self.names), "lex")
        below = context.from_dict({(0, *map(int, e)): c for e, c in self._denominator.to_dict().items()})
        moving = [(size, T) for size, T in zip(self._systems, self._interpolated[1:], strict=True) if any(map(any, T))]
        try:
            return [each for size, T in moving for each in memory_boundary(self.names, T, size, below)]
        except BadOption as error:
            raise BadOption(f"{self.setting.algorithm.name} on {self.setting.problem.name}: {error}") from None

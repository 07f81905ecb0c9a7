"""Polynomials in one or two parameters, one of which vanishes where an eigenvalue reaches the axis, or the unit circle.

The characteristic polynomial of a matrix that is a polynomial in the parameters is one too, and it is factored: an
eigenvalue on the imaginary axis, and its conjugate, are roots of the same irreducible factor, which is real.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Number, Polynomial
from tdrc_theory.learner.algorithm import Algorithm
from verify.exact.roots import integer_points, interpolate

Exponents = tuple[int, ...]
Coefficients = dict[Exponents, Matrix]
"""Of a matrix that is a polynomial in the parameters: {exponents: matrix}, those that are not 0."""
Values = tuple[Fraction, ...]

LARGEST_MIXED = 24
"""Size of a system for memory with entries of both signs up to which it is known where the memory exists."""

EIGENVALUE = "an eigenvalue"
"""The name of the unknown of a characteristic polynomial, which no parameter has."""


def interpolated(points: Sequence[Sequence[Fraction]], value: Callable[[Values], Matrix]) -> Coefficients:
    """Return a matrix polynomial by its values at a grid.

    Args:
        points: for each parameter more different values than its degree.
        value: the matrix at a point of the grid.
    """
    if not points:
        return {(): value(())}
    tables = [interpolated(points[1:], lambda rest, t=t: value((t, *rest))) for t in points[0]]  # type: ignore[misc]
    keys = sorted({key for table in tables for key in table})
    shape = next((matrix.shape for table in tables for matrix in table.values()), (0, 0))
    zeros = Matrix.zeros(*shape)
    rows = [[v for key in keys for row in table.get(key, zeros).rows for v in row] for table in tables]
    if not rows[0]:
        return {}
    powers = Matrix([[t**j for j in range(len(tables))] for t in points[0]])
    solved = powers.solve(Matrix(rows))
    assert solved is not None, "the points are different"
    result: Coefficients = {}
    for j, flat in enumerate(solved.rows):
        for i, key in enumerate(keys):
            part = flat[i * shape[0] * shape[1] : (i + 1) * shape[0] * shape[1]]
            if any(part):
                result[j, *key] = Matrix([part[r * shape[1] : (r + 1) * shape[1]] for r in range(shape[0])])
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
    """Return what vanishes where an eigenvalue of T / below reaches the unit circle.

    Args:
        names: of the parameters.
        T: a matrix polynomial in them.
        size: its size.
        below: a polynomial in them, in the ring of the characteristic polynomial.

    Raises:
        BadOption: T has entries of both signs and is too large.
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

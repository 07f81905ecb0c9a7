"""How G depends on one parameter, and the polynomial whose roots are the only places where stability can change."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Number, Polynomial
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.memory import Memory, memory_of
from tdrc_theory.parameters import out_of_range
from verify.conditions.setting import Setting
from verify.exact.interpolation import interpolate

LARGEST = 48
"""Size of G up to which regions are computed."""


@dataclass(frozen=True)
class Family:
    """One algorithm on one problem, with one parameter left open.

    Attributes:
        setting: any member; its value of the open parameter does not matter.
        parameter: its name.
    """

    setting: Setting
    parameter: str

    def __post_init__(self) -> None:
        """Refuse what has no such parameter, or depends on it otherwise than as a polynomial."""
        algorithm = self.setting.algorithm
        if self.parameter not in self.setting.parameters:
            raise BadOption(f"{algorithm.name} has no {self.parameter}")
        if self.parameter in algorithm.fixed:
            raise BadOption(f"{algorithm.name} fixes {self.parameter} at {algorithm.fixed[self.parameter]}")
        size = algorithm.size(self.setting.problem.k)
        if size > LARGEST:
            raise BadOption(f"{self.setting.problem.name}: G is {size} x {size}; regions are computed up to {LARGEST}")

    def at(self, value: Fraction) -> Setting:
        """Return the member at a value of the open parameter."""
        return self.setting.at(**{self.parameter: value})

    @cached_property
    def coefficients(self) -> list[Matrix]:
        """G_0, G_1, ...: G_0 + t G_1 + ... is G in the open parameter t, or a positive multiple of it.

        Expected memory that depends on t is a rational function: its denominator is det(I - T), which is positive where
        the spectral radius of T is below 1, and by which G is multiplied.
        """
        degree = self._degree
        points = self._points(degree + 1)
        values = [self._scaled(t) for t in points]
        vandermonde = Matrix([[t**j for j in range(degree + 1)] for t in points])
        inverse = vandermonde.solve(Matrix.identity(degree + 1))
        assert inverse is not None
        found = []
        for j in range(degree + 1):
            total = values[0] * inverse[j, 0]
            for i in range(1, degree + 1):
                total = total + values[i] * inverse[j, i]
            found.append(total)
        while len(found) > 1 and found[-1].is_zero():
            found.pop()
        return found

    def _points(self, count: int) -> list[Fraction]:
        """Return so many different values of the parameter, within its range."""
        bounded = out_of_range(self.parameter, Fraction(2))
        return [Fraction(i + 1, count + 1) if bounded else Fraction(i + 1) for i in range(count)]

    @cached_property
    def _degree(self) -> int:
        """A bound on the degree of what `_scaled` returns."""
        algorithm, name = self.setting.algorithm, self.parameter
        rows = degrees_in(algorithm, name)
        degree = max(rows[weight] for weight in algorithm.stacked)
        if not any(rows[memory] for memory in algorithm.memory):
            return degree
        modes = len(self._memory(self._points(1)[0]).modes.states)
        return degree + sum((modes + 1) * rows[memory] for memory in algorithm.memory)

    def _memory(self, t: Fraction) -> Memory:
        setting = self.at(t)
        return memory_of(setting.problem, setting.algorithm, setting.parameters)

    def _scaled(self, t: Fraction) -> Matrix:
        """Return G at an allowed t, times the determinants of the systems for expected memory that depend on t."""
        rows = degrees_in(self.setting.algorithm, self.parameter)
        G = self.at(t).update.G
        if any(rows[memory] for memory in self.setting.algorithm.memory):
            for determinant in self._memory(t).determinants:
                G = G * determinant
        return G

    def G(self, t: Fraction) -> Matrix:
        """Return what `coefficients` are of, at any value of the parameter, whether allowed or not."""
        total = self.coefficients[0]
        for power, matrix in enumerate(self.coefficients[1:], start=1):
            total = total + matrix * t**power
        return total

    @cached_property
    def boundary(self) -> tuple[Polynomial, ...]:
        """The polynomials of which one vanishes where an eigenvalue reaches 0 or the imaginary axis.

        With m zero eigenvalues at almost every t, the characteristic polynomial is x^m p(x; t). They are
        p(0; t) and the last but one Hurwitz determinant of p, which is the product of -(x_i + x_j) over pairs of
        roots (Orlando's formula). Both are polynomials in t, found from their exact values.
        """
        points = [Fraction(i) for i in range(self._degree_bound() + 1)]
        charpolys = [self.G(t).charpoly() for t in points]
        zeros = min(poly.split_zero()[0] for poly in charpolys)
        rests = [Polynomial(poly.coefficients[zeros:]) for poly in charpolys]
        constant = interpolate(points, [rest.coefficients[0] if rest.coefficients else Fraction(0) for rest in rests])
        determinant = interpolate(points, [hurwitz_determinant(rest) for rest in rests])
        return constant, determinant

    def check_resting(self) -> None:
        """Refuse a family in which the directions of zero eigenvalues, or whether they drift, depend on the parameter.

        Then whether there are fixed points, and which, may change where no eigenvalue does. Not so in the eta of a
        function of components, which only scales rows of G and g.

        Raises:
            BadOption: it is such a family.
        """
        points = self._points(len(self.coefficients) + 2)
        charpolys = {t: self.G(t).charpoly().split_zero()[0] for t in points}
        typical = min(charpolys, key=lambda t: charpolys[t])
        scaling = self.parameter == "eta" and not self.setting.algorithm.weights
        if scaling or not charpolys[typical]:
            return
        right, left = self.G(typical).null_space(), self.G(typical).T.null_space()
        still = right.shape[1] == charpolys[typical] and all(
            (matrix @ right).is_zero() and (left.T @ matrix).is_zero() for matrix in self.coefficients
        )
        if not still or any(not (left.T @ self.at(t).update.g).is_zero() for t in points):
            raise BadOption(
                f"{self.setting.algorithm.name}: the directions of its zero eigenvalues, or its drift along them, "
                f"depend on {self.parameter}; its region in {self.parameter} is not computed"
            )

    def _degree_bound(self) -> int:
        """Return a bound on the degree of the Hurwitz determinant in t.

        With q the rank of (G_1, G_2, ...), the coefficient of the m-th power from the top has a degree of at most
        min(m, q) in t^degree. So, by the Newton polygon, have the m largest eigenvalues together, for every m, and the
        product over pairs is at most the sum of min(m, q) over m below n.
        """
        n = self.coefficients[0].shape[0]
        q = Matrix.block([self.coefficients[1:]]).rank()
        return (len(self.coefficients) - 1) * max(q, q * n - q * (q + 1) // 2)


def hurwitz_determinant(polynomial: Polynomial) -> Number:
    """Return the determinant of the leading (n - 1) x (n - 1) block of Hurwitz's matrix; 1 where n is below 2."""
    descending = polynomial.coefficients[::-1]
    n = len(descending) - 1
    if n < 2:
        return Fraction(1)

    def entry(i: int, j: int) -> object:
        place = 2 * (j + 1) - (i + 1)
        return descending[place] if 0 <= place <= n else 0

    return Matrix([[entry(i, j) for j in range(n - 1)] for i in range(n - 1)]).det()


def degrees_in(algorithm: Algorithm, name: str) -> dict[str, int]:
    """Return the degree of each row of a learner's normal form in a parameter.

    Raises:
        BadOption: it branches on the parameter or divides by it, so that it is no polynomial.
    """
    degrees = dict.fromkeys((*algorithm.stacked, *algorithm.memory), 0)
    for way in algorithm.trace.ways:
        if any(name in condition.names for condition in way.conditions):
            raise BadOption(f"{algorithm.name} branches on {name}; its region in {name} is not computed")
        for row, terms in way.rows.items():
            for coefficient in terms.values():
                above, below = coefficient.degree(name) if name in coefficient.names else (0, 0)
                if below:
                    why = f"is no polynomial in {name}"
                    raise BadOption(f"{algorithm.name} {why}; its region in {name} is not computed")
                degrees[row] = max(degrees[row], above)
    return degrees

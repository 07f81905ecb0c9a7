"""The characteristic polynomial of the first-moment operator, exact at all step sizes, and what it proves unstable.

With B = B_0 + alpha B_1 of N rows, p(z, alpha) = det(z I - B) = z^N + c_1(alpha) z^(N-1) + ... + c_N(alpha). By minors,
no c_j has a degree above the rank of B_1, so as many characteristic polynomials at integers as that, and one more,
determine them all.

Where the spectral radius is below 1,
- p(z, alpha) > 0 for every real z >= 1, and (-1)^N p(z, alpha) > 0 for every real z <= -1, where no root is;
- |c_j| < binom(r, j) for j >= 1, with r the last j at which c_j is not 0 for all alpha: up to its sign c_j is the
  elementary symmetric function of degree j, and at most r eigenvalues are not 0.
So the radius is at least 1 where one of these fails. Unless every c_j is constant, and so no eigenvalue depends on
alpha, some |c_j| grows without bound, and all step sizes from some on are unstable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import flint

from tdrc_theory.errors import Unseparated
from tdrc_theory.exact import Polynomial
from tdrc_theory.exact.convert import to_fmpq
from verify.exact.roots import Enclosure, integer_points, real_roots
from verify.predict.limits.pencil import FirstPencil
from verify.predict.ring import RATIONALS

_DOUBLINGS = 60
"""How often a step size is doubled to find one from which on all are unstable."""


@dataclass(frozen=True)
class Characteristic:
    """p(z, alpha).

    Attributes:
        coefficients: (N + 1,), polynomials in alpha; that at j, c_j, multiplies z^(N - j).
    """

    coefficients: tuple[flint.fmpq_poly, ...]

    @classmethod
    def of(cls, pencil: FirstPencil) -> Characteristic:
        """Interpolate the polynomial of a rational operator."""
        still, move = (RATIONALS.matrix(half) for half in pencil.halves)
        points = integer_points(move.rank() + 1)
        values = flint.fmpq_mat([(still + move * t).charpoly().coeffs()[::-1] for t in points])
        powers = flint.fmpq_mat([[t**k for k in range(len(points))] for t in points])
        return cls(tuple(flint.fmpq_poly(list(row)) for row in powers.solve(values).transpose().tolist()))

    @property
    def N(self) -> int:
        """Return the number of rows of B."""
        return len(self.coefficients) - 1

    @cached_property
    def rank(self) -> int:
        """The largest number of eigenvalues that are not 0."""
        return max(j for j, c in enumerate(self.coefficients) if c.degree() >= 0)

    def unstable_from(self, alpha: Fraction) -> Fraction | None:
        """Return a step size, alpha or a multiple of it, from which on all are unstable; None where none is found.

        Where all coefficients of c_j(alpha + s) in s have one sign, |c_j| grows with s.
        """
        for _ in range(_DOUBLINGS if any(c.degree() > 0 for c in self.coefficients) else 1):
            ahead = flint.fmpq_poly([to_fmpq(alpha), 1])
            for j, c in enumerate(self.coefficients[1 : self.rank + 1], start=1):
                shifted = c(ahead).coeffs() if c.degree() >= 0 else [flint.fmpq(0)]
                alike = all(x >= 0 for x in shifted) or all(x <= 0 for x in shifted)
                if alike and abs(shifted[0]) >= math.comb(self.rank, j):
                    return alpha
            alpha = alpha * 2
        return None

    def at(self, z: Fraction) -> flint.fmpq_poly:
        """Return p(z, .)."""
        value = flint.fmpq_poly([0])
        for c in self.coefficients:
            value = value * to_fmpq(z) + c
        return value

    def unstable_up_to(self, z: Fraction, alpha: Fraction, least: Fraction | None = None) -> float | None:
        """Return how far on from alpha the value at a real z, |z| >= 1, proves the radius to be at least 1.

        Args:
            least: what is not above this, by default alpha, is not asked for: a look at the sign there is cheap.

        Returns:
            A step size above alpha, infinity for all; None where it proves nothing at alpha, or less than `least`.
        """
        p = self.at(z) * (-1 if z < 0 and self.N % 2 else 1)
        if abs(z) < 1 or any(p(to_fmpq(place)) >= 0 for place in {alpha, least or alpha}):
            return None
        try:
            roots = real_roots(Polynomial.of_flint(p))
        except Unseparated:
            return None
        ahead = [root for root in roots if not root < to_fmpq(alpha)]
        for root, after in zip(ahead, [*ahead, flint.arb.pos_inf()][1:], strict=True):
            ends = Enclosure.of_ball(root)
            if not after > ends.upper or p(to_fmpq(Fraction(ends.upper))) > 0:
                return ends.lower if ends.lower > alpha else None
        return math.inf

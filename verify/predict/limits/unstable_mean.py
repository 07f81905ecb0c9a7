"""Step sizes at which the mean is unstable: an eigenvalue of the first-moment operator is outside the unit disc.

With B = B_0 + alpha B_1 of N rows, p(z, alpha) = det(z I - B) = z^N + c_1(alpha) z^(N-1) + ... + c_N(alpha). By minors,
no c_j has a degree above the rank of B_1, so as many characteristic polynomials at integers as that, and one more,
determine them all, exactly. Where the spectral radius is below 1,
- p(z, alpha) > 0 for every real z >= 1, and (-1)^N p(z, alpha) > 0 for every real z <= -1, where no root is;
- |c_j| < binom(r, j) for j >= 1, with r the last j at which c_j is not 0 for all alpha: up to its sign c_j is the
  elementary symmetric function of degree j, and at most r eigenvalues are not 0.
So there are three proofs of instability, the first two exact:
- a real eigenvalue beyond some z with |z| >= 1 shows in the sign of p(z, .), a polynomial in alpha;
- some |c_j| is too large, from some step size on: it grows without bound unless every c_j is constant, and so no
  eigenvalue depends on alpha;
- elsewhere, with p(z_0 + w, alpha_0 + s) = sum of p_kl w^k s^l, let for some k >= 1, radius rho and half-width h
      |p_k0| rho^k > sum of |p_ij| rho^i h^j over all other (i, j).
  Then, by Rouche's theorem, for every |s| <= h as many roots as w^k has are in |w| < rho. So there is one, and where
  |z_0| - rho >= 1 it is outside the unit disc. All of that is decided in balls.
z, z_0, k, rho and h come from floats, and may be wrong: then nothing is proven.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np

from tdrc_theory.errors import Unseparated
from tdrc_theory.exact import Polynomial, simplest_between
from tdrc_theory.exact.number import precision, to_fmpq
from verify.check import Proof
from verify.exact.roots import Enclosure, integer_points, real_roots
from verify.predict.limits.certificate import FirstPencil
from verify.predict.limits.cover import Stretch
from verify.predict.ring import rationals

_DOUBLINGS = 60
"""How often a step size is doubled to find one from which on all are unstable."""
BITS = 128
"""Of balls around eigenvalues and coefficients at them."""
_MOST = 400
"""Intervals that are tried, one after the other."""
_WORTH = Fraction(101, 100)
"""How far on, as a multiple, the sign of a polynomial has to reach to be taken."""
_APART = 1e-6
"""How far real eigenvalues are from each other, or from 1, for the sign between them to be looked at."""
_NARROWEST = 2.0**-45
"""Share of a step size below which no interval is tried."""
_CLUSTER = 8
"""Roots in a disc up to which they are tried: more than one where eigenvalues meet."""
_RADII = 0.99 * 1.4 ** -np.arange(28.0)
"""Radii that are tried, as shares of how far an eigenvalue is outside."""
_HALVINGS = 24
"""Steps to the largest half-width for which the inequality seems to hold."""
_NEWTON = 6
"""Steps of Newton's method to an eigenvalue from that in floats."""


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
        still, move = (rationals(half) for half in pencil.halves)
        points = integer_points(move.rank() + 1)
        values = flint.fmpq_mat([(still + move * t).charpoly().coeffs()[::-1] for t in points])
        powers = flint.fmpq_mat([[t**k for k in range(len(points))] for t in points])
        return cls(tuple(flint.fmpq_poly(list(row)) for row in powers.solve(values).transpose().tolist()))

    def unstable_from(self, alpha: Fraction) -> Fraction | None:
        """Return a step size, alpha or a multiple of it, from which on all are unstable; None where none is found.

        Where all coefficients of c_j(alpha + s) in s have one sign, |c_j| grows with s.
        """
        rank = max(j for j, c in enumerate(self.coefficients) if c.degree() >= 0)  # eigenvalues that are not 0, at most
        for _ in range(_DOUBLINGS if any(c.degree() > 0 for c in self.coefficients) else 1):
            ahead = flint.fmpq_poly([to_fmpq(alpha), 1])
            for j, c in enumerate(self.coefficients[1 : rank + 1], start=1):
                shifted = c(ahead).coeffs() if c.degree() >= 0 else [flint.fmpq(0)]
                alike = all(x >= 0 for x in shifted) or all(x <= 0 for x in shifted)
                if alike and abs(shifted[0]) >= math.comb(rank, j):
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
        p = self.at(z) * (-1 if z < 0 and len(self.coefficients) % 2 == 0 else 1)
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

    def half_width(self, values: np.ndarray, centre: Fraction) -> Fraction:
        """Return the half-width of an interval on which an eigenvalue, near one of these, is outside; 0: not proven."""
        largest = complex(values[np.abs(values).argmax()])
        with precision(BITS):
            z = self._polished(flint.acb(largest.real, largest.imag), centre)
            excess = float((abs(z) - 1).lower())
            if not excess > 0:
                return Fraction(0)
            sizes = self._sizes(z, centre)
            with np.errstate(all="ignore"):  # what is not finite is not proposed
                floats = np.array([[float(x.mid()) for x in row] for row in sizes])
                k, rho, half = _proposed(floats, excess, float(centre))
            radius, width = flint.arb(rho), flint.arb(half)
            total, power = flint.arb(0), flint.arb(1)
            for i, row in enumerate(sizes):
                for j, size in enumerate(row):
                    total += power * width**j * (-size if (i, j) == (k, 0) else size)
                power *= radius
            return Fraction(half) if abs(z) - radius >= 1 and total < 0 else Fraction(0)

    def _polished(self, z: flint.acb, centre: Fraction) -> flint.acb:
        """Return an eigenvalue near z, in more digits, where Newton's method gets there."""
        p = flint.acb_poly([c(to_fmpq(centre)) for c in self.coefficients[::-1]])
        slope, start = p.derivative(), z
        for _ in range(_NEWTON):
            z = z - p(z) / slope(z)
            z = flint.acb(z.real.mid(), z.imag.mid())
        return z if abs(z - start) < 1e-3 else start

    def _sizes(self, z: flint.acb, centre: Fraction) -> list[list[flint.arb]]:
        """Return |p_kl|, a row for each k."""
        ahead, around = flint.fmpq_poly([to_fmpq(centre), 1]), flint.acb_poly([z, 1])
        shifted = [c(ahead).coeffs() for c in self.coefficients[::-1]]
        columns = []
        for power in range(max(map(len, shifted))):
            column = flint.acb_poly([row[power] if power < len(row) else 0 for row in shifted])
            sizes = [abs(x) for x in column(around).coeffs()]
            columns.append(sizes + [flint.arb(0)] * (len(shifted) - len(sizes)))
        return [list(row) for row in zip(*columns, strict=True)]


def unstable_stretches(
    characteristic: Characteristic, eigenvalues: Callable[[float], np.ndarray], low: Fraction, high: Fraction | None
) -> Iterator[Stretch]:
    """Yield what is proven unstable between two step sizes, both included.

    Args:
        eigenvalues: of B at a step size, in floats.
        low: above 0.
        high: None for infinity.
    """
    if high is None:
        high = characteristic.unstable_from(low)
        if high is None:
            return
        yield Stretch(high, None, False, Proof.EXACT)
    width = float(low) * 2.0**-20
    for _ in range(_MOST):
        if low >= high or width < float(low) * _NARROWEST:
            return
        reached = _by_sign(characteristic, eigenvalues(float(low)), low)
        if reached > low * _WORTH:
            end = high if reached >= high else Fraction(reached)
            yield Stretch(low, end, False, Proof.EXACT)
            low = end
            continue
        centre = Fraction(float(low) + width)
        half = characteristic.half_width(eigenvalues(float(centre)), centre)
        if centre - half <= low < centre:
            yield Stretch(low, min(high, centre + half), False, Proof.ENCLOSED)
            low = min(high, centre + half)
        width = float(half) * 0.9 or width / 4


def _by_sign(characteristic: Characteristic, eigenvalues: np.ndarray, alpha: Fraction) -> float:
    """Return how far on, if at all and if that is worth it, a real eigenvalue is seen to be outside.

    An odd number of real eigenvalues beyond z shows. So z is 1, or between two of them, or between one and 1.
    """
    real, reached = eigenvalues[eigenvalues.imag == 0].real, 0.0
    for side in (1, -1):
        outside = [*sorted((side * real)[side * real > 1], reverse=True), 1.0]
        for first, second in zip(outside[:-1:2], outside[1::2], strict=True):
            low, high = Fraction(float(second)), Fraction(float(first))
            places = [Fraction(1)] if second == 1 else []
            if first - second > _APART:
                places.append(simplest_between((3 * low + high) / 4, (low + high) / 2))
            for z in places:
                least = max(alpha * _WORTH, Fraction(reached))
                end = characteristic.unstable_up_to(side * z, alpha, least)
                reached = max(reached, end or 0.0)
                if reached == math.inf:
                    return reached
    return reached


def _proposed(sizes: np.ndarray, excess: float, largest: float) -> tuple[int, float, float]:
    """Return k, a radius and the largest half-width for which the inequality seems to hold."""
    radii = excess * _RADII
    powers = radii[:, None] ** np.arange(len(sizes))
    terms = powers @ sizes
    best = (1, float(radii[-1]), 0.0)
    for k in range(1, min(_CLUSTER, len(sizes))):
        margin = 2 * powers[:, k] * sizes[k, 0] - terms[:, 0]
        low, high = np.zeros(len(radii)), np.full(len(radii), largest)
        if terms.shape[1] > 1:  # the first power alone bounds it
            np.divide(margin.clip(0), terms[:, 1], out=high, where=terms[:, 1] > 0)
            high = np.minimum(high, largest)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            within = (terms[:, 1:] * middle[:, None] ** np.arange(1, terms.shape[1])).sum(axis=1) < margin
            low, high = np.where(within, middle, low), np.where(within, high, middle)
        at = int(low.argmax())
        if low[at] > best[2]:
            best = (k, float(radii[at]), float(low[at]) * 0.99)
    return best if math.isfinite(best[2]) else (1, float(radii[-1]), 0.0)

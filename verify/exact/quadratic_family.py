"""Whether a family of quadratics s^2 e + s (m + i kappa) + (n + i tau) is stable for every complex vector z, exactly.

The coefficients are Hermitian forms of z, with z*Ez = e and so on; kappa = z*Kz and tau = c kappa for a number c >= 0,
where K = -i S comes from an antisymmetric S. Every quadratic of the family has both roots in the open left half-plane
if M and N are positive definite and, for no real omega, 0 lies in the numerical range of

    Q(i omega) = (n - omega kappa - omega^2 e) + i (omega m + c kappa).

On the way from a real z, where kappa = 0 and every coefficient is positive, to any other, a root would have to cross
the imaginary axis. (M alone is not enough: s^2 + s - 1 never has a root on the axis.)

A numerical range is convex (Toeplitz and Hausdorff), so 0 is outside exactly when some direction (p, q) makes
F(omega) = p (N - omega K - omega^2 E) + q (omega M + c K) positive definite. For a fixed direction with p >= 0, F is
concave in omega, so that both ends of an interval prove all of it; for p < 0 the square is replaced by its tangent.
Finitely many intervals, each with its direction, cover [0, infinity): that list is the proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tdrc_theory.exact import Matrix
from verify.exact.definiteness import is_positive_definite

if TYPE_CHECKING:
    import numpy as np

_ANGLES, _REFINEMENTS = 48, 3
"""Directions that are looked at, and how often again around the best, each time on a twelfth of the angle."""
_GRID = 2**16
"""Directions are rounded to multiples of one part in so many, which keeps exact arithmetic short."""
_MOST_INTERVALS = 400
"""Pieces of a cover, found and waiting, beyond which the search ends."""
_STEPS = 64
"""Doublings of omega, from 1/1024, in search of the last piece."""
_LARGEST = 1e200
"""Entries up to which floats propose: their products with omega are far from overflow."""
_CLEARLY = 1e-6
"""Share of the largest entry by which an eigenvalue must be negative for 0 to be seen inside: far beyond rounding."""

Pencil = Callable[[float], "tuple[np.ndarray, np.ndarray]"]


@dataclass(frozen=True)
class QuadraticFamily:
    """The forms E, M, N (symmetric) and S (antisymmetric), and c = tau / kappa."""

    E: Matrix
    M: Matrix
    N: Matrix
    S: Matrix
    c: Fraction


@dataclass(frozen=True)
class Piece:
    """On [low, high] (high None: to infinity) the direction (p, q) separates 0 from the numerical range."""

    low: Fraction
    high: Fraction | None
    p: Fraction
    q: Fraction

    def to_json(self) -> dict[str, str | None]:
        """Return the piece with exact numbers as text."""
        high = None if self.high is None else str(self.high)
        return {"low": str(self.low), "high": high, "p": str(self.p), "q": str(self.q)}


def stable_cover(family: QuadraticFamily) -> list[Piece] | None:
    """Return pieces that cover every omega >= 0, or None where none were found, as where M or N is not definite.

    Negative omega needs no piece: conjugating z changes the sign of kappa and of omega together.
    """
    last = _tail(family)
    if last is None or not is_positive_definite(family.N) or not _within_floats(family):
        return None
    at = _float_pencil(family)
    pieces = [Piece(last, None, Fraction(0), Fraction(1))]
    waiting = [(Fraction(0), last)]
    while waiting:
        low, high = waiting.pop()
        p, q = _direction(at, float(low), float(high))
        if _separates(family, low, high, p, q):
            pieces.append(Piece(low, high, p, q))
        elif (
            _surrounded(at, float(low + high) / 2)
            or len(pieces) + len(waiting) >= _MOST_INTERVALS
            or high - low < Fraction(1, 10**6) * last
        ):
            return None
        else:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]
    return sorted(pieces, key=lambda piece: piece.low)


def _separates(family: QuadraticFamily, low: Fraction, high: Fraction, p: Fraction, q: Fraction) -> bool:
    """Return whether F is positive definite on [low, high], proven from its ends."""
    middle = (low + high) / 2
    for omega in (low, high):
        square = omega**2 if p >= 0 else 2 * middle * omega - middle**2
        symmetric = family.N * p - family.E * (p * square) + family.M * (q * omega)
        if not _hermitian_positive(symmetric, family.S * (p * omega - q * family.c)):
            return False
    return True


def _hermitian_positive(symmetric: Matrix, antisymmetric: Matrix) -> bool:
    """Return whether the Hermitian X + i Y is positive definite, as a real symmetric matrix of twice the size."""
    return is_positive_definite(Matrix.block([[symmetric, -antisymmetric], [antisymmetric, symmetric]]))


def _tail(family: QuadraticFamily) -> Fraction | None:
    """Return an omega from which on omega M + c K is positive definite: it grows with omega, M being so."""
    omega = Fraction(1, 1024)
    for _ in range(_STEPS):
        if _hermitian_positive(family.M * omega, family.S * -family.c):
            return omega
        omega *= 2
    return None


def _within_floats(family: QuadraticFamily) -> bool:
    """Return whether directions can be looked for in floats, whose products here stay far below their largest."""
    import numpy as np

    matrices = (family.E, family.M, family.N, family.S)
    return family.c < _LARGEST and all(np.abs(F.to_float()).max() < _LARGEST for F in matrices)


def _float_pencil(family: QuadraticFamily) -> Pencil:
    """Return omega -> (real part, imaginary part) of Q(i omega) as complex float matrices."""
    E, M, N = family.E.to_float(), family.M.to_float(), family.N.to_float()
    K = -1j * family.S.to_float()
    c = float(family.c)
    return lambda omega: (N - omega * K - omega**2 * E, omega * M + c * K)


def _surrounded(at: Pencil, omega: float) -> bool:
    """Return whether floats see 0 well inside the numerical range at this omega: then there is no cover to find."""
    import numpy as np

    _, least = _best_angle(at, (omega,))
    return bool(least < -_CLEARLY * max(np.abs(part).max() for part in at(omega)))


def _direction(at: Pencil, low: float, high: float) -> tuple[Fraction, Fraction]:
    """Return the direction, out of many, whose least eigenvalue over both ends is largest: a candidate in floats."""
    angle, _ = _best_angle(at, (low, high))
    p, q = (Fraction(round(_GRID * value), _GRID) for value in (math.cos(angle), math.sin(angle)))
    return p, q


def _best_angle(at: Pencil, omegas: tuple[float, ...]) -> tuple[float, float]:
    """Return the angle whose direction gives F the largest least eigenvalue over some omegas, and that eigenvalue."""
    import numpy as np

    centre, width = np.pi / 4, 3 * np.pi / 2
    value = -np.inf
    for _ in range(_REFINEMENTS):
        angles = centre + width * (np.arange(_ANGLES) / _ANGLES - 0.5)
        least = np.full(_ANGLES, np.inf)
        for omega in omegas:
            real, imaginary = at(omega)
            stack = np.cos(angles)[:, None, None] * real + np.sin(angles)[:, None, None] * imaginary
            least = np.minimum(least, np.linalg.eigvalsh(stack)[:, 0])
        centre, value = float(angles[int(least.argmax())]), float(least.max())
        width = 4 * width / _ANGLES
    return centre, value

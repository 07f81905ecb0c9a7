"""Whether every eigenvalue of an enclosed matrix has negative real part, proven from floats with bounded errors.

A symmetric P is proposed in floats that prove nothing. Whatever it is, if Q = -(G^T P + P G) is positive definite, then
G has no eigenvalue on the imaginary axis and as many with positive real part as P has negative eigenvalues (Ostrowski
and Schneider, J. Math. Anal. Appl. 4, 1962: the main inertia theorem). Q is computed with a bound on its error, and
shown positive definite by `least_eigenvalue_bound`. P is proposed by `Candidates`, from a Schur decomposition.

A large G is first tried without one, by `two_sides`. Let G x = lambda x and G^T y = lambda y, all real, with
y_i / x_i > 0. Two proposals, with D diagonal:

- P = D. Only for D = diag(y / x) can Q = -((G - sigma I)^T P + P (G - sigma I)) be positive semidefinite at
  sigma = lambda. Where -G is an M-matrix it is: TD with tabular features. A little above lambda, any D near it serves;
  x and y are mixed with the solutions of G x = G^T y = a multiple of the diagonal of G, lest an entry of D is near 0,
  as that of a state that is hardly reached, or far above the others.
- P = D - c y y^T: D with the sign at x turned. It serves below lambda as D serves above.

Q positive definite proves, with P = D > 0, that every real part is below sigma, and with a P that is negative
somewhere, that one is above. P is diagonal plus rank 1, so that Q and the bound on its error take O(n^2); an LU factor
and Cholesky factors take O(n^3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.exact.roots import Enclosure
from verify.scale.ball import TINY, Ball, U, gamma, least_eigenvalue_bound, up

_SIDE_WIDTHS = (1e-2, 4e-2)
"""Distances from lambda, as shares of it, that are tried on either side: an enclosure is narrower than 1/10 of it."""

_STEPS = 50
"""Of the inverse iteration; it gains a digit or more a step where lambda is well separated."""

_ACCURACY = 1e-6
"""Of the eigenvectors' entries, beside their largest."""

_MIXED = 0.1
"""Part of the solution for G's diagonal in x and in y, all of largest entry 1."""

_TURN = 4.0
"""c y^T D^-1 y: above 1, P is negative along D^-1 y; 2 would be a reflection."""

_LARGEST = 1e30
"""P, its parts and the scaling are between 1 / this and this in size: what underflows in Q is below `_UNDERFLOW`."""
_UNDERFLOW = 1e-140
_BLOCK = 64
"""Size up to which LAPACK's unblocked solver is used; beyond, halves and matrix products."""
HOW = "Lyapunov certificate, rounding errors bounded"
_SHIFT = 0.75
"""Share of the least eigenvalue of Q, near 1, that is proven."""
_REFINED = 1024
"""Size of G up to which the abscissa is enclosed narrowly, at the cost of further certificates."""
_PRODUCTS = 8
"""Products with P that look for a vector along which it is negative."""
_WIDTHS = (1e-6, 1e-3, 1e-2, 1e-1)
"""How far from the largest real part in floats, as shares of it, shifts are tried."""
_COARSE = _WIDTHS[2:]
"""The same of a larger G, for the end away from 0 alone: one more certificate where the first succeeds."""
_DECIDING = (0.95, 0.6, 0.0)
"""Shares of the largest real part in floats at which its sign is tried; the first bounds a larger G next to 0."""


@dataclass(frozen=True, slots=True)
class _Proposal:
    """P = diag(p) - c y y^T, with p > 0 and c >= 0."""

    p: np.ndarray
    y: np.ndarray
    c: float

    @property
    def sign(self) -> int | None:
        """Return 1 if P is positive definite, -1 if it is negative somewhere, None if neither is seen."""
        if not self.c:
            return 1
        # z = y / p, whose rounding is of no account: z^T P z = sum p z^2 - c (y^T z)^2, all terms y z >= 0.
        z, n = self.y / self.p, len(self.p)
        positive = up(float((self.p * z * z).sum()), n + 4)
        inner = float((self.y * z).sum()) * (1 - 4 * gamma(n + 8))
        return -1 if inner > 0 and positive < self.c * inner * inner * (1 - gamma(8)) else None

    def dissipation(self, G: Ball) -> tuple[np.ndarray, float] | None:
        """Return T Q T, Q = -(G^T P + P G) and T diagonal, and a bound on the error's norm for every G of the ball.

        An entry of P G, p_i G_ij - c y_i (y^T G)_j, takes n + 4 roundings at most, and Q's one more; T consists of
        powers of 2 that bring the diagonal near 1.
        """
        n, c, y, p = len(self.p), self.c, self.y, self.p
        M = p[:, None] * G.mid
        spread = gamma(n + 10) * np.abs(G.mid) + 2 * G.rad
        sizes = np.zeros(n)
        if c:
            M -= np.outer(c * y, y @ G.mid)
            sizes = np.abs(y) @ spread
        diagonal = -2 * np.diag(M)
        if not (diagonal > 0).all():
            return None
        t = np.ldexp(1.0, -(np.frexp(diagonal)[1] // 2))
        if not _moderate(t):
            return None
        M *= t[:, None]
        M *= t
        Q = -(M + M.T)
        rows = p * (spread @ t) + c * np.abs(y) * (sizes @ t)
        columns = spread.T @ (p * t) + c * sizes * (np.abs(y) @ t)
        return Q, float(up(t * (rows + columns), 4 * n + 20).max()) + _UNDERFLOW


@np.errstate(all="ignore")
def two_sides(G: Ball) -> tuple[Enclosure, float] | None:
    """Return narrow bounds of the abscissa of every matrix of a ball, and it in floats; None where none are proven.

    Args:
        G: (n, n), with entries of order 1 at most.
    """
    pair = None if np.abs(G.mid).max() > _LARGEST else _eigenvectors(G.mid)
    if pair is None:
        return None
    eigenvalue, p, y = pair
    turned = _TURN / float(y @ (y / p))
    if not ((p > 0).all() and _moderate(p) and _moderate(turned) and np.abs(y).max() < _LARGEST):
        return None
    upper = _proven(G, _Proposal(p, y, 0.0), eigenvalue, 1)
    lower = None if upper is None else _proven(G, _Proposal(p, y, turned), eigenvalue, -1)
    return None if upper is None or lower is None else (Enclosure(lower, upper), eigenvalue)


def _eigenvectors(G: np.ndarray) -> tuple[float, np.ndarray, np.ndarray] | None:
    """Return the real eigenvalue next to 0, the diagonal of D and y, in floats; None without convergence."""
    from scipy.linalg.lapack import dgetrf, dgetrs

    factor, pivots, failed = dgetrf(G)
    if failed:
        return None

    def solved(right: np.ndarray, transposed: int) -> np.ndarray:
        x, _ = dgetrs(factor, pivots, right, trans=transposed)
        return np.asarray(x / x[np.abs(x).argmax()])

    def converged(transposed: int) -> np.ndarray | None:
        x = np.ones(len(G))
        for _ in range(_STEPS):
            before, x = x, solved(x, transposed)
            if np.abs(x - before).max() <= _ACCURACY:
                return x
        return None

    x, y = converged(0), converged(1)
    if x is None or y is None:
        return None
    eigenvalue = float(y @ (G @ x) / (y @ x))
    if not math.isfinite(eigenvalue) or not eigenvalue:
        return None
    # Signs of x and y agree, or one is 0; a wrong sign shows as an entry of D below 0, or as a D that fails.
    right = np.copysign(np.diag(G), x + y)
    p = (y + _MIXED * solved(right, 1)) / (x + _MIXED * solved(right, 0))
    return eigenvalue, p, y


def _proven(G: Ball, proposal: _Proposal, eigenvalue: float, side: int) -> float | None:
    """Return the first shift on this side of the eigenvalue that is proven to be on this side of the abscissa."""
    if proposal.sign != side:
        return None
    for width in _SIDE_WIDTHS:
        sigma = eigenvalue + side * width * abs(eigenvalue)
        scaled = proposal.dissipation(G.shifted(-sigma))
        if scaled is None or not np.isfinite(scaled[0]).all():
            continue
        Q, error = scaled
        # Above the bound on the residual of a Cholesky factor, at most about n gamma(n) max Q_ii.
        hoped = 2 * error + 8 * len(Q) * gamma(len(Q)) * float(np.diag(Q).max())
        least = least_eigenvalue_bound(Q, hoped)
        if least is not None and least > error:
            return sigma
    return None


def _moderate(values: np.ndarray | float) -> bool:
    size = np.abs(values)
    return bool(np.all((size > 1 / _LARGEST) & (size < _LARGEST)))


class Candidates:
    """Symmetric P with (G - sigma I)^T P + P (G - sigma I) near -I, for any sigma."""

    def __init__(self, G: np.ndarray) -> None:
        from scipy.linalg import schur

        self.T, self.U = schur(G, output="real", check_finite=False)

    @property
    def abscissa(self) -> float:
        """Return the largest real part of an eigenvalue; LAPACK's 2 x 2 blocks have equal diagonal entries."""
        return float(np.diag(self.T).max())

    def solution(self, sigma: float) -> np.ndarray | None:
        """Return P, exactly symmetric; None where it is not finite."""
        n = len(self.T)
        with np.errstate(all="ignore"):
            P = self.U @ _lyapunov(self.T - sigma * np.eye(n), -np.eye(n)) @ self.U.T
            P = (P + P.T) / 2
        return P if np.isfinite(P).all() else None


def _lyapunov(T: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Return X with T^T X + X T = F, T quasi upper triangular and F symmetric (Jonsson and Kagstrom's recursion)."""
    n = len(T)
    if n <= _BLOCK:
        return _sylvester(T, T, F)
    s = _split(T)
    a, b, c = T[:s, :s], T[:s, s:], T[s:, s:]
    X = np.empty_like(F)
    X[:s, :s] = _lyapunov(a, F[:s, :s])
    X[:s, s:] = _sylvester(a, c, F[:s, s:] - X[:s, :s] @ b)
    X[s:, :s] = X[:s, s:].T
    coupled = b.T @ X[:s, s:]
    X[s:, s:] = _lyapunov(c, F[s:, s:] - coupled - coupled.T)
    return X


def _sylvester(T: np.ndarray, S: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Return X with T^T X + X S = F, both quasi upper triangular."""
    from scipy.linalg.lapack import dtrsyl

    p, q = F.shape
    X: Any = np.empty_like(F)
    if max(p, q) <= _BLOCK:
        X, scale, _ = dtrsyl(T, S, F, trana="T")
        return X / scale
    if p >= q:
        s = _split(T)
        X[:s] = _sylvester(T[:s, :s], S, F[:s])
        X[s:] = _sylvester(T[s:, s:], S, F[s:] - T[:s, s:].T @ X[:s])
    else:
        s = _split(S)
        X[:, :s] = _sylvester(T, S[:s, :s], F[:, :s])
        X[:, s:] = _sylvester(T, S[s:, s:], F[:, s:] - X[:, :s] @ S[:s, s:])
    return X


def _split(T: np.ndarray) -> int:
    """Return where to cut in the middle, between two blocks of the diagonal."""
    s = len(T) // 2
    return s + 1 if T[s, s - 1] != 0 else s


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """What was proven of every matrix in a ball.

    Attributes:
        hurwitz: whether every eigenvalue has negative real part; None where neither was proven.
        abscissa: encloses the largest real part, wide where little is known.
        hint: the largest real part in floats, which proves nothing.
        reason: how it is known, or why it is not.
    """

    hurwitz: bool | None
    abscissa: Enclosure
    hint: float
    reason: str


def prove_stability(G: Ball) -> Stability:
    """Decide whether every matrix of a ball is Hurwitz, or every one is not.

    Args:
        G: (n, n), n >= 1.

    Returns:
        hurwitz True or False only with a proof that holds for every matrix of the ball.
    """
    if G.shape[0] != G.shape[1] or not G.shape[0]:
        raise ValueError(f"G is {G.shape}; it is square, and not empty")
    with np.errstate(all="ignore"):
        scaled, exponent = _balanced(G)
        if G.shape[0] > _REFINED and (sides := two_sides(scaled)) is not None:
            ends, hint = sides
            hurwitz = True if ends.upper < 0 else False if ends.lower > 0 else None
            return _stability(hurwitz, ends.lower, ends.upper, hint, exponent)
        try:
            search = _Search(scaled)
        except np.linalg.LinAlgError:
            unknown = Enclosure(-math.inf, math.inf)
            return Stability(hurwitz=None, abscissa=unknown, hint=math.nan, reason="LAPACK found no eigenvalues")
        if G.shape[0] <= _REFINED:
            towards_0 = 1 if search.hint < 0 else -1
            search.narrow(towards_0, _WIDTHS)  # decides in most cases
            search.decide()
            if search.hurwitz is not None:
                search.narrow(-towards_0, _WIDTHS)
        else:
            search.decide()
            if 0 < search.lower < _DECIDING[0] * search.hint:  # only the trace shows the sign
                search.try_shift(_DECIDING[0] * search.hint)
            if search.hurwitz is not None:
                search.narrow(-1 if search.hurwitz else 1, _COARSE)
        return _stability(search.hurwitz, search.lower, search.upper, search.hint, exponent)


class _Search:
    """What shifts have proven so far: lower <= largest real part <= upper."""

    def __init__(self, G: Ball) -> None:
        self.G = G
        self.candidates = Candidates(G.mid)
        self.hint = self.candidates.abscissa
        self.lower = _mean_eigenvalue(G)
        self.upper = _norm_bound(up(np.abs(G.mid) + G.rad, 1))
        self.hurwitz = False if self.lower > 0 else None
        self._last = (0.0, 0.0)  # a certificate's rounding error, and how far from the hint its shift was

    def decide(self) -> None:
        """Try shifts between the largest real part and 0, or 0 itself, until one proves on which side of 0 it is."""
        for share in _DECIDING:
            if self.hurwitz is not None:
                return
            self.try_shift(self.hint * share)

    def try_shift(self, sigma: float) -> bool:
        """Try to prove on which side of sigma the largest real part is; return whether that was proven."""
        P = self.candidates.solution(sigma)
        if P is None:
            return False
        G = self.G.shifted(-sigma)
        Q, error = _dissipation(G, P)
        self._last = (error, abs(sigma - self.hint))
        margin = _margin(Q, error)
        if margin is None:
            return False
        positive = _is_positive(P, G, margin, beyond=sigma > self.hint)
        if positive:
            # 2 Re(mu) x*Px = -x*Qx for an eigenpair: Re(mu) <= -margin / (2 norm(P)).
            below = math.nextafter(margin / (2 * _norm_bound(np.abs(P))) * (1 - 8 * U), 0)
            self.upper = min(self.upper, math.nextafter(sigma - below, math.inf), sigma)
            if self.upper < 0 or sigma <= 0:
                self.hurwitz = True
        elif positive is False:
            # An eigenvalue has a real part above sigma.
            self.lower = max(self.lower, sigma)
            if sigma >= 0:
                self.hurwitz = False
        return positive is not None

    def narrow(self, sign: int, widths: Sequence[float]) -> None:
        """Move an end, the upper one for the sign 1, to the first of the distances from the hint that can be proven."""
        for width in widths:
            distance, (error, known_at) = width * abs(self.hint), self._last
            # Near an eigenvalue P, and with it the error, grows like 1 / distance; from further away it looks smaller.
            hopeless = known_at >= distance and error * known_at > distance
            if not hopeless and self.try_shift(self.hint + sign * distance):
                return


def _stability(hurwitz: bool | None, below: float, above: float, near: float, exponent: int) -> Stability:
    """Return what was proven, scaled back by 2^exponent: whether below 0, the two ends, and the value in floats."""
    lower, upper, hint = np.ldexp([below, above, near], exponent).tolist()  # infinite where past the largest double
    reason = HOW
    if hurwitz is None:
        reason = (
            f"floating point puts the largest real part near {hint:.3g}, too close to 0 beside the rounding errors "
            "of a certificate to be proven on either side"
        )
    outwards = Enclosure(math.nextafter(lower, -math.inf), math.nextafter(upper, math.inf))
    # Outwards by one, but not past a sign that is proven.
    if hurwitz is True and outwards.upper >= 0:
        outwards = Enclosure(outwards.lower, 0.0)
    if hurwitz is False and outwards.lower <= 0:
        outwards = Enclosure(0.0, outwards.upper)
    return Stability(hurwitz=hurwitz, abscissa=outwards, hint=hint, reason=reason)


def _dissipation(G: Ball, P: np.ndarray) -> tuple[np.ndarray, float]:
    """Return Q near -(G^T P + P G), symmetric, and a bound on the norm of their difference for every G of the ball.

    With M = fl(P mid) and any G of the ball, |P G - M| <= |P| (gamma(n) |mid| + rad) entry by entry. The sum of that
    and its transpose is symmetric, so that its largest row sum bounds its norm.
    """
    n = len(P)
    M = P @ G.mid
    Q = -(M + M.T)
    size = np.abs(P)
    spread = gamma(n) * np.abs(G.mid) + G.rad
    rows = size @ spread.sum(axis=1) + spread.T @ size.sum(axis=1) + U * np.abs(Q).sum(axis=1)
    return Q, float(up(rows + 32 * n * n * (1 + size.max()) * TINY, 3 * n).max())


def _margin(Q: np.ndarray, error: float) -> float | None:
    """Return a positive lower bound of the eigenvalues of what is within an error of Q, near I; None without one."""
    least = least_eigenvalue_bound(Q, _SHIFT) if error < 1 and np.isfinite(Q).all() else None
    margin = None if least is None else math.nextafter(least - error, -math.inf)
    return margin if margin is not None and margin > 0 else None


def _is_positive(P: np.ndarray, G: Ball, margin: float, *, beyond: bool) -> bool | None:
    """Return whether P is positive definite, given that -(G^T P + P G) >= margin I; None where it is not seen.

    `beyond` is whether floats have every eigenvalue of G in the left half-plane: then P is hardly negative anywhere,
    and all of its eigenvalues, which take as long as the rest of a shift, are not computed to see it.

    P x = lambda x gives margin <= -2 lambda x^T G x, so |lambda| >= gap = margin / (2 norm(G)): P has no eigenvalue in
    between, and a lower bound above -gap proves that all are positive.
    """
    from scipy.linalg import eigh

    gap = margin / (2 * _norm_bound(up(np.abs(G.mid) + G.rad, 1))) * (1 - 8 * U)
    least = least_eigenvalue_bound(P, -gap / 2)
    if least is not None and least > -gap:
        return True
    if _is_negative_along(P, _dominant(P)):
        return False
    if beyond:
        return None
    try:
        _, vectors = eigh(P, subset_by_index=[0, 0], check_finite=False)
    except np.linalg.LinAlgError:
        return None
    return False if _is_negative_along(P, vectors[:, 0]) else None


def _dominant(P: np.ndarray) -> np.ndarray:
    """Return a vector near that of the eigenvalue of largest size: just above an eigenvalue of G, P is negative there.

    Some products cost a small part of what all eigenvalues do.
    """
    z = P[:, np.abs(np.diag(P)).argmax()]
    for _ in range(_PRODUCTS):
        z = P @ (z / np.abs(z).max(initial=TINY))
    return z / np.abs(z).max(initial=TINY)


def _is_negative_along(P: np.ndarray, z: np.ndarray) -> bool:
    """Return whether z^T P z is negative, rounding errors bounded."""
    size, n = np.abs(z), len(P)
    error = up(gamma(2 * n) * (size @ (np.abs(P) @ size)) + 8 * n * n * (1 + np.abs(P).max()) * TINY, 2 * n + 4)
    value = float(z @ (P @ z)) + float(error)
    return math.nextafter(value, math.inf) < 0


def _norm_bound(size: np.ndarray) -> float:
    """Return an upper bound of the 2-norm of any matrix whose entries are at most these in size."""
    one, infinity = float(size.sum(axis=0).max()), float(size.sum(axis=1).max())
    return float(up(math.sqrt(one) * math.sqrt(infinity), len(size) + 4)) + TINY


def _mean_eigenvalue(G: Ball) -> float:
    """Return a lower bound of trace(G) / n, hence of the largest real part."""
    n = G.shape[0]
    diagonal, rad = np.diag(G.mid) / n, np.diag(G.rad) / n
    error = float(up(rad.sum() + gamma(n + 1) * np.abs(diagonal).sum(), n + 2)) + 2 * n * TINY
    bound = math.nextafter(float(diagonal.sum()) - error, -math.inf)
    return bound if math.isfinite(bound) else -math.inf


def _balanced(G: Ball) -> tuple[Ball, int]:
    """Return 2^-exponent D^-1 G D with entries of order 1 and rows and columns of like size, and the exponent.

    D is diagonal with powers of 2: nothing is rounded, unless it underflows, and that is within TINY.
    """
    from scipy.linalg import matrix_balance

    exponent = int(np.frexp(np.abs(G.mid).max())[1])
    _, (scale, _) = matrix_balance(np.ldexp(G.mid, -exponent), permute=False, separate=True)
    fraction, powers = np.frexp(scale)
    if (fraction != 0.5).any():
        powers = np.zeros_like(powers)
    shift = powers[None, :] - powers[:, None] - exponent
    balanced = np.ldexp(G.mid, shift), np.where(G.is_zero, 0.0, up(np.ldexp(G.rad, shift) + TINY, 1))
    if not all(np.isfinite(part).all() for part in balanced):
        return G, 0
    return Ball(*balanced), exponent

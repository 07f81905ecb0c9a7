"""The mean of the weights over one period of copies: its spectral radius, and the periods at which it converges.

Between copies the expected update is M = I + alpha G, with rows of zeros in G for the weights that are copied into, and
a copy is a projection P; so the mean from one copy to the next is K_N = P M^N on the range of P. Where M^N has a limit
L, K_N = P L + P M^N (I - L): long periods are near P L. If P L is a contraction in some norm and the rest is too small,
for as many periods in a row as a power of M (I - L) takes to fall below 1, then every longer period converges as well.

A matrix K with S - K^T S K > 0 has spectral radius below 1 iff S > 0 (Stein): floats propose S, balls decide.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

import flint
import numpy as np

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import precision, to_fmpq
from tdrc_theory.learner.copies import Copy
from tdrc_theory.learner.sample_update import ZERO
from verify.check import Proof
from verify.exact.roots import Enclosure
from verify.predict.limits.certificate import FirstPencil, block_diagonal, has_negative, is_positive
from verify.predict.reduced_recursion import ReducedRecursion, echelon, restricted
from verify.predict.ring import exact_balls, float_balls

LONGEST, _SHORT = 4000, 200
"""Periods up to which each is looked at: where long ones come near a contraction, and where that is not seen."""
LARGEST, _FEW = 150, 40
"""Rows of a matrix whose powers are taken in balls, for one period and for many."""
_BITS = 192
"""Of balls: powers up to the longest period widen them."""
_WIDTHS = (1e-9, 1e-6, 1e-3)
"""Relative distances from the radius in floats at which it is enclosed, the narrowest first."""
_SHARES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
"""Contraction rates q of P L that are tried; 1 - q is exact in floats from 1/2 on (Sterbenz)."""


@dataclass(frozen=True)
class Period:
    """What is known of the mean over one period.

    Attributes:
        copy: what is copied, and after how many updates.
        radius: encloses the spectral radius of the mean from one copy to the next; None where it was not enclosed.
        converges: whether that is below 1; None where it is not known.
        stretches: (first, last, whether it converges, None for not known) of periods in a row, of the expected update;
            a last of None stands for every longer one, too.
    """

    copy: Copy
    radius: Enclosure | None
    converges: bool | None
    stretches: tuple[tuple[int, int | None, bool | None], ...]

    @property
    def converges_from(self) -> int | None:
        """Return the period from which on every one is proven to converge, None where none was found."""
        first, last, converges = self.stretches[-1] if self.stretches else (1, 1, None)
        return first if last is None and converges else None

    def to_json(self) -> dict[str, Any]:
        """Return all of it."""
        return {
            "target": self.copy.target,
            "source": self.copy.source,
            "period": self.copy.period,
            "radius": None if self.radius is None else self.radius.to_json(),
            "converges": self.converges,
            "expected_update": {
                "converges_from": self.converges_from,
                "periods": [{"first": a, "last": b, "converges": known} for a, b, known in self.stretches],
            },
            "proof": Proof.ENCLOSED.value,
        }

    @property
    def answer(self) -> str:
        """Return whether the mean converges from one period to the next, in words; "" where that is not known."""
        if self.converges is None:
            return ""
        word = "converges" if self.converges else "diverges"
        return f"With {self.copy} the mean {word} from one period to the next ({Proof.ENCLOSED.value})"

    def lines(self) -> Iterator[str]:
        """Yield the lines of text."""
        word = {True: "converges", False: "diverges", None: "not decided"}
        where = "not enclosed" if self.radius is None else f"in [{self.radius.lower:.10g}, {self.radius.upper:.10g}]"
        kind = f" ({Proof.ENCLOSED.value})" if self.converges is not None else ""
        yield f"{self.copy}: the mean over a period has spectral radius {where}: {word[self.converges]}{kind}"
        parts = []
        for first, last, known in self.stretches:
            reach = "on" if last is None else f"to {last}"
            parts.append(f"{word[known]} from {first} {reach}" if last != first else f"{word[known]} at {first}")
        if parts:
            yield f"the expected update, by the period: {', '.join(parts)} ({Proof.ENCLOSED.value})"


def period_of(reduced: ReducedRecursion, alpha: Fraction) -> Period | None:
    """Return what is known of the mean over a period at one step size; None without copies."""
    copy = reduced.recursion.copy
    if copy is None:
        return None
    radius = converges = None
    with precision(_BITS):
        if reduced.recursion.horizon is None and 0 < reduced.recursion.modes * reduced.n <= LARGEST:
            still, move = FirstPencil(reduced).halves
            M = exact_balls(still) + exact_balls(move) * flint.arb(to_fmpq(alpha))
            Z = Matrix([row[: reduced.n] for row in reduced.copied()[: reduced.n]])
            K = exact_balls(block_diagonal(Z, still.shape[0] // reduced.n)) * M**copy.period
            converges, radius = _below_one(K), _enclosed(K)
        return Period(copy, radius, converges, tuple(_stretches(reduced, alpha)))


class _Expected:
    """The expected update between copies, in balls.

    Attributes:
        M: (n, n), the mean of one update.
        inside: (n, r), a basis of the range of P, in reduced echelon form.
        copy: (r, n), the rows of P at its pivots.
        limit, rest: (n, n), L and M (I - L); None where M^N has no limit whatever the step size.
    """

    def __init__(self, reduced: ReducedRecursion, G: Matrix, alpha: Fraction) -> None:
        n = reduced.n
        P, identity = Matrix([row[:n] for row in reduced.copied()[:n]]), Matrix.identity(n)
        inside, pivots = echelon(n, P.T.rows)
        self.M = exact_balls((identity + G * alpha).rows)
        self.inside = exact_balls(inside.rows)
        self.copy = exact_balls(P.select(pivots, range(n)).rows)
        kernel, left = G.null_space(), G.T.null_space()
        limit = None
        if not kernel.shape[1]:
            limit = Matrix.zeros(n, n)
        elif (across := left.T @ kernel).rank() == kernel.shape[1] and (solved := across.solve(left.T)) is not None:
            limit = kernel @ solved
        self.limit = None if limit is None else exact_balls(limit.rows)
        self.rest = None if limit is None else self.M * exact_balls((identity - limit).rows)


def _stretches(reduced: ReducedRecursion, alpha: Fraction) -> Iterator[tuple[int, int | None, bool | None]]:
    """Yield what is known of the expected update's periods, in rows of one kind; with a tail, the last has no end."""
    asked, averaged = reduced.recursion, reduced.recursion.averaged
    if averaged is None or asked.copy is None or not 0 < reduced.n <= _FEW:
        return
    still = set(range(asked.dimension)[asked.places[asked.copy.target]])
    G = Matrix([[ZERO] * asked.dimension if i in still else row for i, row in enumerate(averaged.G.rows)])
    expected = _Expected(reduced, restricted(G, reduced.basis, reduced.pivots), alpha)
    form, longest = _tail(expected) or (None, _SHORT)
    known: list[tuple[int, bool | None]] = []
    power = expected.M
    for count in range(1, longest + 1):
        K = expected.copy * power * expected.inside
        near = form is not None and (count == longest or is_positive(form - K.transpose() * form * K))
        known.append((count, True if near else _below_one(K)))
        power *= expected.M
    for value, run in groupby(known, key=itemgetter(1)):
        counts = [count for count, _ in run]
        first, last = counts[0], counts[-1]
        yield first, None if form is not None and last == longest else last, value


def _tail(expected: _Expected) -> tuple[flint.arb_mat, int] | None:
    """Return a form and a period: in the norm of the form the mean over every period from there on is a contraction.

    None where long periods do not come near a contraction, or not up to the longest looked at.

    The rest of period N is P D^N with D = M (I - L). Once a power D^T has a norm below 1, and the rest is small enough
    for T periods in a row, it is so for all longer ones: each is one of these times a power of D^T.
    """
    if expected.limit is None or expected.rest is None:
        return None
    near = expected.copy * expected.limit * expected.inside
    proposed = _stein(near)
    if proposed is None or not is_positive(proposed):
        return None
    turn = float_balls(np.linalg.cholesky(_middle(proposed)).T)
    form = turn.transpose() * turn  # the norm of y is that of turn y
    room = next((1 - q for q in _SHARES if is_positive(form * flint.arb(q) ** 2 - near.transpose() * form * near)), 0.0)
    left, right = turn * expected.copy, _frobenius(expected.inside * turn.inv())
    power, window, run = expected.rest, 0, 0
    for count in range(1, LONGEST + 1):
        size = math.nextafter(_frobenius(left * power) * right, math.inf)  # one rounding of a product
        run = run + 1 if size < room else 0
        window = window or (count if _frobenius(power) < 1 else 0)
        if window and run >= window:
            return form, count - run + 1
        power *= expected.rest
    return None


def _below_one(K: flint.arb_mat) -> bool | None:
    """Return whether the spectral radius of K is below 1; None where balls do not decide."""
    form = _stein(K)
    return None if form is None else True if is_positive(form) else False if has_negative(form) else None


def _stein(K: flint.arb_mat) -> flint.arb_mat | None:
    """Return S, symmetric floats, with S - K^T S K > 0; None where none was found."""
    from scipy.linalg import LinAlgWarning, solve_discrete_lyapunov

    middle = _middle(K)
    if not np.isfinite(middle).all():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)  # what is ill-conditioned is proven, or is not, in balls
        try:
            solved = solve_discrete_lyapunov(middle.T, np.eye(len(middle)))
        except (np.linalg.LinAlgError, ValueError):
            return None
    if not np.isfinite(solved).all():
        return None
    form = float_balls((solved + solved.T) / 2)
    return form if is_positive(form - K.transpose() * form * K) else None


def _middle(matrix: flint.arb_mat) -> np.ndarray:
    return np.array([float(x.mid()) for x in matrix.entries()]).reshape(matrix.nrows(), matrix.ncols())


def _enclosed(K: flint.arb_mat) -> Enclosure | None:
    """Return an interval that the spectral radius of K lies in, as narrow as is proven."""
    middle = _middle(K)
    if not np.isfinite(middle).all():
        return None
    about = float(np.abs(np.linalg.eigvals(middle)).max(initial=0))
    for width in _WIDTHS if about else ():
        low, high = about * (1 - width), about * (1 + width)
        if _below_one(K / flint.arb(high)) and _below_one(K / flint.arb(low)) is False:
            return Enclosure(math.nextafter(low, 0), math.nextafter(high, math.inf))
    return None


def _frobenius(matrix: flint.arb_mat) -> float:
    """Return an upper bound of the Frobenius norm."""
    total = sum((x * x for x in matrix.entries()), flint.arb(0))
    return math.nextafter(float(total.sqrt().upper()), math.inf)

"""The same moments in ball arithmetic: every number shown is the true one, but for its last rounding."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import flint
import numpy as np

from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import precision, to_fmpq
from tdrc_theory.learner.sample_update import ZERO
from verify.predict.error_measure import ErrorForm
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.ring import BALLS, exact_balls, float_balls, ring_steps

_BITS = (128, 256, 512, 1024, 2048, 4096, 8192)
"""Tried in turn, until every number shown is narrow: balls widen with every step."""
ABSOLUTE = 1e-30
"""A number shown is within 2^-52, of its size, of the true one, or within this."""


Row = tuple[int, float, float, np.ndarray, np.ndarray]
"""Updates, E[MSPBE], a lower bound of E[sqrt(MSPBE)], E[varrho] (m,), and the covariance of the weights kept."""


class Uncertain(Exception):
    """A ball grew too wide for a float at this precision."""


def _ball_moments(reduced: ReducedRecursion, alpha: Fraction, steps: int) -> Iterator[list[flint.arb_mat]]:
    """Yield E[z z^T; mode s] before any update, and after each, in balls at the working precision."""
    size, modes, copy = reduced.n + 1, reduced.recursion.modes, reduced.recursion.copy
    a, start = flint.arb(to_fmpq(alpha)), [flint.arb(to_fmpq(p)) for p in reduced.recursion.start]
    L = float_balls(np.eye(size)) + exact_balls([*reduced.common, [ZERO] * size]) * a
    z, kinds = exact_balls([[v] for v in (*reduced.first, Fraction(1))]), ring_steps(reduced, size, BALLS)
    Q = [z * z.transpose() * p for p in start]
    yield Q
    for done in range(1, steps + 1):
        mixed, low = ([flint.arb_mat(size, size) for _ in range(modes + 1)] for _ in range(2))
        for source, target, p, U, V in kinds:
            mixed[target] += Q[source] * p
            moved = V * Q[source]
            inner = moved * L.transpose() + (moved * V.transpose()) * U * (a / 2)
            low[target] += U.transpose() * inner * (a * p)
        *blocks, restart = (L * m * L.transpose() + y + y.transpose() for m, y in zip(mixed, low, strict=True))
        Q = [block + restart * p for block, p in zip(blocks, start, strict=True)]
        if copy is not None and done % copy.period == 0:
            Z = exact_balls(reduced.copied())
            Q = [Z * block * Z.transpose() for block in Q]
        yield Q


def enclosed_moments(
    reduced: ReducedRecursion,
    alpha: Fraction,
    form: ErrorForm,
    steps: int,
    every: int,
    kept: slice,
    progress: Callable[[int], None],
) -> list[Row]:
    """Return a row at 0, every, 2 every, ... and `steps`, each number as close to the true one as is said above.

    Raises:
        BadOption: not even the highest precision suffices.
    """
    for bits in _BITS:
        with precision(bits):
            try:
                row, rows = _row_of(reduced, form, kept), []
                for done, Q in enumerate(_ball_moments(reduced, alpha, steps)):
                    if done % every == 0 or done == steps:
                        rows.append(row(done, Q))
                    progress(done)
            except (Uncertain, ZeroDivisionError):
                continue
            return rows
    raise BadOption(f"--proof: enclosed takes more than {_BITS[-1]} bits for {steps} steps here; use float")


def _row_of(reduced: ReducedRecursion, form: ErrorForm, kept: slice) -> Callable[[int, list[flint.arb_mat]], Row]:
    n, m, places = reduced.n, reduced.recursion.dimension, range(reduced.recursion.dimension)[kept]
    W, origin = form.balls(), exact_balls([[x] for x in reduced.origin])
    B = exact_balls(reduced.basis.rows) if n else flint.arb_mat(m, 0)
    shown = flint.arb_mat(len(places), n, [B[i, j] for i in places for j in range(n)])

    def row(done: int, Q: list[flint.arb_mat]) -> Row:
        total = sum(Q[1:], Q[0])
        mspbe = sum((a * b for a, b in zip(W.entries(), total.entries(), strict=True)), flint.arb(0))
        least = 0.0
        for block in Q:
            y = flint.arb_mat(n + 1, 1, [line[n] for line in block.tolist()])
            least += math.sqrt(max(0.0, float((y.transpose() * W * y)[0, 0].lower())))
        least *= 1 - 1e-12  # a conversion, a root and an addition for each of at most 1000 modes round by 3000 U
        table = total.tolist()[:n]
        mean = flint.arb_mat(n, 1, [line[n] for line in table])
        second = flint.arb_mat(n, n, [x for line in table for x in line[:n]])
        spread = (shown * (second - mean * mean.transpose()) * shown.transpose()).tolist()
        weights = np.array([_rounded(x) for x in (origin + B * mean).entries()])
        return done, _rounded(mspbe), least, weights, np.array([[_rounded(x) for x in line] for line in spread])

    return row


def _rounded(ball: flint.arb) -> float:
    """Return the nearest float of a ball; raise Uncertain where it is not narrow."""
    size, radius = float(abs(ball.mid())), float(ball.rad())
    if not (radius <= 2.0**-54 * size or radius <= ABSOLUTE / 2):
        if math.isinf(size) and ball.rel_accuracy_bits() > 54:
            return math.copysign(math.inf, float(ball.mid()))
        raise Uncertain
    return float(ball.mid())

"""First and second moments of the weights: an exact recursion, in floats rounded as it goes, and in ball arithmetic.

Long horizons take many steps at once, by a power of the second-moment operator, where that is small enough. Of balls
every number shown is the true one, but for its last rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import precision, to_fmpq
from tdrc_theory.learner.sample_update import ZERO
from verify.predict.operator import Half, Layout, Operator, Spectrum, forward, written_out
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.ring import exact_balls, float_balls, ring_steps
from verify.predict.subspaces import ErrorForm

_BITS = (128, 256, 512, 1024, 2048, 4096, 8192)
"""Tried in turn, until every number shown is narrow: balls widen with every step."""
ABSOLUTE = 1e-30
"""A number shown is within 2^-52, of its size, of the true one, or within this."""


Row = tuple[int, float, float, np.ndarray, np.ndarray]
"""Updates, E[MSPBE], a lower bound of E[sqrt(MSPBE)], E[varrho] (m,), and the covariance of the weights kept."""
LARGEST_WRITTEN_OUT = 1500
"""Numbers in the moments of a mode's symmetric half, all modes together, up to which the operator is written out."""
_STEP, _FEW, _MANY = 2e-5, 1e9, 1e10
"""Seconds that calls take, and multiplications a second in small and large products: rough, for choosing only."""


class Uncertain(Exception):
    """A ball grew too wide for a float at this precision."""


def _ball_moments(reduced: ReducedRecursion, alpha: Fraction, steps: int) -> Iterator[list[flint.arb_mat]]:
    """Yield E[z z^T; mode s] before any update, and after each, in balls at the working precision."""
    size, modes, copy = reduced.n + 1, reduced.recursion.modes, reduced.recursion.copy
    a, start = flint.arb(to_fmpq(alpha)), [flint.arb(to_fmpq(p)) for p in reduced.recursion.start]
    L = float_balls(np.eye(size)) + exact_balls([*reduced.common, [ZERO] * size]) * a
    z, kinds = exact_balls([[v] for v in (*reduced.first, Fraction(1))]), ring_steps(reduced, size, exact_balls)
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


def first_moments(layout: Layout, first: np.ndarray) -> np.ndarray:
    """Return E[z z^T; mode s] before any update (modes, n + 1, n + 1), z = (y, 1)."""
    z = np.append(first, 1.0)
    return np.einsum("s,i,j->sij", layout.start, z, z)


def moments(
    layout: Layout, first: np.ndarray, alpha: np.ndarray, steps: int, every: int = 1
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (number of updates, E[z z^T; mode s]) at 0, every, 2 every, ... and at `steps`.

    Args:
        layout: the recursion's arrays.
        first: (n,), y before any update.
        alpha: (alphas,), step sizes that go side by side.

    Yields:
        Arrays (alphas, modes, n + 1, n + 1); infinities and NaNs where the moments are past the range of floats.
    """
    start = first_moments(layout, first)
    power = Power.of(layout, start, alpha, every) if power_wins(layout, steps, every) else None
    Q = np.broadcast_to(start, (len(alpha), *start.shape))
    yield from _recorded([layout] * len(alpha), forward(layout), Q, alpha, steps, every, power)


def method(layout: Layout, steps: int, every: int) -> str:
    """Return in words how `moments` goes from one recorded step to the next."""
    if not power_wins(layout, steps, every):
        return "step by step, matrix-free"
    what = f"the {Half.of(layout).size} x {Half.of(layout).size} second-moment operator"
    if every == 1:
        return f"step by step, {what} written out"
    return f"repeated squaring of {what}, {every} updates at a time"


def side_by_side(
    layouts: Sequence[Layout],
    operators: Sequence[Operator],
    starts: Sequence[np.ndarray],
    alpha: np.ndarray,
    steps: int,
    every: int,
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield what `moments` does of several recursions, one for each alpha, step by step.

    Args:
        layouts: of recursions without copies.
        operators: theirs, all `alike`.
        starts: y of each before any update.
        alpha: (recursions,), the step size of each.
    """
    Q = np.stack([first_moments(*each) for each in zip(layouts, starts, strict=True)])
    return _recorded(layouts, beside(operators), Q, alpha, steps, every)


def _recorded(
    layouts: Sequence[Layout],
    operator: Operator,
    Q: np.ndarray,
    alpha: np.ndarray,
    steps: int,
    every: int,
    power: Power | None = None,
) -> Iterator[tuple[int, np.ndarray]]:
    n = 0
    yield n, Q
    with np.errstate(all="ignore"):
        while n < steps:
            count = min(every, steps - n)
            Q = power(Q) if power is not None and count == every else _stepped(layouts, operator, Q, alpha, n, count)
            n += count
            yield n, Q


def alike(a: Operator, b: Operator) -> bool:
    """Return whether two operators have one structure: steps of the same probabilities, and updates of one shape."""
    names = ("mixing", "arriving", "start")
    shapes = ((each.U.shape, each.directions.shape, each.common.shape, each.diagonal is None) for each in (a, b))
    return len(set(shapes)) == 1 and all(_equal(getattr(a, name), getattr(b, name)) for name in names)


def beside(operators: Sequence[Operator]) -> Operator:
    """Return one operator that does to the blocks of each alpha what its own does; all are to be `alike`."""
    diagonals = [each.diagonal[None] for each in operators if each.diagonal is not None]
    stacked = {name: np.stack([getattr(each, name) for each in operators]) for name in ("U", "V", "directions")}
    common = np.stack([each.common[None] for each in operators])
    return replace(operators[0], **stacked, common=common, diagonal=np.stack(diagonals) if diagonals else None)


def _equal(a: Any, b: Any) -> bool:
    if hasattr(a, "nnz") and hasattr(b, "nnz"):
        return bool(a.shape == b.shape and (a != b).nnz == 0)
    return type(a) is type(b) and np.array_equal(a, b)


def _stepped(
    layouts: Sequence[Layout], operator: Operator, Q: np.ndarray, alpha: np.ndarray, done: int, count: int
) -> np.ndarray:
    period, copied = layouts[0].period, layouts[0].copied
    for n in range(done + 1, done + count + 1):
        before, Q = Q, operator(Q, alpha)
        if copied is not None and n % period == 0:
            Q = copied @ Q @ copied.T
        if copied is not None or np.isfinite(Q[..., -1]).all():
            continue
        for i in np.flatnonzero(~np.isfinite(Q[..., -1]).all(axis=(1, 2))).tolist():
            # Second moments are past the range of floats: first ones need not be.
            mean = Spectrum(layouts[i]).first_operator(float(alpha[i]))(before[i, ..., -1])
            Q[i, ..., -1] = Q[i, :, -1] = mean.reshape(layouts[i].modes, layouts[i].size)
    return Q


def excited(operator: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return the places of a vector, ascending, that are not 0 at the start or after some step.

    Others may grow without bound, such as moments of a mode that was left for good; they stay 0, but 0 times infinity
    is not.
    """
    places = start != 0
    while True:
        after = places | (operator[:, places] != 0).any(axis=1)
        if (after == places).all():
            return np.flatnonzero(places)
        places = after


def power_wins(layout: Layout, steps: int, every: int) -> bool:
    """Return whether a power of the operator written out is cheaper than going step by step without."""
    size = Half.of(layout).size
    if layout.period or size > LARGEST_WRITTEN_OUT or not 0 < every <= steps:
        return False
    one = 3 * _STEP + 2 * len(layout.source) * layout.U.shape[1] * layout.size**2 / _FEW
    products = size * one / 4 + 2 * math.log2(every) * size**3 / _MANY
    return products + steps / every * (_STEP + size**2 / _FEW) < steps * one


@dataclass(frozen=True)
class Power:
    """The operator's power for a fixed number of steps: of each alpha the places excited, and two matrices on them.

    First moments do not depend on second ones, which may be past the range of floats: they have matrices of their own.
    """

    half: Half
    parts: tuple[tuple[np.ndarray, np.ndarray, np.ndarray], ...]

    @classmethod
    def of(cls, layout: Layout, Q: np.ndarray, alpha: np.ndarray, every: int) -> Power:
        """Return the power for `every` steps, from Q (modes, N, N) on."""
        half, operator, parts = Half.of(layout), forward(layout), []
        with np.errstate(all="ignore"):
            for a in alpha:
                one = written_out(operator, half, float(a))
                places = excited(one, half.pack(Q))
                first = places[half.constant[places]]
                matrix, mean = (np.linalg.matrix_power(one[np.ix_(at, at)], every) for at in (places, first))
                parts.append((places, matrix, mean))
        return cls(half, tuple(parts))

    def __call__(self, Q: np.ndarray) -> np.ndarray:
        """Return Q that many steps later."""
        after = np.zeros((len(self.parts), self.half.size))
        for out, vector, (places, matrix, mean) in zip(after, self.half.pack(Q), self.parts, strict=True):
            out[places] = matrix @ vector[places]
            first = places[self.half.constant[places]]
            out[first] = mean @ vector[first]
        return self.half.unpack(after)


def last_and_sum(layout: Layout, Q: np.ndarray, form: np.ndarray, alpha: float, steps: int) -> tuple[float, float]:
    """Return <form, Q> after the last step, and its sum over all steps, the first moments Q included, by squaring.

    With c the form, (N, N) and symmetric, and Q (modes, N, N), (q, a) -> (T q, a + c.q) is linear, and its power adds
    up what the steps before saw.
    """
    half = Half.of(layout)
    operator, start = written_out(forward(layout), half, alpha), half.pack(Q)
    places = excited(operator, start)
    size, c = len(places), half.of_each(form)[places]
    both = np.zeros((size + 1, size + 1))
    both[:size, :size] = operator[np.ix_(places, places)]
    both[size, :size], both[size, size] = c, 1
    with np.errstate(all="ignore"):
        there = np.linalg.matrix_power(both, steps) @ np.append(start[places], 0.0)
        last = float(c @ there[:size])
        return last, float(there[size]) + last

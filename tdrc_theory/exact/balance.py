"""Balance equations of a finite chain, d P = d, solved exactly: states with few neighbours are taken out one by one."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import flint

from tdrc_theory.errors import BadProblem, Inconsistent
from tdrc_theory.exact.number import from_fmpq, to_fmpq

_FULL = 8
"""A chain with more than 1 in so many of all entries is solved as a dense matrix."""
_LARGEST = 3000
"""States of a dense matrix that is solved; exact weights of more have thousands of digits each."""

Rows = list[dict[int, flint.fmpq]]


def balanced(chain: Sequence[Mapping[int, Fraction]]) -> list[Fraction]:
    """Return the stationary distribution d (n,) of an irreducible chain.

    A state s is removed by P[i][j] += P[i][s] P[s][j] / (1 - P[s][s]) for all other i and j, which subtracts no number
    from another (Grassmann, Taksar and Heyman, 1985); the state with the fewest pairs of neighbours is next. Once what
    is left is dense, python-flint solves its equations, and the weights of the removed states follow in reverse.

    Args:
        chain: {next state: probability} a state, of probabilities above 0 that sum to 1; every state leads to each.

    Raises:
        BadProblem: it is too large, and not sparse.
        Inconsistent: the solution is no distribution.
    """
    rows: Rows = [{t: to_fmpq(p) for t, p in row.items() if t != s} for s, row in enumerate(chain)]
    arriving: list[set[int]] = [set() for _ in rows]
    for s, row in enumerate(rows):
        for t in row:
            arriving[t].add(s)
    removed = _removed(rows, arriving)
    left = sorted(set(range(len(rows))) - {s for s, *_ in removed})
    if len(left) > _LARGEST:
        raise BadProblem(
            f"state_weights: exact stationary weights need {len(left)} equations here that are not sparse, and at most "
            f"{_LARGEST} are solved; give state_weights"
        )
    weights = [flint.fmpq(0)] * len(rows)
    for s, weight in zip(left, _dense(rows, left), strict=True):
        weights[s] = weight
    for s, into, out in reversed(removed):
        weights[s] = sum((weights[i] * p for i, p in into.items()), flint.fmpq(0)) / out
    total = sum(weights, flint.fmpq(0))
    if not total > 0:
        raise Inconsistent("the solution is no distribution")
    return [from_fmpq(weight / total) for weight in weights]


def _removed(rows: Rows, arriving: list[set[int]]) -> list[tuple[int, dict[int, flint.fmpq], flint.fmpq]]:
    """Take states out until the rest is dense; return each with {state: probability} into it and that of leaving it."""
    removed = []
    entries, count = sum(map(len, rows)), len(rows)
    queue = [(len(arriving[s]) * len(row), s) for s, row in enumerate(rows)]
    heapq.heapify(queue)
    while count > 1 and _FULL * entries <= count * count:
        cost, s = heapq.heappop(queue)
        if cost != len(arriving[s]) * len(rows[s]):
            continue  # it has other neighbours by now, or is out
        onward = rows[s]
        out = sum(onward.values(), flint.fmpq(0))
        into = {i: rows[i].pop(s) for i in arriving[s]}
        entries -= len(into) + len(onward)
        count -= 1
        removed.append((s, into, out))
        for t in onward:
            arriving[t].discard(s)
        for i, p in into.items():
            row, share = rows[i], p / out
            entries -= len(row)
            for t, q in onward.items():
                if t != i:
                    row[t] = row[t] + share * q if t in row else share * q
                    arriving[t].add(i)
            entries += len(row)
        for t in {*into, *onward}:
            heapq.heappush(queue, (len(arriving[t]) * len(rows[t]), t))
        rows[s], arriving[s] = {}, set()
    return removed


def _dense(rows: Rows, left: list[int]) -> list[flint.fmpq]:
    """Return weights of the states that are left, in proportion; a row's own entry is what it lacks to 1.

    In the unknowns d(s) over the least common denominator of the row of s the equations have whole coefficients, no
    longer than one row needs: an equation itself has the denominators of all rows.
    """
    n, place = len(left), {s: i for i, s in enumerate(left)}
    system, scales = flint.fmpz_mat(n, n), []
    for s, i in place.items():
        scale = flint.fmpz(math.lcm(*(int(p.q) for p in rows[s].values())))
        whole = {t: p.p * (scale // p.q) for t, p in rows[s].items()}
        for t, entry in whole.items():
            system[place[t], i] = entry
        system[i, i] = -sum(whole.values(), flint.fmpz(0))
        scales.append(scale)
    for i in range(n):  # in the place of the last equation, which the others imply: one weight is given
        system[n - 1, i] = flint.fmpz(i == n - 1)
    right = flint.fmpz_mat(n, 1)
    right[n - 1, 0] = flint.fmpz(1)
    solved = system.solve(right)
    return [solved[i, 0] * scale for i, scale in enumerate(scales)]

"""How fast predictions are, beside the Kronecker form of the same recursion in the same run: `make bench`."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from row import row

from tdrc_theory.problems import PROBLEMS
from tdrc_theory.problems.garnet import garnet
from verify.predict.limits.limit import step_size_limits
from verify.predict.moments import moments
from verify.predict.operator import layout
from verify.predict.prediction import predicted, prepared
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.study import study

STEPS = 3000
ALPHA = Fraction(1, 4096)
GRID = [Fraction(1, 2**power) for power in range(9)]


def paper_problem(name: str, sampling: str) -> None:
    """The curve, the study and the limits of one problem, and the Kronecker form of the curve's recursion."""
    preparing, result = timed(lambda: prepared(name, "tdrc", sampling=sampling))
    curve, _ = timed(lambda: predicted(result, Fraction(1, 64), STEPS))
    grid, _ = timed(lambda: study(result, GRID, STEPS))
    limits, _ = timed(lambda: step_size_limits(result))
    here = f"{name}, {sampling}"
    row(f"prediction of {STEPS} updates, {here}", preparing + curve, "s")
    row(f"study of {len(GRID)} step sizes, {here}", grid, "s")
    row(f"limits of the step size, {here}", limits, "s")
    kronecker(here, result, Fraction(1, 64), 300)


def kronecker(what: str, result: ReducedRecursion, alpha: Fraction, steps: int) -> None:
    """Compare a step of the recursion with one of its Kronecker form, which must end up at the same."""
    arrays = layout(result)
    first = np.array([float(v) for v in result.first])
    operator = kronecker_matrix(result, float(alpha))
    z = np.append(first, 1.0)
    vector = np.concatenate([p * np.kron(z, z) for p in arrays.start])

    def naive() -> np.ndarray:
        out = vector
        for _ in range(steps):
            out = operator @ out
        return out

    def ours() -> np.ndarray:
        for _, Q in moments(arrays, first, np.array([float(alpha)]), steps):
            last = Q
        return last[0]

    slow, there = timed(naive)
    fast, here = timed(ours)
    assert np.abs(there - here.ravel()).max() < 1e-6 * np.abs(here).max()
    against, micro = "Kronecker form", 1e6 / steps
    row(f"step of the moments, {what}", fast * micro, "us", against=against, baseline=slow * micro)


def kronecker_matrix(result: ReducedRecursion, alpha: float) -> np.ndarray:
    """Return the sum of p e_t e_s^T (x) M (x) M over all steps."""
    arrays = layout(result)
    N, modes = arrays.size, arrays.modes
    moves: dict[tuple[int, int], list[tuple[float, np.ndarray]]] = {}
    for s, t, p, update in zip(arrays.source, arrays.target, arrays.probability, arrays.update, strict=True):
        M = np.eye(N) + alpha * (arrays.common + arrays.U[update].T @ arrays.V[update])
        for place, share in enumerate(arrays.start) if t == modes else [(int(t), 1.0)]:
            if share:
                moves.setdefault((place, s), []).append((p * share, M.ravel()))
    total = np.zeros((modes, N * N, modes, N * N))
    for (place, s), listed in moves.items():
        p, M = (np.array(column) for column in zip(*listed, strict=True))
        products = ((p[:, None] * M).T @ M).reshape(N, N, N, N)
        total[place, :, s] = products.transpose(0, 2, 1, 3).reshape(N * N, N * N)
    return total.reshape(modes * N * N, modes * N * N)


def large(states: int, k: int) -> None:
    """Many states and features: the whole curve, and the Kronecker form where a machine can hold it."""
    problem = garnet(states, 2, 3, k, seed=1, gamma=Fraction(9, 10))
    for sampling in ("iid", "markov"):
        preparing, result = timed(lambda sampling=sampling: prepared(problem, "tdrc", sampling=sampling))
        curve, outcome = timed(lambda result=result: predicted(result, ALPHA, STEPS))
        arrays = layout(result)
        blocks = len({*zip(arrays.source, arrays.target, strict=True)})
        gigabytes = blocks * arrays.size**4 * 8 / 1e9
        here = f"{states} states, {k} features, {sampling}"
        row(f"prediction of {STEPS} updates, {here}", preparing + curve, "s")
        print(f"  to E[MSPBE] = {outcome.mspbe[-1]:.6g}; the Kronecker form's {blocks} blocks fill {gigabytes:.2g} GB")
        if gigabytes < 1:
            kronecker(here, result, ALPHA, 30)


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a call took, and what it returned."""
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def main() -> None:
    """Run all of it, in a few minutes."""
    for name, _ in PROBLEMS:
        for sampling in ("markov", "iid") if name != "two-state" else ("iid",):
            paper_problem(name, sampling)
    large(100, 50)


if __name__ == "__main__":
    main()

"""How fast the kernels of learners with a trace are, beside a loop in C that is written for each by hand."""

from __future__ import annotations

import argparse
import ctypes
import statistics
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from kernels import ALPHA, BETA, ETA, PROBLEMS, busy, by_rows, c_library
from row import row

from simulate.environment import Environment, Trajectory, environment
from simulate.kernels import kernel, lanes
from simulate.kernels.layout import LANES
from simulate.step_sizes import CONSTANT
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.problems import find_problem

LAM = 0.5
LEARNERS = {"tdrc-lambda": "tdrc_lambda", "emphatic-td": "emphatic_td"}
"""Names of the C functions."""
_INTEGERS = ("steps", "k", "rows", "ended")
_ARRAYS = ("s", "s_next", "rho", "reward", "features")
_REST = ("alpha", "eta", "beta", "lam"), ("w", "h", "e", "error")


class Run(ctypes.Structure):
    """What the C loops take; see trace_loops.c."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in _INTEGERS),
        *((name, ctypes.c_void_p) for name in _ARRAYS),
        ("gamma", ctypes.c_double),
        *((name, ctypes.c_void_p) for name in ("residual", "offset")),
        *((name, ctypes.c_double) for name in _REST[0]),
        *((name, ctypes.c_void_p) for name in _REST[1]),
    )


def in_c(loop: Any, env: Environment, trajectory: Trajectory, known: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Return the RMSPBE after every update."""
    k, steps = len(env.initial_weights), len(trajectory.s)
    w, h, e, error = env.initial_weights.copy(), np.zeros(k), np.zeros(k), np.empty(steps)
    columns = *trajectory[:4], env.features
    arrays = dict(zip(_ARRAYS, columns, strict=True)) | dict(zip(("residual", "offset"), known, strict=True))
    arrays |= {"w": w, "h": h, "e": e, "error": error}
    numbers = {"steps": steps, "k": k, "rows": len(known[1]), "ended": len(env.features) - 1}
    numbers |= {"gamma": env.numbers["gamma"], "alpha": ALPHA, "eta": ETA, "beta": BETA, "lam": LAM}
    loop(ctypes.byref(Run(**numbers, **{name: array.ctypes.data for name, array in arrays.items()})))
    return error


def compare(rounds: int, steps: int) -> None:
    """Time an update, RMSPBE included, of both in turn on one core, on every paper problem."""
    with tempfile.TemporaryDirectory() as folder:
        loops = c_library("trace_loops", Path(folder))
        if loops is None:
            print("no C compiler (cc) here: there is nothing to compare with")
            return
        for learner, function in LEARNERS.items():
            for name in PROBLEMS:
                _compare(learner, getattr(loops, function), name, rounds, steps)


def _compare(learner: str, loop: Any, name: str, rounds: int, steps: int) -> None:
    env = environment(find_problem(name), "markov", steps=steps, seed=0)
    trajectory, known = env.trajectory(0), by_rows(name)
    algorithm = find_algorithm(learner)
    arguments = {n: v for n, v in {"eta": ETA, "beta": BETA, "lam": LAM}.items() if n in algorithm.own_parameters}
    learn, chosen = kernel(algorithm, CONSTANT), lanes(CONSTANT, np.full(LANES, ALPHA), **arguments)

    def product() -> np.ndarray:
        return learn(env, trajectory, chosen, np.arange(1, steps + 1)).errors[:, -1]

    def by_hand() -> np.ndarray:
        return in_c(loop, env, trajectory, known)

    assert np.allclose(product(), by_hand(), rtol=1e-6, atol=1e-9, equal_nan=True), (learner, name)  # also a warm-up
    pairs = [(busy(product) / LANES, busy(by_hand)) for _ in range(rounds)]
    ours, slow = (statistics.median(times) / steps * 1e9 for times in zip(*pairs, strict=True))
    ratio = statistics.median(slow / fast for fast, slow in pairs)
    what, against = f"update of {learner}, {name}", "loop in C, one configuration"
    row(what, ours, "ns", against=against, baseline=slow, ratio=ratio, wanted="ratio at least 3")


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="times that everything is timed (default: 15)")
    parser.add_argument("--steps", type=int, default=5000, help="updates of a run (default: 5000)")
    options = parser.parse_args()
    compare(options.rounds, options.steps)


if __name__ == "__main__":
    main()

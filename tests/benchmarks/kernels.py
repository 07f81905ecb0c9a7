"""How fast the kernels are: `make bench`. All is timed in turn, in time that a core was busy with it."""

from __future__ import annotations

import argparse
import ctypes
import functools
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from row import row

from simulate.environment import Environment, Trajectory, environment
from simulate.kernels import kernel, lanes
from simulate.kernels.layout import LANES
from simulate.step_sizes import CONSTANT, STEP_SIZES
from tdrc_theory.algorithms import TDRC
from tdrc_theory.exact import Matrix
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems import find_problem

PROBLEMS = ("random-walk-tabular", "random-walk-inverted", "random-walk-dependent", "boyan", "baird")
ALPHA, ETA, BETA = 1 / 64, 1.0, 1.0
NAIVE_STEPS = 300
"""Updates of the naive loop in a round; its time an update does not depend on how many there are."""


@numba.njit(error_model="numpy")
def scalar_numba(features, gamma, residual, offset, s, s_next, rhos, rewards, alpha, eta, beta, w, h, errors):
    """TDRC with a constant step size, written by hand for Numba: one configuration, RMSPBE after every update."""
    rows, k = residual.shape
    for t in range(len(s)):
        x, x_next, rho = features[s[t]], features[s_next[t]], rhos[t]
        delta, delta_hat = rewards[t], 0.0
        for i in range(k):
            delta += (gamma * x_next[i] - x[i]) * w[i]
            delta_hat += x[i] * h[i]
        for i in range(k):
            dw = rho * (delta * x[i] - gamma * delta_hat * x_next[i])
            dh = (rho * delta - delta_hat) * x[i] - beta * h[i]
            w[i] += alpha * dw
            h[i] += eta * alpha * dh
        square = 0.0
        for j in range(rows):
            rest = offset[j]
            for i in range(k):
                rest -= residual[j, i] * w[i]
            square += rest * rest
        errors[t] = np.sqrt(square)


def by_rows(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a matrix and a vector with RMSPBE = |offset - residual w|, as they come: a row a direction of C."""
    A, b, C = key_matrices(find_problem(name))
    root = root_of_inverse(C)
    return np.ascontiguousarray(root @ A.to_float()), np.ascontiguousarray(root @ b.to_float()[:, 0])


def root_of_inverse(C: Matrix) -> np.ndarray:
    """Return R with R^T R the pseudo-inverse of C, a row a direction of its range."""
    values, vectors = np.linalg.eigh(C.to_float())
    kept = slice(len(values) - C.rank(), None)
    return (vectors[:, kept] / np.sqrt(values[kept])).T


class NaiveNumPy:
    """TDRC as a user would write it in NumPy, step by step, from A, b and C."""

    def __init__(self, name: str, env: Environment) -> None:
        A, b, C = key_matrices(find_problem(name))
        self.A, self.b = A.to_float(), b.to_float()[:, 0]
        root = root_of_inverse(C)
        self.C_inverse = root.T @ root
        self.env = env

    def __call__(self, trajectory: Trajectory) -> np.ndarray:
        """Return the RMSPBE after every update."""
        w, h = self.env.initial_weights.copy(), np.zeros(len(self.env.initial_weights))
        errors = np.empty(len(trajectory.s))
        for t in range(len(trajectory.s)):
            x, x_next = self.env.features[trajectory.s[t]], self.env.features[trajectory.s_next[t]]
            rho = trajectory.rho[t]
            delta = trajectory.reward[t] + self.env.numbers["gamma"] * np.dot(w, x_next) - np.dot(w, x)
            delta_hat = np.dot(h, x)
            dw = rho * (delta * x - self.env.numbers["gamma"] * delta_hat * x_next)
            dh = (rho * delta - delta_hat) * x - BETA * h
            w = w + ALPHA * dw
            h = h + ETA * ALPHA * dh
            rest = self.b - np.dot(self.A, w)
            errors[t] = np.sqrt(np.dot(rest, np.dot(self.C_inverse, rest)))
        return errors


def c_library(name: str, folder: Path) -> Any:
    """Return the loops of a C file, or None where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source, library = Path(__file__).with_name(f"{name}.c"), folder / f"{name}.so"
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    return ctypes.CDLL(str(library))


def competitors(name: str, steps: int, c: Any) -> dict[str, tuple[Callable[[], np.ndarray], int]]:
    """Return, by name, what runs and gives errors after every update, and how many updates of one lane that is."""
    env = environment(find_problem(name), "markov", steps=steps, seed=0)
    trajectory = env.trajectory(0)
    short = Trajectory(*(column[:NAIVE_STEPS] for column in trajectory[:5]))
    k, gamma = len(env.initial_weights), env.numbers["gamma"]
    residual, offset = by_rows(name)
    learn, chosen = kernel(TDRC, CONSTANT), lanes(CONSTANT, np.full(LANES, ALPHA), eta=ETA, beta=BETA)
    naive = NaiveNumPy(name, env)

    def product() -> np.ndarray:
        return learn(env, trajectory, chosen, np.arange(1, steps + 1)).errors[:, -1]

    def by_hand() -> np.ndarray:
        w, h, errors = env.initial_weights.copy(), np.zeros(k), np.empty(steps)
        arrays = env.features, gamma, residual, offset, *trajectory[:4]
        scalar_numba(*arrays, ALPHA, ETA, BETA, w, h, errors)
        return errors

    def in_c() -> np.ndarray:
        w, h, errors = env.initial_weights.copy(), np.zeros(k), np.empty(steps)
        p, n, f = (lambda array: ctypes.c_void_p(array.ctypes.data)), ctypes.c_int64, ctypes.c_double
        experience = (p(column) for column in trajectory[:4])
        sizes, known = (n(steps), n(k), n(len(offset))), (p(residual), p(offset))
        c(*sizes, *experience, p(env.features), f(gamma), *known, f(ALPHA), f(ETA), f(BETA), p(w), p(h), p(errors))
        return errors

    result = {
        "product": (product, steps * LANES),
        "numba": (by_hand, steps),
        "numpy": (lambda: naive(short), len(short.s)),
    }
    return {**result, "c": (in_c, steps)} if c is not None else result


def compare(rounds: int, steps: int) -> None:
    """Time an update, RMSPBE included, of everything in turn on one core, on every paper problem."""
    with tempfile.TemporaryDirectory() as folder:
        loops = c_library("scalar_loop", Path(folder))
        if loops is None:
            print("no C compiler (cc) here: the C loop is left out")
        c = None if loops is None else loops.tdrc
        for name in PROBLEMS:
            ways = competitors(name, steps, c)
            expected = ways["numba"][0]()
            for way, (run, _) in ways.items():  # also a warm-up
                result = run()
                assert np.allclose(result, expected[: len(result)], rtol=1e-7, atol=1e-10), way
            times: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(rounds):
                for way, (run, updates) in ways.items():
                    times[way].append(busy(run) / updates * 1e9)
            _rows(name, times)


def _rows(name: str, times: dict[str, list[float]]) -> None:
    ours = statistics.median(times["product"])
    for way, against, wanted in (
        ("c", "loop in C, one configuration", "above 1"),
        ("numba", "loop in Numba, one configuration", "at least 4"),
        ("numpy", "loop in NumPy, one configuration", "at least 1000"),
    ):
        if way in times:
            slow = statistics.median(times[way])
            ratio = statistics.median(slow / fast for slow, fast in zip(times[way], times["product"], strict=True))
            text = f"ratio {wanted}"
            row(f"update of TDRC, {name}", ours, "ns", against=against, baseline=slow, ratio=ratio, wanted=text)


def every_rule(rounds: int, steps: int) -> None:
    """Time an update under every step-size rule, and the drawing of experience."""
    for rule in STEP_SIZES:
        for name in PROBLEMS:
            env = environment(find_problem(name), steps=steps, seed=0)
            arguments = env, env.trajectory(0), lanes(rule, np.full(LANES, ALPHA))
            points = (np.arange(1, steps + 1, every) for every in (1, 10))
            each, tenth = (functools.partial(kernel(TDRC, rule), *arguments, read) for read in points)
            each(), tenth()  # compiled
            both = [(busy(tenth), busy(each)) for _ in range(rounds)]
            ours, slow = (statistics.median(spent) / steps / LANES * 1e9 for spent in zip(*both, strict=True))
            what, against = f"update, {rule.name}, {name}, error read at every tenth", "error read at every update"
            row(what, ours, "ns", against=against, baseline=slow)
    env = environment(find_problem("baird"), steps=steps, seed=0)
    spent = statistics.median(busy(lambda: env.trajectory(0)) for _ in range(rounds))
    row(f"transition of baird, shared by {LANES} configurations", spent / steps * 1e9, "ns")


def busy(run: Callable[[], object]) -> float:
    """Return the seconds for which it kept a core busy; those in which others had the core do not count."""
    start = time.thread_time()
    run()
    return time.thread_time() - start


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="times that everything is timed (default: 15)")
    parser.add_argument("--steps", type=int, default=5000, help="updates of a run (default: 5000)")
    options = parser.parse_args()
    compare(options.rounds, options.steps)
    every_rule(options.rounds, options.steps)


if __name__ == "__main__":
    main()

"""How far certified verdicts reach, beside numpy.linalg.eigvals on the same matrix in the same run: `make bench`."""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from row import row
from scipy.sparse import csr_array

from tdrc_theory.algorithms import TDRC
from tdrc_theory.problems import find_problem
from verify import check_conditions
from verify.check import Verdict
from verify.conditions.setting import Setting
from verify.scale.sparse import EnclosedKeyMatrices, sparse_key_matrices, sparse_verdict, update_of

GAMMA = Fraction(99, 100)
ONE = Fraction(1)


def tabular(name: str) -> None:
    """An exact problem past exact arithmetic, from its data to the whole report."""
    problem = find_problem(name)
    start = time.perf_counter()
    report = check_conditions(problem)
    spent = time.perf_counter() - start
    G = Setting.of(problem, TDRC, ONE, ONE).update.G.to_float()
    _show(f"{name}, {problem.k} features, exact data", spent, report.verdict, G)


def chain(states: int, k: int, features: str) -> None:
    """A sparse chain, five next states a state: all time after its arrays are there, all memory of the process.

    Its features are dense or tiled: of tiled ones at most eight of k are active in a state.
    """
    X, steps, d, r = _chain(states, k, dense=features == "dense")
    start = time.perf_counter()
    key = sparse_key_matrices(X, steps, d, r, GAMMA)
    verdict = sparse_verdict(key)
    _show(f"sparse chain, {states} states, {k} {features} features", time.perf_counter() - start, verdict, _G(key))


def _chain(states: int, k: int, *, dense: bool) -> tuple[object, csr_array, np.ndarray, np.ndarray]:
    """Return features, an average of five permutations (whose stationary weights are uniform), d and r."""
    rng = np.random.default_rng(0)
    arrivals = np.stack([rng.permutation(states) for _ in range(5)], axis=1).ravel()
    pointers = np.arange(0, 5 * states + 1, 5)
    chain = csr_array((np.full(5 * states, 0.2), arrivals, pointers), shape=(states, states))
    X: object
    if dense:
        X = rng.standard_normal((states, k))
    else:
        # Eight tilings; one tile of each is left out, since features that always add up to 1 make C singular.
        tiles = k // 8
        tile = rng.integers(0, tiles + 1, (states, 8))
        s, tiling = np.nonzero(tile < tiles)
        X = csr_array((np.ones(len(s)), (s, tiling * tiles + tile[s, tiling])), shape=(states, k))
    return X, chain, np.full(states, 1 / states), rng.standard_normal(states)


def _G(key: EnclosedKeyMatrices) -> np.ndarray:
    return update_of(key, TDRC, ONE, ONE).G.mid


def _show(what: str, spent: float, verdict: Verdict, G: np.ndarray) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    hint = np.linalg.eigvals(G).real.max()
    plain = time.perf_counter() - start
    enclosure = verdict.spectral_abscissa
    ends = "none" if enclosure is None else f"[{enclosure.lower:.6g}, {enclosure.upper:.6g}]"
    against = "numpy.linalg.eigvals, no certificate"
    row(f"certified verdict, {what}", spent, "s", against=against, baseline=plain, peak=peak)
    print(f"  G is {len(G)} x {len(G)}, {verdict.status.value} ({verdict.proof.value}): {verdict.reason}")
    print(f"  spectral abscissa in {ends}; eigvals says {hint:.6g}", flush=True)


def _alone(part: Callable[..., None], *arguments: object) -> None:
    """Run a part in a fresh process, so that its peak of memory is its own."""
    process = multiprocessing.get_context("spawn").Process(target=part, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{part.__name__} failed")


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=int, nargs="*", default=[500, 2000], help="dense ones (default: 500 2000)")
    parser.add_argument("--states", type=int, default=10**6, help="of the sparse chain (default: 1000000)")
    options = parser.parse_args()
    _alone(tabular, "gymnasium:Taxi-v3")
    for k in options.features:
        _alone(chain, 2 * k, k, "dense")
    _alone(chain, options.states, 100, "dense")
    _alone(chain, options.states, 96, "tiled")


if __name__ == "__main__":
    main()

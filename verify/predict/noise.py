"""The noise of a learner's updates where the chain is stationary, memory included, in floats: its sum over all lags.

With z = (memory, 1), a step from mode s to mode t takes z to T z and moves the weights by alpha M(z) (y, 1), with T a
matrix and M linear in z. So the second moments of z in each mode solve a linear system. At the fixed point the weights
move by alpha u, u linear in z, and E[u_0 u_j^T], summed over j, is a second moment of z too, with the solution H of
Poisson's equation H = b + P H in it: b(s, z) = E[u given s, z], and P b the same a step later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.sample_update import ONE, ZERO, Memory, SampleUpdate, SampleUpdater, Vector
from tdrc_theory.problem.stationary import stationary_weights
from tdrc_theory.problem.steps import ChainStep, by_place, steps_of
from verify.predict.operator import Half
from verify.predict.recursion import first_places, first_value
from verify.predict.reduced_recursion import ReducedRecursion

LARGEST = 3000
"""Second moments of memory, all modes together, up to which their system is solved."""

_Mode = tuple[int, tuple[Fraction, ...]]
"""A place, and the numbers of the step before that matter."""
_Edge = tuple[int, ChainStep, int, Fraction, bool]
"""Source, step, target, probability given the source, and whether an episode ends: then the target's starts."""


@dataclass(frozen=True)
class MemoryChain:
    """The stationary chain of modes and what its steps do to memory and weights, in floats.

    Attributes:
        weights: (modes,), the stationary distribution.
        source, target: (steps,).
        mass: (steps,), the stationary probability of each step.
        T: (steps, N, N), N one more than the numbers in memory.
        M: (steps, N, n, n + 1), the update for each component of z, in the coordinates of what moves.
    """

    weights: np.ndarray
    source: np.ndarray
    target: np.ndarray
    mass: np.ndarray
    T: np.ndarray
    M: np.ndarray

    def second_moments(self) -> np.ndarray:
        """Return E[z z^T; mode] (modes, N, N), which is finite where `trace_variance` says so."""
        half = Half(len(self.weights), self.T.shape[1])
        p = (self.mass / self.weights[self.source])[:, None, None]

        def after(X: np.ndarray) -> np.ndarray:
            total = np.zeros(X.shape)
            np.add.at(total, self.target, p * np.matmul(np.matmul(self.T, X[self.source]), self.T.swapaxes(-1, -2)))
            return total

        known = np.zeros((half.modes, half.N, half.N))
        known[:, -1, -1] = self.weights
        constant = half.of_each(np.diag(np.eye(half.N)[-1])) != 0
        free = np.flatnonzero(~constant)
        rows = [half.pack(after(half.unpack(unit)))[free] for unit in np.eye(half.size)[free]]
        driven = half.pack(after(known))
        solved = half.pack(known)
        if len(free):
            solved[free] = np.linalg.solve(np.eye(len(free)) - np.array(rows).T, driven[free])
        return half.unpack(solved)

    def noise(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what the updates do on average where the chain is stationary, and around that.

        Returns:
            G (n, n), the averaged linear part, in the coordinates of what moves; Q (n, n), the sum over all lags j of
            E[u_0 u_j^T], u the update at the fixed point; and (n,), the sum over lags j >= 1 of E[(G_j - G) u_0]: what
            the update's own memory of u adds to its mean.
        """
        X = self.second_moments()
        p = self.mass / self.weights[self.source]
        there = p[:, None, None] * X[self.source]
        mean = np.einsum("tk,tkab->ab", there[..., -1], self.M)
        H = self._poisson(X[..., -1], mean)
        u, later = self.M[..., -1], H[self.target]
        ahead = np.matmul(self.T, there)
        once = np.einsum("tka,tkl,tlc->ac", u, there, u)
        lags = np.einsum("tka,tik,tic->ac", u, ahead, later[..., -1])
        drift = np.einsum("tiab,tik,tkb->a", later[..., :-1], ahead, u)
        return mean[:, :-1], once + lags + lags.T, drift

    def _poisson(self, means: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Return H (modes, N, n, n + 1), for every entry of M: H(s, z) = sum over j >= 0 of E[M_j - mean given s, z].

        Constants are in the kernel of I - P; they are fixed by adding to it the map to a function's own mean.

        Args:
            means: (modes, N), E[z; mode].
            mean: (n, n + 1), E[M].
        """
        modes, N = means.shape
        p = self.mass / self.weights[self.source]
        P, b = np.zeros((modes, N, modes, N)), np.zeros((modes, N, *mean.shape))
        np.add.at(P.swapaxes(1, 2), (self.source, self.target), p[:, None, None] * self.T.swapaxes(-1, -2))
        np.add.at(b, self.source, p[:, None, None, None] * self.M)
        b[:, -1] -= mean
        size = modes * N
        constant = np.tile(np.eye(N)[-1], modes)
        system = np.eye(size) - P.reshape(size, size) + np.outer(constant, means.ravel())
        return np.linalg.solve(system, b.reshape(size, -1)).reshape(b.shape)


def memory_chain(reduced: ReducedRecursion) -> MemoryChain:
    """Return the stationary chain of a recursion under Markov sampling, its memory with all of its values.

    Raises:
        BadOption: the memory is too large.
        BadProblem: the chain has no unique stationary distribution.
    """
    asked = reduced.recursion
    updater = SampleUpdater(asked.problem, asked.algorithm, asked.parameters)
    N = 1 + sum(map(len, updater.empty))
    modes, edges = _modes(updater)
    chain: list[dict[int, Fraction]] = [{} for _ in modes]
    for source, _, target, p, _ in edges:
        chain[source][target] = chain[source].get(target, ZERO) + p
    weights = stationary_weights(chain)
    kept = {old: new for new, old in enumerate(i for i, weight in enumerate(weights) if weight)}
    if len(kept) * N * (N + 1) // 2 > LARGEST:
        raise BadOption(f"{asked.problem.name}: memory has {N - 1} numbers in {len(kept)} modes, too many to solve for")
    edges = [edge for edge in edges if edge[0] in kept]
    listed, places = list(modes), _in_coordinates(reduced)
    known: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}
    T, M = [], []
    for source, step, _, _, over in edges:
        if (source, id(step)) not in known:  # an end has an edge for each start
            known[source, id(step)] = _linear(updater, step, listed[source][1], places)
        matrix, update = known[source, id(step)]
        T.append(matrix if not over else np.diag(np.eye(N)[-1]))
        M.append(update)
    return MemoryChain(
        np.array([float(weights[old]) for old in kept]),
        np.array([kept[source] for source, *_ in edges]),
        np.array([kept[target] for _, _, target, _, _ in edges]),
        np.array([float(weights[source] * p) for source, _, _, p, _ in edges]),
        np.array(T),
        np.array(M),
    )


def _modes(updater: SampleUpdater) -> tuple[dict[_Mode, int], list[_Edge]]:
    """Return the modes that the chain can be in, memory aside, and how it goes from one to another."""
    problem, steps_from = updater.problem, by_place(steps_of(updater.problem, updater.algorithm.second))
    firsts = [(first_value(updater, place)[:2], share) for place, share in first_places(problem)]
    modes = {mode: i for i, (mode, _) in enumerate(firsts)}
    edges: list[_Edge] = []
    stack = list(modes)
    while stack:
        mode = stack.pop()
        for step in steps_from[mode[0]]:
            over = step.arrival == problem.places
            for target, share in firsts if over else [((step.arrival, updater.after(step)), ONE)]:
                if target not in modes:
                    modes[target] = len(modes)
                    stack.append(target)
                edges.append((modes[mode], step, modes[target], step.probability * share, over))
    return modes, edges


def _in_coordinates(reduced: ReducedRecursion) -> Callable[[SampleUpdate], np.ndarray]:
    """Return what takes an update to a matrix (n, n + 1) on (y, 1), in the coordinates of what moves, as floats."""
    m, pivots = len(reduced.origin), list(reduced.pivots)
    inside = np.zeros((m + 1, reduced.n + 1))
    inside[:m, :-1], inside[:m, -1], inside[m, -1] = reduced.basis.to_float(), [float(v) for v in reduced.origin], 1

    return lambda update: np.array([[float(x) for x in row] for row in update.rows(m)])[pivots] @ inside


def _linear(
    updater: SampleUpdater, step: ChainStep, before: tuple[Fraction, ...], places: Callable[[SampleUpdate], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return T (N, N) and M (N, n, n + 1) of a transition, from what it does with one number in memory at a time."""
    update, after = updater(step, before, updater.empty)
    rest, flat = places(update), _flat(after)
    T, M = [], []
    for memory in _units(updater.empty):
        update, after = updater(step, before, memory)
        M.append(places(update) - rest)
        T.append(_flat(after) - flat)
    N = len(flat) + 1
    return np.vstack([np.array([*T, flat]).T.reshape(N - 1, N), np.eye(N)[-1:]]), np.array([*M, rest])


def _units(empty: Memory) -> Iterator[Memory]:
    for i, part in enumerate(empty):
        for j in range(len(part)):
            unit: Vector = (*part[:j], ONE, *part[j + 1 :])
            yield (*empty[:i], unit, *empty[i + 1 :])


def _flat(memory: Memory) -> np.ndarray:
    return np.array([float(x) for part in memory for x in part])

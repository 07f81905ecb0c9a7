"""The growth of second moments of the weights at a constant step size, in floats: a quick estimate, never a proof.

It is that of a map which the matrices G of single updates give: of all kinds of updates, or of a sample of them.
`verify.predict` proves what is estimated here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.learner.modes import at_start
from tdrc_theory.learner.sample_update import SampleUpdate, SampleUpdater
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.steps import ChainStep, by_place, continued, starts, steps_of

LARGEST = 1000
"""Entries of the second moments, modes times n (n + 1) / 2, up to which they are followed: a tenth of a second."""
MOST_NUMBERS = 3 * 10**7
"""Products of entries of G, one for each pair of modes, up to which they are computed."""
_LARGEST_STEP = 1e150
"""Whose square is a float; errors grow at once where an update is so large."""
SAMPLES = 500
"""Updates along the chain that stand for those of a learner with memory."""
LARGEST_MEAN = 100
"""States times features up to which the mean update of a learner with memory is exact."""


@dataclass(frozen=True, eq=False)
class StepMatrices:
    """Kinds of updates varrho <- varrho + alpha (G varrho + g), of which only G is kept, and how they grow.

    Second moments, E[y y^T; mode] of the weights y, are mapped to the same an update later.

    Attributes:
        modes: how many states an update can start in; 1 where updates are independent.
        source, target, probability: (kinds,), which modes a kind joins, and its probability given the first.
        G: (kinds, n, n).
        mean: (n, n), the mean of G in the long run.
        drawn: whether the kinds are a sample.
    """

    modes: int
    source: np.ndarray
    target: np.ndarray
    probability: np.ndarray
    G: np.ndarray
    mean: np.ndarray
    drawn: bool = False

    def moving(self) -> StepMatrices:
        """Return the same in coordinates of what moves and what updates depend on, each an orthonormal basis."""
        result, before = self, None
        while result.size != before:
            before, scale = result.size, result._unit
            for products in ("tij,tkj->ik", "tji,tjk->ik"):
                S = result.G / scale
                basis = _range(np.einsum(products, S, S))
                result = replace(result, G=basis.T @ result.G @ basis, mean=basis.T @ result.mean @ basis)
        return result

    @property
    def size(self) -> int:
        """Return n, the number of directions that move."""
        return len(self.mean)

    @cached_property
    def mean_is_stable(self) -> bool:
        """Whether every eigenvalue of the mean G has a negative real part, as far as floats tell."""
        values = np.linalg.eigvals(self.mean)
        # Well-conditioned eigenvalues are off by about n eps times the norm: 2e-14 of it where n is 100.
        return bool((values.real < -1e-12 * max(np.abs(values).max(initial=0), 1e-300)).all())

    @cached_property
    def _unit(self) -> float:
        """The largest entry of any G: G is divided by it and step sizes are multiplied, so that squares are finite."""
        return float(np.abs(self.G).max(initial=0)) or 1.0

    def _map(self, alpha: float) -> np.ndarray | None:
        """Return the map at a step size, None where its entries are past floats."""
        P, Q, R = self._operator
        step = alpha * self._unit
        return P + step * Q + step * step * R if step < _LARGEST_STEP else None

    @cached_property
    def _operator(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """P, Q and R of the map P + step Q + step^2 R, step = alpha unit, on the upper halves of symmetric blocks."""
        n = self.size
        rows, columns = np.triu_indices(n)
        half, unit = len(rows), np.eye(n)
        P, Q, R = (np.zeros((self.modes, half, self.modes, half)) for _ in range(3))
        drawn_mean = self.mean / self._unit if self.drawn else None
        for s, t in sorted(set(zip(self.source.tolist(), self.target.tolist(), strict=True))):
            here = (self.source == s) & (self.target == t)
            p, G = self.probability[here], self.G[here] / self._unit
            first = np.einsum("t,tij->ij", p, G) if drawn_mean is None else drawn_mean
            P[t, :, s, :] = p.sum() * np.eye(half)
            products = np.multiply.outer(first, unit) + np.multiply.outer(unit, first)
            Q[t, :, s, :] = _on_halves(products, rows, columns)
            flat = G.reshape(len(G), n * n)
            R[t, :, s, :] = _on_halves(((flat * p[:, None]).T @ flat).reshape(n, n, n, n), rows, columns)
        size = self.modes * half
        return P.reshape(size, size), Q.reshape(size, size), R.reshape(size, size)

    def stable(self, alpha: float) -> bool:
        """Return whether second moments stay bounded: W - T W = I has a positive definite solution, T being the map."""
        n, modes = self.size, self.modes
        if not n:
            return True
        T = self._map(alpha)
        if T is None:
            return False
        rows, columns = np.triu_indices(n)
        unit = np.tile(np.eye(n)[rows, columns], modes)
        try:
            solution = np.linalg.solve(np.eye(len(unit)) - T, unit)
        except np.linalg.LinAlgError:
            return False
        if not np.isfinite(solution).all():
            return False
        W = np.zeros((modes, n, n))
        W[:, rows, columns] = W[:, columns, rows] = solution.reshape(modes, -1)
        return bool(np.linalg.eigvalsh(W).min() > 0)

    def log_growth(self, alpha: float, updates: int) -> float:
        """Return the logarithm of the factor by which second moments grow in so many updates."""
        n, modes = self.size, self.modes
        if not n:
            return 0.0
        T = self._map(alpha)
        if T is None:
            return np.inf
        rows, columns = np.triu_indices(n)
        moments = np.tile(np.eye(n)[rows, columns], modes)
        taken, total, last = min(updates, 100), 0.0, 0.0
        for _ in range(taken):
            moments = T @ moments
            size = float(moments[np.tile(rows == columns, modes)].sum()) / (n * modes)
            if not 0 < size < np.inf:
                return np.inf if size else -np.inf
            last = float(np.log(size))
            total, moments = total + last, moments / size
        return total + (updates - taken) * last


def entries(modes: int, n: int) -> int:
    """Return how many entries second moments have."""
    return modes * n * (n + 1) // 2


def _range(form: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the range of a positive semidefinite form."""
    # Eigenvalues of a symmetric matrix are off by about n eps times the largest: 2e-14 of it where n is 100.
    values, vectors = np.linalg.eigh(form)
    return np.asarray(vectors[:, values > 1e-13 * max(values.max(initial=0), 1e-300)])


def independent_updates(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> StepMatrices:
    """Return the updates of independent samples: a state from d, an action from behaviour, and a next state.

    This and those below raise TheoryError where the update is not affine, or not for problems of this kind.
    """
    update = SampleUpdater(problem, algorithm, parameters)
    shares: dict[SampleUpdate, float] = {}
    for step in steps_of(problem, algorithm.second):
        if problem.weights[step.place]:
            result = update(step)[0]
            shares[result] = shares.get(result, 0.0) + float(problem.weights[step.place] * step.probability)
    G = _stacked(list(shares), update.size)
    weights = np.array(list(shares.values()))
    none = np.zeros(len(weights), int)
    return StepMatrices(1, none, none, weights, G, np.einsum("t,tij->ij", weights, G))


def chain_updates(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> StepMatrices:
    """Return the updates along the chain of a learner without memory; a mode is the place where one starts."""
    update = SampleUpdater(problem, algorithm, parameters)
    listed = by_place(steps_of(problem, algorithm.second))
    places = _recurrent(problem, listed)
    mode = {place: i for i, place in enumerate(places)}
    shares: dict[tuple[int, int, SampleUpdate], float] = {}
    P = np.zeros((len(places), len(places)))
    for place in places:
        for step in listed[place]:
            result = update(step)[0]
            for after, share in continued(problem, step.arrival):
                if after in mode:
                    key, p = (mode[place], mode[after], result), float(step.probability * share)
                    shares[key] = shares.get(key, 0.0) + p
                    P[mode[place], mode[after]] += p
    G = _stacked([result for *_, result in shares], update.size)
    source, target = (np.array([key[i] for key in shares], int) for i in (0, 1))
    probability = np.array(list(shares.values()))
    d = np.linalg.lstsq(
        np.vstack([P.T - np.eye(len(P)), np.ones(len(P))]), np.append(np.zeros(len(P)), 1.0), rcond=None
    )[0]
    mean = np.einsum("t,tij->ij", d[source] * probability, G)
    return StepMatrices(len(places), source, target, probability, G, mean)


def drawn_updates(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> StepMatrices:
    """Return updates that are drawn along the chain, with the memory that it drives; the same ones every time.

    Raises:
        TheoryError: as `independent_updates`, or the learner's expected memory does not exist.
    """
    update, rng = SampleUpdater(problem, algorithm, parameters, floats=True), np.random.default_rng(0)
    listed = by_place(steps_of(problem, algorithm.second))
    shares = {place: np.cumsum([float(step.probability) for step in steps]) for place, steps in listed.items()}
    places = starts(problem) or [(place, problem.weights[place]) for place in listed]
    first = np.cumsum([float(share) for _, share in places])

    def begun() -> tuple[int, tuple[Fraction, ...], Any]:
        place = places[_draw(rng, first)][0]
        before = tuple(at_start(problem, place, name) for name in update.apart)
        return place, before, tuple(tuple(map(float, empty)) for empty in update.empty)

    place, before, memory = begun()
    result = []
    for _ in range(SAMPLES):
        step = listed[place][_draw(rng, shares[place])]
        one, after = update(step, before, memory)
        result.append(one)
        if step.arrival == problem.places:
            place, before, memory = begun()
        else:
            place, before = step.arrival, update.after(step)
            memory = tuple(tuple(map(float, vector)) for vector in after)
    G, none = _stacked(result, update.size), np.zeros(SAMPLES, int)
    is_small = problem.places * problem.k <= LARGEST_MEAN
    mean = expected_update(problem, algorithm, parameters).G.to_float() if is_small else G.mean(axis=0)
    return StepMatrices(1, none, none, np.full(SAMPLES, 1 / SAMPLES), G, mean, drawn=True)


def mean_update(problem: MatrixProblem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> StepMatrices:
    """Return the expected update as the only kind, of a problem of which no more is known.

    Raises:
        TheoryError: as `independent_updates`, or A, b and C do not determine it.
    """
    G, none = expected_update(problem, algorithm, parameters).G.to_float(), np.zeros(1, int)
    return StepMatrices(1, none, none, np.ones(1), G[None], G)


def largest_norm(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction], most: int = 20) -> float:
    """Return about the largest Frobenius norm of G among updates, of some spread over the steps that can be taken."""
    update = SampleUpdater(problem, algorithm, parameters, floats=True)
    empty: Any = tuple(tuple(map(float, vector)) for vector in update.empty)
    largest, count = 0.0, max(1, len(problem.transitions) // most)
    for number, step in enumerate(steps_of(problem, algorithm.second)):
        if number % count == 0:
            before = tuple(at_start(problem, step.place, name) for name in update.apart)
            memory = update(step, before, empty)[1] if empty else empty  # the trace holds this step's features
            one, _ = update(step, before, memory)
            size = sum(_length(u) * _length(v[:-1]) for u, v in one.pairs)
            largest = max(largest, size + _length([value for *_, value in one.sparse]))
    return largest


def _recurrent(problem: Problem, listed: Mapping[int, list[ChainStep]]) -> list[int]:
    """Return the places that the chain reaches from where it starts, ascending."""
    first = [place for place, share in starts(problem) if share]
    result = set(first or (place for place in listed if problem.weights[place]))
    waiting = list(result)
    while waiting:
        for step in listed[waiting.pop()]:
            new = {after for after, _ in continued(problem, step.arrival)} - result
            result |= new
            waiting += new
    return sorted(result)


def _stacked(updates: list[SampleUpdate], n: int) -> np.ndarray:
    """Return G of each update."""
    G = np.zeros((len(updates), n, n))
    for matrix, update in zip(G, updates, strict=True):
        for u, v in update.pairs:
            matrix += np.outer([float(value) for value in u], [float(value) for value in v[:-1]])
        for i, j, value in update.sparse:
            matrix[i, j] += float(value)
    return G


def _draw(rng: np.random.Generator, cumulated: np.ndarray) -> int:
    return int(min(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right"), len(cumulated) - 1))


def _length(values: tuple[object, ...] | list[object]) -> float:
    return float(np.linalg.norm([float(value) for value in values]))  # type: ignore[arg-type]


def _on_halves(products: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return X -> sum of L X R^T, symmetric, on the upper halves, from (n, n, n, n), the sum of L[i, a] R[j, b]."""
    i, j, a, b = rows[:, None], columns[:, None], rows[None, :], columns[None, :]
    return np.asarray(products[i, a, j, b] + np.where(a == b, 0, products[i, b, j, a]))

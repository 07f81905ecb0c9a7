"""What is known at a constant step size where memory leads to too many modes: to first order in it, in floats.

As the step size alpha falls, the weights spread around the fixed point w* like sqrt(alpha) times a Gaussian, whose
covariance S solves G S + S G^T + Q = 0, Q the noise of the updates summed over all lags; and their mean is off w* by
alpha b, G b + d = 0, d what the updates have in common with the noise before (Kushner and Yin 2003, chapter 10; for
the mean: Huo, Chen and Xie 2023). Both need finite second moments of the memory. Nothing bounds the remainder.

Q is that of the stationary chain, memory included. With z = (memory, 1), a step from mode s to mode t takes z to T z
and moves the weights by alpha M(z) (y, 1), with T a matrix and M linear in z. So the second moments of z in each mode
solve a linear system. At the fixed point the weights move by alpha u, u linear in z, and E[u_0 u_j^T], summed over j,
is a second moment of z too, with the solution H of Poisson's equation H = b + P H in it: b(s, z) = E[u given s, z],
and P b the same a step later.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.cli.command import printable
from tdrc_theory.cli.finite import finite, finite_list
from tdrc_theory.default_step_size import chosen_lines
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import Curve, Panel, Picture
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import TWICE
from tdrc_theory.learner.sample_update import ONE, ZERO, Memory, SampleUpdate, SampleUpdater, Vector
from tdrc_theory.problem import Problem
from tdrc_theory.problem.stationary import stationary_weights
from tdrc_theory.problem.steps import ChainStep, by_place, steps_of
from tdrc_theory.tables.shown import Shown, View
from tdrc_theory.tables.table import csv_text
from verify.check import Check, Proof, Status
from verify.conditions.setting import Setting
from verify.conditions.trace_variance import trace_variance
from verify.predict.curve import MeanCurve, iterated, logarithm_for, recorded_steps, shown
from verify.predict.limits.limit import Limits, averaged_stability, not_searched
from verify.predict.operator import Half, check_range, floats, start
from verify.predict.prediction import check_steps, prepared, step_size
from verify.predict.recursion import MOST_MODES, first_places, first_value
from verify.predict.reduced_recursion import ReducedRecursion, restricted
from verify.predict.renewal import mean_in_the_long_run
from verify.predict.report import settles_lines
from verify.predict.subspaces import ErrorForm, at_rest

LARGEST = 3000
"""Second moments of memory, all modes together, up to which their system is solved."""

_Mode = tuple[int, tuple[Fraction, ...]]
"""A place, and the numbers of the step before that matter."""
_Edge = tuple[int, ChainStep, int, Fraction, bool]
"""Source, step, target, probability given the source, and whether an episode ends: then the target's starts."""
ORDER = "first order"
_KIND = f"{ORDER}, {Proof.FLOAT.value}"
ASSUMPTIONS = (
    "the step size is constant, every update uses one transition, memory and h start at 0 and w at the problem's "
    "initial weights",
    "first order: leading terms as the step size falls; nothing bounds the remainder, and at this step size the "
    "moments may be infinite",
    "the mean weights are those of the expected update, iterated; the covariance is that of the long run",
)


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

        Constants are in the kernel of I - P; they are fixed by adding to it the map to a function's own mean. `means`
        is E[z; mode] (modes, N), and `mean` is E[M] (n, n + 1).
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


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class FirstOrder(MeanCurve, Shown):
    """Moments of the weights to first order in a constant step size.

    Attributes, besides those of a curve of mean weights:
        horizon: the number of updates up to which exact moments are to be had; None: any.
        mean_h: (points, m - k), the other weights, in the order of `Algorithm.stacked`; None where there are none.
        variance: whether the memory has finite second moments; None of a learner without memory.
        covariance: (k, k), of w in the long run; None where `reason` says why.
        shift: (k,), how far the mean of w in the long run is off the fixed point; None as the covariance is.
        floor: E[MSPBE] in the long run; NaN as the covariance is missing.
        reason: why there is no covariance; empty where there is one.
        settles: whether the exact mean goes to 0, where that is decided.
    """

    problem: Problem
    horizon: int | None
    mean_h: np.ndarray | None
    variance: Check | None
    covariance: np.ndarray | None
    shift: np.ndarray | None
    floor: float
    reason: str
    limits: Limits
    settles: Check | None = None
    proof: Proof = Proof.FLOAT

    @property
    def answer(self) -> str:
        """Return what is known, in one sentence."""
        name, settled = f"{self.algorithm.name} on {self.problem.name}", next(settles_lines(self.settles), "")
        if self.at_rest:
            known = f"Learning of {name} starts at a fixed point of every update, so that nothing moves"
        elif settled:
            known = settled.split(": ")[0].capitalize()
        elif self.variance is not None and self.variance.status is Status.FAILS:
            known = f"Runs of {name} need not follow their mean: {self.variance.reason} ({self.variance.proof.value})"
        elif math.isfinite(self.floor):
            where = f"about {shown(self.floor)} ({_KIND})"
            known = f"E[MSPBE] of {name} settles at {where} if alpha = {number_text(self.alpha)} is small enough"
        else:
            known = f"Whether errors of {name} stay bounded was not decided"
        curve = f"the MSPBE of the expected update's weights {self.course}"
        return printable(f"{known}; {curve} ({self.proof.value}).")

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object, where what is known to first order has other names than what is exact."""
        long_run = {
            "covariance": None if self.covariance is None else finite_list(self.covariance),
            "mean_shift": None if self.shift is None else finite_list(self.shift),
            "mspbe": finite(self.floor),
            "reason": self.reason or None,
        }
        return {
            "answer": self.answer,
            "why_alpha": self.why_alpha or None,
            **self.asked_json(),
            "order": ORDER,
            "exact_up_to": self.horizon,
            "mspbe": None,
            "mspbe_of_mean_weights": finite_list(self.mspbe_of_mean),
            "mean_h": None if self.mean_h is None else finite_list(self.mean_h),
            "long_run": long_run,
            "floor": finite(self.floor),
            "mean_settles": None if self.settles is None else self.settles.to_json(),
            "trace_variance": None if self.variance is None else self.variance.to_json(),
            **self.limits.to_json(),
            "proof": {"curve": self.proof.value, "floor": self.proof.value},
            "assumptions": self.assumptions,
        }

    @property
    def assumptions(self) -> list[str]:
        """What the numbers take for granted."""
        return [TWICE, *ASSUMPTIONS] if self.algorithm.second else [*ASSUMPTIONS]

    def lines(self) -> Iterator[str]:
        """Yield the lines of text."""
        yield self.answer
        yield from chosen_lines(self.alpha, self.why_alpha)
        yield from self.heading(f" ({_KIND})")
        yield from settles_lines(self.settles)
        if self.horizon is not None:
            reach = f"exact with --steps up to {self.horizon}, where floats reach"
            yield f"{reach}; more updates lead to more than {MOST_MODES} modes"
        yield from self.table.text().splitlines()
        if self.variance is not None:
            yield f"trace-variance: {self.variance.status.value} ({self.variance.proof.value}): {self.variance.reason}"
        if self.covariance is None or self.shift is None:
            yield f"in the long run: {self.reason}"
        else:
            spread, shift = np.sqrt(np.maximum(np.diag(self.covariance), 0)).tolist(), self.shift.tolist()
            yield f"standard deviations of w in the long run: ({', '.join(map(shown, spread))}) ({_KIND})"
            yield f"mean of w in the long run, off the fixed point: ({', '.join(map(shown, shift))}) ({_KIND})"
            yield f"floor (E[MSPBE] in the long run): {shown(self.floor, 8)} ({_KIND})"
        yield f"mean limit of alpha: {self.limits.mean}"
        yield f"mean-square limit of alpha: {self.limits.mean_square}"
        yield from (f"assumed: {line}" for line in self.assumptions)

    def csv(self) -> str:
        """Return a row for each recorded step: the expected update iterated, its MSPBE, the floor of the long run."""
        floors = np.full(len(self.recorded), self.floor)
        columns = {"mspbe_of_mean_weights": self.mspbe_of_mean, "mspbe_in_the_long_run": floors}
        columns |= self.weight_columns(self.mean_h)
        numbers = np.column_stack(list(columns.values())).tolist()
        rows = [[ORDER, n, *values] for n, values in zip(self.recorded.tolist(), numbers, strict=True)]
        return csv_text(["order", "updates", *columns], rows)

    def picture(self) -> Picture:
        """Return the MSPBE of the mean weights, beside E[MSPBE] in the long run where it is known."""
        x, mspbe, floor = self.recorded.tolist(), self.mspbe_of_mean.tolist(), self.floor
        curves = [Curve("MSPBE of the mean weights", x, mspbe)]
        if known := math.isfinite(floor):
            curves.append(Curve("E[MSPBE] in the long run", x, [floor] * len(x)))
        rest = f"E[MSPBE] is {floor:.6g} in the long run" if known else f"in the long run: {self.reason}"
        course = f"goes from {mspbe[0]:.6g} to {mspbe[-1]:.6g} in {self.steps} updates"
        text = f"the MSPBE of the mean weights {course}; {rest}"
        panel = Panel(curves, "updates", "MSPBE", log_y=logarithm_for([*mspbe, *([floor] if known else [])]))
        return Picture(f"Predicted: {self._name}, markov sampling ({_KIND})", f"{text} ({_KIND})", [panel])

    @property
    def _name(self) -> str:
        return f"{self.algorithm.name} on {self.problem.name}, alpha = {number_text(self.alpha)}"

    @property
    def line(self) -> str:
        """Return the floor, or why there is none."""
        floor = f"floor {self.floor:.6g}" if math.isfinite(self.floor) else self.reason
        return f"{self._name}: {floor} ({_KIND})"


FirstOrder.view = View(lambda result: result.line, FirstOrder.tables, FirstOrder.picture)


def first_order(
    problem: Problem | str,
    algorithm: Algorithm | str,
    *,
    alpha: Any = None,
    steps: int = 1000,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
    every: int = 1,
) -> FirstOrder:
    """Return what is known of a learner under Markov sampling to first order in a constant step size.

    Args:
        problem, algorithm, alpha, steps, beta, eta, parameters, every: as `predict` takes them.

    Raises:
        TheoryError: the problem, the algorithm or a parameter is not valid.

    >>> from verify.predict import first_order
    >>> first_order("random-walk-tabular", "td-lambda", alpha="1/64", parameters={"lam": "1/2"})
    <td-lambda on random-walk-tabular, alpha = 1/64: floor 0.000770111 (first order, float)>
    """
    check_steps(steps, every)
    reduced = prepared(problem, algorithm, beta=beta, eta=eta, parameters=parameters, sampling="markov", steps=steps)
    size, why = step_size(reduced, alpha, steps)
    return replace(to_first_order(reduced, size, steps, every), why_alpha=why)


def to_first_order(reduced: ReducedRecursion, alpha: Fraction, steps: int, every: int = 1) -> FirstOrder:
    """Return what is known of a prepared recursion to first order.

    Raises:
        BadOption: there is no expected update, so that there is nothing to expand around.
        BadNumber: its numbers, or their squares, are outside the range of floats.
    """
    asked = reduced.recursion
    averaged = asked.averaged
    if averaged is None:
        raise BadOption(f"{asked.algorithm.name} on {asked.problem.name}: there is no expected update to iterate")
    k, m, a = asked.problem.k, asked.dimension, float(alpha)
    G = restricted(averaged.G, reduced.basis, reduced.pivots).to_float()
    with np.errstate(all="ignore"):  # what leaves the range of floats is refused
        still = averaged.g.to_float()[:, 0] + averaged.G.to_float() @ np.array(floats(reduced, reduced.origin))
    check_range(reduced, np.abs([*G.flat, *still]))
    B, origin, W = reduced.basis.to_float(), np.array(floats(reduced, reduced.origin)), ErrorForm(reduced).floats()
    recorded = recorded_steps(steps, every)
    y = iterated(np.eye(reduced.n) + a * G, a * still[list(reduced.pivots)], start(reduced), recorded)
    means = origin + y @ B.T
    z = np.column_stack([y, np.ones(len(y))])
    variance, reason = _spread(reduced)
    covariance, shift, floor = None, None, np.nan
    if not reason:
        from scipy.linalg import solve_continuous_lyapunov

        G, Q, drift = memory_chain(reduced).noise()
        S, b = solve_continuous_lyapunov(G, -Q), -np.linalg.solve(G, drift)
        covariance, shift = (a * (B @ S @ B.T))[m - k :, m - k :], (a * (B @ b))[m - k :]
        floor = float(W[-1, -1] + a * (np.vdot(W[:-1, :-1], S) + 2 * W[-1, :-1] @ b))
    return FirstOrder(
        problem=asked.problem,
        algorithm=asked.algorithm,
        parameters=asked.parameters,
        alpha=alpha,
        steps=steps,
        sampling=asked.sampling,
        horizon=asked.horizon,
        recorded=recorded,
        mean_weights=means[:, m - k :],
        mean_h=means[:, : m - k] if m > k else None,
        mspbe_of_mean=np.maximum(np.einsum("ti,ij,tj->t", z, W, z), 0),
        variance=variance,
        covariance=covariance,
        shift=shift,
        floor=floor,
        reason=reason,
        limits=not_searched(reduced),
        at_rest=at_rest(reduced),
        settles=mean_in_the_long_run(reduced, alpha),
    )


def _spread(reduced: ReducedRecursion) -> tuple[Check | None, str]:
    """Return whether memory has finite second moments, and why there is no covariance; "" where there is one."""
    asked, variance = reduced.recursion, None
    stable, proof, why = averaged_stability(reduced)
    if asked.algorithm.memory:
        variance = trace_variance(Setting(asked.problem, asked.algorithm, asked.parameters))
    if variance is not None and variance.status is Status.FAILS:
        proof, why = variance.proof, f"{variance.reason}, and with it Q"
    elif stable and variance is not None and variance.status is not Status.HOLDS:
        proof, why = variance.proof, variance.reason
    elif stable:
        return variance, ""
    return variance, f"no covariance to first order ({proof.value}): {why}"

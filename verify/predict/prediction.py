"""What will happen on average, as a value: expected error, expected weights and their spread at recorded steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.default_step_size import StepSizes
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.copies import Copy, copy_of
from tdrc_theory.parameters import step_size_of
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem
from tdrc_theory.tables.shown import Shown
from verify.check import Proof
from verify.predict.curve import PredictedCurve, recorded_steps
from verify.predict.moments import Row, alike, enclosed_moments, method, moments, power_wins, side_by_side
from verify.predict.operator import floats, forward, layout, start
from verify.predict.recursion import MOST_MODES, recursion
from verify.predict.reduced_recursion import ReducedRecursion, factored, reduced_recursion
from verify.predict.subspaces import LARGEST_REDUCED, ErrorForm, at_rest, observable, reachable

MOST_STEPS, MOST_POINTS = 10**12, 10**6
"""Updates of a prediction, which squaring reaches, and recorded steps, which fit in memory."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Prediction(PredictedCurve, Shown):
    """Moments of the weights under a constant step size, infinite past the range of floats, with all that a curve has.

    Attributes:
        mspbe: (points,), E[MSPBE(w)].
        rmspbe_least: (points,), a lower bound of E[sqrt(MSPBE(w))], the mean that the paper plots: a root mean square
            is convex, so averaging the weights of each state first makes it smaller. Its upper bound is sqrt(mspbe).
        mean_h: (points, m - k), the other weights, in the order of `Algorithm.stacked`; None where there are none.
        covariance: (points, k, k) of w; None where it was not asked for.
        method: how the recorded steps were reached.
        proof: float, or enclosed: then every number is within 2^-52 of its size, or within 1e-30, of the true one
            (and rmspbe_least is a bound, rounding included).
        copy: of weights that periodically become others.
    """

    problem: Problem
    mspbe: np.ndarray
    rmspbe_least: np.ndarray
    mean_h: np.ndarray | None
    covariance: np.ndarray | None
    method: str
    proof: Proof = Proof.FLOAT
    copy: Copy | None = None

    @property
    def rmspbe_most(self) -> np.ndarray:
        """Return sqrt(E[MSPBE]) (points,): by Jensen's inequality at least E[sqrt(MSPBE)]."""
        return np.sqrt(self.mspbe)

    @property
    def area(self) -> float:
        """Return the mean of E[MSPBE] over the recorded steps: the normalised area under the curve."""
        return float(self.mspbe.mean())


def prepared(
    problem: Problem | str,
    algorithm: Algorithm | str = "tdrc",
    *,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
    sampling: str | None = None,
    steps: int | None = None,
    copy: str | None = None,
    period: int | None = None,
) -> ReducedRecursion:
    """Return the recursion of an algorithm on a problem, in the coordinates of what moves.

    Args:
        problem, algorithm, beta, eta, parameters, sampling, copy, period: as `predict` takes them.
        steps: the number of updates that is asked about, which matters only to memory whose values have no end.

    Raises:
        TheoryError: the problem, the algorithm, a parameter or the sampling is not valid.
    """
    chosen, used = find_problem(problem), find_algorithm(algorithm)
    values = used.parameters({"beta": beta, "eta": eta, **(parameters or {})})
    return reduced_recursion(recursion(chosen, used, values, sampling, steps, copy_of(used, copy, period)))


def step_size(reduced: ReducedRecursion, asked: Any, steps: int) -> tuple[Fraction, str]:
    """Return the step size that is asked for, or the default of a recursion and why it is that one.

    Raises:
        BadOption: what is asked for is no fraction above 0.
    """
    if asked is not None:
        return step_size_of(asked), ""
    its = reduced.recursion
    return StepSizes(its.problem, its.algorithm, its.parameters, its.sampling, its.copy is not None).default(steps)


def check_steps(steps: int, every: int) -> None:
    """Raise BadOption unless the numbers of steps are in range."""
    for name, value in (("steps", steps), ("every", every)):
        if not 1 <= value <= MOST_STEPS:
            raise BadOption(f"--{name}: {value} is not from 1 to {MOST_STEPS}")
    if steps // every > MOST_POINTS:
        raise BadOption(f"--every: {every} records {steps // every} steps; at most {MOST_POINTS} are kept")


def check_horizon(reduced: ReducedRecursion, steps: int) -> None:
    """Raise BadOption unless the modes of a recursion are those of so many updates."""
    asked = reduced.recursion
    if asked.horizon is not None and steps > asked.horizon:
        exact = f"{asked.horizon}, up to which {asked.algorithm.name} is predicted exactly on {asked.problem.name}"
        why = f"more updates lead to more than {MOST_MODES} modes (states and values of memory)"
        raise BadOption(f"--steps: {steps} is more than {exact}: {why}")


def predict(
    problem: Problem | str,
    algorithm: Algorithm | str = "tdrc",
    *,
    alpha: Any = None,
    steps: int,
    sampling: str | None = None,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
    every: int = 1,
    covariances: bool = False,
    proof: Proof = Proof.FLOAT,
    copy: str | None = None,
    period: int | None = None,
) -> Prediction:
    """Predict the learning curve of an algorithm with a constant step size.

    Args:
        problem: a Problem, or what `find_problem` takes.
        algorithm: any algorithm whose update is affine in (w, h), or what `find_algorithm` takes.
        alpha: step size of w, above 0, exact; h's is eta alpha. None: as `StepSizes.default` chooses it.
        steps: number of updates, each from one transition.
        sampling: `markov` or `iid`; by default markov where the problem has a chain.
        beta, eta: exact; ignored by an algorithm that fixes or lacks them. Default: those of its function, else 1.
        parameters: others by name, exact.
        every: record after every so many updates.
        covariances: whether to keep the covariance of the weights too.
        proof: Proof.FLOAT, or Proof.ENCLOSED for balls, about a hundred times slower.
        copy: `TARGET=SOURCE`, weights of which the first do not move by their own rule, but become the second at the
            start and after every `period` updates (a target network).
        period: a number of updates.

    Raises:
        TheoryError: the problem, the algorithm or a parameter is not valid.

    >>> curve = predict("random-walk-tabular", alpha="1/16", steps=100)
    >>> round(float(curve.mspbe[10]), 9), round(float(curve.mspbe[100]), 9)
    (0.051843022, 0.021800438)
    """
    check_steps(steps, every)
    chosen = {"beta": beta, "eta": eta, **(parameters or {})}
    reduced = prepared(problem, algorithm, parameters=chosen, sampling=sampling, steps=steps, copy=copy, period=period)
    return predicted(reduced, step_size(reduced, alpha, steps)[0], steps, every, covariances, proof)


def predicted(
    reduced: ReducedRecursion,
    alpha: Fraction,
    steps: int,
    every: int = 1,
    covariances: bool = False,
    proof: Proof = Proof.FLOAT,
    progress: Callable[[int], None] = lambda _: None,
) -> Prediction:
    """Return the prediction of a prepared recursion.

    Raises:
        BadOption: more steps than its modes are followed for.
    """
    check_horizon(reduced, steps)
    k, m = reduced.recursion.problem.k, reduced.recursion.dimension
    inside = reachable(reduced)
    kept = slice(m - k, m) if covariances else slice(0, 0)
    rows: Iterable[Row]
    if proof is Proof.ENCLOSED:
        rows = enclosed_moments(inside, alpha, ErrorForm(inside), steps, every, kept, progress)
        how = "step by step in ball arithmetic"
    else:
        shown = observable(inside)
        rows = _float_rows(inside, alpha, steps, every, kept, progress)
        if shown is not inside:
            errors = _float_rows(shown, alpha, steps, every, slice(0, 0), lambda _: None)
            rows = ((*error[:3], *row[3:]) for error, row in zip(errors, rows, strict=True))
        how = f"{method(layout(shown), steps, every)}{_left_out(reduced.n, inside.n, shown.n)}"
    recorded, mspbe, least, means, spreads = zip(*rows, strict=True)
    weights = np.array(means).reshape(len(means), m)
    asked = reduced.recursion
    return Prediction(
        problem=asked.problem,
        algorithm=asked.algorithm,
        parameters=asked.parameters,
        alpha=alpha,
        steps=steps,
        sampling=asked.sampling,
        recorded=np.array(recorded, dtype=np.int64),
        mspbe=np.array(mspbe),
        rmspbe_least=np.array(least),
        mean_weights=weights[:, m - k :],
        mean_h=weights[:, : m - k] if m > k else None,
        covariance=np.array(spreads) if covariances else None,
        method=how,
        proof=proof,
        copy=asked.copy,
        at_rest=at_rest(reduced),
    )


def _left_out(moved: int, reachable: int, observable: int) -> str:
    """Return in words which directions were computed, where that is not all."""
    if moved > LARGEST_REDUCED:
        return f"; in all {moved} directions, whether the start leads into them or not"
    if moved == observable:
        return ""
    text = f"; of {moved} directions the start leads into {reachable}"
    return text if reachable == observable else f"{text}, of which the MSPBE sees {observable}"


def _float_rows(
    result: ReducedRecursion, alpha: Fraction, steps: int, every: int, kept: slice, progress: Callable[[int], None]
) -> Iterator[Row]:
    """Yield what `enclosed_moments` returns, in floats."""
    result, alpha = factored(result, alpha)
    arrays, W = layout(result), ErrorForm(result).floats()
    first, origin = start(result), np.array(floats(result, result.origin))
    B = result.basis.to_float()
    with np.errstate(all="ignore"):
        for n, (Q,) in moments(arrays, first, np.array([float(alpha)]), steps, every):
            total, y = Q.sum(axis=0), Q[:, :, -1]
            mspbe = float(np.vdot(W, total))
            least = float(np.sqrt(np.maximum(((y @ W) * y).sum(axis=1), 0)).sum())
            mean = total[:-1, -1]
            spread = B[kept] @ (total[:-1, :-1] - np.outer(mean, mean)) @ B[kept].T
            yield n, finite_error(mspbe), 0.0 if math.isnan(least) else max(0.0, least), origin + B @ mean, spread
            progress(n)


def finite_error(value: float) -> float:
    """Return a quantity that is at least 0; past the range of floats it is infinite, though arithmetic gives a NaN."""
    return math.inf if math.isnan(value) else max(0.0, value)


def error_curves(
    recursions: Sequence[ReducedRecursion], alpha: Fraction, steps: int, every: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the recorded numbers of updates (points,), and E[MSPBE] of each recursion there (recursions, points).

    They are those of `predicted`, up to rounding; recursions of one structure go side by side, which saves half.

    Raises:
        BadOption: more steps than the modes of one are followed for.
        BadNumber: numbers of one leave the range of floats.
    """
    for each in recursions:
        check_horizon(each, steps)
    curves = []
    for each in recursions:
        shown, a = factored(observable(reachable(each)), alpha)
        arrays = layout(shown)
        curves.append((arrays, forward(arrays), start(shown), float(a), ErrorForm(shown).floats()))
    groups: list[list[int]] = []
    for i, (arrays, operator, *_) in enumerate(curves):
        alone = arrays.period or power_wins(arrays, steps, every)
        like = [] if alone else [group for group in groups if alike(curves[group[0]][1], operator)]
        if like:
            like[0].append(i)
        else:
            groups.append([i])
    recorded = recorded_steps(steps, every)
    errors = np.zeros((len(curves), len(recorded)))
    for group in groups:
        layouts, operators, firsts, alphas, forms = zip(*(curves[i] for i in group), strict=True)
        if len(group) == 1:
            rows = moments(layouts[0], firsts[0], np.array(alphas), steps, every)
        else:
            rows = side_by_side(layouts, operators, firsts, np.array(alphas), steps, every)
        for column, (_, Q) in enumerate(rows):
            with np.errstate(all="ignore"):
                values = [float(np.vdot(form, each.sum(axis=0))) for form, each in zip(forms, Q, strict=True)]
            errors[group, column] = [finite_error(value) for value in values]
    return recorded, errors

"""A predicted learning curve and the same curve as it was run, with one test of their difference: Hotelling's T^2."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simulate.error_measure import error_measure
from simulate.run.learning_curve import LearningCurve, learning_curve
from simulate.uncertainty import t_quantile
from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadAlgorithm, BadNumber, BadOption, TheoryError
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.tables.shown import Shown
from verify.predict.first_order import to_first_order
from verify.predict.prediction import Prediction, check_steps, predicted, prepared
from verify.predict.reduced_recursion import ReducedRecursion

NEGLIGIBLE = 1e-9
"""Of the largest: what spreads less, or a direction of which the squared spread is less, has no spread to measure a
difference by. Whoever asks sees to it that rounding is well below the root of it, so that rounding decides nothing."""


class JointTest(NamedTuple):
    """How far means over runs lie from what was expected of them.

    Attributes:
        statistic: T^2 = n d' S^-1 d, with d the difference of the means and S the covariance over runs: chi-square
            with `degrees` degrees of freedom where there are many runs.
        degrees: of freedom: checkpoints whose spread over runs is not that of others.
        p_value: the chance of at least that, were the expectation right, by Hotelling's F, which allows for S being
            estimated; exact for normal values, else as good as the central limit theorem.
    """

    statistic: float
    degrees: int
    p_value: float


def nearly_normal(values: np.ndarray) -> np.ndarray:
    """Return (m,), whether n runs are enough for the mean of each column of values (n, m) to be as good as normal.

    The rule is n > 25 skewness^2 (Cochran 1977, Sampling techniques, section 2.15). Of a distribution with a heavy tail
    few runs make up the mean, and the skewness of a sample grows with the root of n, so that it is found out.
    """
    with np.errstate(all="ignore"):
        values = values / _sizes(values)
        spread = values.std(axis=0)
        scaled = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1)
        skewness = (scaled**3).mean(axis=0)
        return np.asarray((spread == 0) | (25 * skewness**2 < len(values)))


def joint_test(values: np.ndarray, expected: np.ndarray) -> JointTest | None:
    """Return the test of means with their expectations, the dependence between checkpoints of one run allowed for.

    Args:
        values: (n, m), a row a run; runs are independent, columns need not be.
        expected: (m,).

    None where nothing can be said: a value is not finite, nothing varies or is elsewhere than expected, or there are
    too few runs.
    """
    n, units = len(values), _sizes(values)
    with np.errstate(all="ignore"):
        values, expected = values / units, expected / units
    if n < 2 or not (np.isfinite(values).all() and np.isfinite(expected).all()):
        return None
    spread = values.std(axis=0, ddof=1)
    varies = spread > NEGLIGIBLE * np.abs(expected)
    if not np.allclose(values[:, ~varies], expected[~varies], rtol=10 * NEGLIGIBLE, atol=1e-300):
        return JointTest(math.inf, int(varies.sum()), 0.0)  # what never varies is where it should be, or is wrong
    if not varies.any() or n <= varies.sum():
        return None
    # In units of each checkpoint's own spread, so that late, small errors count as much as early, large ones.
    scaled = (values[:, varies] - expected[varies]) / spread[varies]
    sizes, axes = np.linalg.eigh(np.atleast_2d(np.cov(scaled, rowvar=False)))
    least = NEGLIGIBLE * sizes[-1]
    m = int((sizes > least).sum())
    statistic = float(n * ((scaled.mean(axis=0) @ axes) ** 2 / np.maximum(sizes, least)).sum())
    from scipy.special import fdtrc

    return JointTest(statistic, m, float(fdtrc(m, n - m, statistic * (n - m) / (m * (n - 1)))))


def _sizes(values: np.ndarray) -> np.ndarray:
    """Return (m,), the largest size in each column: in that unit squares and cubes stay in the range of floats."""
    return np.maximum(np.abs(values).max(axis=0, initial=0), np.finfo(float).tiny)


CHECKPOINTS = 8
"""Points of the curve that are tested, equally far apart on a logarithmic axis."""
_TELLING = 100
"""Ratio of the upper bound of an error to what it may be, up to which it says something."""
FEW = 30
"""Runs below which the mean of a skewed error is not taken for normal."""
_REACHING = 1 / 40
"""Least share of the runs that reach the expected MSPBE: of normal values one in 40 is two standard deviations up."""
_UNFELT = 1e-6
"""Rounding of so small a share of the spread over runs is far below what `joint_test` takes for no spread."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Shown):
    """What `compare` returns: both curves, at the same updates.

    Attributes:
        prediction: E[MSPBE] from the moments' recursion, and bounds of E[sqrt(MSPBE)].
        curve: the runs.
    """

    prediction: Prediction
    curve: LearningCurve

    @functools.cached_property
    def places(self) -> np.ndarray:
        """Return the places of the checkpoints among the recorded updates; before any update nothing varies."""
        last = len(self.curve.steps) - 1
        wanted = np.geomspace(1, last, CHECKPOINTS) if last else np.array([])
        return np.unique(np.round(wanted).astype(int))

    @functools.cached_property
    def tested(self) -> np.ndarray:
        """Return the places of the checkpoints at which so many runs tell something of the mean MSPBE."""
        return np.asarray(self.places[self._enough[self.places] & ~self.rounded[self.places]])

    @functools.cached_property
    def _enough(self) -> np.ndarray:
        """Return (points,), whether so many runs are enough for their mean MSPBE to be as good as normal."""
        return nearly_normal(self._squares(slice(None))) & ~self._too_rare & ~self._unreached

    @functools.cached_property
    def rounded(self) -> np.ndarray:
        """Return (points,), whether rounding may be felt in the runs' MSPBE, so that the processor decides of it."""
        spread, expected = self.curve.mspbe.standard_error * math.sqrt(self.curve.runs), self.prediction.mspbe
        with np.errstate(all="ignore"):
            rounding = self._floor * (2 * self.curve.rmspbe.mean + self._floor)
            still = (spread <= NEGLIGIBLE * expected) & (rounding <= NEGLIGIBLE / 10 * expected)
            return np.asarray(~(still | (rounding <= _UNFELT * spread)))

    @functools.cached_property
    def _floor(self) -> np.ndarray:
        """Return (points,), about how far rounding may put the RMSPBE of a run off.

        The error is |offset - residual w|: each term is rounded, and so is each of the updates that led to w; where
        errors do not grow, these add up at most.
        """
        measure, updates = error_measure(self.prediction.problem), self.curve.steps
        with np.errstate(all="ignore"):
            terms = np.abs(measure.offset) + np.abs(self.prediction.mean_weights) @ np.abs(measure.residual).T
            largest = np.maximum.accumulate(np.linalg.norm(terms, axis=1))
            return np.asarray(np.finfo(float).eps * (updates + len(measure.offset)) * largest)

    @functools.cached_property
    def test(self) -> JointTest | None:
        """Test E[MSPBE] at all of `tested` together; None where nothing can be said (see `why_no_test`)."""
        return joint_test(self._squares(self.tested), self.prediction.mspbe[self.tested])

    @property
    def why_no_test(self) -> str:
        """Return one line for a reader who finds no test."""
        if self.curve.diverged_runs:
            return f"{len(self.curve.diverged_runs)} of {counted(self.curve.runs, 'run')} left the range of floats"
        if not np.isfinite(self.prediction.mspbe).all():
            return "the predicted error leaves the range of floats"
        if self.places.size and self.rounded[self.places].all():
            return "rounding may be felt at every checkpoint"
        if not self.tested.size and self.places.size:
            return f"at every checkpoint too few of the {counted(self.curve.runs, 'run')} make up the mean MSPBE"
        if self.curve.runs <= len(self.tested):
            return f"{counted(self.curve.runs, 'run')}: too few for {len(self.tested)} checkpoints"
        return "runs do not differ"

    @functools.cached_property
    def distances(self) -> np.ndarray:
        """Return (points,), mean minus prediction in standard errors.

        It is nan where nothing varies, where only rounding does, and where the mean of so many runs is not normal.
        """
        band = self.curve.mspbe
        with np.errstate(all="ignore"):
            varies = band.standard_error > 1e-12 * self.prediction.mspbe
            shown = varies & ~self.rounded & self._enough & (self.curve.runs >= FEW)
            return np.where(shown, (band.mean - self.prediction.mspbe) / band.standard_error, math.nan)

    @property
    def why_no_distance(self) -> str:
        """Return one line on checkpoints without z, "" where each that varies has one."""
        if self.curve.runs < FEW:
            return f"no z: the mean of {counted(self.curve.runs, 'run')} is not taken for normal, that of {FEW} may be"
        few = self.places[~self._enough[self.places] & ~self.rounded[self.places]]
        if not few.size:
            return ""
        return f"no z {too_few(self.curve.runs)}: after {', '.join(str(step) for step in self.curve.steps[few])}"

    @functools.cached_property
    def telling(self) -> np.ndarray:
        """Return (points,), whether the predicted bounds of the mean RMSPBE say something.

        They do not where both are 0, nor where the upper one is more than a hundred times both the lower one and the
        mean of the runs: as where rare runs make up the mean square.
        """
        prediction, mean = self.prediction, self.curve.rmspbe.mean
        with np.errstate(all="ignore"):
            within = prediction.rmspbe_most <= _TELLING * np.maximum(prediction.rmspbe_least, mean)
        return np.asarray((prediction.rmspbe_most > 0) & within)

    @property
    def between_bounds(self) -> bool | None:
        """Return whether nowhere the mean RMSPBE lies outside its predicted bounds by more than chance explains.

        The intervals of all points hold together at their level. A standard error is that of the runs, or the largest
        that the bounds allow, since runs without the rare ones among them spread too little. None where a point has no
        interval, and where the bounds say nothing after any update.
        """
        if not self.telling[1:].any():
            return None
        band, prediction = self.curve.rmspbe, self.prediction
        quantile = t_quantile(self.curve.runs - 1, len(band.mean))
        if not np.isfinite(quantile * band.standard_error).all():
            return None
        with np.errstate(invalid="ignore", over="ignore"):
            largest = np.sqrt((prediction.mspbe - prediction.rmspbe_least**2).clip(0) / self.curve.runs)
        slack = quantile * np.fmax(band.standard_error, largest) + NEGLIGIBLE * prediction.rmspbe_most + self._floor
        outside = (band.mean - slack > prediction.rmspbe_most) | (band.mean + slack < prediction.rmspbe_least)
        return not bool((outside & ~self._too_rare).any())

    @functools.cached_property
    def _too_rare(self) -> np.ndarray:
        """Return (points,), whether runs agree where it is predicted that they differ: too rarely for so many."""
        return np.asarray(self._spread & ~self._differ)

    @functools.cached_property
    def _unreached(self) -> np.ndarray:
        """Return (points,), whether hardly a run reaches the expected MSPBE, as about half of normal errors would.

        The runs that make up the mean are then too rare to be among so many. They are on their way some time before
        that shows, so that it counts from half as many updates on.
        """
        reaching = (self._squares(slice(None)) >= self.prediction.mspbe * (1 - NEGLIGIBLE)).mean(axis=0)
        result = self._spread & self._differ & (reaching < _REACHING)
        ends = self.curve.steps[result][[0, -1]] if result.any() else (math.inf, 0)
        return np.asarray((2 * self.curve.steps >= ends[0]) & (self.curve.steps <= ends[1]))

    @functools.cached_property
    def _differ(self) -> np.ndarray:
        """Return (points,), whether the errors of runs differ."""
        band = self.curve.rmspbe
        with np.errstate(invalid="ignore"):
            return np.asarray(~(band.standard_error <= NEGLIGIBLE * band.mean))

    @functools.cached_property
    def _spread(self) -> np.ndarray:
        """Return (points,), whether it is predicted that errors of runs differ."""
        prediction = self.prediction
        with np.errstate(invalid="ignore"):
            return np.asarray(prediction.rmspbe_most - prediction.rmspbe_least > NEGLIGIBLE * prediction.rmspbe_most)

    def _squares(self, places: np.ndarray | slice) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.asarray(self.curve.errors[:, places] ** 2)


@dataclass(frozen=True, eq=False, repr=False)
class Unpredicted(Shown):
    """What `compare` returns where nothing predicts the curve: the runs, and why, on one line.

    `floor` is E[MSPBE] in the long run to first order in alpha, in floats; None where that is not known either.
    """

    curve: LearningCurve
    why: str
    floor: float | None


def compare(
    problem: str | Problem,
    algorithm: str | Algorithm = "tdrc",
    *,
    alpha: Any = None,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
    copy: str | None = None,
    period: int | None = None,
    sampling: str | None = None,
    steps: int = 1000,
    runs: int = 1000,
    every: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Comparison | Unpredicted:
    """Predict a learning curve, run it, and return both, or the runs alone where there is no prediction.

    Args:
        problem, algorithm: values, or names as the commands take them.
        alpha, beta, eta: exact numbers; the step size is constant, since that is what can be predicted; None: as
            `StepSizes.default` chooses it.
        parameters: others of the learner, by name, exact.
        copy, period: weights that periodically become others; see `learning_curve`.
        sampling: `markov` or `iid`; by default markov where the problem has a chain.
        steps, runs, every, seed, workers, progress: see `learning_curve`.

    Raises:
        TheoryError: an argument is not valid.
    """
    asked: dict[str, Any] = {"beta": beta, "eta": eta, "parameters": parameters, "sampling": sampling}
    asked |= {"copy": copy, "period": period}
    every = max(1, steps // 100) if every is None else every
    of_runs: dict[str, Any] = {"runs": runs, "seed": seed, "workers": workers, "progress": progress}
    check_steps(steps, every)
    curve = learning_curve(problem, algorithm, alpha=alpha, steps=steps, every=every, **asked, **of_runs)
    reduced: ReducedRecursion | None = None
    try:
        reduced = prepared(problem, algorithm, steps=steps, **asked)
        prediction = predicted(reduced, curve.alpha, steps, every)
    except (BadOption, BadAlgorithm, BadNumber) as error:
        return Unpredicted(curve, str(error), None if reduced is None else _floor(reduced, curve))
    return Comparison(prediction, curve)


def too_few(runs: int) -> str:
    """Return why the mean of so many runs is not held against its expectation.

    >>> too_few(200)
    'where too few of the 200 runs make up the mean MSPBE'
    """
    return f"where too few of the {counted(runs, 'run')} make up the mean MSPBE"


def _floor(reduced: ReducedRecursion, curve: LearningCurve) -> float | None:
    try:
        floor = to_first_order(reduced, curve.alpha, curve.updates, curve.updates).floor
    except TheoryError:
        return None
    return floor if math.isfinite(floor) else None

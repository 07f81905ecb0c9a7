"""The default of a constant step size, and the warning for one that is too large: one rule for all commands.

The default is the largest power of 1/2, up to 1/16, at twice which second moments stay bounded. It is a choice, so that
floats suffice; whatever is said of a step size here has the kind of proof `float`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import TheoryError
from tdrc_theory.evidence import Proof
from tdrc_theory.exact.number import number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import needs_chain
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.sampling import IID
from tdrc_theory.problems import find_problem

LARGEST, LEAST = Fraction(1, 16), Fraction(1, 2**30)
"""Between which the default is; the largest is what most published curves begin with."""
_MOST_TRANSITIONS = 3000
"""Of a problem whose updates are looked at one by one."""
_VISIBLE, _FINITE = 4.6, 27.6
"""Logarithms of the growth of second moments over a run, 100 and 10^12, between which divergence is shown."""


@dataclass(frozen=True, eq=False)
class StepSizes:
    """What is estimated of the constant step sizes of a learner on a problem.

    Attributes:
        problem, algorithm, parameters: whose.
        sampling: `markov` or `iid`.
        copied: whether some weights periodically become others, which the estimate leaves out.
    """

    problem: Problem | MatrixProblem
    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    sampling: str
    copied: bool = False

    def default(self, updates: int) -> tuple[Fraction, str]:
        """Return the step size where none is asked for, and why it is that one.

        Args:
            updates: of the run; where no step size is stable, divergence is to show within it, and to stay finite.

        >>> from tdrc_theory import find_algorithm, find_problem
        >>> one = Fraction(1)
        >>> sizes = StepSizes(find_problem("baird"), find_algorithm("tdrc"), {"beta": one, "eta": one}, "iid")
        >>> sizes.default(1000)[0]
        Fraction(1, 64)
        """
        growth = self._growth
        if growth is None:
            return self._small_updates()
        if growth.mean_is_stable or not growth.size:
            alpha = LARGEST
            while alpha >= LEAST and not growth.stable(float(2 * alpha)):
                alpha /= 2
            if alpha >= LEAST:
                what = "the mean stays" if isinstance(self.problem, MatrixProblem) else "second moments stay"
                why = f"the largest power of 1/2, up to 1/16, at twice which {what} bounded"
                return alpha, f"{why} ({self.kind})"
        alpha = LARGEST
        while alpha > LEAST and growth.log_growth(float(alpha), updates) > _FINITE:
            alpha /= 2
        while alpha < 1 and growth.log_growth(float(alpha), updates) < _VISIBLE:
            if growth.log_growth(float(2 * alpha), updates) > _FINITE:
                break
            alpha *= 2
        why = f"no step size {'from 2^-30 on ' if growth.mean_is_stable else ''}is stable ({self.kind})"
        finite = growth.log_growth(float(alpha), updates) <= _FINITE
        errors = "errors stay finite" if finite else "second moments grow more than 10^12 times"
        return alpha, f"{why}; at this one {errors} over {counted(updates, 'update')}"

    def stable(self, alpha: Fraction) -> bool | None:
        """Return whether second moments stay bounded at a step size, as far as floats tell; None where they do not."""
        return None if self._growth is None else self._growth.stable(float(alpha))

    def warning(self, alpha: Fraction) -> str:
        """Return one line where errors grow without bound at a step size, as far as floats tell; else ""."""
        if self.stable(alpha) is not False:
            return ""
        which = "mean" if isinstance(self.problem, MatrixProblem) else "mean-square"
        return above_limit(alpha, self._limit_below(float(alpha)), self.kind, which)

    def _limit_below(self, unstable: float) -> float | None:
        """Return about the largest step size below an unstable one that is stable, None where none is."""
        growth, low = self._growth, unstable / 2
        if not growth.mean_is_stable:
            return None
        while not growth.stable(low):
            low /= 2
            if low < LEAST:
                return None
        high = 2 * low
        while high > 1.003 * low:
            middle = (low * high) ** 0.5
            low, high = (middle, high) if growth.stable(middle) else (low, middle)
        return float(low)

    @property
    def kind(self) -> str:
        """The kind of proof of what is estimated, with how it was simplified."""
        simplified = ""
        if not isinstance(self.problem, MatrixProblem) and self._growth is not None:
            if self.copied:
                simplified = ", as without copies"
            elif self._growth.drawn:
                simplified = ", from updates drawn along the chain, rare ones left aside"
            elif self.sampling != IID and self._growth.modes == 1:
                simplified = ", as for independent samples"
        return f"{Proof.FLOAT.value}{simplified}"

    def _small_updates(self) -> tuple[Fraction, str]:
        """Return a step size at which no update is large, for what is too large, or not offered, to be estimated."""
        from tdrc_theory.learner.moment_growth import largest_norm

        alpha = LARGEST
        try:
            largest = largest_norm(find_problem(self.problem), self.algorithm, self.parameters)
        except (TheoryError, ArithmeticError):
            return alpha, "which step sizes are stable was not estimated"
        while alpha > LEAST and not float(alpha) * largest <= 0.5:
            alpha /= 2
        why = "the largest power of 1/2, up to 1/16, at which no update looked at moves weights by more than half"
        return alpha, f"{why}; which step sizes are stable was not estimated"

    @cached_property
    def _growth(self) -> Any:
        """What moves (`StepMatrices`), and how its second moments grow; None where that is not estimated."""
        # NumPy, which nothing that only parses needs.
        import numpy as np

        try:
            with np.errstate(all="ignore"):
                steps = self._steps()
                return None if steps is None else steps.moving()
        except (TheoryError, ArithmeticError, np.linalg.LinAlgError):
            return None

    def _steps(self) -> Any:
        """Return the kinds of updates (`StepMatrices`): as the chain makes them where that is small enough."""
        from tdrc_theory.learner import moment_growth as growth

        problem, others = self.problem, (self.algorithm, self.parameters)
        n = self.algorithm.size(problem.k)
        if growth.entries(1, n) > growth.LARGEST:
            return None
        if isinstance(problem, MatrixProblem):
            return growth.mean_update(problem, *others)
        kinds = len(problem.transitions)
        if self.algorithm.second:  # of a second transition from the same place, each with each
            kinds = kinds**2 // problem.places
        if kinds > _MOST_TRANSITIONS:
            return None
        if needs_chain(problem, self.algorithm):
            return growth.drawn_updates(problem, *others)
        far = growth.entries(problem.places, n) > growth.LARGEST or kinds * n**4 > growth.MOST_NUMBERS
        updates = growth.independent_updates if far or self.sampling == IID else growth.chain_updates
        return updates(problem, *others)


def above_limit(alpha: Fraction, limit: float | None, kind: str, what: str = "mean-square") -> str:
    """Return the line that says that errors grow at a step size, above a limit, or where None is stable at every one.

    >>> above_limit(Fraction(1, 16), 0.0367672, "float")
    'alpha = 1/16 is above the mean-square limit 0.0368 (float): errors grow without bound'
    """
    if limit is None:
        return f"alpha = {number_text(alpha)}: errors grow without bound, as at every step size ({kind})"
    where = f"is above the {what} limit {limit:.3g}"
    return f"alpha = {number_text(alpha)} {where} ({kind}): errors grow without bound"


def chosen_lines(alpha: Fraction, why: str) -> list[str]:
    """Return the line that says that a step size was chosen, and why; none where it was asked for.

    >>> chosen_lines(Fraction(1, 16), "it is stable")
    ['alpha = 1/16 was chosen, since none was given: it is stable']
    """
    return [f"alpha = {number_text(alpha)} was chosen, since none was given: {why}"] if why else []

"""Subjects of a page: a learner on a problem, and the learners of one problem beside each other."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from reports.page.request import Headline, Request
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from verify.conditions.report import ConditionsReport, check_conditions
from verify.kernel import proven_where_possible
from verify.predict.limits import Limits, not_searched, step_size_limits, why_not_searched
from verify.predict.prediction import check_horizon, prepared, step_size
from verify.predict.reduced_recursion import ReducedRecursion
from verify.region import Region
from verify.region.region import family_of, family_region

_MOST_ROWS = 60_000
"""Of the second-moment operator of a problem that is predicted for a page."""

_MOST_SECONDS = 60
"""Seconds that a region is estimated to take beyond which it is left out of a page."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OnProblem:
    """An algorithm on a problem.

    Attributes:
        problem, algorithm: values.
        parameters: as asked, by name; `conditions` says what was used.
        request: what else was asked for.
    """

    problem: Problem | MatrixProblem
    algorithm: Algorithm
    request: Request
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    _regions: dict[str, Region] = field(default_factory=dict, init=False, repr=False)

    @property
    def setting(self) -> str:
        """Return the learner with the parameters used, on one line."""
        return self.conditions.setting_text()

    @property
    def title(self) -> str:
        """Return one line."""
        return f"{self.setting} on {self.problem.name}"

    @property
    def headline(self) -> Headline:
        """Return the verdict."""
        found = self.conditions.verdict
        return Headline(self.conditions.answer, found.status.value, found.proof.value, self.conditions.bias)

    @functools.cached_property
    def conditions(self) -> ConditionsReport:
        """Judge it; several sections read the answer."""
        report = check_conditions(self.problem, self.algorithm, parameters=self.parameters)
        return proven_where_possible(report) if self.request.prove else report

    def region(self, name: str) -> Region:
        """Return where the update converges over one parameter, the others as they are used; several sections read it.

        Raises:
            BadOption: it is not computed; the message says why.
        """
        if name not in self._regions:
            others = {other: value for other, value in self.conditions.parameters.items() if other != name}
            asked = family_of(self.problem, self.algorithm, over=name, parameters=others)
            asked.duration.check(self.problem.name, _MOST_SECONDS)
            self._regions[name] = family_region(asked)
        return self._regions[name]

    @functools.cached_property
    def reduced(self) -> ReducedRecursion:
        """The recursion that predicts its curve; several sections read it.

        Raises:
            TheoryError: it is not predicted; the message says why.
        """
        if isinstance(self.problem, MatrixProblem):
            raise BadOption("A, b and C alone are given, so errors are not known; verify.predict has the mean weights")
        rows = self.problem.states * self.problem.k * (2 * self.problem.k + 1)
        if rows > _MOST_ROWS:
            raise BadOption(f"its second moments would take up to {rows:,} numbers an update")
        asked = self.request
        made = prepared(
            self.problem, self.algorithm, parameters=self.parameters, sampling=asked.sampling, steps=asked.steps
        )
        check_horizon(made, asked.steps)
        return made

    @functools.cached_property
    def limits(self) -> Limits:
        """The largest step sizes, which take seconds to prove.

        Raises:
            TheoryError: as `moving`.
        """
        made = self.reduced
        return not_searched(made) if why_not_searched(made) else step_size_limits(made)

    @functools.cached_property
    def step_size(self) -> tuple[Fraction, str]:
        """The step size of its curve, and why: as asked, or as every command chooses it.

        Raises:
            TheoryError: as `moving`.
        """
        alpha, why = step_size(self.reduced, self.request.alpha, self.request.steps)
        return alpha, why or "as asked for"


@dataclass(frozen=True, kw_only=True, eq=False)
class OnComparison:
    """The learners of one problem.

    Attributes:
        request: what was asked for.
        learners: (name of its part, learner on the problem), at least one, all on the same problem.
    """

    request: Request
    learners: tuple[tuple[str, OnProblem], ...]

    headline: None = None

    @property
    def problem(self) -> Problem | MatrixProblem:
        """The problem."""
        return self.learners[0][1].problem

    @property
    def title(self) -> str:
        """Return one line."""
        return self.problem.name

"""What is asked of a page, and what its sections speak of: a problem with an algorithm, a paper, the page itself."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from reports.page.control_file import ControlRuns, read_control
from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.default_step_size import above_limit
from tdrc_theory.errors import BadOption, TheoryError
from tdrc_theory.exact.number import number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.papers.claim import Paper, Severity
from tdrc_theory.parameters import setting_text
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from verify.check import CONVERGES, Check, Proof, Status
from verify.conditions.fixed_points import Bias
from verify.conditions.report import ConditionsReport, check_conditions
from verify.conditions.setting import Setting
from verify.data.report import DataReport
from verify.data.terminal import headline
from verify.kernel import proven_where_possible
from verify.predict.limits.limit import Limits, not_searched, operator_size, step_size_limits, why_not_searched
from verify.predict.prediction import check_horizon, prepared, step_size
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.renewal import mean_in_the_long_run
from verify.region import Region
from verify.region.family import Family
from verify.region.region import family_region

if TYPE_CHECKING:
    from tdrc_theory.proofs.coq import CoqAnswer
    from verify.paper.report import Answer


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for, the same for all subjects of a page.

    Attributes:
        command: the arguments that make the page again.
        prove: whether the proof assistant is asked, which takes up to a minute.
        simulate: whether sections may run learners, which takes a while.
        alpha, steps, sampling, runs, every, seed, workers: of the learning curves, as the options of that name; None
            leaves alpha to the problem.
        store: a file in which runs are kept; None keeps none.
        control: files that `simulate.control --json` wrote.
        place_and_time: whether the page says when and where it was made, which no two builds share.
    """

    command: tuple[str, ...] = ()
    prove: bool = False
    simulate: bool = False
    alpha: Fraction | None = None
    steps: int = 1000
    sampling: str | None = None
    runs: int = 1000
    every: int | None = None
    seed: int = 0
    workers: int | None = None
    store: Path | None = None
    control: tuple[Path, ...] = ()
    place_and_time: bool = True


@dataclass(frozen=True, slots=True)
class Headline:
    """What is found of a subject, in short: a sentence, and a verdict, where there is one, with its bias."""

    reason: str
    status: str = ""
    proof: str = ""
    bias: Bias | None = None

    @classmethod
    def of(cls, report: ConditionsReport, reason: str = "") -> Headline:
        """Return a verdict with its bias, and with its own reason or another."""
        verdict = report.verdict
        return cls(reason or verdict.reason, verdict.status.value, verdict.proof.value, report.bias)

    def cell(self, besides: str = "") -> str:
        """Return it as a cell of a table: what stands beside the verdict comes before the reason."""
        if not self.status:
            return self.reason
        parts = ("" if self.bias is None else str(self.bias), besides, self.reason)
        return f"{self.status} ({self.proof}): {'; '.join(filter(None, parts))}"

    def __str__(self) -> str:
        """Return it as plain text."""
        if not self.status:
            return self.reason
        bias = "" if self.bias is None else f"; {self.bias}"
        return f"{self.status} ({self.proof}){bias}. {self.reason}"


_MOST_ROWS = 60_000
"""Of the second-moment operator of a problem that is predicted for a page."""

_LONG = 200
"""Rows of the second-moment operator from which limits and sliders take more than another process does to start."""

_MOST_SECONDS = 60
"""Seconds that a region is estimated to take beyond which it is left out of a page."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OnProblem:
    """An algorithm on a problem; `parameters` are those asked, by name, and `conditions` says what was used."""

    problem: Problem | MatrixProblem
    algorithm: Algorithm
    request: Request
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    _regions: dict[str, Region] = field(default_factory=dict, init=False, repr=False)
    begun: dict[str, Future[Any]] = field(default_factory=dict, init=False, repr=False)

    @property
    def title(self) -> str:
        """Return one line."""
        return f"{self.conditions.setting_text()} on {self.problem.name}"

    @property
    def headline(self) -> Headline:
        """Return the verdict in plain words, after `warning`."""
        return Headline.of(self.conditions, " ".join(filter(None, [self.warning, self.conditions.answer])))

    @functools.cached_property
    def warning(self) -> str:
        """In a sentence, that errors grow at the step size though the expected update converges; "" where unknown."""
        if self.conditions.verdict.status not in CONVERGES:
            return ""
        if self.mean is not None and self.mean.status is Status.FAILS:
            what = f"The mean weight of {self.algorithm.name} on {self.problem.name} is unbounded"
            at = f"alpha = {number_text(self.step_size[0])} ({self.mean.proof.value})"
            others = "at every constant step size at which no update makes the weight exactly 0"
            return printable(f"{what} at {at}, as {others}: it does not follow the expected update.")
        if self.request.alpha is None:
            return ""  # a stable one was chosen
        try:
            limit, alpha = self.limits.mean_square, self.step_size[0]
        except TheoryError:
            return ""
        bounded, proof = limit.bounded_at(alpha)
        if bounded is not False or limit.value is None or alpha < limit.value:
            return ""
        return f"{above_limit(alpha, limit.value, proof.value)}."

    @functools.cached_property
    def mean(self) -> Check | None:
        """Whether the learner's own mean goes to 0, where that is decided and the expected update does not show it."""
        try:
            return mean_in_the_long_run(self._recursion, self.step_size[0])
        except TheoryError:  # no recursion, so that nothing is known
            return None

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
            asked = Family(Setting.of(self.problem, self.algorithm, others=others), (name,))
            asked.duration.check(self.problem.name, _MOST_SECONDS)
            self._regions[name] = family_region(asked)
        return self._regions[name]

    @functools.cached_property
    def reduced(self) -> ReducedRecursion:
        """The recursion that predicts its curve; several sections read it.

        Raises:
            TheoryError: it is not predicted; the message says why.
        """
        check_horizon(self._recursion, self.request.steps)
        return self._recursion

    @functools.cached_property
    def _recursion(self) -> ReducedRecursion:
        """The recursion of its moments, which may end before the curve; a TheoryError where there is none."""
        if isinstance(self.problem, MatrixProblem):
            raise BadOption("A, b and C alone are given, so errors are not known; verify.predict has the mean weights")
        rows = self.problem.states * self.problem.k * (2 * self.problem.k + 1)
        if rows > _MOST_ROWS:
            raise BadOption(f"its second moments would take up to {rows:,} numbers an update")
        asked = self.request
        return prepared(
            self.problem, self.algorithm, parameters=self.parameters, sampling=asked.sampling, steps=asked.steps
        )

    @functools.cached_property
    def limits(self) -> Limits:
        """The largest step sizes, which take seconds to prove.

        Raises:
            TheoryError: as `reduced`.
        """
        return self.begun["limits"].result() if "limits" in self.begun else _searched(self.reduced)

    @property
    def takes_long(self) -> bool:
        """Whether its limits and sliders are worth a process; False where another process has not its learner."""
        try:
            return self.algorithm in ALGORITHMS and operator_size(self.reduced) > _LONG
        except TheoryError:
            return False

    def begin_limits(self, pool: Executor) -> None:
        """Begin the search for its limits in another process; `limits` waits for it."""
        asked = self.reduced.recursion
        steps = self.request.steps
        self.begun["limits"] = pool.submit(
            _limits_of, asked.problem, self.algorithm, dict(asked.parameters), asked.sampling, steps
        )

    @functools.cached_property
    def step_size(self) -> tuple[Fraction, str]:
        """The step size of its curve, and why: as asked, or as every command chooses it.

        Raises:
            TheoryError: there is no recursion.
        """
        alpha, why = step_size(self._recursion, self.request.alpha, self.request.steps)
        return alpha, why or "as asked for"


def _limits_of(
    problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction], sampling: str, steps: int
) -> Limits:
    return _searched(prepared(problem, algorithm, parameters=parameters, sampling=sampling, steps=steps))


def _searched(reduced: ReducedRecursion) -> Limits:
    return not_searched(reduced) if why_not_searched(reduced) else step_size_limits(reduced)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnComparison:
    """The learners of one problem, at least one, each with the name of its part."""

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


@dataclass(frozen=True, kw_only=True, eq=False)
class OnData:
    """What logged transitions say of a learner."""

    request: Request
    report: DataReport

    @property
    def title(self) -> str:
        """Return one line."""
        form = self.report.form
        return f"{setting_text(form.algorithm.name, form.parameters)} on {self.report.name}"

    @property
    def headline(self) -> Headline:
        """Return the verdict."""
        return Headline(headline(self.report), self.report.status.value, Proof.SAMPLED.value)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnPaper:
    """A paper's claims: what the referee answers to each, and what is known here of Coq's theorems, by name."""

    paper: Paper
    request: Request
    answers: tuple[Answer, ...]
    kernel: Mapping[str, CoqAnswer]

    @classmethod
    def judged(cls, paper: Paper, request: Request) -> OnPaper:
        """Judge every claim."""
        # The judge of papers takes half a second to import.
        from verify.paper.kernel import kernel_results
        from verify.paper.report import answers, claims_judged

        kernel = kernel_results(compile=request.prove)
        judged = tuple(answers(paper, claims_judged(paper), kernel, request.workers))
        return cls(paper=paper, request=request, answers=judged, kernel=kernel)

    @property
    def title(self) -> str:
        """Return one line."""
        return self.paper.title

    @property
    def headline(self) -> Headline:
        """Return how many claims hold as printed, and how many errata there are of each grade."""
        from reports.page.claim import NOUNS
        from verify.paper.terminal import numbers

        holding = sum(answer.finding is None for answer in self.answers)
        errata = [counted(len(numbers(self.answers, grade)), NOUNS[grade]) for grade in Severity]
        return Headline(f"{holding} of {len(self.answers)} claims hold as printed; {', '.join(errata)}")


@dataclass(frozen=True, kw_only=True, eq=False)
class OnControl:
    """Learning to act: the runs that were read of the files that a request names."""

    request: Request
    runs: tuple[ControlRuns, ...]

    @classmethod
    def read(cls, request: Request) -> OnControl:
        """Read the files that a request names.

        Raises:
            BadOption: one cannot be read, or holds something else.
        """
        return cls(request=request, runs=tuple(map(read_control, request.control)))

    title: ClassVar[str] = "Control"

    @property
    def headline(self) -> Headline | None:
        """Return what was read; None where no runs were named."""
        if not self.runs:
            return None
        environments = ", ".join(dict.fromkeys(each.environment for each in self.runs))
        return Headline(f"{counted(len(self.runs), 'learner')} on {environments}")


@dataclass(frozen=True, kw_only=True, eq=False)
class OnLearners:
    """The learners that are built in, and the problems on which they are judged."""

    request: Request
    algorithms: tuple[Algorithm, ...]
    problems: tuple[Problem, ...]

    title: ClassVar[str] = "The learners that are built in"

    @property
    def headline(self) -> Headline:
        """Return how many there are."""
        of = f"on {counted(len(self.problems), 'problem')} at default parameters"
        return Headline(f"{counted(len(self.algorithms), 'learner')}: equation, expected update, and verdict {of}")


class SiteRow(NamedTuple):
    """A problem, its size in words, its page's file, and (learner, parameters, verdict) of each of its parts."""

    problem: str
    size: str
    file: str
    cells: tuple[tuple[str, str, Headline], ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class OnSite:
    """All pages of a site: a row a problem, at least one, with as many cells each, and what is on the others.

    Attributes:
        papers: (file, title, summary) of each page.
        learners: (file, summary).
    """

    request: Request
    rows: tuple[SiteRow, ...]
    papers: tuple[tuple[str, str, str], ...]
    learners: tuple[str, str]

    title: ClassVar[str] = "Every problem and algorithm"

    @property
    def headline(self) -> Headline:
        """Return what the site is."""
        on = f"{counted(len(self.rows[0].cells), 'TD algorithm')} converge on {counted(len(self.rows), 'problem')}"
        papers = f", and which claims of {counted(len(self.papers), 'paper')} hold" if self.papers else ""
        how = "This site decides by exact arithmetic whether"
        return Headline(f"{how} {on}, where to, how fast and for which step sizes{papers}.")


Subject = OnProblem | OnComparison | OnData | OnPaper | OnControl | OnLearners | OnSite


@dataclass(frozen=True, kw_only=True, eq=False)
class OnPage:
    """The page itself, about some subjects: how to read it, and where it comes from."""

    request: Request
    subjects: tuple[Subject, ...]

    headline: None = None

    title: ClassVar[str] = "About this page"

"""What the sections of a page speak of: a problem with an algorithm, the paper, or the page itself."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from reports.page.control_file import ControlRuns, read_control
from tdrc_theory.counted import counted
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from verify.conditions.fixed_points import Bias
from verify.conditions.report import ConditionsReport, check_conditions
from verify.paper.finding import COUNTED
from verify.paper.kernel import KernelResult, kernel_results
from verify.paper.registry import STATEMENTS
from verify.paper.report import Answer, answer


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
    """What is found of a subject, in short.

    Attributes:
        reason: a sentence.
        status, proof: the verdict and its kind of evidence; "" for what has no verdict.
        bias: what stands beside the verdict.
    """

    reason: str
    status: str = ""
    proof: str = ""
    bias: Bias | None = None

    def __str__(self) -> str:
        """Return it as plain text."""
        verdict = [f"{self.status} ({self.proof})"] if self.status else []
        return "; ".join([*verdict, *([] if self.bias is None else [str(self.bias)]), self.reason])


@dataclass(frozen=True, kw_only=True, eq=False)
class OnProblem:
    """An algorithm on a problem.

    Attributes:
        problem, algorithm: values.
        parameters: as asked, by name; `conditions` says what was used.
        request: what else was asked for.
        first: whether the page has not shown the problem itself yet.
    """

    problem: Problem
    algorithm: Algorithm
    request: Request
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    first: bool = True

    @property
    def title(self) -> str:
        """Return one line."""
        return f"{self.conditions.setting_text()} on {self.problem.name}"

    @property
    def headline(self) -> Headline:
        """Return the verdict."""
        found = self.conditions.verdict
        return Headline(found.reason, found.status.value, found.proof.value, self.conditions.bias)

    @functools.cached_property
    def conditions(self) -> ConditionsReport:
        """Judge it; several sections read the answer."""
        return check_conditions(self.problem, self.algorithm, parameters=self.parameters)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnPaper:
    """The paper's claims.

    Attributes:
        request: what was asked for.
        answers: what the referee says of each claim.
        kernel: what is known here of the proof assistant's theorems, by name.
    """

    request: Request
    answers: tuple[Answer, ...]
    kernel: Mapping[str, KernelResult]

    @classmethod
    def judged(cls, request: Request, tell: Callable[[int], None]) -> OnPaper:
        """Judge every claim; tells how many are done."""
        kernel = kernel_results(compile=request.prove)
        answers = []
        for done, statement in enumerate(STATEMENTS, 1):
            answers.append(answer(statement, kernel))
            tell(done)
        return cls(request=request, answers=tuple(answers), kernel=kernel)

    @property
    def title(self) -> str:
        """Return one line."""
        return "The paper"

    @property
    def headline(self) -> Headline:
        """Return how many claims hold as printed."""
        counts = Counter(answer.finding for answer in self.answers)
        told = [counted(counts[kind], name.removesuffix("s")) for kind, name in COUNTED.items()]
        return Headline(f"{counts[None]} of {len(self.answers)} claims hold as printed; {', '.join(told)}")


@dataclass(frozen=True, kw_only=True, eq=False)
class OnControl:
    """Learning to act.

    Attributes:
        request: what was asked for.
        runs: what was read of the files that it names.
    """

    request: Request
    runs: tuple[ControlRuns, ...]

    @classmethod
    def read(cls, request: Request) -> OnControl:
        """Read the files that a request names.

        Raises:
            BadOption: one cannot be read, or holds something else.
        """
        return cls(request=request, runs=tuple(map(read_control, request.control)))

    @property
    def title(self) -> str:
        """Return one line."""
        return "Control"

    @property
    def headline(self) -> Headline | None:
        """Return what was read; None where no runs were named."""
        if not self.runs:
            return None
        environments = ", ".join(dict.fromkeys(found.environment for found in self.runs))
        return Headline(f"{counted(len(self.runs), 'learner')} on {environments}")


@dataclass(frozen=True, kw_only=True, eq=False)
class OnLearners:
    """The learners that are built in.

    Attributes:
        request: what was asked for.
        algorithms, problems: values.
    """

    request: Request
    algorithms: tuple[Algorithm, ...]
    problems: tuple[Problem, ...]

    @property
    def title(self) -> str:
        """Return one line."""
        return "The learners that are built in"

    @property
    def headline(self) -> Headline:
        """Return how many there are."""
        of = f"on {counted(len(self.problems), 'problem')} at default parameters"
        return Headline(f"{counted(len(self.algorithms), 'learner')}: equation, expected update, and verdict {of}")


class SiteCell(NamedTuple):
    """A verdict and where it is told: learner and parameters, status, kind of evidence and reason, bias, and a link."""

    learner: str
    parameters: str
    status: str
    proof: str
    reason: str
    bias: Bias | None
    link: str


class SiteRow(NamedTuple):
    """A problem, its size in words, its page's file, and a cell for each algorithm."""

    problem: str
    size: str
    file: str
    cells: tuple[SiteCell, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class OnSite:
    """All pages of a site.

    Attributes:
        request: what was asked for.
        rows: a row a problem, at least one, with as many cells each.
        paper, learners: (file, what is there) of the paper's page and of the learners'.
    """

    request: Request
    rows: tuple[SiteRow, ...]
    paper: tuple[str, str]
    learners: tuple[str, str]

    @property
    def title(self) -> str:
        """Return one line."""
        return "Every problem and algorithm"

    @property
    def headline(self) -> Headline:
        """Return how many are judged."""
        algorithms = counted(len(self.rows[0].cells), "algorithm")
        return Headline(f"{counted(len(self.rows), 'problem')}, {algorithms} on each. Of the paper, {self.paper[1]}")


Found = OnProblem | OnPaper | OnControl | OnLearners | OnSite


@dataclass(frozen=True, kw_only=True, eq=False)
class OnPage:
    """The page itself: how to read it, and where it comes from.

    Attributes:
        request: what was asked for.
        subjects: what the page is about.
    """

    request: Request
    subjects: tuple[Found, ...]

    headline: None = None

    @property
    def title(self) -> str:
        """Return one line."""
        return "About this page"


Subject = Found | OnPage

"""What the sections of a page speak of: a problem with an algorithm, the paper, or the page itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from reports.page.control_file import ControlRuns, read_control
from reports.page.on_data import OnData
from reports.page.on_problem import OnComparison, OnProblem
from reports.page.request import Headline, Request
from tdrc_theory.cli.counted import counted
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.papers.claim import Severity
from tdrc_theory.papers.paper import Paper
from tdrc_theory.problem import Problem
from verify.conditions.fixed_points import Bias

if TYPE_CHECKING:
    from tdrc_theory.proofs.coq import CoqAnswer
    from verify.paper.report import Answer


@dataclass(frozen=True, kw_only=True, eq=False)
class OnPaper:
    """A paper's claims.

    Attributes:
        paper: the paper.
        request: what was asked for.
        answers: what the referee says of each claim.
        kernel: what is known here of the proof assistant's theorems, by name.
    """

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
        found = answers(paper, claims_judged(paper), kernel, request.workers)
        return cls(paper=paper, request=request, answers=tuple(found), kernel=kernel)

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
        told = [counted(len(numbers(self.answers, grade)), NOUNS[grade]) for grade in Severity]
        return Headline(f"{holding} of {len(self.answers)} claims hold as printed; {', '.join(told)}")


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

    title: ClassVar[str] = "Control"

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

    title: ClassVar[str] = "The learners that are built in"

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
        papers: (file, title, what is there) of each paper's page.
        learners: (file, what is there) of theirs.
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


Found = OnProblem | OnComparison | OnData | OnPaper | OnControl | OnLearners | OnSite


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

    title: ClassVar[str] = "About this page"


Subject = Found | OnPage

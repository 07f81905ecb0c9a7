"""What the sections of a page speak of: a problem with an algorithm, the paper, or the page itself."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tdrc_theory.algorithm import Algorithm
from tdrc_theory.problem import Problem
from verify.conditions.report import ConditionsReport, check_conditions


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for, the same for all subjects of a page.

    Attributes:
        command: the arguments that make the page again.
        simulate: whether sections may run learners, which takes a while.
        alpha, steps, sampling, runs, every, seed, workers: of the learning curves, as the options of that name.
        control: files that `simulate.control --json` wrote.
        place_and_time: whether the page says when and where it was made, which no two builds share.
    """

    command: tuple[str, ...] = ()
    simulate: bool = False
    alpha: Fraction = Fraction(1, 16)
    steps: int = 1000
    sampling: str | None = None
    runs: int = 1000
    every: int | None = None
    seed: int = 0
    workers: int | None = None
    control: tuple[Path, ...] = ()
    place_and_time: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class OnProblem:
    """An algorithm on a problem.

    Attributes:
        problem, algorithm: values.
        beta, eta: as asked; `conditions` says what was used.
        request: what else was asked for.
    """

    problem: Problem
    algorithm: Algorithm
    beta: Fraction
    eta: Fraction
    request: Request

    @property
    def title(self) -> str:
        """Return one line."""
        return f"{self.conditions.setting_text()} on {self.problem.name}"

    @functools.cached_property
    def conditions(self) -> ConditionsReport:
        """Judge it; several sections read the answer."""
        return check_conditions(self.problem, self.algorithm, beta=self.beta, eta=self.eta)


@dataclass(frozen=True, kw_only=True, eq=False)
class OnPaper:
    """The paper's claims."""

    request: Request

    @property
    def title(self) -> str:
        """Return one line."""
        return "The paper's claims"


@dataclass(frozen=True, kw_only=True, eq=False)
class OnPage:
    """The page itself: how to read it, and where it comes from.

    Attributes:
        request: what was asked for.
        subjects: what the page is about.
    """

    request: Request
    subjects: tuple[OnProblem | OnPaper, ...]

    @property
    def title(self) -> str:
        """Return one line."""
        return "About this page"


Subject = OnProblem | OnPaper | OnPage

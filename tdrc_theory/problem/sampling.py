"""How transitions are drawn, along the behaviour chain or each one afresh, and what stands beside every answer."""

from __future__ import annotations

from tdrc_theory.cli.command import printable
from tdrc_theory.errors import BadOption
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.reader import shown
from tdrc_theory.problem.stationary import trajectory_warnings

MARKOV, IID = "markov", "iid"


def sampling_of(problem: Problem, asked: str | None) -> str:
    """Return how transitions are drawn: as asked, or by default along the chain where the problem has one.

    Raises:
        BadOption: a chain is asked of a problem that has none.
    """
    chosen = asked or (IID if problem.independent_only else MARKOV)
    why = without_chain(problem, chosen)
    if why:
        raise BadOption(f"--sampling: {why}")
    return chosen


def without_chain(problem: Problem, sampling: str) -> str:
    """Return why a problem cannot be sampled so; "" where it can."""
    if sampling != MARKOV or not problem.independent_only:
        return ""
    return f"markov is not possible on {shown(problem.name)}, which is averaged over its policy; use iid"


def remarks(problem: Problem | MatrixProblem, sampling: str | None = None) -> list[str]:
    """Return a problem's warnings, those of how it is sampled, and its notes, one a line, safe to show.

    >>> from tdrc_theory.problems.baird import baird
    >>> remarks(baird())
    []
    """
    warnings = (*problem.warnings, *sampling_warnings(problem, sampling))
    lines = [*(f"warning: {line}" for line in warnings), *(f"note: {line}" for line in problem.notes)]
    return [printable(line) for line in lines]


def sampling_warnings(problem: Problem | MatrixProblem, sampling: str | None) -> tuple[str, ...]:
    """Return what a reader should know where trajectories (`markov`) do not meet what `state_weights` weigh."""
    if sampling != "markov" or isinstance(problem, MatrixProblem) or problem.state_weights is None:
        return ()
    return trajectory_warnings(problem.behaviour_chain(), problem.d)

"""Warnings and notes of a problem, which stand beside every answer."""

from __future__ import annotations

from tdrc_theory.cli.command import printable
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.stationary import trajectory_warnings


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

"""What a reader should know of a problem beside every answer: warnings first, then notes."""

from __future__ import annotations

from tdrc_theory.command import printable
from tdrc_theory.problem import Problem


def remarks(problem: Problem) -> list[str]:
    """Return a problem's warnings and notes, one a line, safe to show.

    >>> from tdrc_theory.problems.baird import baird
    >>> remarks(baird())
    []
    """
    lines = [*(f"warning: {line}" for line in problem.warnings), *(f"note: {line}" for line in problem.notes)]
    return [printable(line) for line in lines]

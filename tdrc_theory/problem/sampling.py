"""How transitions are drawn: along the behaviour chain, or each one afresh."""

from __future__ import annotations

from tdrc_theory.errors import BadOption
from tdrc_theory.problem import Problem
from tdrc_theory.problem.reader import shown

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

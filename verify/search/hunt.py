"""The hunt for a problem with a pattern of verdicts."""

from __future__ import annotations

import math
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tdrc_theory.errors import BadOption
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems.problem_file import load_problem, parse_problem, problem_text, write_problem
from verify.check import Verdict
from verify.conditions.fixed_points import bias
from verify.search.candidates import Shape, candidates
from verify.search.pattern import Clause, parse_pattern, verdicts

_BETWEEN = 50
"""Problems between two reports of progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What `search` returns.

    Attributes:
        clauses: the pattern.
        problem: the first problem that shows it; None where none was found.
        verdicts: on that problem, one a clause.
        tries: problems judged.
    """

    clauses: tuple[Clause, ...]
    problem: Problem | None
    verdicts: tuple[Verdict, ...]
    tries: int

    def __repr__(self) -> str:
        shown = "no problem" if self.problem is None else str(self.problem)
        return f"<{', '.join(map(str, self.clauses))}: {shown}, {self.tries} problems judged>"

    def lines(self) -> Iterator[str]:
        """Yield what was found, one line a clause."""
        assert self.problem is not None
        for clause, one in zip(self.clauses, self.verdicts, strict=True):
            beside = bias(clause.setting(self.problem), one)
            reason = one.reason if beside is None else f"{beside}; {one.reason}"
            yield f"{clause}: {one.status.value} ({one.proof.value}): {reason}"

    def to_json(self) -> dict[str, Any]:
        """Return the pattern, how many problems were judged, and what was found, with its file's text, or null."""
        judged = zip(self.clauses, self.verdicts, strict=self.problem is not None)
        return {
            "pattern": [str(clause) for clause in self.clauses],
            "tries": self.tries,
            "verdicts": [{"clause": str(clause), **verdict.to_json()} for clause, verdict in judged],
            "problem": self.problem and self.problem.to_json(),
            "file": self.problem and self.text(),
        }

    def text(self) -> str:
        """Return the problem as a problem file, whose verdicts have been checked once more after reading it."""
        assert self.problem is not None
        text = problem_text(self.problem, self.lines())
        self._recheck(parse_problem(tomllib.loads(text, parse_float=str)))
        return text

    def write(self, path: str | Path) -> None:
        """Write the problem file, read it back, and check the verdicts once more.

        Raises:
            BadOption: the path cannot be written.
        """
        assert self.problem is not None
        self.text()
        write_problem(self.problem, path, self.lines())
        self._recheck(load_problem(path))

    def _recheck(self, read: Problem | MatrixProblem) -> None:
        if read != self.problem or verdicts(self.clauses, read) != self.verdicts:
            raise AssertionError("a problem file says something else than the problem it was made from")


def search(
    pattern: str,
    shape: Shape | None = None,
    *,
    seed: int = 0,
    seconds: float | None = None,
    tries: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> SearchResult:
    """Look for a small problem with a pattern of verdicts: simplest first, then at random.

    Args:
        pattern: see `parse_pattern`.
        shape: what is looked for; default two states, averaged over the policy. Where a learner of the pattern needs a
            chain, decision processes with two actions are looked for in place of averaged ones.
        seed: of the random part. What is found depends on it, on the pattern and on the shape; the limits only end
            the hunt.
        seconds, tries: the limits; without any it goes on until something is found.
        progress: gets the number of problems judged, now and then.

    Raises:
        BadOption: the pattern or a limit is not valid.
    """
    clauses, shape = parse_pattern(pattern), shape or Shape()
    if seconds is not None and not seconds > 0:
        raise BadOption(f"--limit: {seconds} is not above 0")
    if tries is not None and tries < 1:
        raise BadOption(f"--tries: {tries} is less than 1")
    if not shape.actions and any(clause.needs_chain for clause in clauses):
        shape = replace(shape, actions=2)
    end, judged = time.monotonic() + (math.inf if seconds is None else seconds), 0
    for problem in candidates(shape, seed):
        if judged == tries or time.monotonic() > end:
            break
        judged += 1
        if judged % _BETWEEN == 0:
            progress(judged)
        result = verdicts(clauses, problem)
        if result is not None:
            named = replace(problem, name=", ".join(map(str, clauses)))
            return SearchResult(clauses=clauses, problem=named, verdicts=result, tries=judged)
    return SearchResult(clauses=clauses, problem=None, verdicts=(), tries=judged)

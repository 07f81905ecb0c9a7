"""The hunt for a problem with a pattern of verdicts: which algorithms, with which parameters, shall get which ones."""

from __future__ import annotations

import math
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadOption, NoExpectation, errors_at
from tdrc_theory.exact.number import number_text, parse_number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import RANGES, out_of_range
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems.problem_file import load_problem, parse_problem, problem_text, write_problem
from verify.check import CONVERGES, Outcome, Verdict
from verify.conditions.fixed_points import bias
from verify.conditions.setting import Setting
from verify.conditions.verdict import decide
from verify.search.candidates import Shape, candidates

FORM = "ALGORITHM [NAME=VALUE ...] converges|diverges|STATUS"
WORDS: tuple[tuple[str, tuple[Outcome, ...]], ...] = (
    ("converges", CONVERGES),
    ("diverges", (Outcome.NOT_CONVERGENT,)),
    *((outcome.value, (outcome,)) for outcome in Outcome),
)
_LONGEST = 60
"""Characters of a clause that a message shows, and of a number that is taken."""
_BETWEEN = 50
"""Problems between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One demand: an algorithm's verdict.

    Attributes:
        algorithm: whose.
        parameters: those that it uses, by name.
        word: what the verdict shall be, as written.
        outcomes: the verdicts that the word stands for.
    """

    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    word: str
    outcomes: tuple[Outcome, ...]

    def setting(self, problem: Problem) -> Setting:
        """Return what is judged."""
        return Setting(problem, self.algorithm, self.parameters)

    def __str__(self) -> str:
        used = self.parameters.items()
        texts = [f"{name}={number_text(v)}" for name, v in used if name not in self.algorithm.fixed]
        return " ".join([self.algorithm.name, *texts, self.word])


def parse_pattern(text: str) -> tuple[Clause, ...]:
    """Read comma-separated clauses of the form `ALGORITHM [NAME=VALUE ...] converges|diverges|STATUS`.

    `converges` means convergent or convergent-to-a-set, `diverges` not-convergent. Parameters that are not given have
    their defaults; beta and eta are 1.

    >>> [str(clause) for clause in parse_pattern("tdrc beta=1/2 diverges, td convergent")]
    ['tdrc beta=1/2 eta=1 diverges', 'td convergent']

    Raises:
        BadOption: a clause has another form; the message names it.
    """
    clauses = tuple(_clause(" ".join(part.split())) for part in text.split(","))
    wanted: dict[tuple[str, object], Clause] = {}
    for clause in clauses:
        before = wanted.setdefault((clause.algorithm.name, tuple(clause.parameters.items())), clause)
        if not set(before.outcomes) & set(clause.outcomes):
            raise BadOption(f"clauses {str(before)!r} and {str(clause)!r}: no verdict meets both")
    return clauses


def _clause(text: str) -> Clause:
    where, words = f"clause {text[:_LONGEST]!r}", text.split()
    if len(words) < 2:
        raise BadOption(f"{where}: is not of the form {FORM}")
    with errors_at(BadOption, where):
        algorithm = find_algorithm(words[0])
    outcomes = dict(WORDS).get(words[-1])
    if outcomes is None:
        raise BadOption(f"{where}: does not end with a verdict; allowed: {', '.join(word for word, _ in WORDS)}")
    chosen: dict[str, Fraction] = {}
    for word in words[1:-1]:
        name, equals, number = word.partition("=")
        if not name or not equals or name in chosen:
            raise BadOption(f"{where}: {word[:_LONGEST]!r} is not NAME=VALUE, each name at most once")
        chosen[name] = _parameter(where, algorithm, name, number)
    if algorithm.for_action_values:
        raise BadOption(f"{where}: {algorithm.name} is for features by state and action; problems tried have none")
    used = algorithm.parameters({"beta": Fraction(1), "eta": Fraction(1), **chosen})
    return Clause(algorithm, used, words[-1], outcomes)


def _parameter(where: str, algorithm: Algorithm, name: str, text: str) -> Fraction:
    with errors_at(BadOption, where, name):
        value = parse_number(text)
    if len(text) > _LONGEST:
        raise BadOption(f"{where}: {name}: a number of {len(text)} characters; at most {_LONGEST} are taken")
    if out_of_range(name, value):
        raise BadOption(f"{where}: {name} is {RANGES[name].allowed}")
    fixed = algorithm.fixed.get(name)
    if fixed is not None:
        raise BadOption(f"{where}: {algorithm.name} fixes {name} at {number_text(fixed)}")
    if name not in algorithm.own_parameters:
        have = ", ".join(algorithm.own_parameters)
        raise BadOption(f"{where}: {algorithm.name} has no {name}{f'; it has {have}' if have else ''}")
    return value


def verdicts(clauses: tuple[Clause, ...], problem: Problem) -> tuple[Verdict, ...] | None:
    """Return the verdict on every clause, None where one is not met; the first that is not met ends the work.

    None is met where a learner's memory has no expectation.
    """
    result = []
    for clause in clauses:
        try:
            decided = decide(clause.setting(problem))
        except NoExpectation:
            return None
        if decided.status not in clause.outcomes:
            return None
        result.append(decided)
    return tuple(decided.verdict for decided in result)


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
    if not shape.actions and any(clause.algorithm.remembers for clause in clauses):
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

"""The language of patterns: which algorithms, with which parameters, shall get which verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadNumber, BadOption, NoExpectation, TheoryError
from tdrc_theory.exact.number import number_text, parse_number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import RANGES, out_of_range
from tdrc_theory.problem import Problem
from verify.check import CONVERGES, Outcome, Verdict
from verify.conditions.setting import Setting
from verify.conditions.verdict import decide

FORM = "ALGORITHM [NAME=VALUE ...] converges|diverges|STATUS"
WORDS: tuple[tuple[str, tuple[Outcome, ...]], ...] = (
    ("converges", CONVERGES),
    ("diverges", (Outcome.NOT_CONVERGENT,)),
    *((outcome.value, (outcome,)) for outcome in Outcome),
)
_LONGEST = 60
"""Characters of a clause that a message shows, and of a number that is taken."""


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

    @property
    def needs_chain(self) -> bool:
        """Whether the learner remembers, so that problems without a chain do not do."""
        return bool(self.algorithm.memory) or "rho_before" in self.algorithm.trace.names

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
    try:
        algorithm = find_algorithm(words[0])
    except TheoryError as error:
        raise BadOption(f"{where}: {error}") from None
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
    try:
        value = parse_number(text)
    except BadNumber as error:
        raise BadOption(f"{where}: {name}: {error}") from None
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

"""A problem as Coq's term: the table of the steps that behaviour takes, as a learner sees them, and its mean memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from tdrc_theory.errors import BadOption, Inconsistent
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.convert import from_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.memory import memory_of
from tdrc_theory.learner.modes import Modes, needs_chain
from tdrc_theory.learner.step_data import AGAIN
from tdrc_theory.problem import Problem
from tdrc_theory.steps import Rows, rows_after
from verify.kernel.learner_term import memory_by_kind, step_numbers
from verify.kernel.terms import fraction, fractions, listed, option

MOST_DIGITS = 24
"""Of the denominators of the weights d: Coq takes minutes for greatest common divisors of longer numbers."""
MOST_ENTRIES = 300_000
"""Steps times entries of G."""


def table_term(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> str:
    """Return a problem as a term of type `table` (learners.v).

    Raises:
        BadOption: the learner's memory has no expectation, or the problem no stationary chain.
    """
    means: Mapping[str, Matrix] = {}
    if needs_chain(problem, algorithm):
        memory = memory_of(problem, algorithm, parameters)
        modes, means = memory.modes, memory.means
    else:
        modes = Modes.of_states(problem, second=algorithm.second)
    _check_size(problem, algorithm, modes)
    reached, names = rows_after(problem), vectors_after(problem, algorithm)
    arrivals = [
        listed(fractions(_rational(_reached(reached, name, ends))) for name in names) for ends in modes.arrivals
    ]
    before = [fractions(_rational(problem.rows[place])) for place in modes.places]
    vectors, numbers = memory_by_kind(algorithm)
    mean_vectors = [listed(_row(means[name], mode) for name in vectors) for mode in range(len(modes.places))]
    mean_numbers = [fractions(_rational(means[name][mode, 0] for name in numbers)) for mode in range(len(modes.places))]
    parts = [
        fractions(map(from_fmpq, modes.weights)),
        *(listed(part, ";\n  ") for part in (before, arrivals, _steps(algorithm, modes))),
        *(listed(part, ";\n  ") for part in (mean_vectors, mean_numbers)),
    ]
    return "\n ".join([f"(Table {problem.k}", *parts]) + ")"


def _check_size(problem: Problem, algorithm: Algorithm, modes: Modes) -> None:
    """Refuse a table on which Coq, which computes with single bits, would take minutes to hours."""
    digits = max(len(str(weight.q)) for weight in modes.weights)
    if digits > MOST_DIGITS:
        raise BadOption(
            f"--prove: the weights d have {digits} digits, past what Coq computes with (at most {MOST_DIGITS})"
        )
    entries = len(modes.steps) * algorithm.size(problem.k) ** 2
    if entries > MOST_ENTRIES:
        needed = f"{len(modes.steps)} steps and {algorithm.size(problem.k)} weights make {entries} products"
        raise BadOption(f"--prove: {needed}, past what Coq computes with (at most {MOST_ENTRIES})")


def vectors_after(problem: Problem, algorithm: Algorithm) -> tuple[str, ...]:
    """Return the names of the vectors that a step leads to, of a second transition too where the learner reads one."""
    once = tuple(rows_after(problem))
    return (*once, *(name for name, own in AGAIN.items() if own in once)) if algorithm.second else once


def _reached(reached: Mapping[str, Rows], name: str, ends: tuple[int, int | None]) -> tuple[Number, ...]:
    first, second = ends
    if name in reached:
        return reached[name][first]
    if second is None:
        raise Inconsistent(f"{name} is read, and no second transition is followed")
    return reached[AGAIN[name]][second]


def _steps(algorithm: Algorithm, modes: Modes) -> list[str]:
    names = step_numbers(algorithm)
    terms = []
    for step in modes.steps:
        point = modes.points[step.point]
        numbers = fractions(point[name] for name in names)
        probability = fraction(from_fmpq(step.probability))
        terms.append(f"Step {step.mode} {step.arrival} {option(step.target)} {probability} {numbers}")
    return terms


def _row(matrix: Matrix, i: int) -> str:
    return fractions(_rational(matrix[i, j] for j in range(matrix.shape[1])))


def _rational(values: Iterable[object]) -> list[Fraction]:
    numbers = list(values)
    if not all(isinstance(value, Fraction) for value in numbers):
        raise BadOption("--prove: only for rational problems, and this one has square roots in it")
    return [value for value in numbers if isinstance(value, Fraction)]

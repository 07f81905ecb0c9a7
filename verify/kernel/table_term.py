"""A problem as Coq's term: the table of the steps that behaviour takes, as a learner sees them, and its mean memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tdrc_theory.errors import BadOption, Inconsistent
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.convert import from_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import memory_of
from tdrc_theory.learner.modes import Modes, needs_chain
from tdrc_theory.learner.step_data import AGAIN
from tdrc_theory.problem import Problem
from tdrc_theory.problem.steps import Rows, rows_after
from verify.kernel.learner_term import memory_by_kind, step_numbers
from verify.kernel.terms import Numerator, cleared, listed, option, positives, row, rows, surd, whole

MOST_WORK = 60_000_000
"""Products of entries times their digits, which take Coq about half a minute."""


def table_term(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> str:
    """Return a problem as a term of type `table` (learners.v).

    Raises:
        BadOption: the learner's memory has no expectation, the problem has no stationary chain, or the table is too
            large.
    """
    means: Mapping[str, Matrix] = {}
    if needs_chain(problem, algorithm):
        memory = memory_of(problem, algorithm, parameters)
        modes, means = memory.modes, memory.means
    else:
        modes = Modes.of_states(problem, second=algorithm.second)
    reached, names = rows_after(problem), vectors_after(problem, algorithm)
    before = [problem.rows[place] for place in modes.places]
    slots = [[_reached(reached, name, ends) for ends in modes.arrivals] for name in names]
    vectors_over, known = _by_slot([before, *slots])
    after = [listed(row(slot[arrival]) for slot in known[1:]) for arrival in range(len(modes.arrivals))]
    memory_over, mean_vectors, mean_numbers = _memory(algorithm, modes, means)
    weights_over, [[weights]] = cleared([list(map(from_fmpq, modes.weights))])
    _check_size(algorithm.size(problem.k), modes, weights_over, memory_over)
    probability_over, numbers_over, steps = _steps(algorithm, modes)
    over = " ".join(
        [
            *map(whole, (weights_over, probability_over)),
            positives(numbers_over),
            positives(vectors_over),
            whole(memory_over),
        ]
    )
    parts = [row(weights), rows(known[0]), *(listed(part, ";\n  ") for part in (after, steps, mean_vectors))]
    return "\n ".join([f"(Table {problem.k} {over}", *parts, rows(mean_numbers)]) + ")"


def _check_size(size: int, modes: Modes, weights_over: int, memory_over: int) -> None:
    """Refuse a table on which Coq, which computes with single bits, would take minutes to hours."""
    steps, digits = len(modes.steps), (weights_over * memory_over).bit_length() * 3 // 10 + 1
    greatest_divisors = len(modes.weights) * digits**2 if memory_over > 1 else 0
    if (steps * size**2 + 3 * size**3) * digits + greatest_divisors > MOST_WORK:
        needed = f"{steps} steps, {size} weights and denominators of about {digits} digits"
        raise BadOption(f"--prove: {needed} are more than Coq computes with in a minute")


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


def _by_slot(slots: Sequence[Sequence[Sequence[Number]]]) -> tuple[list[int], list[list[list[Numerator]]]]:
    """Return a denominator for each slot, and the numerators of its values."""
    each = [cleared(slot) for slot in slots]
    return [over for over, _ in each], [numerators for _, [numerators] in each]


def _steps(algorithm: Algorithm, modes: Modes) -> tuple[int, list[int], list[str]]:
    """Return a denominator of all probabilities, one for each number of a step, and the steps' terms."""
    names, points = step_numbers(algorithm), modes.points
    probability_over, [[probabilities]] = cleared([[from_fmpq(step.probability) for step in modes.steps]])
    numbers_over, slots = _by_slot([[[point[name] for point in points]] for name in names])
    numbers = [row(slot[0][i] for slot in slots) for i in range(len(points))]
    terms = [
        f"Step {step.mode} {step.arrival} {option(step.target)} {surd(probability)} {numbers[step.point]}"
        for step, probability in zip(modes.steps, probabilities, strict=True)
    ]
    return probability_over, numbers_over, terms


def _memory(
    algorithm: Algorithm, modes: Modes, means: Mapping[str, Matrix]
) -> tuple[int, list[str], list[list[Numerator]]]:
    """Return a denominator of memory's means, and by mode the vectors' as terms and the numbers'."""
    vectors, numbers = memory_by_kind(algorithm)
    over, cleared_means = cleared(*(means[name].rows for name in (*vectors, *numbers)))
    known = dict(zip((*vectors, *numbers), cleared_means, strict=True))
    every = range(len(modes.places))
    mean_vectors = [listed(row(known[name][mode]) for name in vectors) for mode in every]
    return over, mean_vectors, [[known[name][mode][0] for name in numbers] for mode in every]

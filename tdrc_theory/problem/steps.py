"""The steps of a problem under its behaviour policy, with the data that learners read: the one iteration over them.

A step starts at a place: a state, or for action values a pair (s, a), numbered as `Problem.rows`. For action values
the action at the next state belongs to it too.

Where a learner reads a second transition, a step is two: independent of one another, from the same place, and the
chain goes on along the first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.learner.step_data import AGAIN
from tdrc_theory.problem import END, Problem

MOST_PAIRS = 10**6
"""Pairs of transitions up to which a second one is followed."""

Rows = tuple[tuple[Number, ...], ...]


class ChainStep(NamedTuple):
    """One step.

    Attributes:
        place: where it starts: its row of `Problem.rows` is x.
        arrival: where it leads: its rows of `rows_after` are x_next and x_bar; `Problem.places` where the episode ends.
        probability: its own, given the place.
        numbers: what differs between steps, by the names that learners know: rho, reward, gamma_next (the discount of
            this step), interest and pi (those of its state and action), and for action values rho_next (1 at the end).
            Steps of one place that do not differ in them share one object, which is not to be changed.
        second: where the second transition leads, as `arrival`; its numbers are among the others, by their names there.
    """

    place: int
    arrival: int
    probability: Fraction
    numbers: dict[str, Fraction]
    second: int | None = None


def steps_of(problem: Problem, second: Collection[str] = ()) -> Iterator[ChainStep]:
    """Yield every step from a state that is not terminal, of an action that behaviour takes.

    `second` names what is read of a second transition, of AGAIN; those that do not differ in it are one.

    Raises:
        BadOption: there are too many pairs of transitions.
    """
    return _pairs(problem, second) if second else _steps(problem)


def _steps(problem: Problem) -> Iterator[ChainStep]:
    ratios: dict[tuple[int, int], Fraction] = {}  # divided once for all that an action can lead to
    known: dict[tuple[int, ...], dict[str, Fraction]] = {}  # by identity of what is kept in its values
    products: dict[tuple[int, int], Fraction] = {}  # by identity of what the problem keeps
    by_pair, end = problem.action_values, problem.places
    over = {END, *problem.terminal}
    for t in problem.transitions:
        b = problem.behaviour[t.s][t.a]
        if not b:
            continue
        if (t.s, t.a) not in ratios:
            ratios[t.s, t.a] = problem.rho(t.s, t.a)
        gamma_next = problem.discount(t)
        key = t.s, t.a, id(t.reward), id(gamma_next)
        if key not in known:
            known[key] = {
                "rho": ratios[t.s, t.a],
                "reward": t.reward,
                "gamma_next": gamma_next,
                "interest": problem.interest[t.s],
                "pi": problem.target[t.s][t.a],
            }
        numbers = known[key]
        ended = t.s_next in over
        if not by_pair:
            both = id(b), id(t.probability)
            if both not in products:
                products[both] = b * t.probability
            yield ChainStep(t.s, end if ended else t.s_next, products[both], numbers)
        elif ended:
            place = _pair(problem, t.s, t.a)
            yield ChainStep(place, end, t.probability, numbers | {"rho_next": Fraction(1)})
        else:
            for a, share in enumerate(problem.behaviour[t.s_next]):
                if share:
                    place, arrival = _pair(problem, t.s, t.a), _pair(problem, t.s_next, a)
                    numbers_here = numbers | {"rho_next": problem.rho(t.s_next, a)}
                    yield ChainStep(place, arrival, share * t.probability, numbers_here)


def _pairs(problem: Problem, names: Collection[str]) -> Iterator[ChainStep]:
    """Yield pairs of independent transitions from one place."""
    read = {name: AGAIN[name] for name in sorted(names)}
    rows = [numbered(table) for name, table in rows_after(problem).items() if name in read.values()]
    leaving = by_place(_steps(problem))
    seconds: dict[int, list[ChainStep]] = {}
    for place, steps in leaving.items():
        merged: dict[object, ChainStep] = {}
        for step in steps:
            numbers = {name: step.numbers[own] for name, own in read.items() if own in step.numbers}
            key = tuple(row[step.arrival] for row in rows), *(value.as_integer_ratio() for value in numbers.values())
            sooner = merged.get(key)
            total = step.probability if sooner is None else sooner.probability + step.probability
            merged[key] = step._replace(probability=total, numbers=numbers)
        seconds[place] = list(merged.values())
    count = sum(len(steps) * len(seconds[place]) for place, steps in leaving.items())
    if count > MOST_PAIRS:
        raise BadOption(
            f"{problem.name}: it has {count} pairs of transitions; a second sample takes up to {MOST_PAIRS}"
        )
    for place, steps in leaving.items():
        together: dict[tuple[int, int], dict[str, Fraction]] = {}
        for step in steps:
            for i, other in enumerate(seconds[place]):
                numbers = together.setdefault((id(step.numbers), i), step.numbers | other.numbers)
                likely = step.probability * other.probability
                yield ChainStep(place, step.arrival, likely, numbers, other.arrival)


def by_place(steps: Iterable[ChainStep]) -> dict[int, list[ChainStep]]:
    """Return steps by the place left."""
    leaving: dict[int, list[ChainStep]] = {}
    for step in steps:
        leaving.setdefault(step.place, []).append(step)
    return leaving


def numbered(rows: Iterable[Sequence[Number]]) -> list[int]:
    """Return a number for each row; equal rows have the same."""
    known: dict[Sequence[Number], int] = {}
    return [known.setdefault(row, len(known)) for row in rows]


def rows_after(problem: Problem) -> dict[str, Rows]:
    """Return {name: (places + 1, k)}: x_next of each arrival, and for action values x_bar; the last row is the end."""
    end = ((Fraction(0),) * problem.k,)
    if not problem.action_values:
        return {"x_next": problem.rows + end}
    mean: list[tuple[Number, ...]] = []
    for rows, policy in zip(problem.features, problem.target, strict=True):
        weighted = [[pi * value for value in row] for row, pi in zip(rows, policy, strict=True) if pi]
        bar = [sum(column, Fraction(0)) for column in zip(*weighted, strict=True)] or [Fraction(0)] * problem.k
        mean += [tuple(bar)] * problem.actions
    return {"x_next": problem.rows + end, "x_bar": tuple(mean) + end}


def starts(problem: Problem) -> list[tuple[int, Fraction]]:
    """Return the places in which an episode can start, with their shares; none where none is given."""
    first = [(s, share) for s, share in enumerate(problem.start or ()) if share]
    if not problem.action_values:
        return first
    pairs = [(_pair(problem, s, a), share * b) for s, share in first for a, b in enumerate(problem.behaviour[s])]
    return [(place, share) for place, share in pairs if share]


def continued(problem: Problem, arrival: int) -> list[tuple[int, Fraction]]:
    """Return the places from which the chain goes on, with their shares: another episode's start where one ended."""
    return starts(problem) if arrival == problem.places else [(arrival, Fraction(1))]


def state_of(problem: Problem, place: int) -> int:
    """Return the state of a place."""
    return place // problem.actions if problem.action_values else place


def _pair(problem: Problem, s: int, a: int) -> int:
    return s * problem.actions + a


def target_values(problem: Problem) -> Matrix | None:
    """Return v_pi (S, 1), a solution of v = r + gamma P v under the target policy, 0 in terminal states.

    For action values it is q_pi (S A, 1), by the pairs that behaviour takes, 0 elsewhere. It is the only solution where
    gamma < 1 or every episode ends; elsewhere there may be none, which is None.
    """
    bellman, r = _bellman(problem)
    return bellman.solve(r)


def values_are_unique(problem: Problem) -> bool:
    """Return whether v = r + gamma P v has one solution, whatever the rewards: gamma < 1, or every episode ends."""
    bellman, _ = _bellman(problem)
    return bellman.rank() == problem.places


def differential_values(problem: Problem) -> tuple[Number, Matrix] | None:
    """Return the average reward r of the target policy and its differential values v (S, 1), with v + r = E[R + v'].

    A constant may be added to v. None where episodes end, or the target policy's chain has no single
    average reward.
    """
    if any(step.arrival == problem.places for step in steps_of(problem)) or problem.terminal:
        return None
    n = problem.places
    stay, rewards = _bellman(problem, discounted=False)
    if stay.rank() != n - 1:
        return None
    result = Matrix.block([[stay, Matrix.column([1] * n)]]).solve(rewards)
    return None if result is None else (result[n, 0], result.select(range(n), [0]))


def _bellman(problem: Problem, discounted: bool = True) -> tuple[Matrix, Matrix]:
    """Return I - gamma P, or I - P, and r."""
    P = [[Fraction(0)] * problem.places for _ in range(problem.places)]
    r = [Fraction(0)] * problem.places
    for step in steps_of(problem):
        # Under behaviour the next action, or for state values this one, has its ratio too often.
        mass = step.probability * step.numbers["rho_next" if problem.action_values else "rho"]
        r[step.place] += mass * step.numbers["reward"]
        if step.arrival != problem.places:
            P[step.place][step.arrival] += mass * (step.numbers["gamma_next"] if discounted else 1)
    return Matrix.identity(problem.places) - Matrix(P), Matrix.column(r)

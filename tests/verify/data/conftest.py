"""Logged transitions of known chains: enumerated, so that means are exact, and sampled."""

from fractions import Fraction
from math import lcm

import numpy as np
import pytest

from tdrc_theory.problem.steps import continued, rows_after, starts, state_of, steps_of


def numbers(row):
    return [float(value) for value in row]


@pytest.fixture(scope="session")
def enumerated():
    """Return the function below."""
    return every_step_as_often_as_it_is_likely


def every_step_as_often_as_it_is_likely(problem):
    """Return columns whose rows have each of a chain's steps exactly in proportion to its probability."""
    steps = [(problem.weights[s.place] * s.probability, s) for s in steps_of(problem) if problem.weights[s.place]]
    common = lcm(*(share.denominator for share, _ in steps))
    after = rows_after(problem)
    columns = {name: [] for name in ("x", "reward", "rho", "target", "interest", "terminated", *after)}
    if problem.action_values:
        columns["rho_next"] = []
    for share, step in steps:
        row = {
            "x": numbers(problem.rows[step.place]),
            "terminated": float(step.arrival == problem.places),
            "target": float(step.numbers["pi"]),
            **{name: numbers(rows[step.arrival]) for name, rows in after.items()},
            **{
                name: float(step.numbers[name]) for name in ("reward", "rho", "interest", "rho_next") if name in columns
            },
        }
        for name, value in row.items():
            columns[name] += [value] * int(share * common)
    return {name: np.array(value) for name, value in columns.items()}


@pytest.fixture(scope="session")
def logged():
    """Return the function below."""
    return rows_of_a_trajectory


def rows_of_a_trajectory(problem, rows, seed):
    """Return columns of one long trajectory of the behaviour chain, episodes one after the other."""
    generator, after = np.random.default_rng(seed), rows_after(problem)["x_next"]
    leaving = {}
    for step in steps_of(problem):
        leaving.setdefault(step.place, []).append(step)
    reach = {place: np.cumsum([float(s.probability) for s in steps]) for place, steps in leaving.items()}
    first = starts(problem) or [(place, Fraction(weight)) for place, weight in enumerate(problem.weights)]
    begin = np.cumsum([float(share) for _, share in first])
    draws = generator.random((rows, 2))
    taken, place = [], None
    for u, v in draws:
        if place is None:
            place = first[min(np.searchsorted(begin, v), len(first) - 1)][0]
        at = min(np.searchsorted(reach[place], u), len(leaving[place]) - 1)
        taken.append(leaving[place][at])
        place = None if taken[-1].arrival == problem.places else continued(problem, taken[-1].arrival)[0][0]
    result = {
        "x": np.array([numbers(problem.rows[s.place]) for s in taken]),
        "x_next": np.array([numbers(after[s.arrival]) for s in taken]),
        "reward": np.array([float(s.numbers["reward"]) for s in taken]),
        "rho": np.array([float(s.numbers["rho"]) for s in taken]),
        "interest": np.array([float(s.numbers["interest"]) for s in taken]),
        "terminated": np.array([s.arrival == problem.places for s in taken]),
    }
    assert {state_of(problem, s.place) for s in taken} <= set(range(problem.states))
    return result if result["terminated"].any() else {k: v for k, v in result.items() if k != "terminated"}

"""Intervals hold exact numbers of known chains about as often as they say, and verdicts agree with the exact ones."""

import numpy as np
import pytest
from scipy.stats import binom

from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems import find_problem
from verify import check_conditions
from verify.check import CONVERGES, Outcome
from verify.data import Arrays, check_data
from verify.data.intervals import LEVEL
from verify.data.numbers import ABSCISSA, BETA, ETA, LOWEST, MEAN_RATIO


def doubling():
    """Return the chain of two states, features 1 and 2, in which behaviour goes either way and the target right."""
    return Problem(
        name="doubling",
        gamma="9/10",
        features=[[1], [2]],
        transitions=[(s, a, a, 1, 0) for s in range(2) for a in range(2)],
        behaviour=[["1/2", "1/2"]] * 2,
        target=[[0, 1]] * 2,
    )


def ending_walk():
    return find_problem("random-walk-dependent")


def baird():
    return find_problem("baird")


def exact_numbers(problem, algorithm):
    """Return the numbers that are estimated, from exact matrices, and the exact verdict."""
    report = check_conditions(problem, algorithm)
    A, _, C = (m.to_float() for m in key_matrices(problem))
    values, vectors = np.linalg.eigh(C)
    V = vectors[:, values > 1e-9]
    numbers = {
        ABSCISSA: report.verdict.spectral_abscissa.middle,
        MEAN_RATIO: 1.0,
        LOWEST: np.linalg.eigvalsh(V.T @ (A + A.T) @ V / 2)[0],
    }
    if numbers[LOWEST] < 0:
        bounds = check_conditions(problem, "tdrc").bounds
        numbers |= {BETA: bounds["beta_corrected"].value, ETA: bounds["eta"].value}
    return numbers, report.verdict.status


def held(make, algorithm, seeds, rows, logged):
    """Return how often the interval of each number holds it, and the verdicts."""
    problem = make()
    numbers, verdict = exact_numbers(problem, algorithm)
    counts, verdicts = dict.fromkeys(numbers, 0), []
    for seed in seeds:
        columns = logged(problem, rows, seed)
        report = check_data(Arrays(columns), algorithm, gamma=problem.gamma, resamples=199, seed=seed)
        verdicts.append(report.status)
        for name, value in numbers.items():
            interval = report.numbers[name]
            counts[name] += interval.lower <= value <= interval.upper
    return counts, verdict, verdicts


CHAINS = [(doubling, "td"), (doubling, "tdrc"), (ending_walk, "td")]


def assert_covers(counts, runs):
    """Of intervals that hold a number at least so often, one in a million is refused, for each number.

    The bootstrap's are exact only in the limit of many units, so that a few percent less is allowed.
    """
    for name, count in counts.items():
        assert count >= binom.ppf(1e-6, runs, LEVEL - 0.03), (name, count)


def assert_agrees(verdict, verdicts):
    agree = CONVERGES if verdict in CONVERGES else (verdict,)
    assert set(verdicts) <= {*agree, Outcome.UNDECIDED}
    assert sum(each in agree for each in verdicts) > len(verdicts) / 2


@pytest.mark.thorough
@pytest.mark.parametrize(("make", "algorithm"), CHAINS, ids=lambda v: v if isinstance(v, str) else v.__name__)
def test_intervals_and_verdicts_of_known_chains(make, algorithm, logged):
    counts, verdict, verdicts = held(make, algorithm, range(16), 3000, logged)
    assert_covers(counts, 16)
    assert_agrees(verdict, verdicts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "algorithm", "rows"),
    [(doubling, "tdrc", 3000), (ending_walk, "tdrc", 3000), (baird, "td", 20_000), (baird, "tdrc", 20_000)],
    ids=lambda v: getattr(v, "__name__", str(v)),
)
def test_intervals_hold_what_they_say_about_as_often_as_they_say(make, algorithm, rows, logged):
    counts, verdict, verdicts = held(make, algorithm, range(100), rows, logged)
    assert_covers(counts, 100)
    assert np.mean(list(counts.values())) < 100
    if make is not baird or algorithm != "tdrc":
        assert_agrees(verdict, verdicts)

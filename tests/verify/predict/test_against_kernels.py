"""Every compiled kernel against its prediction, within the standard error of many runs, all checkpoints at once."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from simulate.environment import environment
from simulate.kernels import kernel, lanes
from simulate.step_sizes import CONSTANT
from tdrc_theory.algorithms import OF_THE_PAPER, find_algorithm
from tdrc_theory.problems import PROBLEMS, find_problem
from verify.check import Outcome
from verify.conditions.setting import Setting
from verify.conditions.verdict import decide
from verify.predict.limits.limit import step_size_limits
from verify.predict.prediction import predicted, prepared

STEPS, EVERY = 160, 32
READ = range(EVERY, STEPS + 1, EVERY)

CASES = [
    (name, algorithm.name, sampling)
    for name, _ in PROBLEMS
    for algorithm in OF_THE_PAPER
    for sampling in ("markov", "iid")
    if (name, sampling) != ("two-state", "markov")
]


def problem_of(name):
    """Return a problem; where the weights would start at a fixed point, they start elsewhere."""
    problem = find_problem(name)
    return replace(problem, initial_weights=[3]) if name == "two-state" else problem


def runs_and_prediction(name, algorithm, sampling, runs, share=Fraction(1, 8)):
    """Return the squared errors of runs at each checkpoint (runs, checkpoints), and their prediction.

    The step size is a share of the mean-square limit, so that the errors' own variance is finite too.
    """
    problem, method = problem_of(name), find_algorithm(algorithm)
    recursion = prepared(problem, method, sampling=sampling)
    limit = step_size_limits(recursion).mean_square.value
    diverges = decide(Setting.of(problem, method)).status is Outcome.NOT_CONVERGENT
    assert (limit is None) == diverges, "of these learners second moments follow the expected update"
    if limit is None:
        pytest.skip("no step size has bounded second moments")
    alpha = Fraction(limit).limit_denominator(10**6) * share
    expected = predicted(recursion, alpha, STEPS, EVERY).mspbe[1:]
    place = environment(problem, sampling, steps=STEPS, seed=7)
    run, lane = kernel(method, CONSTANT), lanes(CONSTANT, float(alpha))
    return np.array([run(place, place.trajectory(i), lane, READ).errors[:, 0] ** 2 for i in range(runs)]), expected


@pytest.mark.slow
@pytest.mark.parametrize(("name", "algorithm", "sampling"), CASES)
def test_ten_thousand_runs_of_every_kernel_agree_with_their_prediction(name, algorithm, sampling, p_value):
    """Of right predictions one in a million is refused."""
    assert p_value(*runs_and_prediction(name, algorithm, sampling, 10_000)) > 1e-6


@pytest.mark.parametrize(
    ("name", "algorithm", "sampling"),
    [
        ("random-walk-dependent", "tdrc", "markov"),
        ("baird", "tdc", "iid"),
        *(
            pytest.param(*case, marks=pytest.mark.thorough)
            for case in (
                ("boyan", "td", "markov"),
                ("boyan", "residual-gradient", "markov"),
                ("random-walk-dependent", "residual-gradient", "iid"),
            )
        ),
    ],
)
def test_some_runs_of_some_kernels_agree_with_their_prediction(name, algorithm, sampling, p_value):
    """Of right predictions one in a million is refused."""
    assert p_value(*runs_and_prediction(name, algorithm, sampling, 1_000)) > 1e-6


def test_agreement_is_not_for_the_asking(p_value):
    problem, method = problem_of("random-walk-tabular"), find_algorithm("tdrc")
    place = environment(problem, "markov", steps=STEPS, seed=7)
    run, lane = kernel(method, CONSTANT), lanes(CONSTANT, 0.125)
    result = np.array([run(place, place.trajectory(i), lane, READ).errors[:, 0] ** 2 for i in range(1_000)])
    right, wrong = (
        predicted(prepared(problem, method, sampling=sampling), Fraction(1, 8), STEPS, EVERY).mspbe[1:]
        for sampling in ("markov", "iid")
    )
    assert p_value(result, right) > 1e-6
    assert p_value(result, wrong) < 1e-9

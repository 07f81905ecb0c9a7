"""Experience has the distribution that the problem says, and a run has the same whatever is asked for besides."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

from simulate.environment import environment
from simulate.error_measure import ErrorMeasure
from tdrc_theory import PROBLEMS, Problem, TheoryError, find_problem

RARE = 1e-6
"""So rarely right samples are too far from, or too close to, their distribution."""


def loop(**changed):
    """Three states, two actions, a stochastic end and two starts."""
    fields = {
        "name": "loop",
        "gamma": "9/10",
        "features": [[1, 0], [0, 1], [1, 3]],
        "transitions": [
            (0, 0, 1, "1/3", 1),
            (0, 0, 2, "2/3", 2),
            (0, 1, -1, 1, 3),
            (1, 0, 0, 1, 4),
            (1, 1, 1, "3/4", 5),
            (1, 1, -1, "1/4", 6),
            (2, 0, 2, 1, 7),
            (2, 1, 0, 1, 8),
        ],
        "behaviour": [["1/4", "3/4"], ["1/2", "1/2"], ["1/3", "2/3"]],
        "target": [["1/2", "1/2"]] * 3,
        "start": ["1/5", 0, "4/5"],
    }
    return Problem(**{**fields, **changed})


def outcomes(problem):
    """Return {(s, s_next, reward): (probability under d, rho)}; every reward is another, so a sample names its row."""
    return {
        (s, problem.states if problem.ends(t) else t, float(r)): (problem.d[s] * problem.behaviour[s][a] * p, a)
        for s, a, t, p, r, _ in problem.transitions
    }


def samples(trajectory):
    return Counter(zip(trajectory.s.tolist(), trajectory.s_next.tolist(), trajectory.reward.tolist(), strict=True))


def chi_square(counts, expected):
    """Return the chi-square p-value of counts against exact probabilities."""
    total = sum(counts.values())
    assert set(counts) <= set(expected)
    score = sum((counts[key] - total * p) ** 2 / (total * p) for key, p in expected.items())
    return chi2.sf(score, len(expected) - 1)


def test_independent_samples_have_the_exact_frequencies():
    problem = loop(state_weights=["1/2", "1/3", "1/6"])
    exact = {key: float(p) for key, (p, _) in outcomes(problem).items()}
    counts = samples(environment(problem, "iid", steps=60_000, seed=4).trajectory(0))
    assert RARE < chi_square(counts, exact) < 1 - RARE


def test_a_trajectory_visits_states_as_the_exact_stationary_distribution_says():
    # One sample a run, long after the start: those of one trajectory depend on each other, which chi-square forbids.
    problem = loop()
    there = environment(problem, "markov", steps=60, seed=8)
    last = Counter()
    for run in range(6000):
        trajectory = there.trajectory(run)
        last[trajectory.s[-1], trajectory.s_next[-1], trajectory.reward[-1]] += 1
    exact = {key: float(p) for key, (p, _) in outcomes(problem).items()}
    assert RARE < chi_square(last, exact) < 1 - RARE


def test_a_trajectory_goes_on_where_it_arrives_and_restarts_where_it_ends():
    problem = loop()
    result = environment(problem, "markov", steps=40_000, seed=1).trajectory(0)
    arrived, left = result.s_next[:-1], result.s[1:]
    ended = arrived == problem.states
    assert (arrived[~ended] == left[~ended]).all()
    starts = Counter(left[ended].tolist())
    assert RARE < chi_square(starts, {0: 0.2, 2: 0.8}) < 1 - RARE


def test_first_states_are_drawn_from_start_or_evenly():
    firsts = environment(loop(), "markov", steps=1, seed=2)
    counts = Counter(int(firsts.trajectory(run).s[0]) for run in range(3000))
    assert RARE < chi_square(counts, {0: 0.2, 2: 0.8}) < 1 - RARE
    ring = Problem(
        name="ring",
        gamma=0.5,
        features=[[1], [2], [3]],
        transitions=[(s, 0, (s + 1) % 3, 1, 0) for s in range(3)],
        behaviour=[[1]] * 3,
        target=[[1]] * 3,
    )
    there = environment(ring, "markov", steps=1, seed=2)
    counts = Counter(int(there.trajectory(run).s[0]) for run in range(3000))
    assert RARE < chi_square(counts, dict.fromkeys(range(3), 1 / 3)) < 1 - RARE


@pytest.mark.parametrize("sampling", ["markov", "iid", "batch"])
def test_importance_ratios_belong_to_the_action_that_was_taken(sampling):
    problem = loop()
    result = environment(problem, sampling, steps=500, seed=3).trajectory(1)
    expected = {key: float(problem.rho(key[0], a)) for key, (_, a) in outcomes(problem).items()}
    seen = zip(result.s.tolist(), result.s_next.tolist(), result.reward.tolist(), strict=True)
    assert result.rho.tolist() == [expected[key] for key in seen]


def test_a_batch_draws_from_few_data_again_and_again():
    there = environment(loop(), "batch", steps=300, seed=6, batch=7, data=5)
    assert len(there.trajectory(0).s) == 2100
    assert (there.batch, there.data) == (7, 5)
    assert len(samples(there.trajectory(0))) <= 5
    assert any(samples(there.trajectory(0)).keys() != samples(there.trajectory(run)).keys() for run in range(1, 4))


def test_a_run_is_the_same_in_whatever_order_and_environment_it_is_asked_for():
    first, again = (environment(loop(), steps=70, seed=9) for _ in range(2))
    backwards = {run: again.trajectory(run) for run in (2, 1, 0)}
    for run in range(3):
        assert all((a == b).all() for a, b in zip(first.trajectory(run), backwards[run], strict=True))
    assert (first.trajectory(0).outcome != first.trajectory(1).outcome).any()
    other = environment(loop(), steps=70, seed=10)
    assert (first.trajectory(0).outcome != other.trajectory(0).outcome).any()


def test_a_longer_run_begins_like_a_shorter_one():
    short, long = (environment(loop(), steps=steps, seed=0).trajectory(0) for steps in (10, 30))
    assert (long.s[:10] == short.s).all()


def test_the_key_tells_apart_whatever_changes_the_numbers():
    base = {"steps": 7, "seed": 1}
    keys = [
        environment(problem, sampling, **{**base, **changed}).key
        for problem, sampling, changed in [
            (loop(), "markov", {}),
            (loop(), "iid", {}),
            (loop(), "batch", {}),
            (loop(), "batch", {"batch": 3}),
            (loop(), "batch", {"data": 3}),
            (loop(), "markov", {"steps": 8}),
            (loop(), "markov", {"seed": 2}),
            (loop(gamma="8/10"), "markov", {}),
            (loop(start=["1/4", 0, "3/4"]), "markov", {}),
            (loop(target=[["1/3", "2/3"]] * 3), "markov", {}),
            (loop(features=[[1, 0], [0, 1], [1, 2]]), "markov", {}),
            (loop(initial_weights=[1, 0]), "markov", {}),
            (loop(state_weights=["1/3", "1/3", "1/3"]), "markov", {}),
        ]
    ]
    assert len(set(keys)) == len(keys)
    assert environment(loop(), **base).key == environment(loop(name="another name"), **base).key


@pytest.mark.parametrize("name", [name for name, _ in PROBLEMS])
def test_the_error_is_that_of_the_exact_key_matrices(name, mspbe):
    problem = find_problem(name)
    measure = environment(problem, "iid", steps=1).error
    assert (np.tril(measure.residual, -1) == 0).all()
    weights = np.random.default_rng(0).normal(size=(problem.k, 4))
    np.testing.assert_allclose(measure(weights), np.sqrt(mspbe(problem, weights.T)), rtol=1e-9, atol=1e-12)


def test_a_measure_may_have_more_rows_than_weights():
    rng = np.random.default_rng(1)
    rows, offset, weights = rng.normal(size=(5, 2)), rng.normal(size=5), rng.normal(size=(2, 3))
    measure = ErrorMeasure(rows, offset)
    assert len(measure.residual) == 3
    np.testing.assert_allclose(measure(weights), np.linalg.norm(offset[:, None] - rows @ weights, axis=0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"steps": 0}, "--steps"),
        ({"steps": 1, "seed": -1}, "--seed"),
        ({"steps": 1, "batch": 0}, "--batch"),
        ({"steps": 1, "sampling": "batch", "data": 0}, "--data"),
        ({"steps": 1, "data": 5}, "--data"),
        ({"steps": 10**9}, "--steps"),
        ({"steps": 1, "sampling": "iid "}, "--sampling"),
    ],
)
def test_what_is_out_of_range_is_refused(arguments, message):
    with pytest.raises(TheoryError, match=message):
        environment(loop(), **arguments)


def test_a_process_averaged_over_its_policy_has_no_trajectory():
    with pytest.raises(TheoryError, match="markov is not possible"):
        environment(find_problem("two-state"), "markov", steps=1)
    assert environment(find_problem("two-state"), "iid", steps=3).trajectory(0).rho.tolist() == [1, 1, 1]


def test_the_row_after_an_episodes_end_is_zeros_and_nothing_can_be_written():
    result = environment(loop(), "iid", steps=5)
    assert result.features.tolist() == [[1, 0], [0, 1], [1, 3], [0, 0]]
    assert not result.features.flags.writeable


@pytest.mark.parametrize("sampling", ["markov", "iid"])
def test_a_second_transition_is_one_more_draw_from_the_same_state_whatever_the_first(sampling):
    there = environment(loop(), sampling, steps=60_000, seed=4)
    first = there.trajectory(0)
    second = there.again(first)
    assert (second.s == first.s).all()
    assert (there.again(first).outcome == second.outcome).all()
    result = {}
    for s, reward, *after in zip(
        *(column.tolist() for column in (first.s, first.reward, second.s_next, second.reward)), strict=True
    ):
        result.setdefault((s, reward), Counter())[s, *after] += 1
    for (s, _), counts in result.items():  # given the first ones, the second ones are independent draws
        chances = {key: float(p / loop().d[s]) for key, (p, _) in outcomes(loop()).items() if key[0] == s}
        assert chi_square(counts, chances) > RARE / len(result)


def test_the_second_transitions_of_a_run_are_of_its_own_numbers():
    short, long = (environment(loop(), steps=steps, seed=0) for steps in (10, 30))
    assert (short.again(short.trajectory(0)).s_next == long.again(long.trajectory(0)).s_next[:10]).all()
    there = environment(loop(), "iid", steps=200, seed=0)
    first, other = (there.again(there.trajectory(run)) for run in (0, 1))
    assert (first.s_next != other.s_next).any()
    assert (first.reward != there.trajectory(0).reward).any()

"""Problems from Gymnasium's published tables, against a dense computation in floating point from the same tables."""

import subprocess
import sys
import warnings
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import END, key_matrices
from tdrc_theory.errors import BadOption, BadProblem, MissingExtra, TheoryError
from tdrc_theory.problems import find_problem

SIZES = [("FrozenLake-v1", 16, 4), ("CliffWalking-v1", 48, 4), ("Taxi-v3", 500, 6)]
SMALL = ["FrozenLake-v1", "CliffWalking-v1"]


def published(environment_id):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import gymnasium
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = gymnasium.make(environment_id).unwrapped
    return env.P, np.array(env.initial_state_distrib, dtype=float)


@pytest.mark.parametrize(("environment_id", "states", "actions"), SIZES)
def test_a_table_has_one_feature_a_state_and_uniform_behaviour(environment_id, states, actions):
    problem = find_problem(f"gymnasium:{environment_id}", target="uniform")
    assert (problem.states, problem.k, problem.actions) == (states, states, actions)
    assert problem.features == tuple(tuple(int(i == s) for i in range(states)) for s in range(states))
    assert set(problem.behaviour) == {(Fraction(1, actions),) * actions}
    assert problem.target == problem.behaviour
    assert problem.gamma == Fraction(99, 100)
    assert problem.name == f"gymnasium:{environment_id}"
    assert sum(problem.d) == 1


def test_another_target_policy_is_refused_by_name():
    with pytest.raises(BadOption, match="--target: 'greedier' is none; allowed: greedy, uniform"):
        find_problem("gymnasium:FrozenLake-v1", target="greedier")


def test_the_thirds_of_frozen_lake_are_thirds():
    problem = find_problem("gymnasium:FrozenLake-v1")
    # A slip into a wall may add two or three thirds up.
    assert {t.probability for t in problem.transitions} == {Fraction(1, 3), Fraction(2, 3), Fraction(1)}
    assert problem.start == (1, *(0,) * 15)


def test_the_starts_of_taxi_are_equally_likely_fractions():
    start = find_problem("gymnasium:Taxi-v3", target="uniform").start
    assert set(start) == {0, Fraction(1, 300)}


@pytest.mark.parametrize("environment_id", SMALL)
def test_an_episode_ends_where_the_table_says_so(environment_id):
    table, _ = published(environment_id)
    problem = find_problem(f"gymnasium:{environment_id}")
    ending = {(s, a) for s in table for a in table[s] for p, _, _, ended in table[s][a] if ended and p}
    assert ending
    assert {(t.s, t.a) for t in problem.transitions if t.s_next == END} == ending
    assert problem.terminal == ()


def test_every_cliff_step_pays_what_the_table_says():
    problem = find_problem("gymnasium:CliffWalking-v1")
    assert {t.reward for t in problem.transitions} == {-1, -100}


@pytest.mark.parametrize("environment_id", SMALL)
@pytest.mark.parametrize("target", ["uniform", "greedy"])
def test_the_key_matrices_agree_with_a_dense_computation(environment_id, target):
    table, start = published(environment_id)
    problem = find_problem(f"gymnasium:{environment_id}", target=target)
    S, A = len(table), len(table[0])
    pi = np.array([[float(p) for p in row] for row in problem.target])
    chain, onward, paid = np.zeros((S, S)), np.zeros((S, S)), np.zeros(S)
    for s in range(S):
        for a in range(A):
            for p, s_next, reward, ended in table[s][a]:
                chain[s] += p / A * (start if ended else np.eye(S)[s_next])
                onward[s, s_next] += pi[s, a] * p * (not ended)
                paid[s] += pi[s, a] * p * reward
    # d (chain - I) = 0 and sum(d) = 1, by least squares.
    system = np.vstack([chain.T - np.eye(S), np.ones(S)])
    d = np.linalg.lstsq(system, np.eye(S + 1)[S], rcond=None)[0]
    key = key_matrices(problem)
    np.testing.assert_allclose(key.C.to_float(), np.diag(d), atol=1e-12)
    np.testing.assert_allclose(key.A.to_float(), d[:, None] * (np.eye(S) - 0.99 * onward), atol=1e-12)
    np.testing.assert_allclose(key.b.to_float().ravel(), d * paid, atol=1e-10)


@pytest.mark.parametrize("environment_id", SMALL)
def test_the_greedy_policy_is_optimal(environment_id):
    table, _ = published(environment_id)
    problem = find_problem(f"gymnasium:{environment_id}", target="greedy")
    S, A = len(table), len(table[0])
    policy = [row.index(1) for row in problem.target]
    assert all(sum(row) == 1 for row in problem.target)
    onward, paid = np.zeros((S, A, S)), np.zeros((S, A))
    for s in range(S):
        for a in range(A):
            for p, s_next, reward, ended in table[s][a]:
                onward[s, a, s_next] += p * (not ended)
                paid[s, a] += p * reward
    chosen = (np.arange(S), policy)
    value = np.linalg.solve(np.eye(S) - 0.99 * onward[chosen], paid[chosen])
    # Bellman's optimality equation, and the lowest-numbered of the best actions.
    action_values = paid + 0.99 * onward @ value
    np.testing.assert_allclose(action_values.max(axis=1), value, atol=1e-9)
    best = np.isclose(action_values, value[:, None], rtol=0, atol=1e-8)
    assert policy == [int(row.argmax()) for row in best]


def test_greedy_is_the_default_and_the_notes_say_how_it_was_found():
    default, uniform = (find_problem("gymnasium:FrozenLake-v1", target=target) for target in (None, "uniform"))
    assert default == find_problem("gymnasium:FrozenLake-v1", target="greedy")
    assert any("value iteration" in note for note in default.notes)
    assert not any("value iteration" in note for note in uniform.notes)


@pytest.mark.parametrize("target", ["uniform", "greedy"])
def test_the_notes_say_that_floats_were_read_as_fractions(target):
    notes = find_problem("gymnasium:FrozenLake-v1", target=target).notes
    assert any("0.3333333333333333 as 1/3" in note for note in notes)


@pytest.mark.parametrize("gamma", [Fraction(0), Fraction(1, 2), Fraction(1)])
def test_any_discount_in_the_unit_interval_is_taken(gamma):
    assert find_problem("gymnasium:FrozenLake-v1", gamma=gamma).gamma == gamma


@pytest.mark.parametrize("gamma", [Fraction(-1, 2), Fraction(2)])
def test_another_discount_is_refused(gamma):
    with pytest.raises(BadOption, match=r"^--gamma: .* is not in \[0, 1\]$"):
        find_problem("gymnasium:FrozenLake-v1", gamma=gamma)


@pytest.mark.parametrize("option", [{"gamma": Fraction(1, 2)}, {"target": "greedy"}])
def test_other_problems_do_not_take_these_options(option):
    with pytest.raises(BadOption, match="only gymnasium:ID and model files take it"):
        find_problem("baird", **option)


@pytest.mark.parametrize(
    ("environment_id", "expected"),
    [
        ("NoSuchLake-v1", "NoSuchLake"),
        ("FrozenLake-v99", "v99"),
        ("FrozenLake-v0", "v0"),
        ("", "is not of the form"),
        ("two\nlines", "Malformed"),
        ("no_such_module:Lake-v1", "no_such_module"),
        ("a:b:c", "is not of the form"),
        ("CartPole-v1", "publishes no transition table"),
        ("Blackjack-v1", "publishes no transition table"),
    ],
)
def test_an_environment_without_a_table_is_refused_on_one_line(environment_id, expected):
    with pytest.raises(TheoryError) as caught:
        find_problem(f"gymnasium:{environment_id}")
    message = str(caught.value)
    assert isinstance(caught.value, BadProblem)
    assert len(message.splitlines()) == 1
    assert message.startswith("gymnasium:")
    assert expected in message


def test_without_gymnasium_the_message_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(MissingExtra) as caught:
        find_problem("gymnasium:FrozenLake-v1")
    assert len(str(caught.value).splitlines()) == 1
    assert "pip install 'tdrc-referee[gymnasium]'" in str(caught.value)


def test_an_environment_that_is_refused_prints_nothing_else():
    # Gymnasium warns of old versions in colour, which is not the one line that is promised.
    command = [sys.executable, "-m", "verify.conditions", "gymnasium:FrozenLake-v0"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert len(ran.stderr.splitlines()) == 1

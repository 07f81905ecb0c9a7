"""Policies come in as rows, as actions and as Q tables, ties are told, and states may have actions of their own."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem, load_problem
from tdrc_theory.errors import BadProblem

BEHAVIOUR = [["1/2", "1/4", "1/4"]] * 3


def problem(**changes):
    """Return three states and three actions: action a of state s leads to s + a, modulo 3, and pays a."""
    fields = {
        "name": "round",
        "gamma": "9/10",
        "features": [[1, 0], [0, 1], [1, 1]],
        "transitions": [(s, a, (s + a) % 3, 1, a) for s in range(3) for a in range(3)],
        "behaviour": BEHAVIOUR,
        "target": BEHAVIOUR,
    }
    return Problem(**fields | changes)


def rows(*actions):
    return tuple(tuple(Fraction(int(a == b)) for a in range(3)) for b in actions)


@pytest.mark.parametrize(
    "actions",
    [[2, 0, 1], (2, 0, 1), np.array([2, 0, 1]), [2, [1, 0, 0], (0, 1, 0)], [np.int64(2), 0, np.array([0, 1, 0])]],
)
def test_a_policy_may_be_an_action_a_state(actions):
    assert problem(target=actions).target == rows(2, 0, 1)


def test_both_policies_may_be_actions():
    assert problem(behaviour=[1, 1, 2], target=(1, 1, 2)).behaviour == rows(1, 1, 2)


def test_an_action_that_behaviour_never_takes_is_refused():
    with pytest.raises(BadProblem, match="behaviour, state 1: gives action 2 probability 0 but target gives it 1"):
        problem(behaviour=[0, 0, 0], target=[0, 2, 0])


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ([3, 0, 0], "target, state 0: 3 is not one of the 3 actions"),
        ([0.0, 1, 2], "target, state 0: 0.0 is neither a list nor the number of an action; allowed: a row of prob"),
        ([True, 1, 2], "target, state 0: True is neither"),
        ([0, 1], "target: 2 entries for 3 states"),
        ({"greedy": BEHAVIOUR, "epsilon": 1}, "target: .* is no policy; allowed: "),
        ({"best": BEHAVIOUR}, "target: .* is no policy; allowed: "),
        ({"epsilon-greedy": BEHAVIOUR, "epsilon": "3/2"}, r"target, epsilon: 3/2 is not in \[0, 1\]"),
        ({"greedy": [[1, 2, 3], [1, 2, "x"], [1, 2, 3]]}, "target, state 1, entry 2: 'x' is not a number"),
    ],
)
def test_another_form_is_refused_with_those_allowed(policy, message):
    with pytest.raises(BadProblem, match=message):
        problem(target=policy)


Q = [[0, 2, 1], [5, 5, 4], [-1, -3, -1]]


def test_a_greedy_policy_takes_the_lowest_numbered_of_the_best_and_tells_ties():
    greedy = problem(target={"greedy": Q})
    assert greedy.target == rows(1, 0, 0)
    (note,) = greedy.notes
    assert note == "target, states 1, 2: several actions have the largest value; greedy takes the lowest-numbered"
    assert problem(target={"greedy": [[0, 2, 1], [5, 6, 4], [-1, -3, 0]]}).notes == ()


def test_an_epsilon_greedy_policy_shares_epsilon_among_all_actions():
    mixed = problem(behaviour={"epsilon-greedy": np.array(Q), "epsilon": 0.3})
    assert mixed.behaviour[0] == (Fraction(1, 10), Fraction(8, 10), Fraction(1, 10))
    assert mixed.behaviour[2] == (Fraction(8, 10), Fraction(1, 10), Fraction(1, 10))
    assert "behaviour, states 1, 2: several actions" in " ".join(mixed.notes)


def test_floats_that_differ_by_rounding_tie_and_exact_numbers_do_not():
    values = [[0.1 + 0.2, 0.3, 0.0]] * 3
    assert problem(target={"greedy": values}).notes[-1].startswith("target, states 0, 1, 2: several actions")
    exact = [["1/3", Fraction(1, 3) + Fraction(1, 10**12), 0]] * 3
    assert problem(target={"greedy": exact}).target == rows(1, 1, 1)


def test_states_may_have_actions_of_their_own():
    few = [(0, 0, 1, 1, 0), (1, 0, 2, 1, 1), (1, 1, 0, 1, 0), (2, 0, 0, 1, 2), (2, 1, 1, 1, 0), (2, 2, 2, 1, 0)]
    ragged = problem(transitions=few, behaviour=[[1], ["1/2", "1/2"], BEHAVIOUR[0]], target=[[1], [0, 1], [0, 0, 1]])
    full = problem(
        transitions=few,
        behaviour=[[1, 0, 0], ["1/2", "1/2", 0], BEHAVIOUR[0]],
        target=[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    )
    assert ragged == full
    greedy = problem(
        transitions=few, behaviour=[[1], ["1/2", "1/2"], BEHAVIOUR[0]], target={"greedy": [[1], [2, 1], [0, 0, 1]]}
    )
    assert greedy.target == rows(0, 0, 2)


def test_a_row_too_short_for_the_transitions_is_refused():
    with pytest.raises(BadProblem, match="behaviour, state 1: 2 numbers, state 0 has 3; each needs one for every act"):
        problem(behaviour=[BEHAVIOUR[0], ["1/2", "1/2"], BEHAVIOUR[0]])


def test_a_file_holds_the_same_forms(tmp_path):
    path = tmp_path / "round.toml"
    text = """
name = "round"
gamma = 0.9
features = [[1, 0], [0, 1], [1, 1]]
[mdp]
transitions = [[0, 0, 0, 1, 0], [0, 1, 1, 1, 0], [1, 0, 1, 1, 0], [1, 1, 2, 1, 0], [2, 0, 2, 1, 0], [2, 1, 0, 1, 0]]
behaviour = { epsilon-greedy = [[0, 1], [2e-1, 1], [".5", 0.5]], epsilon = 0.2 }
target = [1, 1, 0]
"""
    path.write_text(text, encoding="utf-8")
    read = load_problem(path)
    assert read.behaviour == ((Fraction(1, 10), Fraction(9, 10)),) * 2 + ((Fraction(9, 10), Fraction(1, 10)),)
    assert read.target == ((0, 1), (0, 1), (1, 0))
    assert read.notes == (
        "behaviour, state 2: several actions have the largest value; epsilon-greedy takes the lowest-numbered",
    )

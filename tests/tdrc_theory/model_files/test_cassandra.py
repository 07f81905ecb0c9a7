"""Cassandra's files of MDPs: every form of T, R and start of the specification, against the numbers written out."""

from fractions import Fraction

import pytest

from tdrc_theory.problems import find_problem

HEAD = "discount: 0.95\nvalues: reward\nstates: a b c\nactions: go stay\n"
THIRD = Fraction(1, 3)


def moves(problem):
    return {(t.s, t.a, t.s_next): (t.probability, t.reward) for t in problem.transitions}


def test_names_numbers_wildcards_rows_and_matrices_fill_the_same_tables(write):
    text = HEAD + (
        "T: go : a : b 0.25\nT: go : 0 : c 0.75  # by number\nT : go : b\n0.5 0.5 0\nT: 0 : c uniform\n"
        "T: stay\nidentity\nR: * : * : * 1\nR: go : a : * -2\nR: stay : c\n0 0 7\nR: go : b : a : * 3\n"
    )
    problem = find_problem(write(mdp=text))
    assert (problem.gamma, problem.states, problem.actions) == (Fraction(19, 20), 3, 2)
    assert moves(problem) == {
        (0, 0, 1): (Fraction(1, 4), -2),
        (0, 0, 2): (Fraction(3, 4), -2),
        (1, 0, 0): (Fraction(1, 2), 3),
        (1, 0, 1): (Fraction(1, 2), 1),
        **{(2, 0, t): (THIRD, 1) for t in range(3)},
        (0, 1, 0): (1, 1),
        (1, 1, 1): (1, 1),
        (2, 1, 2): (1, 7),
    }


def test_a_matrix_of_numbers_is_by_state_and_next_state_and_later_entries_replace_earlier_ones(write):
    text = (
        HEAD
        + "T: * uniform\nT: go\n0 1 0\n0 0 1\n1 0 0\nT: stay : b : * 0\nT: stay : b : a 1\nR: go\n1 2 3\n4 5 6\n7 8 9\n"
    )
    known = moves(find_problem(write(MDP=text)))
    assert {key: value for key, value in known.items() if key[1] == 0} == {
        (0, 0, 1): (1, 2),
        (1, 0, 2): (1, 6),
        (2, 0, 0): (1, 7),
    }
    assert {key for key in known if key[:2] == (1, 1)} == {(1, 1, 0)}


def test_costs_are_negative_rewards(write):
    text = HEAD.replace("reward", "cost") + "T: * uniform\nR: go : * : * 2\n"
    assert {t.reward for t in find_problem(write(mdp=text)).transitions} == {-2, 0}


@pytest.mark.parametrize(
    ("written", "start"),
    [
        ("start: 0.5 0.25 0.25", (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))),
        ("start: b", (0, 1, 0)),
        ("start: 2", (0, 0, 1)),
        ("start: uniform", (THIRD, THIRD, THIRD)),
        ("start include: a c", (Fraction(1, 2), 0, Fraction(1, 2))),
        ("start exclude: 0", (0, Fraction(1, 2), Fraction(1, 2))),
        ("", None),
    ],
)
def test_every_form_of_a_start(write, written, start):
    problem = find_problem(write(mdp=HEAD + written + "\nT: * uniform\nR: * : * : * 1\n"))
    assert problem.start == start


def test_numbers_of_states_and_actions_will_do(write):
    problem = find_problem(write(mdp="states: 2\nactions: 1\nT: 0\n0.5 0.5\n1.0 0.0\nR: 0 : 1 : 0 1.5\n"))
    assert moves(problem) == {
        (0, 0, 0): (Fraction(1, 2), 0),
        (0, 0, 1): (Fraction(1, 2), 0),
        (1, 0, 0): (1, Fraction(3, 2)),
    }
    assert problem.gamma == Fraction(99, 100)


def test_the_discount_of_the_file_gives_way_to_one_that_is_asked_for(write):
    path = write(mdp=HEAD + "T: * uniform\nR: * : * : * 1\n")
    assert find_problem(path, gamma=Fraction(1, 2)).gamma == Fraction(1, 2)

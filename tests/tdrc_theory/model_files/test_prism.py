"""PRISM's explicit files, read as its manual defines them, with values computed from the numbers alone."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.problems import find_problem

# Knuth and Yao's die by fair coins: states 1 to 6 flip, 7 to 12 are the faces.
FLIPS = {0: (1, 2), 1: (3, 4), 2: (5, 6), 3: (1, 7), 4: (8, 9), 5: (10, 11), 6: (2, 12)}
DIE = "13 20\n" + "".join(f"{s} {t} 0.5\n" for s, ways in FLIPS.items() for t in ways)
DIE += "".join(f"{s} {s} 1\n" for s in range(7, 13))
COUNT = "# Reward structure\n13 7\n" + "".join(f"{s} 1\n" for s in FLIPS)


def test_a_die_by_coins_takes_eleven_thirds_flips(write, values):
    path = write(tra=DIE, srew=COUNT, lab='0="init" 1="deadlock"\n0: 0\n')
    problem = find_problem(path, gamma=Fraction(1))
    assert (problem.states, problem.actions, problem.terminal) == (13, 1, (7, 8, 9, 10, 11, 12))
    assert problem.start == (1, *(0,) * 12)
    assert values(problem)[0] == Fraction(11, 3)


def test_each_face_of_the_die_has_probability_one_sixth(write, values):
    for face in range(7, 13):
        to_face = [s for s, ways in FLIPS.items() if face in ways]
        trew = "13 1\n" + "".join(f"{s} {face} 1\n" for s in to_face)
        assert values(find_problem(write(tra=DIE, trew=trew), gamma=Fraction(1)))[0] == Fraction(1, 6)


def test_without_labels_an_episode_starts_in_state_0(write):
    assert find_problem(write(tra=DIE, srew=COUNT)).start == (1, *(0,) * 12)


def test_several_initial_states_are_equally_likely(write):
    problem = find_problem(write(tra=DIE, srew=COUNT, lab='0="deadlock" 3="init"\n1: 3\n2: 0 3\n5: 3\n9: 0\n'))
    assert {s: share for s, share in enumerate(problem.start) if share} == {s: Fraction(1, 3) for s in (1, 2, 5)}


def test_an_mdp_has_the_choices_of_each_state_and_the_greedy_policy_is_the_best(write, robot, values):
    trew = "6 10 2\n1 1 2 5\n5 0 2 3\n"
    problem = find_problem(write(tra=robot, srew="6 2\n4 -1\n5 -1/2\n", trew=trew), gamma=Fraction(9, 10))
    assert (problem.states, problem.actions, problem.terminal) == (6, 2, (2, 3))
    assert all(sum(row) == 1 for s, row in enumerate(problem.behaviour) if s not in (2, 3))
    half = Fraction(1, 2)
    assert problem.behaviour[0] == problem.behaviour[4] == (half, half)
    assert {t[:5] for t in problem.transitions if t.s == 5} == {
        (5, 0, 2, Fraction(9, 10), Fraction(5, 2)),
        (5, 0, 5, Fraction(1, 10), -half),
        (5, 1, 4, 1, -half),
    }
    best = values(problem)
    for choice in product((0, 1), repeat=4):
        policy = dict(zip((0, 1, 4, 5), choice, strict=True))
        rows = [[int(a == policy.get(s, 0)) for a in range(2)] for s in range(6)]
        assert all(v <= most for v, most in zip(values(replace(problem, target=rows)), best, strict=True))


def test_a_state_without_transitions_ends_an_episode(write, values):
    problem = find_problem(
        write(tra="4 3 4\n0 0 1 1/3 go\n0 0 2 2/3 go\n1 0 3 1 on\n2 0 0 1\n", srew="4 1\n1 6\n"), gamma=1
    )
    assert problem.terminal == (3,)
    # v(0) = v(1) / 3 + 2 v(0) / 3 with v(1) = 6
    assert values(problem)[:3] == [6, 6, 6]


def test_a_state_that_lacks_a_choice_is_not_asked_for_it(write):
    problem = find_problem(write(tra="3 3 3\n0 0 1 1\n0 1 2 1\n1 0 0 1\n", srew="3 1\n0 1\n"))
    assert problem.behaviour == ((Fraction(1, 2), Fraction(1, 2)), (1, 0), (0, 0))
    assert problem.target[1] == (1, 0)


def test_printed_floats_are_read_as_fractions_and_short_decimals_as_written(write):
    thirds = "2 3\n0 0 0.3333333333333333\n0 1 0.6666666666666667\n1 0 1\n"
    problem = find_problem(write(tra=thirds, srew="2 2\n0 1e-3\n1 0.25\n"))
    assert [t.probability for t in problem.transitions] == [Fraction(1, 3), Fraction(2, 3), 1]
    assert [t.reward for t in problem.transitions] == [Fraction(1, 1000)] * 2 + [Fraction(1, 4)]
    assert any("15 digits" in note for note in problem.notes)


def test_rounded_probabilities_are_divided_by_their_sum_where_that_is_asked_for(write):
    rounded = "2 4\n0 0 0.33333\n0 1 0.6666699\n1 0 0.5\n1 1 0.5\n"
    problem = find_problem(write(tra=rounded, srew="2 1\n0 1\n"), normalise=True)
    assert sum(t.probability for t in problem.transitions if t.s == 0) == 1
    assert problem.normalised is not None


def test_a_chain_that_never_returns_to_a_state_takes_weights_by_an_option(write, robot, values):
    """Its two dead ends pay, so that no episode ends there, and the chain has no one stationary distribution."""
    path = write(tra=robot, srew="6 6\n" + "".join(f"{s} 1\n" for s in range(6)))
    with pytest.raises(BadProblem, match=r"or give state_weights \(--state-weights\)$"):
        find_problem(path)
    problem = find_problem(path, gamma=Fraction(9, 10), state_weights="uniform")
    assert problem.d == (Fraction(1, 6),) * 6
    assert values(problem) == [10] * 6
    assert find_problem(path, state_weights=[0, 0, "1/2", "1/2", 0, 0]).d[2] == Fraction(1, 2)
    with pytest.raises(BadOption, match=r"--state-weights: 'even' is none; allowed: stationary, uniform, or FILE\.npy"):
        find_problem(path, state_weights="even")


def test_uniform_weights_leave_out_where_episodes_end(write):
    problem = find_problem(write(tra=DIE, srew=COUNT), state_weights="uniform")
    assert problem.d == (*(Fraction(1, 7),) * 7, *(0,) * 6)

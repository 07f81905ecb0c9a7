"""A problem built from Python values."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import END, Problem, find_problem, key_matrices, sqrt
from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.problems import PROBLEMS


@pytest.mark.parametrize("half", [Fraction(1, 2), 0.5, "0.5", "1/2", Decimal("0.5"), np.float32(0.5)])
def test_numbers_of_every_kind_mean_the_same(half):
    result = Problem(
        name="coin",
        gamma=half,
        features=[[1], [half]],
        transitions=[(0, 0, 1, half, 1), (0, 0, END, half, half), (1, 0, 0, 1, 0)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
        start=[half, half],
    )
    assert (result.gamma, result.features[1][0], result.start) == (Fraction(1, 2),) * 2 + ((Fraction(1, 2),) * 2,)


def test_a_problem_does_not_change_and_can_be_replaced():
    problem = find_problem("boyan")
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.gamma = 0
    other = dataclasses.replace(problem, gamma="1/2")
    assert (other.gamma, other.transitions, problem.gamma) == (Fraction(1, 2), problem.transitions, 1)


def test_square_roots_are_exact_in_features_and_refused_elsewhere():
    problem = find_problem("random-walk-dependent")
    assert problem.features[1][0] ** 2 == Fraction(1, 2)
    with pytest.raises(BadProblem, match=r"gamma: .*irrational"):
        dataclasses.replace(problem, gamma=sqrt(Fraction(1, 2)))


DESCRIBED = {
    "baird": (7, 8, Fraction(99, 100)),
    "random-walk-tabular": (5, 5, 1),
    "random-walk-inverted": (5, 5, 1),
    "random-walk-dependent": (5, 3, 1),
    "boyan": (13, 4, 1),
    "two-state": (2, 1, Fraction(99, 100)),
    "theta-2theta": (2, 1, Fraction(9, 10)),
    "theta-2theta-ending": (3, 1, (Fraction(9, 10), Fraction(9, 10), 0)),
    "five-state": (5, 3, (0, 1, 1, 1, 0)),
}
"""States, features and gamma."""


def test_every_built_in_problem_is_described_here():
    assert set(DESCRIBED) == {name for name, _ in PROBLEMS}


@pytest.mark.parametrize("name", DESCRIBED)
def test_every_problem_is_as_it_is_described(name):
    problem = find_problem(name)
    assert (problem.states, problem.k, problem.gamma, problem.name) == (*DESCRIBED[name], name)
    if name.startswith("random-walk"):
        assert problem.d == tuple(Fraction(n, 9) for n in (1, 2, 3, 2, 1))
    if name in ("random-walk-inverted", "random-walk-dependent"):
        assert all(sum((v * v for v in row), Fraction(0)) == 1 for row in problem.features)
    if name == "five-state":
        assert problem.d == tuple(Fraction(n, 31) for n in (16, 8, 4, 2, 1))
    if name == "theta-2theta-ending":
        assert problem.d == tuple(Fraction(n, 111) for n in (100, 10, 1))
    if name == "boyan":
        assert problem.features[5] == (0, Fraction(3, 4), Fraction(1, 4), 0)
        assert {t.reward for t in problem.transitions if t.s_next == END} == {-2}
        assert {t.reward for t in problem.transitions if t.s_next != END} == {-3}


def test_boyan_weights_are_those_of_its_own_chain():
    problem = find_problem("boyan")
    visits = [Fraction(1)] + [Fraction(0)] * 12
    for s in range(1, 13):
        forced = s == 12
        visits[s] = (visits[s - 1] if forced else visits[s - 1] / 2) + (visits[s - 2] / 2 if s >= 2 else 0)
    assert problem.d == tuple(v / sum(visits) for v in visits)


def test_the_walk_starts_at_the_mspbe_that_its_rewards_imply():
    _, b, C = key_matrices(find_problem("random-walk-tabular"))
    inverse = C.solve(b)
    assert (b.T @ inverse)[0, 0] == Fraction(13, 225)


def test_bairds_problem_starts_from_three_above_and_twelve_below():
    baird = find_problem("baird")
    values = [sum(x * w for x, w in zip(row, baird.initial_weights, strict=True)) for row in baird.features]
    assert values == [3, 3, 3, 3, 3, 3, 12]


def test_a_problem_is_found_as_it_is_but_for_options_of_another_kind():
    baird = find_problem("baird")
    assert find_problem(baird) is baird
    with pytest.raises(BadOption, match="only gymnasium:ID and model files take it; baird"):
        find_problem(baird, gamma=Fraction(1, 2))


def walk_to(end, reward=0):
    """Return the walk between two ends, of which the right one has the features `end`, and is reached with a reward."""
    steps = [(s, 0, s + move, "1/2", reward if s + move == 4 else 0) for s in (1, 2, 3) for move in (-1, 1)]
    unit = [[int(i == s) for i in range(3)] for s in range(3)]
    return Problem(
        name="walk",
        gamma="9/10",
        features=[[0, 0, 0], *unit, end],
        transitions=steps,
        behaviour=[[1]] * 5,
        target=[[1]] * 5,
        terminal=[0, 4],
        start=[0, 0, 1, 0, 0],
    )


def test_features_of_an_end_that_are_not_zeros_are_read_as_zeros_with_a_note_of_what_to_write_instead():
    assert key_matrices(walk_to([1, 1, 1])) == key_matrices(walk_to([0, 0, 0]))
    (note,) = walk_to([1, 1, 1]).notes
    assert note.startswith("features, state 4: an episode ends there, so they are read as zeros")
    assert walk_to([0, 0, 0]).notes == ()
    # The end's value is 1 and gamma 9/10: V = gamma P V + gamma (0, 0, 1/2).
    P = np.array([[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]])
    values = np.linalg.solve(np.eye(3) - 0.9 * P, [0, 0, 0.45])
    A, b, _ = key_matrices(walk_to([0, 0, 0], reward="9/10"))
    assert np.allclose(np.linalg.solve(A.to_float(), b.to_float())[:, 0], values)


def test_the_note_names_every_end_and_outlives_a_replacement():
    pairs = [[[1, 0], [0, 1]], [[0, 0], [0, 0]], [[0, 0], [0, sqrt(2)]]]
    problem = Problem(
        name="pairs",
        gamma=1,
        features=pairs,
        transitions=[(0, 0, 1, 1, 0), (0, 1, 2, 1, 0)],
        behaviour=[["1/2", "1/2"]] * 3,
        target=[[1, 0]] * 3,
        terminal=[1, 2],
        start=[1, 0, 0],
    )
    assert [note.split(":")[0] for note in problem.notes] == ["features, state 2"]
    assert dataclasses.replace(problem, gamma=0).notes == problem.notes

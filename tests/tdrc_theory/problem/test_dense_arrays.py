"""Dense arrays become transitions in the order that they are in, and no order is guessed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem, key_matrices
from tdrc_theory.errors import BadProblem


def arrays(**changes):
    rng = np.random.default_rng(3)
    P = rng.integers(1, 5, (3, 2, 3)) / 1
    arguments = {
        "name": "arrays",
        "gamma": 0.9,
        "features": rng.integers(-2, 3, (3, 2)),
        "P": P / P.sum(axis=2, keepdims=True),
        "R": rng.integers(-2, 3, (3, 2, 3)),
        "behaviour": np.full((3, 2), 0.5),
        "target": np.array([[0.25, 0.75], [0.1, 0.9], [1.0, 0.0]]),
    }
    return {**arguments, **changes}


def test_numpy_arrays_become_the_fractions_that_were_meant():
    problem = Problem.from_arrays(**arrays())
    assert problem.gamma == Fraction(9, 10)
    assert problem.target[1] == (Fraction(1, 10), Fraction(9, 10))
    assert all(p.probability.denominator <= 12 for p in problem.transitions)
    assert any("simplest fractions" in note for note in problem.notes)


def test_dense_arrays_give_the_key_matrices_of_a_plain_numpy_computation():
    arguments = arrays()
    A, b, C = (matrix.to_float() for matrix in key_matrices(Problem.from_arrays(**arguments)))
    P, R, x, target = arguments["P"], arguments["R"], arguments["features"], arguments["target"]
    chain = np.einsum("sa,sat->st", arguments["behaviour"], P)
    values, vectors = np.linalg.eig(chain.T)
    d = np.real(vectors[:, np.argmax(values.real)])
    d = np.diag(d / d.sum())
    P_pi, R_pi = np.einsum("sa,sat->st", target, P), np.einsum("sa,sat,sat->s", target, P, R)
    assert np.allclose(C, x.T @ d @ x)
    assert np.allclose(A, x.T @ d @ (x - 0.9 * P_pi @ x))
    assert np.allclose(b[:, 0], x.T @ d @ R_pi)


def test_rewards_may_be_given_by_state_and_action():
    by_action = Problem.from_arrays(**arrays(R=np.arange(6).reshape(3, 2)))
    assert {(t.s, t.a): t.reward for t in by_action.transitions}[2, 1] == 5


@pytest.mark.parametrize("by_transition", [True, False])
def test_arrays_by_action_first_are_the_same_problem(by_transition):
    arguments = arrays() if by_transition else arrays(R=np.arange(6).reshape(3, 2))
    turned = arguments | {"P": np.swapaxes(arguments["P"], 0, 1)}
    turned |= {"R": np.swapaxes(arguments["R"], 0, 1)} if by_transition else {}
    problem = Problem.from_arrays(**arguments)
    assert Problem.from_arrays(**turned) == problem
    assert Problem.from_arrays(**turned, order="ASS") == problem
    assert Problem.from_arrays(**arguments, order="SAS") == problem


ADVERTISE = {
    "name": "two states and two actions, by action first",
    "gamma": 0.9,
    "features": [[1, 0], [0, 1]],
    "P": [[[0.5, 0.5], [0.4, 0.6]], [[0.8, 0.2], [0.7, 0.3]]],
    "R": [[6, 4], [-3, -5]],
    "behaviour": [["1/2", "1/2"]] * 2,
    "target": [[0, 1]] * 2,
}


@pytest.mark.parametrize("order", ["ASS", "SAS"])
def test_as_many_states_as_actions_have_the_values_of_the_order_that_is_named(order):
    A, b, _ = (matrix.to_float() for matrix in key_matrices(Problem.from_arrays(**ADVERTISE, order=order)))
    P, R = np.array(ADVERTISE["P"]), np.array(ADVERTISE["R"])
    evaluated = P[1] if order == "ASS" else P[:, 1]
    values = np.linalg.solve(np.eye(2) - 0.9 * evaluated, R[:, 1])
    assert np.allclose(np.linalg.solve(A, b)[:, 0], values)
    assert np.allclose(values, [22.20, 12.31] if order == "ASS" else [1.73, -5.35], atol=0.005)


def test_as_many_states_as_actions_need_the_order():
    with pytest.raises(
        BadProblem, match=r"P: its shape \(2, 2, 2\) is .* S = A = 2; write order='SAS' for .*'ASS' for"
    ):
        Problem.from_arrays(**ADVERTISE)


def test_a_state_that_lists_fewer_actions_leaves_one_order():
    arguments = arrays(features=[[1], [2]], P=[[[0, 1]], [[1, 0], [0, 1]]], R=[[0], [1, 2]])
    arguments |= {"behaviour": [[1, 0], ["1/2", "1/2"]], "target": [[1, 0], [0, 1]]}
    assert len(Problem.from_arrays(**arguments).transitions) == 3


def test_rows_of_a_terminal_state_may_be_empty():
    arguments = arrays(P=[[[0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 0, 1]], []], R=[[0, 1], [2, 3], []])
    arguments |= {"behaviour": [["1/2", "1/2"]] * 2 + [[]], "target": [[1, 0]] * 2 + [[]]}
    assert len(Problem.from_arrays(**arguments, terminal=iter([2]), start=[1, 0, 0]).transitions) == 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"P": np.ones((4, 2, 3))},
            r"P: its shape is \(4, 2, 3\); allowed: \(S, A, S\) = \(3, 2, 3\) or \(A, S, S\) = ",
        ),
        ({"order": "ASS"}, r"P: its shape is \(3, 2, 3\); allowed: \(A, S, S\) = \(2, 3, 3\), since features have 3"),
        ({"order": "SSA"}, r"order: 'SSA' is neither 'SAS', P\[s\]\[a\]\[s_next\], nor 'ASS'"),
        ({"P": np.ones((3, 2, 4)) / 4}, "P, state 0, action 0: 4 entries for 3 states"),
        ({"P": np.ones(3)}, r"P, entry 0: .*1.0.* is not a list"),
        (
            {"R": [[0, 0], [0, 0]]},
            r"R: its shape is \(2, 2\); allowed: \(S,\) = \(3,\), \(S, A\) = \(3, 2\), or \(S, A, S\) = \(3, 2, 3\)",
        ),
        ({"R": np.ones((3, 3))}, r"R: its shape is \(3, 3\)"),
        ({"R": np.ones((2, 3, 3))}, r"R: its shape is \(2, 3, 3\)"),
        ({"R": np.ones((3, 2, 2))}, "R, state 0, action 0: 2 entries for 3 states"),
        ({"R": [[0, 0], [0, 0], [0]]}, "R, state 2, action 1: no reward"),
    ],
)
def test_another_shape_is_named_beside_those_allowed(changes, message):
    with pytest.raises(BadProblem, match=message):
        Problem.from_arrays(**arrays(**changes))

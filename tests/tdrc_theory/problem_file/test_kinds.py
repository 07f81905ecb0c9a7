"""Files with discounts and interests by state or transition, and with action values: read, refused, written back."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tdrc_theory import END, Problem, averaged_process, key_matrices, load_problem
from tdrc_theory.errors import BadProblem
from tdrc_theory.problems.garnet import garnet
from tdrc_theory.problems.problem_file import in_file_form, problem_text, write_problem

MDP = Path(__file__).with_name("mdp.toml").read_text(encoding="utf-8")
MRP = Path(__file__).with_name("mrp.toml").read_text(encoding="utf-8")
PAIRS = "[[[1, 0], [0, 0.1]], [[2, 0], [0, 1]], [[7, 7], [7, 7]]]"


def changed(text, key, value):
    lines = [line for line in text.splitlines() if not line.startswith(f"{key} =")]
    return f"{key} = {value}\n" + "\n".join(lines) + "\n"


def test_every_number_is_the_one_that_is_written(write):
    text = changed(MDP.replace('1, "1/2"]', '1, "1/2", 0.3]'), "gamma", '[0.99, "1/3", 0]')
    problem = load_problem(write(changed(changed(text, "features", PAIRS), "interest", "[0, 2.5, 1]")))
    assert problem.gamma == (Fraction(99, 100), Fraction(1, 3), 0)
    assert problem.interest == (0, Fraction(5, 2), 1)
    assert problem.features[0] == ((1, 0), (0, Fraction(1, 10)))
    assert problem.features[2] == ((0, 0), (0, 0)), "a terminal state's are read as zeros"
    assert [t.gamma for t in problem.transitions] == [None, Fraction(3, 10), None, None]
    assert [problem.discount(t) for t in problem.transitions] == [Fraction(1, 3), Fraction(3, 10), Fraction(99, 100), 0]
    assert (problem.places, problem.k, problem.constant_gamma) == (6, 2, None)


def test_a_list_of_equal_discounts_is_a_constant_one(write):
    problem = load_problem(write(changed(MDP, "gamma", "[0.9, 0.9, 0.9]")))
    assert problem.constant_gamma == Fraction(9, 10)
    assert key_matrices(problem) == key_matrices(load_problem(write(MDP)))


def test_equal_discounts_are_constant_where_what_is_missing_terminates(write, tmp_path):
    listed, constant = (load_problem(write(changed(MRP, "gamma", gamma))) for gamma in ("[0.5, 0.5]", "0.5"))
    assert listed.constant_gamma == constant.gamma
    ended = Problem(
        name="ended",
        gamma=["1/2"],
        features=[[1]],
        transitions=[(0, 0, END, 1, 1)],
        behaviour=[[1]],
        target=[[1]],
        start=[1],
    )
    write_problem(ended, tmp_path / "ended.toml")
    assert load_problem(tmp_path / "ended.toml").constant_gamma == Fraction(1, 2)


def test_arrays_may_have_discounts_by_state_and_features_by_state_and_action():
    P, R = np.array([[[0.5, 0.5], [1, 0]], [[0, 1], [0.25, 0.75]]]), np.array([[1, 2], [3, 4]])
    x, policy = np.arange(8).reshape(2, 2, 2), np.full((2, 2), 0.5)
    result = Problem.from_arrays(
        name="arrays",
        P=P,
        R=R,
        gamma=np.array([0, 0.9]),
        features=x,
        interest=np.ones(2),
        behaviour=policy,
        target=policy,
        order="SAS",
    )
    assert (result.gamma, result.interest) == ((0, Fraction(9, 10)), (1, 1))
    assert result.features == (((0, 1), (2, 3)), ((4, 5), (6, 7)))


@pytest.mark.parametrize(
    ("key", "value", "label"),
    [
        ("gamma", "[0.9, 0.9]", "gamma: 2 entries for 3 states"),
        ("gamma", "[0.9, 1.1, 0]", "gamma, state 1: 11/10 is not in [0, 1]"),
        ("gamma", "[0.9, -1, 0]", "gamma, state 1: -1 is not in [0, 1]"),
        ("gamma", "[0.9, [1], 0]", "gamma, state 1: [1] is not a number"),
        ("gamma", "[0.9, true, 0]", "gamma, state 1: True is not a number"),
        ("interest", "1", "interest: 1 is not a list"),
        ("interest", "[1, 1]", "interest: 2 entries for 3 states"),
        ("interest", "[1, 1, -0.5]", "interest, state 2: -1/2 is negative"),
        ("interest", '[1, "1e", 1]', "interest, state 1: "),
        ("features", "[[[1], [2]], [[1], [2]], 3]", "features, state 2: 3 is not a list"),
        ("features", "[[[1], [2]], [1, 2], [[1], [2]]]", "features, state 1, action 0: 1 is not a list"),
        ("features", "[[[1], [2]], [[1]], [[1], [2]]]", "features, state 1: 1 actions, state 0 has 2"),
        ("features", "[[[1], [2]], [[1, 2], [2, 3]], [[1], [2]]]", "features, state 1: 2 features, state 0 has 1"),
        ("features", "[[[1], [2]], [[1], [2, 3]], [[1], [2]]]", "features, state 1, action 1: 2 numbers"),
        ("features", "[[[1], [2]], [[1], [nan]], [[1], [2]]]", "features, state 1, action 1, entry 0: "),
        ("features", "[[[], []], [[], []], [[], []]]", "features, state 0: 0 features"),
        ("features", "[[[1]], [[2]], [[1]]]", "features: 1 actions in each state, behaviour has 2"),
    ],
)
def test_what_is_wrong_is_named_by_key_state_and_value(refusal, write, key, value, label):
    assert refusal(write(changed(MDP, key, value))).startswith(label)


@pytest.mark.parametrize(
    ("gamma", "label"),
    [
        ("2", "mdp.transitions, entry 1: gamma: 2 is not in [0, 1]"),
        ("-0.1", "mdp.transitions, entry 1: gamma: -1/10 is not in [0, 1]"),
        ('"x"', "mdp.transitions, entry 1: gamma: "),
        ("[1]", "mdp.transitions, entry 1: gamma"),
    ],
)
def test_a_discount_of_a_transition_that_is_none_is_named(refusal, write, gamma, label):
    assert refusal(write(MDP.replace('1, "1/2"]', f'1, "1/2", {gamma}]'))).startswith(label)


def test_an_averaged_process_has_features_by_state(refusal, write):
    features = next(line.partition("=")[2] for line in MRP.splitlines() if line.startswith("features"))
    by_pair = str([[row] for row in eval(features)])
    assert refusal(write(changed(MRP, "features", by_pair))).startswith("features: by state and action")


def kinds():
    plain = garnet(4, 2, 2, 3, 11)
    pairs = [[[s + 1, 2, 2 * s], [2, 1, s]] for s in range(4)]
    own = [t._replace(gamma=Fraction(i % 3, 4)) for i, t in enumerate(plain.transitions)]
    ended = Problem(
        name="ended",
        gamma=["1/2", "1/3"],
        features=[[1], [2]],
        transitions=[(0, 0, 1, "1/2", 1), (0, 0, END, "1/2", 2), (1, 0, END, 1, 3, "1/5")],
        behaviour=[[1], [1]],
        target=[[1], [1]],
        start=[1, 0],
        interest=[2, 3],
    )
    return {
        "gamma by state": replace(plain, gamma=["1/2", 0, 1, "1/3"]),
        "gamma by transition": replace(plain, transitions=own),
        "interest": replace(plain, interest=[0, 1, "5/2", 3]),
        "action values": replace(plain, features=pairs, gamma=["1/2", 0, 1, "1/3"]),
        "ended": ended,
        "ended in a terminal state": replace(
            ended,
            features=[[1], [2], [0]],
            gamma=["1/2", "1/3", "1/7"],
            behaviour=[[1], [1], [0]],
            target=[[1], [1], [0]],
            terminal=[2],
            start=[1, 0, 0],
            interest=[2, 3, 1],
        ),
        "averaged": averaged_process(
            name="averaged", gamma=["1/2", "1/3"], features=[[1], [2]], P=[[0, 1], ["1/2", 0]], r=[1, 2], d=["1/2"] * 2
        ),
    }


@pytest.mark.parametrize("kind", kinds())
def test_a_problem_is_read_back_as_it_was_written(kind, tmp_path):
    problem = kinds()[kind]
    write_problem(problem, tmp_path / "problem.toml")
    again = load_problem(tmp_path / "problem.toml")
    assert again == in_file_form(problem)
    assert key_matrices(again) == key_matrices(problem)


def test_samples_of_an_averaged_process_with_discounts_of_transitions_are_not_written():
    problem = kinds()["averaged"]
    own = replace(problem, transitions=[t._replace(gamma=Fraction(1, 9)) for t in problem.transitions])
    with pytest.raises(BadProblem, match="features and gamma by state"):
        problem_text(own)


@pytest.mark.parametrize(
    ("kind", "gamma"),
    [
        ("gamma by state", ["1/2", "0", "1", "1/3"]),
        ("gamma by transition", "9/10"),
        ("action values", ["1/2", "0", "1", "1/3"]),
    ],
)
def test_the_discount_in_json_is_a_number_or_one_a_state(kind, gamma):
    problem = kinds()[kind]
    shown = problem.to_json()
    assert shown["gamma"] == gamma
    own = [[t.s, t.a, t.s_next, str(t.gamma)] for t in problem.transitions if t.gamma is not None]
    assert shown.get("gamma_of_transitions", []) == own

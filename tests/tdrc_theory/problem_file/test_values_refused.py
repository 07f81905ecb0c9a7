"""Numbers that make no problem are named by key and state."""

from pathlib import Path

import pytest

from tdrc_theory import load_problem

MDP = Path(__file__).with_name("mdp.toml").read_text(encoding="utf-8")
MRP = Path(__file__).with_name("mrp.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("key", "value", "label"),
    [
        ("gamma", "[0.5]", "gamma: "),
        ("gamma", "[]", "gamma: "),
        ("features", "3", "features: "),
        ("features", '"1"', "features: "),
        ("features", "[]", "features: "),
        ("features", "[[], [], []]", "features: "),
        ("features", "[1, 2, 3]", "features, state 0: "),
        ("features", "[[1, 0], [0], [7, 7]]", "features, state 1: 1 numbers, state 0 has 2"),
        ("features", "[[1, 0], [0, [1]], [7, 7]]", "features, state 1, entry 1: "),
        ("features", "[[1, 0], [0, 1]]", "mdp.terminal: 2 is not one of the 2 states"),
        ("features", "[[1, 0], [0, 1], [7, 7], [1, 1]]", "mdp.behaviour: 3 entries for 4 states"),
        ("transitions", "3", "mdp.transitions: "),
        ("transitions", '"all"', "mdp.transitions: "),
        ("transitions", "[]", "mdp.transitions, state 0, action 0: probabilities sum to 0, not 1"),
        ("transitions", "[0, 0, 1, 1, 0]", "mdp.transitions, entry 0: 0 is not [s, a, s_next, probability, reward]"),
        ("transitions", "[[0, 0, 1, 1]]", "mdp.transitions, entry 0: [0, 0, 1, 1] is not"),
        ("transitions", "[[0, 0, 1, 1, 0, 0, 0]]", "mdp.transitions, entry 0: "),
        ("transitions", "[[]]", "mdp.transitions, entry 0: [] is not"),
        ("transitions", '["a\\nb"]', "mdp.transitions, entry 0: 'a\\nb' is not"),
        ("transitions", "[{ s = 0 }]", "mdp.transitions, entry 0: "),
        ("transitions", "[[0, 0, 1, [1], 0]]", "mdp.transitions, entry 0: probability"),
        ("transitions", "[[0, 0, 1, 1, []]]", "mdp.transitions, entry 0: reward"),
        ("behaviour", "1", "mdp.behaviour: "),
        ("behaviour", '"uniform"', "mdp.behaviour: "),
        ("behaviour", "[]", "mdp.behaviour: 0 entries for 3 states"),
        ("behaviour", "[[1, 0], [0, 1]]", "mdp.behaviour: 2 entries for 3 states"),
        ("behaviour", "[1, 1, 1]", "mdp.behaviour, state 0: "),
        ("behaviour", "[[], [], []]", "mdp.behaviour, state 0: "),
        ("behaviour", "[[0.5, 0.5], [1], []]", "mdp.behaviour, state 1: 1 numbers, state 0 has 2"),
        ("target", "{ a = 1 }", "mdp.target: "),
        ("target", "[[1, 0], [0, 1], [0, 1], [0, 1]]", "mdp.target: 4 entries for 3 states"),
        ("target", "[[1, 0, 0], [0, 1, 0], []]", "mdp.target: rows have 3 numbers, behaviour's have 2"),
        ("target", "[[1, 0], [0, 1, 0], []]", "mdp.target: rows have 3 numbers, behaviour's have 2"),
        ("target", "[2, 1, 0]", "mdp.target, state 0: 2 is not one of the 2 actions"),
        (
            "target",
            '["1/2", 1, 0]',
            "mdp.target, state 0: '1/2' is neither a list nor the number of an action",
        ),
        ("target", "[-1, 1, 0]", "mdp.target, state 0: -1 is neither a list nor the number of an action"),
        ("target", "{ greedy = [[1, 0]] }", "mdp.target: 1 entries for 3 states"),
        ("target", "{ greedy = [[1, 0], [], []] }", "mdp.target, state 1: no action values"),
        ("target", "{ greedy = [[1, 0], [1, true], []] }", "mdp.target, state 1, entry 1: True is not a number"),
        ("target", "{ epsilon-greedy = [[1, 0], [1, 2], []] }", "mdp.target: {'epsilon-greedy': "),
        ("target", "{ epsilon-greedy = [[1, 0], [1, 2], []], epsilon = 2 }", "mdp.target, epsilon: 2 is not in [0, 1]"),
        ("terminal", "2", "mdp.terminal: "),
        ("terminal", '"2"', "mdp.terminal: "),
        ("terminal", "[[2]]", "mdp.terminal: "),
        ("terminal", "[2, 2]", "mdp.terminal: a state is listed twice"),
        ("terminal", "[3]", "mdp.terminal: 3 is not one of the 3 states, 0 to 2"),
        ("terminal", "[-1]", "mdp.terminal: -1 is not one of the 3 states"),
        ("terminal", "[true]", "mdp.terminal: True is not one of"),
        ("terminal", "[2.0]", "mdp.terminal: '2.0' is not one of"),
        ("terminal", "[0, 1, 2]", "mdp.terminal: every state is terminal"),
        ("start", "1", "mdp.start: "),
        ("start", '"uniform"', "mdp.start: "),
        ("start", "[1, 0]", "mdp.start: 2 entries for 3 states"),
        ("start", "[[1, 0, 0]]", "mdp.start: "),
        ("start", "[0.5, 0.25, 0]", "mdp.start: entries sum to 3/4, not 1"),
        ("start", "[1.5, -0.5, 0]", "mdp.start, entry 1: -1/2 is negative"),
        ("start", "[0.5, 0, 0.5]", "mdp.start, state 2: 1/2 on a terminal state"),
    ],
)
def test_a_wrong_shape_or_value_is_named_by_key_and_state(refusal, with_line, write, key, value, label):
    assert refusal(write(with_line(MDP, key, value))).startswith(label)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"uniform"', ": 'uniform' is neither \"stationary\" nor a list"),
        ('"Stationary"', ": 'Stationary' is neither"),
        ("true", ": True is not a list"),
        ("1", ": "),
        ("[]", ": 0 entries for 3 states"),
        ("[1, 0]", ": 2 entries for 3 states"),
        ("[0.5, 0.4, 0]", ": entries sum to 9/10, not 1"),
        ("[2, -1, 0]", ", entry 1: -1 is negative"),
        ("[0.5, 0.25, 0.25]", ", state 2: 1/4 on a terminal state; it must be 0"),
    ],
)
def test_wrong_state_weights_are_refused(refusal, replaced, write, value, expected):
    text = replaced(MDP, "start =", f"state_weights = {value}\nstart =")
    assert refusal(write(text)).startswith(f"mdp.state_weights{expected}")


@pytest.mark.parametrize("value", ["1", "[]", "[1]", "[1, 2, 3]", '"zeros"', "[[1, 2]]"])
def test_wrong_initial_weights_are_refused(refusal, write, value):
    assert refusal(write(f"initial_weights = {value}\n{MDP}")).startswith("initial_weights")


@pytest.mark.parametrize(
    ("key", "value", "label"),
    [
        ("P", "1", "mrp.P: "),
        ("P", '"1"', "mrp.P: "),
        ("P", "[]", "mrp.P: 0 entries for 2 states"),
        ("P", "[[0, 1]]", "mrp.P: 1 entries for 2 states"),
        ("P", "[1, 0]", "mrp.P, state 0: "),
        ("P", "[[0, 1], [1]]", "mrp.P, state 1: 1 entries for 2 states"),
        ("P", '[["2/3", "1/2"], [0, 1]]', "mrp.P, state 0: entries sum to 7/6, more than 1"),
        ("P", "[[0, 1], [1, -0.5]]", "mrp.P, state 1, entry 1: -1/2 is negative"),
        ("r", "0", "mrp.r: "),
        ("r", "[1]", "mrp.r: 1 entries for 2 states"),
        ("r", "[[1, 2]]", "mrp.r, "),
        ("r", '[1, "big"]', "mrp.r, "),
        ("d", '"uniform"', "mrp.d: "),
        ("d", "[1]", "mrp.d: 1 entries for 2 states"),
        ("d", "[0.5, 0.25]", "mrp.d: entries sum to 3/4, not 1"),
        ("d", "[1.5, -0.5]", "mrp.d, entry 1: -1/2 is negative"),
        ("features", "[[1], [2], [3]]", "mrp.P: 2 entries for 3 states"),
        ("features", "[[1], [2, 3]]", "features, state 1: 2 numbers, state 0 has 1"),
        ("features", "[]", "mrp.P: 2 entries for 0 states"),
        ("features", "[1, 2]", "features, state 0: 1 is not a list"),
        ("features", "[[], []]", "features: "),
        ("gamma", "2", "gamma: 2 is not in [0, 1]"),
    ],
)
def test_a_wrong_averaged_process_is_refused(refusal, with_line, write, key, value, label):
    assert refusal(write(with_line(MRP, key, value))).startswith(label)


@pytest.mark.parametrize("gamma", ["2", "-1", "1.000000000000000000001", '"-1/3"', '"100/99"', "-0.5"])
def test_gamma_outside_its_interval_is_refused(refusal, with_line, write, gamma):
    message = refusal(write(with_line(MDP, "gamma", gamma)))
    assert message.startswith("gamma: ")
    assert message.endswith("is not in [0, 1]")


@pytest.mark.parametrize(
    ("place", "name"),
    [(0, "s"), (1, "a"), (2, "s_next")],
)
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("-1", "-1"),
        ("true", "True"),
        ('"0"', "'0'"),
        ("0.0", "'0.0'"),
        ("[0]", "[0]"),
        ("nan", "'nan'"),
        ("9", "9"),
        ("1000000000000", "1000000000000"),
    ],
)
def test_an_index_is_a_whole_number_in_range(refusal, replaced, write, place, name, value, expected):
    entry = ["0", "0", "1", "1", "0"]
    entry[place] = value
    message = refusal(write(replaced(MDP, "[0, 0, 1, 1, 0]", f"[{', '.join(entry)}]")))
    assert message.startswith(f"mdp.transitions, entry 0: {name}")
    assert expected in message.removeprefix("mdp.transitions, entry 0")


def test_the_end_is_no_state_in_a_file(refusal, replaced, write):
    message = refusal(write(replaced(MDP, "[1, 1, 2, 1, -1]", "[1, 1, -1, 1, -1]")))
    assert message.startswith("mdp.transitions, entry 3: s_next is -1, which is no index")


@pytest.mark.parametrize(
    ("old", "new", "label"),
    [
        (
            "[1, 0, 0, 1, 0]",
            "[1, 0, 0, 0.9, 0]",
            "mdp.transitions, state 1, action 0: probabilities sum to 9/10, not 1",
        ),
        (
            "[1, 0, 0, 1, 0]",
            "[1, 0, 0, 1, 0], [1, 0, 0, 1, 0]",
            "mdp.transitions, state 1, action 0: probabilities sum to 2, not 1",
        ),
        (
            "[1, 0, 0, 1, 0]",
            "[1, 0, 0, 0.3333333333333333, 0], [1, 0, 1, 0.6666666666666667, 0]",
            None,
        ),
        (
            "[1, 0, 0, 1, 0]",
            "[1, 0, 0, 0.33333333333333333, 0], [1, 0, 1, 0.6666666666666667, 0]",
            "mdp.transitions, state 1, action 0: probabilities sum to ",
        ),
        (
            "[1, 0, 0, 1, 0]",
            "[1, 0, 0, 1.5, 0], [1, 0, 1, -0.5, 0]",
            "mdp.transitions, entry 3: probability -1/2 from state 1 is negative",
        ),
        ('["1/2", 0.5]', "[1.5, -0.5]", "mdp.behaviour, state 0, entry 1: -1/2 is negative"),
        ('["1/2", 0.5]', '["1/2", "1/3"]', "mdp.behaviour, state 0: entries sum to 5/6, not 1"),
        ('["1/3", "2/3"]', '["1/3", "1/3"]', "mdp.target, state 1: entries sum to 2/3, not 1"),
        ('["1/3", "2/3"]', '["-1/3", "4/3"]', "mdp.target, state 1, entry 0: -1/3 is negative"),
        (
            '["1/2", 0.5]',
            "[0, 1]",
            "mdp.behaviour, state 0: gives action 0 probability 0 but target gives it 1, so rho is undefined",
        ),
    ],
)
def test_wrong_probabilities_are_named_by_key_state_and_value(refusal, replaced, write, old, new, label):
    path = write(replaced(MDP, old, new))
    if label is None:
        assert sum(t.probability for t in load_problem(path).transitions if (t.s, t.a) == (1, 0)) == 1
        return
    assert refusal(path).startswith(label)

"""Problem files: what is read is what is written, and what is wrong is named on one line."""

from fractions import Fraction
from pathlib import Path

import pytest

from tdrc_theory import END, key_matrices, load_problem
from tdrc_theory.errors import BadProblem, TheoryError
from tdrc_theory.problems import find_problem
from tdrc_theory.problems.problem_file import parse_problem

MDP = """\
name = "walk"
gamma = 0.9
features = [[1, 0], [0, 1], [7, 7]]
[mdp]
transitions = [[0, 0, 1, 1, 0], [0, 1, 2, 1, "1/2"], [1, 0, 0, 1, 0], [1, 1, 2, 1, -1]]
behaviour = [["1/2", 0.5], [0.5, 0.5], [0, 0]]
target = [[1, 0], ["1/3", "2/3"], [0, 0]]
terminal = [2]
start = [1, 0, 0]
"""

MRP = """\
name = "averaged"
gamma = "1/2"
features = [[1, 0], [0, 1]]
[mrp]
P = [[0, "1/2"], ["1/3", 0]]
r = [1, 2]
d = [0.25, 0.75]
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="problem.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def replaced(text, old, new):
    assert text.count(old) == 1, f"{old!r} is not unique in the template"
    return text.replace(old, new)


def refusal(path):
    with pytest.raises(BadProblem) as caught:
        load_problem(path)
    message = str(caught.value)
    assert isinstance(caught.value, TheoryError)
    assert len(message.splitlines()) == 1
    assert message.startswith(f"{path}: ")
    assert len(message) < len(str(path)) + 300
    return message.removeprefix(f"{path}: ")


def line(text, key):
    return next(each for each in text.splitlines() if each.startswith(f"{key} ="))


def with_line(text, key, value):
    return replaced(text, line(text, key), f"{key} = {value}")


def without_line(text, key):
    return replaced(text, line(text, key) + "\n", "")


@pytest.mark.parametrize(
    ("base", "key", "label"),
    [
        *((MDP, key, key) for key in ("name", "gamma", "features")),
        *((MDP, key, f"mdp.{key}") for key in ("transitions", "behaviour", "target", "start")),
        *((MRP, key, f"mrp.{key}") for key in ("P", "r", "d")),
    ],
)
def test_a_missing_key_is_named(write, base, key, label):
    assert refusal(write(without_line(base, key))).startswith(f"{label}: missing")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("alpha = 1\n" + MDP, "alpha"),
        ("Gamma = 1\n" + MDP, "Gamma"),
        (MDP + "discount = 1\n", "mdp.discount"),
        (MDP + "P = [[1]]\n", "mdp.P"),
        (MDP + "initial_weights = [1, 2]\n", "mdp.initial_weights"),
        (MRP + "terminal = [1]\n", "mrp.terminal"),
        (MRP + "state_weights = [0, 1]\n", "mrp.state_weights"),
        (MDP + "[mdp.more]\nx = 1\n", "mdp.more"),
        (MDP + "[options]\nx = 1\n", "options"),
        ('"a\\nb" = 1\n' + MDP, "'a\\nb'"),
        (f'"{"k" * 5000}" = 1\n' + MDP, "'kkkk"),
    ],
)
def test_an_unknown_key_is_named_with_the_allowed_ones(write, text, label):
    message = refusal(write(text))
    assert message.startswith(label)
    assert "unknown key; allowed: " in message


def test_a_file_needs_one_of_the_two_tables_and_no_more(write):
    top = MDP[: MDP.index("[mdp]")]
    assert refusal(write(top)).startswith("neither given; exactly one of [mdp] and [mrp]")
    both = MDP + MRP[MRP.index("[mrp]") :]
    assert refusal(write(both)).startswith("mdp and mrp given; exactly one of [mdp] and [mrp]")


@pytest.mark.parametrize("value", ["1", '"mdp"', "[1]", "true"])
def test_a_table_that_is_no_table_is_refused(write, value):
    top = MDP[: MDP.index("[mdp]")]
    assert refusal(write(f"{top}mdp = {value}\n")).startswith("mdp: is not a table")


def test_an_array_of_tables_is_no_table(write):
    assert refusal(write(replaced(MDP, "[mdp]", "[[mdp]]"))).startswith("mdp: is not a table")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('"two\\nlines"', "is not one line"),
        ('"two\\u2028lines"', "is not one line"),
        ('"ends\\n"', "is not one line"),
        ('""', "is not one line"),
        ('"  "', "is not one line"),
        ("3", "3 is not text"),
        ("true", "True is not text"),
        ('["a"]', "['a'] is not text"),
        ("1979-05-27", "is not text"),
    ],
)
def test_a_name_is_one_line_of_text(write, value, said):
    message = refusal(write(with_line(MDP, "name", value)))
    assert message.startswith("name: ")
    assert said in message


LONG = "1" * 5000

FORBIDDEN = [
    "true",
    "false",
    "nan",
    "inf",
    "-inf",
    "1e3",
    "1.5E-3",
    "+0.5",
    "1_0.5",
    '"1_000"',
    '"+1"',
    '" 1"',
    '"1 "',
    '"1\\n"',
    '"1/0"',
    '"1/-2"',
    '"-1/-2"',
    '"1/2/3"',
    '"1.5/2"',
    '"0x1"',
    '"1e3"',
    '"nan"',
    '"inf"',
    '"Infinity"',
    '"1+1"',
    '"2*3"',
    '"sqrt(2)"',
    "\"__import__('os')\"",
    '"\u0661"',
    '"\u00bd"',
    '"\uff11"',
    '"\u22121"',
    '""',
    '"-"',
    '"1/"',
    '"/2"',
    '".5"',
    '"5."',
    '"--1"',
    '"1,5"',
    '"one"',
    "1979-05-27",
    "07:32:00",
    "{ a = 1 }",
    f'"{LONG}"',
    f'"1/{LONG}"',
    f"0.{LONG}",
]


@pytest.mark.parametrize("number", FORBIDDEN, ids=lambda text: text[:20].encode("unicode_escape").decode())
@pytest.mark.parametrize(
    ("base", "old", "new", "label"),
    [
        (MDP, "gamma = 0.9", "gamma = {}", "gamma: "),
        (MDP, "[0, 1], [7, 7]]", "[0, {}], [7, 7]]", "features, state 1, entry 1: "),
        (MDP, "gamma = 0.9", "gamma = 0.9\ninitial_weights = [0, {}]", "initial_weights, "),
        (MDP, "[1, 0, 0, 1, 0]", "[1, 0, 0, {}, 0]", "mdp.transitions, entry 2: probability: "),
        (MDP, "[1, 0, 0, 1, 0]", "[1, 0, 0, 1, {}]", "mdp.transitions, entry 2: reward: "),
        (MDP, '["1/2", 0.5]', '["1/2", {}]', "mdp.behaviour, state 0, entry 1: "),
        (MDP, '["1/3", "2/3"]', '["1/3", {}]', "mdp.target, state 1, entry 1: "),
        (MDP, "start = [1, 0, 0]", "start = [1, {}, 0]", "mdp.start, "),
        (MDP, "start =", "state_weights = [1, {}, 0]\nstart =", "mdp.state_weights, "),
        (MRP, '["1/3", 0]', '["1/3", {}]', "mrp.P, state 1, entry 1: "),
        (MRP, "r = [1, 2]", "r = [1, {}]", "mrp.r, "),
        (MRP, "d = [0.25, 0.75]", "d = [0.25, {}]", "mrp.d, "),
    ],
    ids=lambda value: value.strip(": ") if isinstance(value, str) and value.endswith((": ", ", ")) else "",
)
def test_a_number_of_another_form_is_refused_wherever_it_stands(write, base, old, new, label, number):
    message = refusal(write(replaced(base, old, new.format(number))))
    assert message.startswith(label)
    assert any(said in message for said in ("is not a number", "has denominator 0", "characters"))


def test_the_refused_number_is_shown(write):
    assert "'1_000'" in refusal(write(with_line(MDP, "gamma", '"1_000"')))
    assert "True" in refusal(write(with_line(MDP, "gamma", "true")))
    assert "'1e3'" in refusal(write(with_line(MDP, "gamma", "1e3")))


@pytest.mark.parametrize(
    ("key", "value", "label"),
    [
        ("gamma", f"0x{'f' * 5000}", "gamma: "),
        ("start", f"[0x{'f' * 5000}, 0, 0]", "mdp.start: "),
        ("terminal", f"[0x{'f' * 5000}]", "mdp.terminal: "),
        ("transitions", f"[[0x{'f' * 5000}, 0, 1, 1, 0]]", "mdp.transitions, entry 0: s: "),
        ("transitions", f"[[0, 0, 1, 1, 0, 0x{'f' * 5000}]]", "mdp.transitions, entry 0: "),
    ],
)
def test_hexadecimal_integers_that_python_does_not_write_in_decimal_do_no_harm(write, key, value, label):
    assert refusal(write(with_line(MDP, key, value))).startswith(label)


def test_probabilities_whose_sum_has_thousands_of_digits_are_refused_by_key(write):
    row = f'["1/{"7" * 3990}", "1/1{"0" * 3980}3"]'
    message = refusal(write(replaced(MDP, '["1/2", 0.5]', row)))
    assert message.startswith("mdp.behaviour, state 0: entries sum to ")


def test_an_integer_too_long_for_python_is_refused(write):
    assert "digits" in refusal(write(with_line(MDP, "gamma", LONG)))


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
        ("transitions", "[[0, 0, 1, 1, 0, 0]]", "mdp.transitions, entry 0: "),
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
        ("target", "[[1, 0], [0, 1, 0], []]", "mdp.target, state 1: 3 numbers, state 0 has 2"),
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
        ("start", "[[1, 0, 0]]", "mdp.start, "),
        ("start", "[0.5, 0.25, 0]", "mdp.start: entries sum to 3/4, not 1"),
        ("start", "[1.5, -0.5, 0]", "mdp.start, entry 1: -1/2 is negative"),
        ("start", "[0.5, 0, 0.5]", "mdp.start, state 2: 1/2 on a terminal state"),
    ],
)
def test_a_wrong_shape_or_value_is_named_by_key_and_state(write, key, value, label):
    assert refusal(write(with_line(MDP, key, value))).startswith(label)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('"uniform"', ": 'uniform' is neither \"stationary\" nor a list"),
        ('"Stationary"', ": 'Stationary' is neither"),
        ("true", ": True is not a number"),
        ("1", ": "),
        ("[]", ": 0 entries for 3 states"),
        ("[1, 0]", ": 2 entries for 3 states"),
        ("[0.5, 0.4, 0]", ": entries sum to 9/10, not 1"),
        ("[2, -1, 0]", ", entry 1: -1 is negative"),
        ("[0.5, 0.25, 0.25]", ", state 2: 1/4 on a terminal state; it must be 0"),
    ],
)
def test_wrong_state_weights_are_refused(write, value, said):
    text = replaced(MDP, "start =", f"state_weights = {value}\nstart =")
    assert refusal(write(text)).startswith(f"mdp.state_weights{said}")


@pytest.mark.parametrize("value", ["1", "[]", "[1]", "[1, 2, 3]", '"zeros"', "[[1, 2]]"])
def test_wrong_initial_weights_are_refused(write, value):
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
def test_a_wrong_averaged_process_is_refused(write, key, value, label):
    assert refusal(write(with_line(MRP, key, value))).startswith(label)


@pytest.mark.parametrize("gamma", ["2", "-1", "1.000000000000000000001", '"-1/3"', '"100/99"', "-0.5"])
def test_gamma_outside_its_interval_is_refused(write, gamma):
    message = refusal(write(with_line(MDP, "gamma", gamma)))
    assert message.startswith("gamma: ")
    assert message.endswith("is not in [0, 1]")


@pytest.mark.parametrize(
    ("place", "name"),
    [(0, "s"), (1, "a"), (2, "s_next")],
)
@pytest.mark.parametrize(
    ("value", "said"),
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
def test_an_index_is_a_whole_number_in_range(write, place, name, value, said):
    entry = ["0", "0", "1", "1", "0"]
    entry[place] = value
    message = refusal(write(replaced(MDP, "[0, 0, 1, 1, 0]", f"[{', '.join(entry)}]")))
    assert message.startswith(f"mdp.transitions, entry 0: {name}")
    assert said in message.removeprefix("mdp.transitions, entry 0")


def test_the_end_is_no_state_in_a_file(write):
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
def test_wrong_probabilities_are_named_by_key_state_and_value(write, old, new, label):
    path = write(replaced(MDP, old, new))
    if label is None:
        assert sum(t.probability for t in load_problem(path).transitions if (t.s, t.a) == (1, 0)) == 1
        return
    assert refusal(path).startswith(label)


SPLIT = """\
name = "split"
gamma = 0.5
features = [[1], [1]]
[mdp]
transitions = [[0, 0, 0, 1, 0], [1, 0, 1, 1, 0]]
behaviour = [[1], [1]]
target = [[1], [1]]
"""


def test_a_chain_without_a_unique_stationary_distribution_is_refused(write):
    message = refusal(write(SPLIT))
    assert message.startswith("mdp.state_weights: the behaviour chain has no unique stationary distribution")
    assert "states 0 and 1" in message


def test_given_state_weights_make_any_chain_a_problem(write):
    assert load_problem(write(f"{SPLIT}state_weights = [0.25, 0.75]\n")).d == (Fraction(1, 4), Fraction(3, 4))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00\x01", "is not UTF-8 text (byte 0)"),
        (b"\x00\x01\x02", "is not TOML"),
        ('name = "caf\u00e9"\n'.encode("latin-1"), "is not UTF-8 text (byte 11)"),
        (MDP.encode("utf-16"), "is not UTF-8 text"),
        (b"", "name: missing"),
        (b"# nothing\n", "name: missing"),
        (b"this is not toml", "is not TOML"),
        (b'{"name": "json"}', "is not TOML"),
        (b"name = ", "is not TOML"),
        (b'name = "a"\nname = "b"\n', "is not TOML"),
        (b'name = "open', "is not TOML"),
        (b"features = [[1, 0], [0, 1]", "is not TOML"),
        (b"gamma = 01\n", "is not TOML"),
        (b"gamma = .5\n", "is not TOML"),
        (b"gamma = 1/2\n", "is not TOML"),
        (b"features = " + b"[" * 20_000 + b"]" * 20_000, "nested too deeply"),
        (b"features = " + b"[" * 20_000, "nested too deeply"),
        (b"features = " + b"{a=" * 20_000, "nested too deeply"),
    ],
)
def test_a_file_of_another_kind_is_refused(write, content, said):
    assert said in refusal(write(content))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    assert refusal(tmp_path / "absent.toml").startswith("cannot be read: ")


def test_a_folder_is_refused(tmp_path):
    assert refusal(tmp_path).startswith("cannot be read: ")


def test_a_path_that_no_system_has_is_refused():
    with pytest.raises(BadProblem, match="null"):
        load_problem("a\0b.toml")


def test_a_path_with_a_newline_leaves_the_message_on_one_line(tmp_path):
    with pytest.raises(BadProblem) as caught:
        load_problem(tmp_path / "a\nb.toml")
    assert len(str(caught.value).splitlines()) == 1


def test_a_name_too_long_for_a_path_is_an_unknown_name():
    with pytest.raises(TheoryError, match="unknown problem"):
        find_problem("x" * 5000)


def test_a_decimal_means_the_decimal_that_is_written(write):
    problem = load_problem(write(with_line(MDP, "gamma", "0.99")))
    assert problem.gamma == Fraction(99, 100)
    long = load_problem(write(with_line(MDP, "gamma", "0.1000000000000000000000000000000001")))
    assert long.gamma == Fraction(1, 10) + Fraction(1, 10**34)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", Fraction(1)),
        ("-3", Fraction(-3)),
        ("-0.25", Fraction(-1, 4)),
        ('"7"', Fraction(7)),
        ('"-2/6"', Fraction(-1, 3)),
        ('"0.10"', Fraction(1, 10)),
        ('"-0/5"', Fraction(0)),
        ('"007"', Fraction(7)),
    ],
)
def test_every_accepted_form_is_read_exactly(write, written, value):
    problem = load_problem(write(with_line(MDP, "features", f"[[{written}, 1], [0, 1], [7, 7]]")))
    assert problem.features[0][0] == value


def test_a_good_file_is_read_as_it_is_written(write):
    problem = load_problem(write(MDP))
    assert (problem.name, problem.gamma, problem.states, problem.k, problem.actions) == (
        "walk",
        Fraction(9, 10),
        3,
        2,
        2,
    )
    assert problem.behaviour[0] == (Fraction(1, 2), Fraction(1, 2))
    assert problem.target[1] == (Fraction(1, 3), Fraction(2, 3))
    assert problem.terminal == (2,)
    assert (0, 1, 2, 1, Fraction(1, 2)) in problem.transitions
    assert problem.initial_weights == (0, 0)
    assert problem.notes == ()
    # Restarts in state 0, left for state 1 half the time, from which one half of the steps come back.
    assert problem.d == (Fraction(2, 3), Fraction(1, 3), 0)


def test_the_features_of_a_terminal_state_are_zeros(write):
    assert load_problem(write(MDP)).features[2] == (0, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[0.5, 0.5], [0, 0]]", "[0.5, 0.5], []]"),
        ("[0.5, 0.5], [0, 0]]", "[0.5, 0.5], [9, -1, true]]"),
        ("[0.5, 0.5], [0, 0]]", '[0.5, 0.5], "ended"]'),
        ('["1/3", "2/3"], [0, 0]]', '["1/3", "2/3"], ["nan"]]'),
        ("[1, 1, 2, 1, -1]]", "[1, 1, 2, 1, -1], [2, 0, 0, 5, 0]]"),
        ("[1, 1, 2, 1, -1]]", '[1, 1, 2, 1, -1], [2, 7, -1, "p", "r"]]'),
    ],
)
def test_the_rows_of_a_terminal_state_are_not_read(write, old, new):
    assert load_problem(write(replaced(MDP, old, new))) == load_problem(write(MDP, "plain.toml"))


def test_repeated_transitions_add_up(write):
    twice = "[1, 0, 0, 0.75, 0], [1, 0, 0, 0.25, 0]"
    assert load_problem(write(replaced(MDP, "[1, 0, 0, 1, 0]", twice))) == load_problem(write(MDP, "plain.toml"))


def test_repeated_transitions_with_different_rewards_stay_apart(write):
    twice = "[1, 0, 0, 0.75, 0], [1, 0, 0, 0.25, 4]"
    problem = load_problem(write(replaced(MDP, "[1, 0, 0, 1, 0]", twice)))
    assert {(t.probability, t.reward) for t in problem.transitions if (t.s, t.a) == (1, 0)} == {
        (Fraction(3, 4), 0),
        (Fraction(1, 4), 4),
    }


def test_an_action_that_no_policy_takes_needs_no_transitions(write):
    problem = load_problem(write(replaced(SPLIT, "behaviour = [[1], [1]]", "behaviour = [[1, 0], [1, 0]]").replace(
        "target = [[1], [1]]", "target = [[1, 0], [1, 0]]\nstate_weights = [1, 0]"
    )))  # fmt: skip
    assert {t.a for t in problem.transitions} == {0}


def test_transitions_of_probability_zero_are_left_out(write):
    extra = "[1, 0, 0, 1, 0], [1, 0, 1, 0, 5]"
    assert load_problem(write(replaced(MDP, "[1, 0, 0, 1, 0]", extra))) == load_problem(write(MDP, "plain.toml"))


def test_explicit_state_weights_are_used(write):
    text = replaced(MDP, "start =", 'state_weights = [0.25, "3/4", 0]\nstart =')
    assert load_problem(write(text)).d == (Fraction(1, 4), Fraction(3, 4), 0)


def test_stationary_is_the_default_of_the_state_weights(write):
    said = load_problem(write(replaced(MDP, "start =", 'state_weights = "stationary"\nstart =')))
    assert said == load_problem(write(MDP, "plain.toml"))


def test_initial_weights_are_read(write):
    assert load_problem(write(f'initial_weights = [0.5, "-1/3"]\n{MDP}')).initial_weights == (
        Fraction(1, 2),
        Fraction(-1, 3),
    )


def test_what_a_row_of_an_averaged_process_lacks_terminates(write):
    problem = load_problem(write(MRP))
    assert problem.independent_only
    assert {(t.s, t.s_next): (t.probability, t.reward) for t in problem.transitions} == {
        (0, 1): (Fraction(1, 2), 1),
        (0, END): (Fraction(1, 2), 1),
        (1, 0): (Fraction(1, 3), 2),
        (1, END): (Fraction(2, 3), 2),
    }
    A, b, C = key_matrices(problem)
    # d(s) x(s) (x(s) - gamma sum P x')^T, d(s) r(s) x(s) and d(s) x(s) x(s)^T, by hand.
    assert A.texts() == [["1/4", "-1/16"], ["-1/8", "3/4"]]
    assert b.column_texts() == ["1/4", "3/2"]
    assert C.texts() == [["1/4", "0"], ["0", "3/4"]]


def test_lines_may_end_as_another_system_ends_them(write):
    assert load_problem(write(MDP.replace("\n", "\r\n"))) == load_problem(write(MDP, "plain.toml"))


def test_a_name_may_be_any_line_of_text(write):
    name = "<script>alert('1')</script> \u4e2d\u6587"
    assert load_problem(write(with_line(MDP, "name", f'"{name}"'))).name == name


def test_a_path_may_be_text(write):
    assert load_problem(str(write(MDP))) == load_problem(Path(write(MDP, "plain.toml")))


def test_a_file_that_describes_baird_gives_the_built_in_matrices(write):
    upper = [[2 if i == s else 0 for i in range(7)] + [1] for s in range(6)]
    up = [[s, 0, t, "1/6", 0] for s in range(7) for t in range(6)]
    down = [[s, 1, 6, 1, 0] for s in range(7)]
    text = f"""
name = "my own Baird"
gamma = 0.99
features = {[*upper, [0, 0, 0, 0, 0, 0, 1, 2]]}
initial_weights = [1, 1, 1, 1, 1, 1, 10, 1]
[mdp]
transitions = {up + down}
behaviour = {[["6/7", "1/7"]] * 7}
target = {[[0, 1]] * 7}
"""
    problem, built_in = load_problem(write(text)), find_problem("baird")
    assert problem.d == built_in.d == (Fraction(1, 7),) * 7
    assert problem.initial_weights == built_in.initial_weights
    assert [M.texts() for M in key_matrices(problem)] == [M.texts() for M in key_matrices(built_in)]


def test_a_walk_with_explicit_terminal_states_gives_the_built_in_matrices(write):
    # States 0 and 6 end the episode on the left and on the right of the five states of the walk.
    steps = [[s, a, s - 1 + 2 * a, 1, {0: -1, 6: 1}.get(s - 1 + 2 * a, 0)] for s in range(1, 6) for a in (0, 1)]
    text = f"""
name = "my own walk"
gamma = 1
features = {[[9] * 5, *([int(i == s) for i in range(5)] for s in range(5)), [9] * 5]}
[mdp]
terminal = [0, 6]
transitions = {steps}
behaviour = {[[], *[[0.5, 0.5]] * 5, []]}
target = {[[], *[["2/5", 0.6]] * 5, []]}
start = [0, 0, 0, 1, 0, 0, 0]
"""
    problem, built_in = load_problem(write(text)), find_problem("random-walk-tabular")
    assert problem.d == (0, *built_in.d, 0)
    assert [M.texts() for M in key_matrices(problem)] == [M.texts() for M in key_matrices(built_in)]


def test_a_parsed_file_can_be_given_without_a_file():
    data = {"name": "one", "gamma": "0.5", "features": [[1]], "mrp": {"P": [[1]], "r": [0], "d": [1]}}
    assert parse_problem(data).gamma == Fraction(1, 2)

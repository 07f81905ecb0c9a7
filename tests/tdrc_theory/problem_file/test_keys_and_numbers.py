"""What is wrong in a problem file's keys, tables and forms of numbers is named on one line."""

from fractions import Fraction
from pathlib import Path

import pytest

from tdrc_theory import load_problem

MDP = Path(__file__).with_name("mdp.toml").read_text(encoding="utf-8")
MRP = Path(__file__).with_name("mrp.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("base", "key", "label"),
    [
        *((MDP, key, key) for key in ("name", "gamma", "features")),
        *((MDP, key, f"mdp.{key}") for key in ("transitions", "behaviour", "target", "start")),
        *((MRP, key, f"mrp.{key}") for key in ("P", "r", "d")),
    ],
)
def test_a_missing_key_is_named(refusal, write, base, key, label):
    without = "".join(each for each in base.splitlines(keepends=True) if not each.startswith(f"{key} ="))
    assert refusal(write(without)).startswith(f"{label}: missing")


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
def test_an_unknown_key_is_named_with_the_allowed_ones(refusal, write, text, label):
    message = refusal(write(text))
    assert message.startswith(label)
    assert "unknown key; allowed: " in message


def test_a_file_needs_one_of_the_two_tables_and_no_more(refusal, write):
    top = MDP[: MDP.index("[mdp]")]
    assert refusal(write(top)).startswith("neither given; exactly one of [mdp] and [mrp]")
    both = MDP + MRP[MRP.index("[mrp]") :]
    assert refusal(write(both)).startswith("mdp and mrp given; exactly one of [mdp] and [mrp]")


@pytest.mark.parametrize("value", ["1", '"mdp"', "[1]", "true"])
def test_a_table_that_is_no_table_is_refused(refusal, write, value):
    top = MDP[: MDP.index("[mdp]")]
    assert refusal(write(f"{top}mdp = {value}\n")).startswith("mdp: is not a table")


def test_an_array_of_tables_is_no_table(refusal, replaced, write):
    assert refusal(write(replaced(MDP, "[mdp]", "[[mdp]]"))).startswith("mdp: is not a table")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"two\\nlines"', "is not one line"),
        ('"two\\u2028lines"', "is not one line"),
        ('"ends\\n"', "is not one line"),
        ('""', "is not one line"),
        ('"  "', "is not one line"),
        ("3", "3 is not one line"),
        ("true", "True is not one line"),
        ('["a"]', "['a'] is not one line"),
        ("1979-05-27", "is not one line"),
    ],
)
def test_a_name_is_one_line_of_text(refusal, with_line, write, value, expected):
    message = refusal(write(with_line(MDP, "name", value)))
    assert message.startswith("name: ")
    assert expected in message


LONG = "1" * 5000


FORBIDDEN = [
    "true",
    "false",
    "nan",
    "inf",
    "-inf",
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
def test_a_number_of_another_form_is_refused_wherever_it_stands(refusal, replaced, write, base, old, new, label):
    for number in FORBIDDEN:
        message = refusal(write(replaced(base, old, new.format(number))))
        assert message.startswith(label), number
        assert any(statement in message for statement in ("is not a number", "has denominator 0", "characters")), number


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1e-3", Fraction(1, 1000)),
        ("1.5E-1", Fraction(3, 20)),
        ("+0.5", Fraction(1, 2)),
        ("0.12_5", Fraction(1, 8)),
        ("1_0e-1_1", Fraction(1, 10**10)),
        ('"1e-3"', Fraction(1, 1000)),
        ('".05"', Fraction(1, 20)),
    ],
)
def test_a_decimal_may_be_written_as_toml_or_python_write_it(with_line, write, written, value):
    assert load_problem(write(with_line(MDP, "gamma", written))).gamma == value


def test_the_refused_number_is_shown(refusal, with_line, write):
    assert "'1_000'" in refusal(write(with_line(MDP, "gamma", '"1_000"')))
    assert "True" in refusal(write(with_line(MDP, "gamma", "true")))
    assert "'1e3.5'" in refusal(write(with_line(MDP, "gamma", '"1e3.5"')))


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
def test_hexadecimal_integers_that_python_does_not_write_in_decimal_do_no_harm(
    refusal, with_line, write, key, value, label
):
    assert refusal(write(with_line(MDP, key, value))).startswith(label)


def test_probabilities_whose_sum_has_thousands_of_digits_are_refused_by_key(refusal, replaced, write):
    row = f'["1/{"7" * 3990}", "1/1{"0" * 3980}3"]'
    message = refusal(write(replaced(MDP, '["1/2", 0.5]', row)))
    assert message.startswith("mdp.behaviour, state 0: entries sum to ")


def test_an_integer_too_long_for_python_is_refused(refusal, with_line, write):
    assert "digits" in refusal(write(with_line(MDP, "gamma", LONG)))


def test_what_would_take_for_ever_to_read_is_refused_at_once(refusal, write, tmp_path):
    assert "a key has 64 parts or more" in refusal(write("a" + ".a" * 100_000 + " = 1\n" + MDP))
    assert "a key has 64 parts or more" in refusal(write(MDP + "[" + "a . " * 100 + "a]\n"))
    assert refusal(write("gamma = 0x" + "f" * 1_000_000 + "\n" + MDP))
    endless = tmp_path / "endless.toml"
    with endless.open("wb") as file:
        file.truncate(2**26 + 1)
    assert refusal(endless) == "is larger than the 67108864 bytes that are read"


def test_a_byte_order_mark_is_not_part_of_the_text(write):
    assert load_problem(write("\ufeff" + MDP)).name == load_problem(write(MDP)).name

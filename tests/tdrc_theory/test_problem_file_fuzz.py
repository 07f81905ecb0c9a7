"""Whatever a file holds, and whatever a Problem is given: a problem, or a TheoryError on one line."""

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tdrc_theory import Problem, averaged_process, load_problem, sqrt
from tdrc_theory.errors import BadProblem, TheoryError
from tdrc_theory.problems import PROBLEMS, find_problem

MDP = """\
name = "walk"
gamma = 0.9
features = [[1, 0], [0, 1], [7, 7]]
initial_weights = [0.5, "1/3"]
[mdp]
transitions = [[0, 0, 1, 1, 0], [0, 1, 2, 1, "1/2"], [1, 0, 0, 0.5, 0], [1, 0, 1, 0.5, 0], [1, 1, 2, 1, -1]]
behaviour = [["1/2", 0.5], [0.5, 0.5], [0, 0]]
target = [[1, 0], ["1/3", "2/3"], [0, 0]]
terminal = [2]
start = [1, 0, 0]
state_weights = "stationary"
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
PIECES = [
    *"[]{},=\"'\n#-.\r\0\u2028",
    *("[[", "]]", '"""', "\\u0000", "\\n", "true", "false", "nan", "inf", "-1", "-0", "1e3", "1_0", "0x1f", "0o7"),
    *("1/3", '"1/0"', '"-1/3"', '"\u0661"', "[]", "[[]]", "[1]", '""', '"x"', "1979-05-27", "{a=1}"),
    *("[mdp]", "[mrp]", "gamma", "P", "d", "terminal", "start"),
    *("9" * 5000, "0x" + "f" * 5000, f'"1/{"7" * 3900}"', f'"-{"9" * 3900}"'),
]
TOKEN = re.compile(r'"[^"\n]*"|[\w.-]+|\s+|.')

here = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
often = settings(here, max_examples=5 * settings().max_examples)


def one_line(error, start=""):
    message = str(error)
    assert len(message.splitlines()) == 1
    assert message.startswith(start)


def attempt(make):
    """Return the problem, or None where a TheoryError of one line refuses it."""
    try:
        return make()
    except TheoryError as error:
        one_line(error)
        return None


@pytest.fixture
def path(tmp_path):
    return tmp_path / "problem.toml"


def attempt_file(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    try:
        problem = load_problem(path)
    except TheoryError as error:
        one_line(error, f"{path}: ")
        return
    # What is read is consistent, however it came about.
    assert 0 <= problem.gamma <= 1
    assert sum(problem.d) == 1
    assert min(problem.d) >= 0


@given(content=st.one_of(st.text(), st.binary(), st.text(alphabet="[]{}=\"',.-\n#01abmdrp ")))
@here
def test_any_text_is_a_problem_or_refused_on_one_line(path, content):
    attempt_file(path, content)


@st.composite
def mutated_files(draw):
    """Return a valid file with a few of its tokens or lines deleted, repeated, replaced, swapped or inserted."""
    text = draw(st.sampled_from([MDP, MRP]))
    for _ in range(draw(st.integers(1, 4))):
        by_line = draw(st.booleans())
        parts = text.splitlines(keepends=True) if by_line else TOKEN.findall(text)
        if not parts:
            break
        i, j = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        change = draw(st.sampled_from(["delete", "insert", "replace", "repeat", "swap"]))
        piece = draw(st.sampled_from(PIECES) | st.text(max_size=3)) + ("\n" if by_line else "")
        if change == "delete":
            del parts[i]
        elif change == "insert":
            parts.insert(i, piece)
        elif change == "replace":
            parts[i] = piece
        elif change == "repeat":
            parts.insert(i, parts[j])
        else:
            parts[i], parts[j] = parts[j], parts[i]
        text = "".join(parts)
    return text


@given(content=mutated_files())
@often
def test_a_mutated_file_is_a_problem_or_refused_on_one_line(path, content):
    attempt_file(path, content)


@given(
    numbers=st.lists(
        st.integers(-3, 10**30).map(str)
        | st.fractions().map(lambda f: f'"{f}"')
        | st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
        min_size=2,
        max_size=2,
    )
)
@here
def test_rewards_of_any_size_are_read_exactly(path, numbers):
    path.write_text(MRP.replace("r = [1, 2]", f"r = [{', '.join(numbers)}]"))
    rewards = [Fraction(number.strip('"')) for number in numbers]
    assert all(t.reward == rewards[t.s] for t in load_problem(path).transitions)


class Odd:
    """A value that every conversion fails on."""

    def __repr__(self):
        return "odd\nand on two lines"

    def __index__(self):
        raise TypeError("not really")

    def __float__(self):
        raise ValueError("not really")


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 4),
    st.integers(),
    st.floats(),
    st.fractions(),
    st.complex_numbers(),
    st.text(max_size=4),
    st.binary(max_size=4),
    st.decimals(),
    st.sampled_from(["1/2", "0.5", "-1", "1/0", "\u0661", "a\nb"]),
    st.sampled_from([sqrt(2), Decimal("sNaN"), Odd(), object(), int, len, ..., nested(1)]),
    st.sampled_from([np.float64(0.5), np.float32(0.1), np.int64(-1), np.uint8(1), np.True_, np.array(1)]),
    st.sampled_from([np.array([1, 0]), np.eye(2), np.eye(2, dtype=int), np.zeros((3, 3, 3)), np.array(["1/2", "x"])]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, max_size=4).map(iter),
        st.dictionaries(st.text(max_size=2), inner, max_size=2),
    ),
    max_leaves=12,
)


def good_fields():
    return {
        "name": "walk",
        "gamma": 0.9,
        "features": [[1, 0], [0, 1], [7, 7]],
        "transitions": [(0, 0, 1, 1, 0), (0, 1, -1, 1, "1/2"), (1, 0, 0, 1, 0), (1, 1, 2, 1, -1)],
        "behaviour": [["1/2", 0.5], [0.5, 0.5], []],
        "target": [[1, 0], ["1/3", "2/3"], []],
        "terminal": [2],
        "start": [1, 0, 0],
        "state_weights": None,
        "initial_weights": [1, 2],
        "independent_only": False,
        "notes": ["a note"],
    }


@given(changed=st.dictionaries(st.sampled_from(sorted(good_fields())), VALUES, min_size=1, max_size=3))
@often
def test_a_problem_refuses_any_field_with_a_theory_error_only(changed):
    problem = attempt(lambda: Problem(**(good_fields() | changed)))
    assert problem is None or sum(problem.d) == 1


GOOD_AVERAGED = {"name": "m", "gamma": 0, "features": [[1], [2]], "P": [[0, 1], [1, 0]], "r": [0, 1], "d": [0.5, 0.5]}


# Hypothesis cannot show some of these, so they are listed here.
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gamma", 10**5000),
        ("gamma", -Fraction(1, 10**5000)),
        ("gamma", Odd()),
        ("name", "a\nb"),
        ("notes", 3),
        ("notes", [3]),
        ("notes", "text"),
        ("terminal", [Odd()]),
        ("terminal", np.array(2)),
        ("features", np.array(2)),
        ("features", [[np.eye(2)]]),
        ("features", nested(5000)),
        ("features", 3),
        ("transitions", [(10**5000, 0, 0, 1, 0)]),
        ("transitions", [[0, 0, 0, 1, 10**5000, 0]]),
        ("transitions", [(0, 0, 0, -(10**5000), 0)]),
        ("start", [Fraction(1, 10**5000), 0, 0]),
        ("start", [10**5000, 0, 0]),
        ("behaviour", [[10**5000, 0], [1, 0], []]),
        ("independent_only", np.eye(2)),
    ],
    ids=range(20),
)
def test_extreme_values_are_refused_on_one_line(key, value):
    with pytest.raises(BadProblem) as caught:
        Problem(**(good_fields() | {key: value}))
    one_line(caught.value, key)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("key", "value"), [("features", 5), ("P", {"a": 1, "b": 2}), ("d", [10**5000, 0]), ("r", 0)], ids=range(4)
)
def test_extreme_values_of_an_averaged_process_are_refused_on_one_line(key, value):
    with pytest.raises(BadProblem) as caught:
        averaged_process(**(GOOD_AVERAGED | {key: value}))
    one_line(caught.value, key)


@st.composite
def changed_places(draw):
    """Return good fields in which one entry, however deep, is another value."""
    fields = good_fields()
    key = draw(st.sampled_from([k for k, v in fields.items() if isinstance(v, list)]))

    def change(value):
        if isinstance(value, list | tuple) and value and draw(st.integers(0, 3)):
            i = draw(st.integers(0, len(value) - 1))
            return [*value[:i], change(value[i]), *value[i + 1 :]]
        return draw(VALUES)

    return fields | {key: change(fields[key])}


@given(fields=changed_places())
@often
def test_a_problem_refuses_any_entry_with_a_theory_error_only(fields):
    problem = attempt(lambda: Problem(**fields))
    assert problem is None or sum(problem.d) == 1


@given(
    changed=st.dictionaries(
        st.sampled_from(["name", "gamma", "features", "P", "r", "d", "initial_weights"]), VALUES, min_size=1, max_size=2
    )
)
@here
def test_an_averaged_process_refuses_anything_with_a_theory_error_only(changed):
    problem = attempt(lambda: averaged_process(**(GOOD_AVERAGED | changed)))
    assert problem is None or problem.states == 2


@given(
    name=st.text(max_size=40)
    | st.sampled_from(["gymnasium:", "\0", ".", "..", "/", "~", "x" * 5000, ".toml", "a\0.toml"])
)
@here
def test_any_name_of_a_problem_is_found_or_refused_on_one_line(name):
    assert attempt(lambda: find_problem(name)) in (None, *(make() for _, make in PROBLEMS))

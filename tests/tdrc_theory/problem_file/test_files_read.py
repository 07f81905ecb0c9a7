"""Problem files that are read mean what is written; files of another kind are refused."""

from fractions import Fraction
from pathlib import Path

import pytest

from tdrc_theory import END, key_matrices, load_problem
from tdrc_theory.errors import BadProblem, TheoryError
from tdrc_theory.problems import find_problem
from tdrc_theory.problems.problem_file import parse_problem

MDP = Path(__file__).with_name("mdp.toml").read_text(encoding="utf-8")
MRP = Path(__file__).with_name("mrp.toml").read_text(encoding="utf-8")


SPLIT = """\
name = "split"
gamma = 0.5
features = [[1], [1]]
[mdp]
transitions = [[0, 0, 0, 1, 0], [1, 0, 1, 1, 0]]
behaviour = [[1], [1]]
target = [[1], [1]]
"""


def test_a_chain_without_a_unique_stationary_distribution_is_refused(refusal, write):
    message = refusal(write(SPLIT))
    assert message.startswith("mdp.state_weights: the behaviour chain has no unique stationary distribution")
    assert "state 0 and state 1" in message


def test_given_state_weights_make_any_chain_a_problem(write):
    assert load_problem(write(f"{SPLIT}state_weights = [0.25, 0.75]\n")).d == (Fraction(1, 4), Fraction(3, 4))


@pytest.mark.parametrize(
    ("content", "expected"),
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
def test_a_file_of_another_kind_is_refused(refusal, write, content, expected):
    assert expected in refusal(write(content))


def test_a_file_that_is_not_there_is_refused(refusal, tmp_path):
    assert refusal(tmp_path / "absent.toml").startswith("cannot be read: ")


def test_a_folder_is_refused(refusal, tmp_path):
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


def test_a_decimal_means_the_decimal_that_is_written(with_line, write):
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
def test_every_accepted_form_is_read_exactly(with_line, write, written, value):
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
    assert (0, 1, 2, 1, Fraction(1, 2), None) in problem.transitions
    assert problem.initial_weights == (0, 0)
    assert [note.split(":")[0] for note in problem.notes] == ["features, state 2"]
    # Restarts in state 0, left for state 1 half the time, from which one half of the steps come back.
    assert problem.d == (Fraction(2, 3), Fraction(1, 3), 0)


def test_the_features_of_a_terminal_state_are_zeros(write):
    assert load_problem(write(MDP)).features[2] == (0, 0)
    assert load_problem(write(MDP.replace("[7, 7]", "[0, 0]"))).notes == ()


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
def test_the_rows_of_a_terminal_state_are_not_read(replaced, write, old, new):
    assert load_problem(write(replaced(MDP, old, new))) == load_problem(write(MDP, "plain.toml"))


def test_repeated_transitions_add_up(replaced, write):
    twice = "[1, 0, 0, 0.75, 0], [1, 0, 0, 0.25, 0]"
    assert load_problem(write(replaced(MDP, "[1, 0, 0, 1, 0]", twice))) == load_problem(write(MDP, "plain.toml"))


def test_repeated_transitions_with_different_rewards_stay_apart(replaced, write):
    twice = "[1, 0, 0, 0.75, 0], [1, 0, 0, 0.25, 4]"
    problem = load_problem(write(replaced(MDP, "[1, 0, 0, 1, 0]", twice)))
    assert {(t.probability, t.reward) for t in problem.transitions if (t.s, t.a) == (1, 0)} == {
        (Fraction(3, 4), 0),
        (Fraction(1, 4), 4),
    }


def test_an_action_that_no_policy_takes_needs_no_transitions(replaced, write):
    problem = load_problem(write(replaced(SPLIT, "behaviour = [[1], [1]]", "behaviour = [[1, 0], [1, 0]]").replace(
        "target = [[1], [1]]", "target = [[1, 0], [1, 0]]\nstate_weights = [1, 0]"
    )))  # fmt: skip
    assert {t.a for t in problem.transitions} == {0}


def test_transitions_of_probability_zero_are_left_out(replaced, write):
    extra = "[1, 0, 0, 1, 0], [1, 0, 1, 0, 5]"
    assert load_problem(write(replaced(MDP, "[1, 0, 0, 1, 0]", extra))) == load_problem(write(MDP, "plain.toml"))


def test_explicit_state_weights_are_used(replaced, write):
    text = replaced(MDP, "start =", 'state_weights = [0.25, "3/4", 0]\nstart =')
    assert load_problem(write(text)).d == (Fraction(1, 4), Fraction(3, 4), 0)


def test_stationary_is_the_default_of_the_state_weights(replaced, write):
    text = load_problem(write(replaced(MDP, "start =", 'state_weights = "stationary"\nstart =')))
    assert text == load_problem(write(MDP, "plain.toml"))


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


def test_a_name_may_be_any_line_of_text(with_line, write):
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

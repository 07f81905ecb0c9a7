"""What a model file may not say: one line with the file, the line and what is allowed."""

import pytest

from tdrc_theory.errors import BadProblem
from tdrc_theory.problems import find_problem

DRN = "@type: MDP\n@nr_states\n2\n@model\n"
MDP = "states: a b\nactions: go\n"


@pytest.mark.parametrize(
    ("suffix", "text", "where", "why"),
    [
        ("tra", "", "", "is empty"),
        ("tra", "x 1\n", ", line 1", "'x' is no number of states; allowed: 0 to"),
        ("tra", "1 2 3 4\n", ", line 1", "4 numbers"),
        ("tra", "0 0\n", ", line 1", "no states"),
        ("tra", "99999999 1\n0 0 1\n", ", line 1", "is no number of states"),
        ("tra", "1 2\n0 0 1\n", ", line 1", "2 entries announced, 1 there"),
        ("tra", "1 1\n\n0 1 1\n", ", line 3", "'1' is no state; allowed: 0 to 0"),
        ("tra", "1 1\n0 0 2\n", ", line 2", "2 is no probability"),
        ("tra", "1 1\n0 0 -1\n", ", line 2", "-1 is no probability"),
        ("tra", "1 1\n0 0 nan\n", ", line 2", "'nan' is not a number; allowed: 3, -3"),
        ("tra", "1 1\n0 0 1/0\n", ", line 2", "not a number"),
        ("tra", "1 1\n0 0 1e9999\n", ", line 2", "not a number"),
        ("tra", "1 1\n0 0 __import__('os')\n", ", line 2", "not a number"),
        ("tra", "1 2\n0 0 0.5\n0 0 0.5\n", ", line 3", "a second transition from 0 by 0 to 0"),
        ("tra", "1 1 1\n0 0 0 [0.4,0.6] east\n", ", line 2", "'[0.4,0.6]' is not a number"),
        ("tra", "1 1\n0 0\n", ", line 2", "2 entries; allowed: state, next state and number"),
        ("tra", b"1 1\n0 0 \xff\n", "", "is not UTF-8 text"),
        ("drn", "@nr_states\n1\n", "", "has no @model"),
        ("drn", "@model\n", "", "@nr_states is missing"),
        ("drn", "@type: CTMC\n", ", line 1", "a model of type CTMC; allowed: DTMC, MDP"),
        ("drn", "@nr_states\n", ", line 1", "the file ends here"),
        ("drn", DRN + "state 2\n", ", line 5", "'2' is no state; allowed: 0 to 1"),
        ("drn", DRN + "state 0\nstate 0\n", ", line 6", "state 0 a second time"),
        ("drn", DRN + "state 0 !5\n", ", line 5", "!5: rates or observations"),
        ("drn", DRN + "state 0 {3} init\n", ", line 5", "{3}: rates or observations"),
        ("drn", DRN + "action a\n", ", line 5", "an action; allowed: below a state"),
        ("drn", DRN + "0 : 1\n", ", line 5", "neither a state"),
        ("drn", DRN + "state 0\n\taction a [x]\n", ", line 6", "'x' is not a number"),
        ("drn", DRN + "state 0\n\t0 : p\n", ", line 6", "'p' is not a number"),
        ("mdp", "", "", "states: missing"),
        ("mdp", "states: 2\n", "", "actions: missing"),
        ("mdp", "state: 2\n", ", line 1", "'state'; allowed: one of discount"),
        ("mdp", "states 2\n", ", line 1", "'states'; allowed: one of discount"),
        ("mdp", "discount: 2\n", ", line 1", "2 is no probability"),
        ("mdp", "values: money\n", ", line 1", "values: money; allowed: reward or cost"),
        ("mdp", "states: a a\n", ", line 1", "2 states; allowed: a number or different names"),
        ("mdp", "states: 99999999999\n", ", line 1", "is no number of states"),
        ("mdp", MDP + "observations: 2\n", ", line 3", "a partially observed process"),
        ("pomdp", MDP + "O: * uniform\n", ", line 3", "a partially observed process"),
        ("mdp", "T: * uniform\n", ", line 1", "T before states and actions"),
        ("mdp", MDP + "T: go : a : c 1\n", ", line 3", "'c' is no state by name, nor its number; allowed: 0 to 1"),
        ("mdp", MDP + "T: run : a : a 1\n", ", line 3", "'run' is no action"),
        ("mdp", MDP + "T: go : a\n0.5\n", ", line 3", "the file ends within its numbers; allowed: 2 numbers"),
        ("mdp", MDP + "T: go : a\n0.5 x\n", ", line 4", "'x' is not a number"),
        ("mdp", MDP + "T: go : a identity\n", ", line 3", "identity for one row"),
        ("mdp", MDP + "T: go : a : a : a 1\n", ", line 3", "'a' as a fourth place"),
        ("mdp", MDP + "T: go : a :", ", line 3", "the file ends within a statement"),
        ("mdp", MDP + "start: c\n", ", line 3", "'c' is no state"),
        ("mdp", MDP + "start exclude: a b\n", ", line 3", "no state to start in"),
        ("mdp", "states: 100000\nactions: 100\nT: * uniform\n", ", line 3", "entries of T and R in all"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line(write, suffix, text, where, why):
    path = write(**{suffix: text})
    with pytest.raises(BadProblem) as caught:
        find_problem(path)
    message = str(caught.value)
    assert message.startswith(f"{path}{where}: ")
    assert why in message
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "suffix", "why"),
    [
        ("3 1\n0 0 1\n", "srew", "3 entries; allowed: state and reward"),
        ("3 2\n0 1\n", "srew", "2 entries announced, 1 there"),
        ("3 1\n7 1\n", "srew", "'7' is no state"),
        ("3 1\n0 0 1\n", "trew", "a reward without its transition from 0 by 0 to 0"),
        ('0="init"\n0\n', "lab", "no colon"),
    ],
)
def test_a_mistake_in_a_file_beside_it_is_named_with_that_file(write, text, suffix, why):
    path = write(tra="3 3\n0 1 1\n1 2 1\n2 0 1\n", **{suffix: text})
    with pytest.raises(BadProblem) as caught:
        find_problem(path)
    assert str(caught.value).startswith(f"{path[: -len('tra')]}{suffix}, line ")
    assert why in str(caught.value)


def test_probabilities_that_do_not_sum_to_one_are_refused(write):
    with pytest.raises(BadProblem, match="state 0, action 0: probabilities sum to 3/4, not 1"):
        find_problem(write(tra="2 3\n0 0 0.25\n0 1 0.5\n1 0 1\n", srew="2 1\n0 1\n"))


def test_states_that_nothing_follows_need_a_start(write):
    with pytest.raises(BadProblem, match="state 1: no transitions, and no start"):
        find_problem(write(drn="@type: DTMC\n@nr_states\n2\n@model\nstate 0\n\t1 : 1\nstate 1\n"))


def test_a_file_that_is_not_there_is_one_line():
    with pytest.raises(BadProblem, match=r"^nowhere.tra: cannot be read: "):
        find_problem("nowhere.tra")

"""Environments with arguments, from modules, as objects, and with features and policies of one's own."""

import sys
import textwrap
import warnings
from fractions import Fraction

import numpy as np
import pytest

from simulate.control.environments import environments
from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.problem.environment import parse_environment_id
from tdrc_theory.problems import find_problem
from verify.conditions.__main__ import main

HALL = '''
    import gymnasium
    import numpy as np


    class Hall(gymnasium.Env):
        """Rooms in a row: right moves on, left stays; the last step pays `bonus` and ends."""

        observation_space = gymnasium.spaces.Discrete(4)
        action_space = gymnasium.spaces.Discrete(2)

        def __init__(self, bonus=1, render_mode=None):
            self.P = {
                s: {0: [(1.0, s, 0.0, False)], 1: [(1.0, min(s + 1, 3), float(bonus) * (s == 3), s == 3)]}
                for s in range(4)
            }
            self.initial_state_distrib = np.array([1.0, 0, 0, 0])

        def reset(self, seed=None, options=None):
            super().reset(seed=seed)
            self.s = 0
            return 0, {}

        def step(self, action):
            ((_, self.s, reward, ended),) = self.P[self.s][int(action)]
            return self.s, reward, ended, False, {}


    gymnasium.register(id="Hall-v0", entry_point=Hall, max_episode_steps=50)
'''


@pytest.fixture
def hall(tmp_path, monkeypatch):
    (tmp_path / "hall_of_rooms.py").write_text(textwrap.dedent(HALL), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("hall_of_rooms", None)
    import gymnasium

    gymnasium.registry.pop("Hall-v0", None)


def environment(environment_id, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import gymnasium

        return gymnasium.make(environment_id, **arguments)


def test_arguments_of_the_id_reach_the_environment():
    slides, walks = (find_problem(f"gymnasium:FrozenLake-v1?is_slippery={text}") for text in ("true", "false"))
    assert {t.probability for t in walks.transitions} == {1}
    assert {t.probability for t in slides.transitions} == {Fraction(1, 3), Fraction(2, 3), Fraction(1)}
    assert find_problem("gymnasium:FrozenLake-v1?is_slippery=false&map_name=8x8").states == 64


def test_rain_makes_a_taxi_slip():
    dry, wet = (find_problem(f"gymnasium:Taxi-v3?is_rainy={text}", target="uniform") for text in ("false", "true"))
    assert {t.probability for t in dry.transitions} == {1}
    assert Fraction(4, 5) in {t.probability for t in wet.transitions}


def test_values_are_those_of_json_and_text_otherwise():
    parsed = parse_environment_id('gymnasium:m:ID-v1?a=1&b=0.5&c=null&d=[1,2]&e=x&f="y"&g=&h=a=b')
    assert (parsed.module, parsed.identifier) == ("m", "ID-v1")
    assert parsed.arguments == {"a": 1, "b": 0.5, "c": None, "d": [1, 2], "e": "x", "f": "y", "g": "", "h": "a=b"}


@pytest.mark.parametrize(
    "text", ["a:b:c", ":ID", "m:", "", "ID?x", "ID?=1", "ID?x=1&x=2", "ID?x-y=1", "ID?a=1&", "ID?a=1&&b=2"]
)
def test_another_form_is_refused_with_the_form(text):
    with pytest.raises(BadProblem, match=r"gymnasium:.*MODULE.*ID"):
        find_problem(f"gymnasium:{text}")


@pytest.mark.parametrize("query", ["?nonsense=1", "?map_name=none"])
def test_arguments_that_the_environment_refuses_are_one_line(query):
    with pytest.raises(BadProblem) as caught:
        find_problem(f"gymnasium:FrozenLake-v1{query}")
    assert str(caught.value).startswith(f"gymnasium:FrozenLake-v1{query}: ")
    assert len(str(caught.value).splitlines()) == 1


def test_a_module_is_imported_first_in_verify_and_in_simulate_alike(hall):
    # The first of the two finds the environment unregistered.
    copies = environments("gymnasium:hall_of_rooms:Hall-v0?bonus=3", list(np.random.SeedSequence(1).spawn(2)))
    assert (copies.observation_shape, copies.actions) == ((4,), 2)
    problem = find_problem("gymnasium:hall_of_rooms:Hall-v0?bonus=3")
    assert {t.reward for t in problem.transitions} == {0, 3}
    assert find_problem("gymnasium:Hall-v0").states == 4


def test_numbered_observations_are_one_hot_in_control(hall):
    copies = environments("gymnasium:hall_of_rooms:Hall-v0", list(np.random.SeedSequence(1).spawn(2)))
    np.testing.assert_array_equal(copies.observe(), [[1, 0, 0, 0]] * 2)
    copies.step(np.array([1, 0]))
    np.testing.assert_array_equal(copies.observe(), [[0, 1, 0, 0], [1, 0, 0, 0]])
    assert copies.observe().dtype == np.float32


def test_an_environment_object_is_taken_wrapped_or_not_and_by_every_function():
    wrapped = environment("FrozenLake-v1", is_slippery=False)
    by_name = find_problem("gymnasium:FrozenLake-v1?is_slippery=false")
    for problem in (find_problem(wrapped), find_problem(wrapped.unwrapped)):
        assert problem.transitions == by_name.transitions
        assert (problem.start, problem.target, problem.d) == (by_name.start, by_name.target, by_name.d)
    assert find_problem(wrapped).name == "gymnasium:FrozenLake-v1"


def test_the_older_name_of_the_start_is_read_too():
    class Old:
        def __init__(self):
            self.P = {0: {0: [(0.5, 0, 1.0, False), (0.5, 1, 2.0, True)]}, 1: {0: [(1.0, 1, 0.0, True)]}}
            self.isd = np.array([1.0, 0.0])

    problem = find_problem(Old())
    assert problem.name == "gymnasium:Old"
    assert problem.start == (1, 0)
    assert {t[:5] for t in problem.transitions if t.s == 0} == {
        (0, 0, 0, Fraction(1, 2), 1),
        (0, 0, -1, Fraction(1, 2), 2),
    }


@pytest.mark.parametrize("table", [{0: {0: [(1.0, 0, 0.0)]}}, {1: {}}, {0: {0: [(1.0, "x", 0.0, False)]}}, [[3]]])
def test_a_table_of_another_form_is_refused(table):
    class Odd:
        P, isd = table, [1.0]

    with pytest.raises(BadProblem, match="gymnasium:Odd: P is no table"):
        find_problem(Odd())


def test_features_and_policies_of_arrays_are_those_of_the_problem():
    rows = np.arange(32).reshape(16, 2) / 4
    chosen = [s % 4 for s in range(16)]
    soft = np.full((16, 4), 0.1) + 0.6 * np.eye(4)[chosen]
    problem = find_problem(environment("FrozenLake-v1"), features=rows, behaviour=soft, target=chosen)
    assert problem.features == tuple((Fraction(s, 2), Fraction(2 * s + 1, 4)) for s in range(16))
    assert problem.target == tuple(tuple(Fraction(int(a == s % 4)) for a in range(4)) for s in range(16))
    assert problem.behaviour[1] == (Fraction(1, 10), Fraction(7, 10), Fraction(1, 10), Fraction(1, 10))


def test_files_give_features_and_policies_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    values = np.zeros((16, 4))
    values[:, 2] = 1
    np.save("x.npy", np.eye(16)[:, :3] + 1)
    np.save("q.npy", values)
    np.save("b.npy", np.full((16, 4), 0.25))
    np.save("actions.npy", np.full(16, 2))
    shown = []
    for target in ("greedy:q.npy", "actions.npy"):
        arguments = ["gymnasium:FrozenLake-v1", "--features", "x.npy", "--behaviour", "b.npy", "--target", target]
        assert main(arguments) == 0
        shown.append(capsys.readouterr().out)
    assert "16 states, 3 features" in shown[0]
    assert shown[0] == shown[1]
    assert "value iteration" not in shown[0]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"features": "cosine:3"}, "--features: 'cosine:3' is none; allowed: one-hot"),
        ({"behaviour": "greedy"}, "--behaviour: 'greedy' is none; allowed: uniform"),
        ({"target": "best:q.npy"}, "--target: 'best:q.npy' is none; allowed: greedy, uniform"),
        ({"target": "q.csv"}, "--target: 'q.csv' is none"),
    ],
)
def test_another_choice_is_refused_by_name(option, message):
    with pytest.raises(BadOption) as caught:
        find_problem("gymnasium:FrozenLake-v1", **option)
    assert message in str(caught.value)


@pytest.mark.parametrize("option", [{"features": "one-hot"}, {"behaviour": "uniform"}])
def test_problems_with_features_and_policies_of_their_own_take_no_others(option):
    with pytest.raises(BadOption, match="only gymnasium:ID and model files take it; baird has its own"):
        find_problem("baird", **option)


def test_a_target_that_behaviour_does_not_cover_is_refused():
    with pytest.raises(BadProblem, match="behaviour, state 0: gives action 0 probability 0"):
        find_problem(environment("FrozenLake-v1"), behaviour=[1] * 16, target=[0] * 16)

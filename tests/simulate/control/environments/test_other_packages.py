"""Environments of gymnasium and MinAtar against the packages themselves, and what is refused of them."""

import sys

import gymnasium
import minatar
import numpy as np
import pytest

from simulate.control.environments import environments
from tdrc_theory.errors import BadProblem, MissingExtra, UnknownName


def seeds(count):
    return np.random.SeedSequence(3).spawn(count)


def test_a_gymnasium_environment_does_what_gymnasium_does_with_the_same_seed():
    copies = environments("gymnasium:Acrobot-v1", seeds(2))
    theirs = [gymnasium.make("Acrobot-v1") for _ in range(2)]
    seen = [env.reset(seed=int(seed))[0] for env, seed in zip(theirs, copies.state()["seeds"], strict=True)]
    np.testing.assert_array_equal(copies.observe(), seen)
    generator = np.random.default_rng(0)
    ended = []
    for _ in range(500):
        actions = generator.integers(3, size=2)
        texts = [env.step(int(action)) for env, action in zip(theirs, actions, strict=True)]
        step = copies.step(actions)
        for mine, of_theirs in zip(step, list(zip(*texts, strict=True))[:4], strict=True):
            np.testing.assert_array_equal(mine, np.array(of_theirs))
        ended += [step.truncated | step.terminated]
    assert ended[-1].all()
    assert step.truncated.all()  # at 500 steps, which is gymnasium's limit


def test_a_cut_off_that_is_asked_for_takes_the_place_of_gymnasiums():
    copies = environments("gymnasium:Acrobot-v1", seeds(1), cutoff=3)
    assert [bool(copies.step(np.array([1])).truncated[0]) for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gymnasium:Pendulum-v1", r"actions are Box\("),
        ("gymnasium:Blackjack-v1", r"observations are Tuple\("),
        ("gymnasium:NoSuch-v1", "NoSuch"),
        ("gymnasium:", "gymnasium:"),
    ],
)
def test_what_cannot_be_learned_here_is_refused_in_one_line(name, message):
    with pytest.raises(BadProblem, match=message) as error:
        environments(name, seeds(1))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["mountain-cart", "minatar:pong"])
def test_an_unknown_name_is_answered_with_those_there_are(name):
    with pytest.raises(UnknownName, match="allowed"):
        environments(name, seeds(1))


@pytest.mark.parametrize(("name", "package"), [("minatar:breakout", "minatar"), ("gymnasium:Acrobot-v1", "gymnasium")])
def test_a_package_that_is_not_there_is_asked_for_by_its_extra(name, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'tdrc-referee\[{package}\]'"):
        environments(name, seeds(1))


@pytest.mark.parametrize(("game", "channels"), [("breakout", 4), ("space_invaders", 6)])
def test_a_minatar_game_does_what_minatar_does_with_the_same_seed(game, channels):
    copies = environments(f"minatar:{game}", seeds(1))
    assert copies.actions == 6
    assert copies.observation_shape == (channels, 10, 10)
    theirs = minatar.Environment(game)
    generator = np.random.default_rng(0)
    episodes = 0
    rewards = 0.0
    while episodes < 5:
        theirs.seed(int(copies.state()["seeds"][0]))
        theirs.reset()
        theirs.last_action = 0
        terminated = False
        while not terminated:
            np.testing.assert_array_equal(copies.observe()[0], np.moveaxis(theirs.state(), -1, 0))
            action = generator.integers(6, size=1)
            reward, terminated = theirs.act(int(action[0]))
            step = copies.step(action)
            assert (step.rewards[0], step.terminated[0], step.truncated[0]) == (reward, terminated, False)
            rewards += reward
        copies.reset(step.terminated)
        episodes += 1
    assert rewards > 0


def test_an_environment_that_does_not_repeat_itself_is_not_resumed():
    copies = environments("gymnasium:CartPole-v1", seeds(1))
    copies.step(np.array([1]))
    kept = copies.state()
    kept["seen"] = kept["seen"] + 1
    with pytest.raises(BadProblem, match="cannot be resumed"):
        copies.restore(kept)

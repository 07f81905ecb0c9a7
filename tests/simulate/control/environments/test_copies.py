"""What holds of every environment: copies do not touch each other, and go on exactly from where they were."""

import numpy as np
import pytest

from simulate.control.environments import NAMES, environments
from simulate.control.environments.environment import Streams

EVERY = [*NAMES, "gymnasium:Acrobot-v1"]


def seeds(numbers):
    return [np.random.SeedSequence(7, spawn_key=(number,)) for number in numbers]


def drawn_actions(copies, numbers, steps):
    """(steps, n): each number has actions of its own."""
    columns = [np.random.default_rng(number).integers(copies.actions, size=steps) for number in numbers]
    return np.stack(columns, axis=1)


def played(copies, actions):
    """Take the actions, resetting what has ended; return all that was seen of each copy, flat: (steps, n, ...)."""
    rows = []
    for row in actions:
        step = copies.step(row)
        ended = step.terminated | step.truncated
        copies.reset(ended)
        numbers = np.stack((step.rewards, step.terminated, step.truncated), axis=1)
        rows.append(np.hstack([numbers, step.observations.reshape(len(copies), -1)]))
    return np.stack(rows)


@pytest.mark.parametrize("name", EVERY)
def test_a_copys_history_does_not_depend_on_what_stands_beside_it(name):
    numbers = [0, 1, 2, 3, 4]
    together = environments(name, seeds(numbers), cutoff=60)
    history = played(together, drawn_actions(together, numbers, 150))
    assert history[:, :, 1:3].any()  # episodes ended
    assert not np.array_equal(history[:, 0], history[:, 1])
    for chosen in ([3], [4, 1]):
        fewer = environments(name, seeds(chosen), cutoff=60)
        np.testing.assert_array_equal(played(fewer, drawn_actions(fewer, chosen, 150)), history[:, chosen])


@pytest.mark.parametrize("name", EVERY)
def test_restored_copies_go_on_as_the_others_would_have(name):
    first = environments(name, seeds([0, 1, 2]))
    actions = drawn_actions(first, [0, 1, 2], 140)
    played(first, actions[:70])
    kept = first.state()
    assert all(isinstance(value, np.ndarray) and value.dtype.kind in "iufb" for value in kept.values())
    seen, expected = first.observe(), played(first, actions[70:])
    second = environments(name, seeds([8, 9, 10]))
    played(second, actions[:30])
    second.restore(kept)
    np.testing.assert_array_equal(second.observe(), seen)
    np.testing.assert_array_equal(played(second, actions[70:]), expected)


@pytest.mark.parametrize("name", EVERY)
def test_observations_are_as_announced_and_the_callers_own(name):
    copies = environments(name, seeds([0, 1]))
    seen = copies.observe()
    step = copies.step(np.array([0, copies.actions - 1]))
    assert seen.shape == step.observations.shape == (2, *copies.observation_shape)
    assert seen.dtype == step.observations.dtype == step.rewards.dtype == np.float32
    assert (step.observations.astype(copies.observation_dtype) == step.observations).all()
    before = copies.observe()
    step.observations[:] = 99
    np.testing.assert_array_equal(copies.observe(), before)


def test_streams_are_those_of_the_published_generator():
    # The first outputs of SplitMix64 from 1234567, as in the Rosetta Code task that collects test values for it.
    streams = Streams(seeds([0]))
    streams.position[:] = 1234567
    drawn = [int(streams.words()[0]) for _ in range(5)]
    assert drawn == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_a_stream_moves_on_only_where_it_is_drawn_from():
    streams, others = Streams(seeds([0, 1, 2])), Streams(seeds([0, 1, 2]))
    only = streams.uniform(np.array([1]))
    every = others.uniform()
    assert only[0] == every[1]
    np.testing.assert_array_equal(streams.position[[0, 2]], Streams(seeds([0, 2])).position)

"""The replay buffer: what is kept, and how often each transition is drawn."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import stats

from simulate.control.environments.environment import Streams
from simulate.control.replay import Replay

RUNS, CAPACITY = 2, 5
RARE = 1e-6
"""So rarely right draws are too far from their distribution."""


def replay(added, **options):
    result = Replay(
        RUNS, CAPACITY, (3,), torch.float32, **{"prioritized": False, "device": torch.device("cpu"), **options}
    )
    for number in range(added):
        at = np.full((RUNS, 3), 10 * number, np.float32) + np.arange(RUNS, dtype=np.float32)[:, None]
        actions = np.full(RUNS, number % 4)
        result.add(at, actions, np.full(RUNS, -number, np.float32), at + 5, np.full(RUNS, number % 2, np.float32))
    return result


def words(samples, seed=0):
    drawn = Streams(np.random.SeedSequence(seed).spawn(RUNS)).table(samples) >> np.uint64(33)
    return torch.from_numpy(drawn.astype(np.int64))


def test_a_table_of_words_is_the_words_in_turn():
    one, other = (Streams(np.random.SeedSequence(3).spawn(4)) for _ in range(2))
    table = one.table(7)
    np.testing.assert_array_equal(table, np.stack([other.words() for _ in range(7)], axis=1))
    np.testing.assert_array_equal(one.words(), other.words())


@pytest.mark.parametrize("prioritized", [False, True])
def test_a_transition_is_drawn_whole_from_its_own_run(prioritized):
    replayed = replay(8, prioritized=prioritized)
    batch, slots = replayed.draw(words(400))
    number = -batch.rewards.long()
    assert set(number.unique().tolist()) == {3, 4, 5, 6, 7}  # the first three have been overwritten
    expected = 10 * number[..., None] + torch.arange(RUNS)[:, None, None]
    assert torch.equal(batch.observations, expected.expand(-1, -1, 3).float())
    assert torch.equal(batch.next_observations, batch.observations + 5)
    assert torch.equal(batch.actions, number % 4)
    assert torch.equal(batch.goes_on, (number % 2).float())
    assert torch.equal(slots, number % CAPACITY)


def test_all_transitions_are_drawn_alike():
    for added in (3, 8):
        _, slots = replay(added).draw(words(6000))
        for run in range(RUNS):
            counts = np.bincount(slots[run], minlength=min(added, CAPACITY))
            assert stats.chisquare(counts).pvalue > RARE


def test_transitions_are_drawn_in_proportion_to_their_squared_errors():
    replayed = replay(4, prioritized=True)
    replayed.learn_priorities(
        torch.tensor([[0, 1, 2, 3]] * RUNS), torch.tensor([[1.0, -2.0, 0.0, 3.0], [2.0, 2.0, 1.0, 0.5]])
    )
    _, slots = replayed.draw(words(9000))
    for run, squares in enumerate(([1, 4, 0, 9], [4, 4, 1, 0.25])):
        counts, expected = np.bincount(slots[run], minlength=4), np.array(squares) / sum(squares) * 9000
        assert (counts[expected == 0] == 0).all()
        assert stats.chisquare(counts[expected > 0], expected[expected > 0]).pvalue > RARE


def test_a_new_transition_counts_as_the_largest_error_so_far():
    replayed = replay(4, prioritized=True)
    replayed.learn_priorities(torch.tensor([[1], [2]]), torch.tensor([[5.0], [0.5]]))
    replayed.add(
        *(
            np.zeros((RUNS, *shape), kind)
            for shape, kind in (((3,), "f4"), ((), "i8"), ((), "f4"), ((3,), "f4"), ((), "f4"))
        )
    )
    assert replayed.priorities is not None
    assert replayed.priorities[:, 4].tolist() == [25, 1]


def test_a_buffer_that_no_memory_holds_is_refused():
    with pytest.raises(ValueError, match="--buffer: 1000000 runs"):
        Replay(10**6, 10**6, (3,), torch.float32, prioritized=False, device=torch.device("cpu"))

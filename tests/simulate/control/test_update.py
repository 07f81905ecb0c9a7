"""The update, against what is independent of it, with sizes that are all different."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from simulate.control.agent import Batch, directions
from simulate.control.network import Layered, Network
from tdrc_theory.algorithms import TDRC

RUNS, SAMPLES, ACTIONS, INPUTS, HIDDEN, WIDTH = 2, 3, 4, 6, 7, 5
GAMMA, BETA = 0.9, 0.7


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def drawn(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=generator(seed))


def batch(samples=SAMPLES, actions=ACTIONS, inputs=INPUTS, seed=1, runs=RUNS):
    taken = torch.randint(actions, (runs, samples), generator=generator(seed))
    goes_on = (torch.rand(runs, samples, generator=generator(seed)) < 0.7).double()
    at, after = drawn(2, runs, samples, inputs, seed=seed)
    return Batch(at, taken, drawn(runs, samples, seed=seed + 1), after, goes_on)


def network(seed=2, runs=RUNS):
    made = Layered(INPUTS, HIDDEN, WIDTH, ACTIONS)
    return made, [drawn(runs, *shape, seed=seed + i) for i, shape in enumerate(made.shapes)]


def second_weights(seed=3):
    return drawn(RUNS, ACTIONS, WIDTH, seed=seed)


class Linear(Network):
    """One action, whose value is w . x."""

    width, actions = WIDTH, 1
    shapes = ((WIDTH, 1),)

    def initial(self, generator):
        raise NotImplementedError

    def trace(self, weights, observations):
        return observations, torch.bmm(observations, weights[0])

    def gradients(self, weights, trace, slopes):  # noqa: ARG002 as any network has them
        return (torch.bmm(trace[0].transpose(1, 2), slopes),)


def test_a_linear_network_gives_the_linear_update():
    given = batch(actions=1, inputs=WIDTH)
    w, h = drawn(RUNS, WIDTH, 1, seed=5), drawn(RUNS, 1, WIDTH, seed=6)
    found = directions(Linear(), [w], [w], h, given, gamma=GAMMA, beta=BETA)
    for run in range(RUNS):
        dw, dh = np.zeros(WIDTH), np.zeros(WIDTH)
        for sample in range(SAMPLES):
            x = given.observations[run, sample].numpy()
            x_next = given.next_observations[run, sample].numpy() * float(given.goes_on[run, sample])
            weights, second = w[run, :, 0].numpy(), h[run, 0].numpy()
            delta = float(given.rewards[run, sample]) + GAMMA * weights @ x_next - weights @ x
            for i in range(WIDTH):
                parts = TDRC.direction(x[i], x_next[i], second[i], delta, second @ x, 1.0, GAMMA, BETA)
                dw[i] += parts[0] / SAMPLES
                dh[i] += parts[1] / SAMPLES
        np.testing.assert_allclose((found.error[0] + found.correction[0])[run, :, 0], dw, rtol=1e-12)
        np.testing.assert_allclose(found.h[run, 0], dh, rtol=1e-12)


def value(made, weights, run, observation, action):
    one = [weight[run : run + 1] for weight in weights]
    return float(made.evaluate(one, observation[None, None])[1][0, 0, action])


def objective(made, weights, given, h, run, of):
    """What the direction is the gradient of, with delta, delta_hat and a' held at the unmoved weights' `of`."""
    total = 0.0
    for sample in range(SAMPLES):
        at, after = given.observations[run, sample], given.next_observations[run, sample]
        action, goes_on = int(given.actions[run, sample]), float(given.goes_on[run, sample])
        next_values = [value(made, of, run, after, a) for a in range(ACTIONS)]
        delta = float(given.rewards[run, sample]) + GAMMA * goes_on * max(next_values)
        delta -= value(made, of, run, at, action)
        x = made.evaluate([weight[run : run + 1] for weight in of], at[None, None])[0][0, 0]
        delta_hat = float(h[run, action] @ x)
        total += delta * value(made, weights, run, at, action)
        total -= GAMMA * goes_on * delta_hat * value(made, weights, run, after, int(np.argmax(next_values)))
    return total / SAMPLES


def test_the_direction_of_the_network_is_that_of_finite_differences():
    made, weights = network()
    given, h = batch(), second_weights()
    found = directions(made, weights, weights, h, given, gamma=GAMMA, beta=BETA)
    step = 1e-6
    for number, weight in enumerate(weights):
        for place in np.ndindex(*weight.shape):
            ends = []
            for sign in (1, -1):
                moved = [one.clone() for one in weights]
                moved[number][place] += sign * step
                ends.append(objective(made, moved, given, h, place[0], of=weights))
            slope = (ends[0] - ends[1]) / (2 * step)
            direction = float(found.error[number][place] + found.correction[number][place])
            assert direction == pytest.approx(slope, rel=1e-6, abs=1e-7), (number, place)


def test_each_part_of_the_direction_belongs_to_its_own_network():
    made, weights = network()
    _, target = network(seed=40)
    given, h = batch(), second_weights()
    both = directions(made, weights, target, h, given, gamma=GAMMA, beta=BETA)
    # The value that is bootstrapped is the target's, so that with it alone in both places delta changes.
    alone = directions(made, weights, weights, h, given, gamma=GAMMA, beta=BETA)
    assert (both.delta != alone.delta).any()
    nothing = directions(made, weights, target, torch.zeros_like(h), given, gamma=GAMMA, beta=BETA)
    for one, other in zip(both.error, nothing.error, strict=True):
        assert torch.equal(one, other)
    assert all((part == 0).all() for part in nothing.correction)
    assert any((part != 0).any() for part in both.correction)


def test_the_same_weights_as_online_and_target_network_do_not_double_the_step():
    made, weights = network()
    copies = [weight.clone() for weight in weights]
    given, h = batch(), second_weights()
    one = directions(made, weights, weights, h, given, gamma=GAMMA, beta=BETA)
    two = directions(made, weights, copies, h, given, gamma=GAMMA, beta=BETA)
    for a, b in zip((*one.error, *one.correction), (*two.error, *two.correction), strict=True):
        assert torch.equal(a, b)


def test_a_head_learns_from_the_samples_of_its_action_alone():
    made, weights = network()
    given, h = batch(samples=9), second_weights()
    given.actions[:] = torch.tensor([[0, 1, 1, 3, 3, 3, 0, 0, 0], [2] * 9])
    found = directions(made, weights, weights, h, given, gamma=GAMMA, beta=BETA)
    assert found.seen.tolist() == [[True, True, False, True], [False, False, True, False]]
    for run, action in ((0, 0), (0, 1), (0, 3), (1, 2)):
        chosen = given.actions[run] == action
        only = Batch(*(column[run : run + 1, chosen] for column in given))
        one = [weight[run : run + 1] for weight in weights]
        alone = directions(made, one, one, h[run : run + 1], only, gamma=GAMMA, beta=BETA)
        np.testing.assert_allclose(found.h[run, action], alone.h[0, action], rtol=1e-12)


def test_a_batch_in_which_every_next_state_is_terminal_has_no_correction_and_asks_for_the_reward():
    made, weights = network()
    given, h = batch()._replace(goes_on=torch.zeros(RUNS, SAMPLES, dtype=torch.float64)), second_weights()
    found = directions(made, weights, weights, h, given, gamma=GAMMA, beta=BETA)
    assert all((part == 0).all() for part in found.correction)
    values = made.evaluate(weights, given.observations)[1]
    for run, sample in np.ndindex(RUNS, SAMPLES):
        left = given.rewards[run, sample] - values[run, sample, given.actions[run, sample]]
        assert float(found.delta[run, sample]) == pytest.approx(float(left), rel=1e-12)


def test_a_batch_of_one_is_a_batch():
    made, weights = network()
    given, h = batch(), second_weights()
    whole = directions(made, weights, weights, h, given, gamma=GAMMA, beta=BETA)
    singles = [
        directions(
            made, weights, weights, h, Batch(*(column[:, i : i + 1] for column in given)), gamma=GAMMA, beta=BETA
        )
        for i in range(SAMPLES)
    ]
    for number, part in enumerate(whole.correction):
        mean = sum(one.correction[number] for one in singles) / SAMPLES
        np.testing.assert_allclose(part, mean, rtol=1e-11, atol=1e-13)
    assert all(one.delta.shape == (RUNS, 1) for one in singles)


@pytest.mark.parametrize("name", ["actions", "rewards", "goes_on"])
def test_a_column_that_would_be_broadcast_is_refused(name):
    made, weights = network()
    given = batch()
    wrong = given._replace(**{name: getattr(given, name)[..., None]})
    with pytest.raises(AssertionError, match=name):
        directions(made, weights, weights, second_weights(), wrong, gamma=GAMMA, beta=BETA)


def test_second_weights_of_another_shape_are_refused():
    made, weights = network()
    with pytest.raises(AssertionError, match="h is"):
        directions(made, weights, weights, drawn(RUNS, WIDTH, ACTIONS), batch(), gamma=GAMMA, beta=BETA)

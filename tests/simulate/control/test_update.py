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
    result = Layered(INPUTS, HIDDEN, WIDTH, ACTIONS)
    return result, [drawn(runs, *shape, seed=seed + i) for i, shape in enumerate(result.shapes)]


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
    result = batch(actions=1, inputs=WIDTH)
    w, h = drawn(RUNS, WIDTH, 1, seed=5), drawn(RUNS, 1, WIDTH, seed=6)
    outcome = directions(Linear(), [w], [w], h, result, gamma=GAMMA, beta=BETA)
    for run in range(RUNS):
        dw, dh = np.zeros(WIDTH), np.zeros(WIDTH)
        for sample in range(SAMPLES):
            x = result.observations[run, sample].numpy()
            x_next = result.next_observations[run, sample].numpy() * float(result.goes_on[run, sample])
            weights, second = w[run, :, 0].numpy(), h[run, 0].numpy()
            delta = float(result.rewards[run, sample]) + GAMMA * weights @ x_next - weights @ x
            for i in range(WIDTH):
                parts = TDRC.direction(x[i], x_next[i], second[i], delta, second @ x, 1.0, GAMMA, BETA)
                dw[i] += parts[0] / SAMPLES
                dh[i] += parts[1] / SAMPLES
        np.testing.assert_allclose((outcome.error[0] + outcome.correction[0])[run, :, 0], dw, rtol=1e-12)
        np.testing.assert_allclose(outcome.h[run, 0], dh, rtol=1e-12)


def value(result, weights, run, observation, action):
    one = [weight[run : run + 1] for weight in weights]
    return float(result.evaluate(one, observation[None, None])[1][0, 0, action])


def objective(result, weights, values, h, run, of):
    """What the direction is the gradient of, with delta, delta_hat and a' held at the unmoved weights' `of`."""
    total = 0.0
    for sample in range(SAMPLES):
        at, after = values.observations[run, sample], values.next_observations[run, sample]
        action, goes_on = int(values.actions[run, sample]), float(values.goes_on[run, sample])
        next_values = [value(result, of, run, after, a) for a in range(ACTIONS)]
        delta = float(values.rewards[run, sample]) + GAMMA * goes_on * max(next_values)
        delta -= value(result, of, run, at, action)
        x = result.evaluate([weight[run : run + 1] for weight in of], at[None, None])[0][0, 0]
        delta_hat = float(h[run, action] @ x)
        total += delta * value(result, weights, run, at, action)
        total -= GAMMA * goes_on * delta_hat * value(result, weights, run, after, int(np.argmax(next_values)))
    return total / SAMPLES


def test_the_direction_of_the_network_is_that_of_finite_differences():
    result, weights = network()
    values, h = batch(), second_weights()
    outcome = directions(result, weights, weights, h, values, gamma=GAMMA, beta=BETA)
    step = 1e-6
    for number, weight in enumerate(weights):
        for place in np.ndindex(*weight.shape):
            ends = []
            for sign in (1, -1):
                moved = [one.clone() for one in weights]
                moved[number][place] += sign * step
                ends.append(objective(result, moved, values, h, place[0], of=weights))
            slope = (ends[0] - ends[1]) / (2 * step)
            direction = float(outcome.error[number][place] + outcome.correction[number][place])
            assert direction == pytest.approx(slope, rel=1e-6, abs=1e-7), (number, place)


def test_each_part_of_the_direction_belongs_to_its_own_network():
    result, weights = network()
    _, target = network(seed=40)
    values, h = batch(), second_weights()
    both = directions(result, weights, target, h, values, gamma=GAMMA, beta=BETA)
    # The value that is bootstrapped is the target's, so that with it alone in both places delta changes.
    alone = directions(result, weights, weights, h, values, gamma=GAMMA, beta=BETA)
    assert (both.delta != alone.delta).any()
    nothing = directions(result, weights, target, torch.zeros_like(h), values, gamma=GAMMA, beta=BETA)
    for one, other in zip(both.error, nothing.error, strict=True):
        assert torch.equal(one, other)
    assert all((part == 0).all() for part in nothing.correction)
    assert any((part != 0).any() for part in both.correction)


def test_the_same_weights_as_online_and_target_network_do_not_double_the_step():
    result, weights = network()
    copies = [weight.clone() for weight in weights]
    values, h = batch(), second_weights()
    one = directions(result, weights, weights, h, values, gamma=GAMMA, beta=BETA)
    two = directions(result, weights, copies, h, values, gamma=GAMMA, beta=BETA)
    for a, b in zip((*one.error, *one.correction), (*two.error, *two.correction), strict=True):
        assert torch.equal(a, b)


def test_a_head_learns_from_the_samples_of_its_action_alone():
    result, weights = network()
    values, h = batch(samples=9), second_weights()
    values.actions[:] = torch.tensor([[0, 1, 1, 3, 3, 3, 0, 0, 0], [2] * 9])
    outcome = directions(result, weights, weights, h, values, gamma=GAMMA, beta=BETA)
    assert outcome.seen.tolist() == [[True, True, False, True], [False, False, True, False]]
    for run, action in ((0, 0), (0, 1), (0, 3), (1, 2)):
        chosen = values.actions[run] == action
        only = Batch(*(column[run : run + 1, chosen] for column in values))
        one = [weight[run : run + 1] for weight in weights]
        alone = directions(result, one, one, h[run : run + 1], only, gamma=GAMMA, beta=BETA)
        np.testing.assert_allclose(outcome.h[run, action], alone.h[0, action], rtol=1e-12)


def test_a_batch_in_which_every_next_state_is_terminal_has_no_correction_and_asks_for_the_reward():
    result, weights = network()
    inputs, h = batch()._replace(goes_on=torch.zeros(RUNS, SAMPLES, dtype=torch.float64)), second_weights()
    outcome = directions(result, weights, weights, h, inputs, gamma=GAMMA, beta=BETA)
    assert all((part == 0).all() for part in outcome.correction)
    values = result.evaluate(weights, inputs.observations)[1]
    for run, sample in np.ndindex(RUNS, SAMPLES):
        left = inputs.rewards[run, sample] - values[run, sample, inputs.actions[run, sample]]
        assert float(outcome.delta[run, sample]) == pytest.approx(float(left), rel=1e-12)


def test_a_batch_of_one_is_a_batch():
    result, weights = network()
    values, h = batch(), second_weights()
    whole = directions(result, weights, weights, h, values, gamma=GAMMA, beta=BETA)
    singles = [
        directions(
            result, weights, weights, h, Batch(*(column[:, i : i + 1] for column in values)), gamma=GAMMA, beta=BETA
        )
        for i in range(SAMPLES)
    ]
    for number, part in enumerate(whole.correction):
        mean = sum(one.correction[number] for one in singles) / SAMPLES
        np.testing.assert_allclose(part, mean, rtol=1e-11, atol=1e-13)
    assert all(one.delta.shape == (RUNS, 1) for one in singles)


@pytest.mark.parametrize("name", ["actions", "rewards", "goes_on"])
def test_a_column_that_would_be_broadcast_is_refused(name):
    result, weights = network()
    outcome = batch()
    wrong = outcome._replace(**{name: getattr(outcome, name)[..., None]})
    with pytest.raises(AssertionError, match=name):
        directions(result, weights, weights, second_weights(), wrong, gamma=GAMMA, beta=BETA)


def test_second_weights_of_another_shape_are_refused():
    result, weights = network()
    with pytest.raises(AssertionError, match="h is"):
        directions(result, weights, weights, drawn(RUNS, WIDTH, ACTIONS), batch(), gamma=GAMMA, beta=BETA)

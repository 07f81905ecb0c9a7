"""Agents that learn together against one that learns alone, and directions against what is independent of them.

Sizes are all different.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from simulate.control.agent import Agents, Batch, directions
from simulate.control.network import Layered, Network
from simulate.control.settings import settings
from tdrc_theory.algorithms import TDRC

RUNS, SAMPLES, ACTIONS, INPUTS, HIDDEN, WIDTH = 2, 3, 4, 6, 7, 5
UPDATES = 9
"""h begins at 0, so that the first update exercises nothing of it."""


class SlowAgent:
    """One agent, written from the equations in Python's own floats; nothing is broadcast, all is counted.

    Layers are lists of rows.

    Args:
        weights: of one run, in the order weight, bias, weight, bias, ..., as nested lists.
        actions, width: sizes of h.
        settings: alpha, beta, eta, gamma, target_every, optimizer, corrected.
    """

    def __init__(self, weights, actions, width, **settings):
        self.w = weights
        self.target = copied(weights)
        self.h = [[0.0] * width for _ in range(actions)]
        self.memory = {}
        self.counts = {}
        self.updates = 0
        self.settings = settings

    def learn(self, samples):
        """Take one update from a list of (observation, action, reward, next observation, terminal)."""
        of = self.settings
        target = self.target if of["target_every"] else self.w
        direction = zeros(self.w)
        h_sum = [[0.0] * len(row) for row in self.h]
        h_count = [0] * len(self.h)
        for at, action, reward, after, terminal in samples:
            layers = forward(self.w, at)
            layers_after = forward(target, after)
            values, x, values_after = layers[-1], layers[-2], layers_after[-1]
            best = max(range(len(values_after)), key=lambda a: values_after[a])
            delta = reward - values[action]
            if not terminal:
                delta += of["gamma"] * values_after[best]
            delta_hat = sum(a * b for a, b in zip(self.h[action], x, strict=True))
            add(direction, gradient(self.w, layers, action), delta / len(samples))
            if not terminal:
                add(direction, gradient(target, layers_after, best), -of["gamma"] * delta_hat / len(samples))
            h_count[action] += 1
            for i, feature in enumerate(x):
                h_sum[action][i] += (delta - delta_hat) * feature
        for number, weight in enumerate(self.w):
            for i, row in enumerate(weight):
                for j in range(len(row)):
                    row[j] += self.step(("w", number, i, j), direction[number][i][j], of["alpha"], (0.9, 0.999))
        for action, count in enumerate(h_count):
            if count and of["corrected"]:
                for i, second in enumerate(self.h[action]):
                    dh = h_sum[action][i] / count - of["beta"] * second
                    step = self.step(("h", action, i), dh, of["eta"] * of["alpha"], (0.99, 0.999))
                    self.h[action][i] += step
        self.updates += 1
        if of["target_every"] and self.updates % of["target_every"] == 0:
            self.target = copied(self.w)

    def step(self, key, g, alpha, decay):
        """Return by how much the optimiser moves one weight."""
        m, v = self.memory.get(key, (0.0, 0.0))
        if self.settings["optimizer"] == "rmsprop":
            m, v = 0.95 * m + 0.05 * g, 0.95 * v + 0.05 * g * g
            self.memory[key] = m, v
            return alpha * g / (math.sqrt(max(v - m * m, 0.0)) + 0.01)
        m, v = decay[0] * m + (1 - decay[0]) * g, decay[1] * v + (1 - decay[1]) * g * g
        self.memory[key] = m, v
        count = self.counts[key] = self.counts.get(key, 0) + 1
        return alpha * (m / (1 - decay[0] ** count)) / (math.sqrt(v / (1 - decay[1] ** count)) + 1e-8)


def forward(w, observation):
    """Return the outputs of all layers, the observation first."""
    layers = [observation]
    for number in range(0, len(w), 2):
        weight, bias = w[number], w[number + 1][0]
        sums = [bias[j] + sum(layers[-1][i] * weight[i][j] for i in range(len(layers[-1]))) for j in range(len(bias))]
        layers.append(sums if number == len(w) - 2 else [max(0.0, s) for s in sums])
    return layers


def gradient(w, layers, action):
    """Return the gradient of one action value by the chain rule."""
    result = zeros(w)
    back = [1.0 if a == action else 0.0 for a in range(len(layers[-1]))]
    for number in range(len(w) - 2, -2, -2):
        below = layers[number // 2]
        for j, slope in enumerate(back):
            result[number + 1][0][j] = slope
            for i, unit in enumerate(below):
                result[number][i][j] = unit * slope
        weight = w[number]
        back = [
            sum(weight[i][j] * slope for j, slope in enumerate(back)) if unit > 0 else 0.0
            for i, unit in enumerate(below)
        ]
    return result


def zeros(w):
    return [[[0.0] * len(row) for row in weight] for weight in w]


def copied(w):
    return [[list(row) for row in weight] for weight in w]


def add(total, part, factor):
    for number, weight in enumerate(part):
        for i, row in enumerate(weight):
            for j, value in enumerate(row):
                total[number][i][j] += factor * value


def agents(**options):
    chosen = settings(**{"environment": "mountain-car", "algorithm": "qrc", "alpha": "1/20", **options})
    network = Layered(INPUTS, HIDDEN, WIDTH, ACTIONS)
    return Agents(chosen, network, np.random.SeedSequence(5).spawn(RUNS), torch.device("cpu"))


def slow(learners):
    of = learners.settings
    return [
        SlowAgent(
            [weight[run].double().tolist() for weight in learners.weights],
            ACTIONS,
            WIDTH,
            alpha=float(of.alpha),
            beta=float(of.beta or 0),
            eta=float(of.eta or 1),
            gamma=float(of.gamma),
            target_every=of.target_every,
            optimizer=of.optimizer,
            corrected=of.algorithm != "q-learning",
        )
        for run in range(RUNS)
    ]


def batches(samples=SAMPLES, terminal=0.3, never=None, updates=UPDATES, seed=0):
    """Batches of which none has the action `never` until the last three."""
    draw = np.random.default_rng(seed)
    for update in range(updates):
        actions = draw.integers(ACTIONS, size=(RUNS, samples))
        if never is not None and update < updates - 3:
            actions[actions == never] = (never + 1) % ACTIONS
        yield Batch(
            torch.from_numpy(draw.normal(size=(RUNS, samples, INPUTS)).astype(np.float32)),
            torch.from_numpy(actions),
            torch.from_numpy(draw.normal(size=(RUNS, samples)).astype(np.float32)),
            torch.from_numpy(draw.normal(size=(RUNS, samples, INPUTS)).astype(np.float32)),
            torch.from_numpy((draw.random((RUNS, samples)) >= terminal).astype(np.float32)),
        )


def one_by_one(batch, run):
    at, actions, rewards, after, goes_on = (column[run].tolist() for column in batch)
    terminal = [value == 0 for value in goes_on]
    return list(zip(at, actions, rewards, after, terminal, strict=True))


CASES = {
    "qrc": ({}, {}),
    "qrc, half steps and less regularised": ({"eta": "1/2", "beta": "1/4"}, {}),
    "qc": ({"algorithm": "qc"}, {}),
    "q-learning": ({"algorithm": "q-learning"}, {}),
    "target network": ({"target_every": 4}, {}),
    "rmsprop": ({"optimizer": "rmsprop"}, {}),
    "rmsprop with a target network": ({"optimizer": "rmsprop", "target_every": 2}, {"never": 1}),
    "a batch of one": ({}, {"samples": 1}),
    "every next state terminal": ({}, {"terminal": 1.1}),
    "no next state terminal": ({}, {"terminal": -1.0}),
    "an action not taken at first": ({}, {"never": 2}),
    "more samples than anything": ({"target_every": 3}, {"samples": 11}),
}


@pytest.mark.parametrize("case", CASES)
def test_agents_learn_what_each_would_alone(case):
    values, of_batches = CASES[case]
    learners = agents(**values)
    alone = slow(learners)
    for batch in batches(**of_batches):
        learners.learn(batch)
        for run, one in enumerate(alone):
            one.learn(one_by_one(batch, run))
    for run, one in enumerate(alone):
        for weight, expected in zip(learners.weights, one.w, strict=True):
            np.testing.assert_allclose(weight[run], expected, rtol=2e-3, atol=2e-5)
        np.testing.assert_allclose(learners.h[run], one.h, rtol=2e-3, atol=2e-5)


def test_with_h_at_zero_it_is_q_learning():
    held, plain = agents(eta="1/1000000000000000000000000000000"), agents(algorithm="q-learning")
    for batch in batches():
        held.learn(batch)
        plain.learn(batch)
    assert held.h.abs().max() < 1e-20
    assert all(torch.equal(one, other) for one, other in zip(held.weights, plain.weights, strict=True))


def test_an_action_first_seen_late_begins_with_a_first_step():
    learners = agents()
    *early, last = batches(never=2, updates=20)
    for batch in early:
        learners.learn(batch._replace(actions=batch.actions % 2))
    assert (learners.h[:, 2:] == 0).all()
    assert (learners.h[:, :2] != 0).any(dim=2).all()
    others = learners.h[:, :2].clone()
    learners.learn(last._replace(actions=torch.full_like(last.actions, 2)))
    assert torch.equal(learners.h[:, :2], others)
    # Adam's first step has the size of alpha, whatever the direction's.
    steps = learners.h[:, 2].abs()
    np.testing.assert_allclose(steps[steps > 0], 1 / 20, rtol=1e-3)
    assert (steps > 0).any(dim=1).all()


def test_the_target_network_is_a_copy_that_moves_only_when_it_is_synchronised():
    learners = agents(target_every=3)
    first = [weight.clone() for weight in learners.target]
    for number, batch in enumerate(batches(), start=1):
        learners.learn(batch)
        same = [torch.equal(a, b) for a, b in zip(learners.target, learners.weights, strict=True)]
        assert all(same) == (number % 3 == 0)
        if number < 3:
            assert all(torch.equal(a, b) for a, b in zip(learners.target, first, strict=True))


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

"""The stacked convolutions against torch's own, one run at a time; sizes are all different."""

import numpy as np
import pytest
import torch

from simulate.control.network import Convolutional
from simulate.control.replay import Replay
from simulate.control.settings import settings
from simulate.control.training import train

RUNS, BATCH, SHAPE, HIDDEN, ACTIONS = 3, 5, (2, 7, 9), 11, 4


def network_and_weights():
    network = Convolutional(SHAPE, HIDDEN, ACTIONS)
    drawn = [network.initial(np.random.default_rng(run)) for run in range(RUNS)]
    return network, [torch.from_numpy(np.stack(values)) for values in zip(*drawn, strict=True)]


def observations():
    return torch.from_numpy(np.random.default_rng(9).integers(2, size=(RUNS, BATCH, *SHAPE))).float()


def one_run(weights, run, pictures):
    """Return features and values of one run, by torch's convolution and linear layer."""
    filters, bias, first, first_bias, last, last_bias = (weight[run] for weight in weights)
    kernels = filters.view(3, 3, SHAPE[0], 16).permute(3, 2, 0, 1)
    convolved = torch.conv2d(pictures, kernels, bias[0]).relu()
    rows = convolved.permute(0, 2, 3, 1).flatten(1)
    features = torch.nn.functional.linear(rows, first.T, first_bias[0]).relu()
    return features, torch.nn.functional.linear(features, last.T, last_bias[0])


def test_features_and_values_are_those_of_torchs_layers():
    network, weights = network_and_weights()
    features, values = network.evaluate(weights, observations())
    assert features.shape == (RUNS, BATCH, network.width) == (RUNS, BATCH, HIDDEN)
    assert values.shape == (RUNS, BATCH, network.actions) == (RUNS, BATCH, ACTIONS)
    for run in range(RUNS):
        expected = one_run(weights, run, observations()[run])
        torch.testing.assert_close(features[run], expected[0], rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(values[run], expected[1], rtol=1e-5, atol=1e-6)
    assert (features == 0).any()


def test_gradients_are_those_of_torchs_layers():
    network, weights = network_and_weights()
    leaves = [weight.requires_grad_() for weight in weights]
    outward = torch.from_numpy(np.random.default_rng(8).normal(size=(RUNS, BATCH, ACTIONS))).float()
    with torch.no_grad():
        result = network.gradients(leaves, network.trace(leaves, observations()), outward)
    each = [one_run(leaves, run, observations()[run])[1] for run in range(RUNS)]
    expected = torch.autograd.grad(each, leaves, list(outward))
    for gradient, known in zip(result, expected, strict=True):
        torch.testing.assert_close(gradient, known, rtol=1e-4, atol=1e-5)
        assert known.abs().max() > 1e-3


def test_the_network_of_minatar_has_the_papers_sizes():
    network = Convolutional((4, 10, 10), 128, 6)
    assert network.shapes == ((36, 16), (1, 16), (1024, 128), (1, 128), (128, 6), (1, 6))


@pytest.mark.parametrize("layer", range(3))
def test_first_weights_are_those_that_torchs_layers_begin_with(layer):
    # torch draws them uniformly within 1 / sqrt(inputs) of 0, which is what Young and Tian's program leaves as it is.
    torch.manual_seed(0)
    theirs = [torch.nn.Conv2d(4, 16, 3), torch.nn.Linear(1024, 128), torch.nn.Linear(128, 6)][layer]
    mine = Convolutional((4, 10, 10), 128, 6).initial(np.random.default_rng(0))[2 * layer]
    reference = theirs.weight.detach().numpy()
    assert mine.size == reference.size
    assert mine.dtype == np.float32
    assert abs(mine).max() == pytest.approx(abs(reference).max(), rel=0.02)
    assert mine.std() == pytest.approx(reference.std(), rel=0.1)


def test_a_run_on_pictures_is_the_same_bits_beside_any_others():
    chosen = settings("minatar:breakout", "qrc", steps=60, warm_up=32, buffer=50, every=10)
    many = train(chosen, range(3))
    alone = train(chosen, range(1, 2))
    for record in ("h_norm", "error_norm", "correction_norm", "largest_value"):
        np.testing.assert_array_equal(getattr(alone, record)[0], getattr(many, record)[1])
    np.testing.assert_array_equal(alone.ends[0], many.ends[1])
    assert alone.correction_norm[0, -1] > 0


def test_the_settings_of_minatar_are_the_papers():
    chosen = settings("minatar:space_invaders", "qc")
    assert (chosen.steps, chosen.buffer, chosen.warm_up, chosen.batch) == (5_000_000, 100_000, 5000, 32)
    assert [chosen.exploration(step) for step in (0, 50_000, 100_000, 4_000_000)] == pytest.approx([1, 0.55, 0.1, 0.1])
    assert chosen.reward_scale == 1 - chosen.gamma
    assert (chosen.hidden, chosen.optimizer, chosen.eta, chosen.target_every) == ((128,), "rmsprop", 1, 0)


def test_a_smaller_buffer_is_waited_for_until_it_is_full_and_no_longer():
    assert settings("minatar:breakout", "qrc", buffer=700).warm_up == 700
    assert settings("mountain-car", "qrc", buffer=700).warm_up == 32


@pytest.mark.parametrize("added", [7, 13])
def test_a_buffer_of_pictures_is_restored_from_bits(added):
    def filled(count):
        replay = Replay(3, 10, (2, 3, 5), torch.bool, prioritized=False, device=torch.device("cpu"))
        for number in range(count):
            picture = np.random.default_rng(number).integers(2, size=(3, 2, 3, 5)).astype(np.float32)
            replay.add(picture, np.arange(3), np.full(3, number, np.float32), 1 - picture, np.ones(3, np.float32))
        return replay

    first, second = filled(added), filled(3)
    kept = first.state()
    assert kept["observations"].nbytes < 10 * 3 * 30 / 7
    second.restore(kept)
    words = torch.arange(60).view(3, 20) * 2**25
    for mine, theirs in zip(second.draw(words)[0], first.draw(words)[0], strict=True):
        assert torch.equal(mine, theirs)


@pytest.mark.parametrize("target_every", [None, 3])
def test_threads_change_no_bit(target_every):
    chosen = settings("minatar:breakout", "qrc", steps=44, warm_up=32, buffer=50, every=4, target_every=target_every)
    one, three = (train(chosen, range(4), workers=workers) for workers in (1, 3))
    for record in ("h_norm", "error_norm", "correction_norm", "largest_value"):
        np.testing.assert_array_equal(getattr(three, record), getattr(one, record))
    assert one.correction_norm.min() > 0

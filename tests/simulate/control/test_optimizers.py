"""Optimisers against torch's own, and what they do to groups that have no direction."""

from __future__ import annotations

import numpy as np
import torch

from simulate.control.optimizers import PIECE, Adam, RMSProp

ALPHA = 0.01


def directions(shape, updates, seed=0):
    draw = np.random.default_rng(seed)
    return [torch.from_numpy(draw.normal(size=shape).astype(np.float32)) for _ in range(updates)]


def followed(optimizer, shape, updates=12):
    weights = torch.zeros(shape)
    for direction in directions(shape, updates):
        optimizer(weights).step(weights, direction, ALPHA, None)
    return weights


def once(make):
    """Return what makes an optimiser for the first weights that it sees, and gives it again for them."""
    results = []

    def optimizer(weights):
        if not results:
            results.append(make(weights))
        return results[0]

    return optimizer


def torchs(kind, shape, updates=12, **options):
    weights = torch.zeros(shape, requires_grad=True)
    optimizer = kind([weights], lr=ALPHA, **options)
    for direction in directions(shape, updates):
        weights.grad = -direction
        optimizer.step()
    return weights.detach()


def test_adam_is_torchs():
    shape = (PIECE + 100,)  # over the edge of a piece
    result = followed(once(lambda w: Adam(w, (1,), (0.9, 0.999))), shape)
    torch.testing.assert_close(result, torchs(torch.optim.Adam, shape, betas=(0.9, 0.999)), rtol=2e-5, atol=1e-7)


def test_rmsprop_is_torchs_centred():
    shape = (PIECE + 100,)
    result = followed(once(RMSProp), shape)
    expected = torchs(torch.optim.RMSprop, shape, alpha=0.95, eps=0.01, centered=True)
    torch.testing.assert_close(result, expected, rtol=2e-4, atol=1e-6)


def test_a_group_moves_as_if_only_its_own_updates_had_been():
    shape, updates = (3, 5), 12
    moves = [torch.tensor([[True], [number % 2 == 0], [number > 8]]) for number in range(updates)]
    for make in (lambda w: Adam(w, (3, 1), (0.99, 0.999)), RMSProp):
        weights = torch.zeros(shape)
        optimizer = make(weights)
        for direction, moved in zip(directions(shape, updates), moves, strict=True):
            before = weights.clone()
            optimizer.step(weights, direction, ALPHA, moved)
            assert torch.equal(weights[~moved[:, 0]], before[~moved[:, 0]])
        for group in range(3):
            alone = torch.zeros(1, 5)
            single = RMSProp(alone) if make is RMSProp else Adam(alone, (1, 1), (0.99, 0.999))
            for direction, moved in zip(directions(shape, updates), moves, strict=True):
                if moved[group]:
                    single.step(alone, direction[group : group + 1], ALPHA, None)
            assert torch.equal(weights[group], alone[0])


def test_a_direction_that_is_always_0_moves_nothing():
    for make in (lambda w: Adam(w, (1,), (0.9, 0.999)), RMSProp):
        weights = torch.ones(4)
        optimizer = make(weights)
        for _ in range(3):
            optimizer.step(weights, torch.zeros(4), ALPHA, None)
        assert torch.equal(weights, torch.ones(4))

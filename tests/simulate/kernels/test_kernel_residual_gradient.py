from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from simulate.environment import environment
from simulate.kernels import kernel, lanes
from simulate.kernels.kernel_residual_gradient import SMOOTHINGS, find_learner
from simulate.step_sizes import ADAGRAD, CONSTANT
from tdrc_theory import Problem, find_problem, key_matrices
from tdrc_theory.errors import BadAlgorithm

BATCH = 5
NAMES = [smoothing.algorithm.name for smoothing in SMOOTHINGS]


def walk():
    """Return a chain of three states with two features, off-policy, whose weights do not start at 0."""
    return Problem(
        name="three states",
        gamma=Fraction(9, 10),
        features=[[1, 0], [1, 2], [0, 3]],
        transitions=[(s, a, (s + 1 + a) % 3, 1, s - a) for s in range(3) for a in range(2)],
        behaviour=[["1/2", "1/2"]] * 3,
        target=[["1/4", "3/4"]] * 3,
        initial_weights=[2, -1],
    )


def loss(name, there, trajectory, w):
    """Return the kernel loss of one batch, from its definition, pair by pair."""
    x = there.features
    total = pairs = 0
    for i in range(BATCH):
        for j in range(BATCH):
            if i == j and name == "kernel-rg-unbiased":
                continue
            pairs += 1
            errors = [
                trajectory.rho[n]
                * (
                    trajectory.reward[n]
                    + there.numbers["gamma_next"] * x[trajectory.s_next[n]] @ w
                    - x[trajectory.s[n]] @ w
                )
                for n in (i, j)
            ]
            one, other = x[trajectory.s[i]], x[trajectory.s[j]]
            # The distances of the three states are 2, 3.16 and 1.41: the median is 2.
            similar = (
                one @ other if name == "kernel-rg-linear" else np.exp(-((one - other) @ (one - other)) / (2 * 2**2))
            )
            total += similar * errors[0] * errors[1]
    return total / pairs


@pytest.mark.parametrize(
    "name",
    [pytest.param(NAMES[0], marks=pytest.mark.slow), pytest.param(NAMES[1], marks=pytest.mark.thorough), *NAMES[2:]],
)
def test_an_update_is_half_the_negative_gradient_of_the_kernel_loss_of_its_batch(name):
    there = environment(walk(), "iid", steps=1, seed=1, batch=BATCH)
    for run in range(4):
        trajectory = there.trajectory(run)
        moved = kernel(find_learner(name), CONSTANT)(there, trajectory, lanes(CONSTANT, [0.5, 0.25])).weights
        start = np.array([2.0, -1.0])
        unit = np.eye(2)
        # Central differences of a quadratic are exact.
        gradient = [
            (loss(name, there, trajectory, start + e) - loss(name, there, trajectory, start - e)) / 2 for e in unit
        ]
        assert moved[:, 0] - start == pytest.approx(-0.5 * np.array(gradient) / 2, rel=1e-12, abs=1e-12)
        assert moved[:, 1] - start == pytest.approx(-0.25 * np.array(gradient) / 2, rel=1e-12, abs=1e-12)


def test_with_the_inner_product_and_many_samples_it_descends_the_norm_of_the_expected_update():
    samples = 4000
    there = environment(walk(), "iid", steps=1, seed=3, batch=samples)
    moved = kernel(find_learner("kernel-rg-linear"), CONSTANT)(there, there.trajectory(0), lanes(CONSTANT, 1.0)).weights
    A, b, _ = key_matrices(walk())
    matrix, vector = np.array(A.to_float()), np.array(b.to_float())[:, 0]
    start = np.array([2.0, -1.0])
    expected = matrix.T @ (vector - matrix @ start)
    assert moved[:, 0] - start == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize("name", NAMES)
def test_it_needs_mini_batches(name):
    there = environment(find_problem("random-walk-tabular"), steps=3)
    with pytest.raises(BadAlgorithm, match=f"{name} compares the samples of a mini-batch, and there are none"):
        kernel(find_learner(name), CONSTANT)(there, there.trajectory(0), lanes(CONSTANT, 0.5))


@pytest.mark.slow
def test_it_works_under_any_rule():
    there = environment(find_problem("random-walk-tabular"), "batch", steps=400)
    update = kernel(find_learner("kernel-rg"), ADAGRAD)
    errors = update(there, there.trajectory(0), lanes(ADAGRAD, 0.25)).errors
    assert errors[-1, 0] < errors[0, 0] / 2

"""Scaling, beside updates written out here and run in fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tdrc_theory.algorithms import OF_THE_PAPER
from tdrc_theory.learner.algorithm import Algorithm
from verify.paper.facts.scaling import powers, scales_with_features, scales_with_rewards

C = Fraction(3, 7)


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


def tdrc_run(alpha, beta, features=Fraction(1), rewards=Fraction(1)):
    """Return (w, h) after some TDRC steps with eta = 2 on random data, features and rewards multiplied."""
    drawn = random.Random(5)
    w, h = [Fraction(0)] * 2, [Fraction(0)] * 2
    for _ in range(12):
        x, y = ([features * drawn.randint(-3, 3) for _ in range(2)] for _ in range(2))
        R, rho, gamma = rewards * drawn.randint(-5, 5), Fraction(drawn.randint(0, 2)), Fraction(9, 10)
        delta = (
            R + gamma * sum(a * b for a, b in zip(w, y, strict=True)) - sum(a * b for a, b in zip(w, x, strict=True))
        )
        guess = sum(a * b for a, b in zip(h, x, strict=True))
        dw = [rho * (delta * a - gamma * guess * b) for a, b in zip(x, y, strict=True)]
        dh = [(rho * delta - guess) * a - beta * b for a, b in zip(x, h, strict=True)]
        w = [a + alpha * b for a, b in zip(w, dw, strict=True)]
        h = [a + 2 * alpha * b for a, b in zip(h, dh, strict=True)]
    return w, h


def test_rewards_times_c_are_weights_times_c():
    plain, scaled = tdrc_run(Fraction(1, 8), 1), tdrc_run(Fraction(1, 8), 1, rewards=C)
    assert any(plain[0])
    assert [[C * v for v in part] for part in plain] == [list(part) for part in scaled]


def test_features_times_c_are_undone_by_beta_times_c_squared_and_alpha_over_c_squared():
    plain, scaled = tdrc_run(Fraction(1, 8), 1), tdrc_run(Fraction(1, 8) / C**2, C**2, features=C)
    assert [[v / C for v in part] for part in plain] == [list(part) for part in scaled]
    other = tdrc_run(Fraction(1, 8) / C**2, 1, features=C)
    assert [[v / C for v in part] for part in plain] != [list(part) for part in other]


@pytest.mark.parametrize("algorithm", OF_THE_PAPER, ids=lambda algorithm: algorithm.name)
def test_every_algorithm_of_the_paper_scales_with_rewards_and_features(algorithm):
    for way in algorithm.bound(algorithm.fixed):
        assert scales_with_rewards(way)
        assert scales_with_features(way, 2)


def shifted(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x + x, (rho * delta - delta_hat) * x


def mixed(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x, (rho * delta - delta_hat) * x - h


def cubic(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x * x, 0


@pytest.mark.parametrize(
    ("direction", "rewards", "features"), [(shifted, False, True), (mixed, True, False), (cubic, True, False)]
)
def test_what_does_not_scale_is_seen(direction, rewards, features):
    (way,) = Algorithm(direction.__name__, direction).bound({})
    assert scales_with_rewards(way) is rewards
    assert scales_with_features(way, 2) is features


def squared(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return (3 * beta**2 + 1) * x, 5 * x


def test_powers_of_beta_are_read_off():
    (way,) = Algorithm("squared", squared).bound({"eta": Fraction(1)})
    (w,), (h,) = way.rows["w"].values(), way.rows["h"].values()
    assert powers("beta", w) == {0, 2}
    assert powers("beta", h) == {0}

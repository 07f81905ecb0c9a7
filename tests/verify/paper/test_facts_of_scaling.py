"""Scaling, beside updates written out here and run in fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from claim_facts import BY_NAME

from tdrc_theory.learner.algorithm import Algorithm
from verify.paper.facts.update_terms import SameUpdate, Scales

LEARNERS = BY_NAME["scaling.rewards"].corrected.learners

C = Fraction(3, 7)


def rewards(learner):
    return Scales((learner,), (("R", 1), ("w", 1)), 1)


def features(learner, beta):
    return Scales((learner,), (("x", 1), ("w", -1), ("beta", beta), ("alpha", -2)), -1)


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


@pytest.mark.parametrize("name", LEARNERS)
def test_every_algorithm_of_the_paper_scales_with_rewards_and_features(name):
    assert rewards(name).decided()[0]
    assert features(name, 2).decided()[0]
    assert features(name, 1).decided()[0] is (name not in ("tdrc", "tdc++"))


def shifted(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x + x, (rho * delta - delta_hat) * x


def mixed(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x, (rho * delta - delta_hat) * x - h


def cubic(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x * x, 0


@pytest.mark.parametrize(
    ("direction", "with_rewards", "with_features"),
    [(shifted, False, True), (mixed, True, False), (cubic, True, False)],
)
def test_what_does_not_scale_is_seen(direction, with_rewards, with_features):
    algorithm = Algorithm(direction.__name__, direction)
    assert rewards(algorithm).decided()[0] is with_rewards
    assert features(algorithm, 2).decided()[0] is with_features


@pytest.mark.parametrize("change", [{"R": 2}, {"w": 2}, {"alpha": 1}])
def test_other_powers_are_refuted(change):
    powers = {"R": 1, "w": 1} | change
    assert Scales(("tdrc",), tuple(powers.items()), 1).decided()[0] is False
    assert Scales(("tdrc",), (("R", 1), ("w", 1)), 2).decided()[0] is False


def test_updates_are_told_apart():
    assert SameUpdate(("tdrc", "tdc"), beta=0).decided()[0]
    assert not SameUpdate(("tdrc", "tdc"), beta=1).decided()[0]
    assert not SameUpdate(("tdrc", "tdc")).decided()[0]
    assert not SameUpdate(("htd", "td"), whole=False).decided()[0]
    assert SameUpdate(("htd", "td"), whole=False, rho=1).decided()[0]
    assert SameUpdate(("vtrace", "td")).truth({}).value is None  # it compares rho with 1

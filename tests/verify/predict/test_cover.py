"""Stability on whole intervals of step sizes: what is proven there against radii by brute force."""

from fractions import Fraction

import flint
import numpy as np
import pytest

from tdrc_theory import OF_THE_PAPER, Problem
from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.problems import PROBLEMS
from tdrc_theory.problems.garnet import garnet
from verify.check import Proof
from verify.exact.enclosure import precision
from verify.predict import certificate
from verify.predict.balls import float_balls
from verify.predict.certificate import Certifier
from verify.predict.cover import _residual
from verify.predict.limits import step_size_limits
from verify.predict.operator import adjoint, layout
from verify.predict.prediction import prepared


def turn(second="1/3"):
    """Return two states in turn, gamma = 0, features 1 and 1/3: two steps multiply w by (1 - a)(1 - a/9)."""
    return Problem(
        name="turn",
        gamma=0,
        features=[[1], [second]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 0, 1, 0)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
    )


def test_a_gap_between_stable_ends_is_never_covered():
    # Stable up to 5 - sqrt(7) = 2.354, and again between 5 + sqrt(7) = 7.646 and 10.
    certifier = Certifier(prepared(turn(), "td"))
    assert certifier.second_bounded(Fraction(8)) is certifier.first_bounded(Fraction(8)) is True
    assert 2 < certifier.second_bounded_to(Fraction(8)) < 5 - 7**0.5
    assert 2 < certifier.first_bounded_from(Fraction(1), Fraction(8), 10.0) < 5 - 7**0.5
    end = Fraction(2354, 1000)
    assert certifier.second_bounded_to(end) == certifier.first_bounded_from(Fraction(1), end, 5 - 7**0.5) == end
    assert certifier.first_bounded_from(Fraction(8), Fraction(9), 10.0) == 9


def test_what_is_unstable_however_small_the_step_is_never_covered():
    certifier = Certifier(prepared("baird", "td", sampling="markov"))
    assert certifier.second_bounded_to(Fraction(1, 10**6)) == 0


@pytest.mark.parametrize("seed", range(6))
def test_no_step_size_that_is_covered_is_unstable_by_brute_force(brute_force, seed):
    made = prepared(garnet(3, 2, 2, 2, seed=seed), OF_THE_PAPER[seed % len(OF_THE_PAPER)], sampling="markov")
    found = step_size_limits(made)
    if found.mean_square.value is None:
        assert Certifier(made).second_bounded_to(Fraction(1, 1000)) == 0
        return
    assert found.mean_square.below is found.mean_square.proof is Proof.ENCLOSED
    assert found.mean.lower >= found.mean_square.lower
    for share in (1e-3, 0.03, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0):
        assert brute_force(made, share * found.mean_square.lower)[1] < 1
        assert brute_force(made, share * found.mean.lower)[0] < 1 or found.mean.below is Proof.FLOAT
    assert brute_force(made, found.mean_square.upper)[1] > 1


ALL = [(name, a.name) for name, _ in PROBLEMS for a in OF_THE_PAPER if name != "two-state"]
QUICK = [("random-walk-dependent", "td"), ("random-walk-tabular", "tdrc")]


@pytest.mark.parametrize(
    ("name", "algorithm"), [case if case in QUICK else pytest.param(*case, marks=pytest.mark.slow) for case in ALL]
)
def test_every_limit_along_a_chain_of_the_paper_is_enclosed_down_to_0(name, algorithm):
    found = step_size_limits(prepared(name, algorithm, sampling="markov"))
    for limit in (found.mean, found.mean_square):
        if limit.value is None:
            assert limit.proof is Proof.EXACT
        else:
            assert limit.weakest is Proof.ENCLOSED
            assert limit.reason.startswith(f"bounded up to {limit.lower!r}, not at {limit.upper!r}")


def test_what_is_too_large_to_be_covered_says_so(monkeypatch):
    monkeypatch.setattr(certificate, "LARGEST_SECOND_COVERED", 1)
    found = step_size_limits(prepared(turn(), "td"))
    for limit in (found.mean, found.mean_square):
        assert (limit.proof, limit.below, limit.weakest) == (Proof.ENCLOSED, Proof.FLOAT, Proof.FLOAT)
        assert "below, no step size of a scan is unstable (float)" in limit.reason


def test_bernstein_coefficients_are_those_of_the_residual_in_floats():
    made = prepared("random-walk-dependent", "htd", sampling="markov")
    certifier, rng, ends = Certifier(made), np.random.default_rng(1), (Fraction(1, 4), Fraction(3, 2))
    arrays = layout(made).linear()
    shape = (4, arrays.modes, arrays.size, arrays.size)
    made_up = rng.normal(size=shape)
    made_up = made_up + made_up.swapaxes(-1, -2)
    with precision(128):
        Z = [[float_balls(block) for block in blocks] for blocks in made_up]
        coefficients = _residual(Z, [certifier.second_parts(blocks) for blocks in Z], ends)
        values = np.array([[[float(x.mid()) for x in block.entries()] for block in blocks] for blocks in coefficients])
    for t in (0.0, 0.3, 1.0):
        alpha = float(ends[0]) + t * float(ends[1] - ends[0])
        at = np.tensordot(bernstein(3, t), made_up, 1)
        expected = at - adjoint(arrays)(at[None], np.array([alpha]))[0]
        assert np.tensordot(bernstein(5, t), values, 1).ravel() == pytest.approx(expected.ravel(), rel=1e-9, abs=1e-9)


def bernstein(degree, t):
    """Return the polynomials of the basis at t, from the binomial distribution."""
    from scipy.stats import binom

    return binom.pmf(np.arange(degree + 1), degree, t)


def test_parts_of_the_first_moments_are_those_of_the_operator():
    made, alpha = prepared("random-walk-dependent", "td", sampling="markov"), Fraction(1, 3)
    certifier = Certifier(made)
    with precision(128):
        a = flint.arb(to_fmpq(alpha))
        B = certifier._first_balls(alpha)
        P = B + B.transpose()
        still, once, twice = (part[0] for part in certifier.first_parts([P]))
        difference = still + once * a + twice * (a * a) - B.transpose() * P * B
        assert all(abs(float(x.mid())) < 1e-25 for x in difference.entries())

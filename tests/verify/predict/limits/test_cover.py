"""Stability on whole intervals of step sizes: what is proven there against radii by brute force."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from tdrc_theory import OF_THE_PAPER
from tdrc_theory.exact.number import precision
from tdrc_theory.problems import PROBLEMS
from tdrc_theory.problems.garnet import garnet
from verify.check import Proof
from verify.predict.limits import boundary, certificate
from verify.predict.limits.certificate import Certifier
from verify.predict.limits.cover import _residual, covered
from verify.predict.limits.limit import step_size_limits
from verify.predict.limits.stability import crossings, enclosed_stability, exact_stability, located
from verify.predict.operator import Half, Spectrum, forward, layout, written_out
from verify.predict.prediction import prepared
from verify.predict.ring import float_balls


def covered_to(certifier, low, high):
    """Return up to where stability was proven from low on."""
    reached = [s.high for s in covered(certifier, low, high) if s.stable and s.low == low]
    return reached[0] if reached else low


@pytest.mark.parametrize("moment", ["first", "second"])
def test_a_gap_between_stable_ends_is_seen(moment, turn):
    certifier = getattr(Certifier, moment)(prepared(turn, "td"))
    # Stable up to 5 - sqrt(7) = 2.354, and again between 5 + sqrt(7) = 7.646 and 10.
    low = Fraction(1)
    assert certifier.bounded(Fraction(8)) is True
    assert 2 < covered_to(certifier, low, Fraction(8)) < 5 - 7**0.5
    end = Fraction(2354, 1000)
    assert covered_to(certifier, low, end) == end
    assert covered_to(certifier, Fraction(8), Fraction(9)) == 9
    (unstable,) = covered(certifier, Fraction(3), Fraction(7))
    assert (unstable.low, unstable.high, unstable.stable) == (3, 7, False)
    (beyond,) = covered(certifier, Fraction(11), None)
    assert (beyond.low, beyond.high, beyond.stable) == (11, None, False)


def test_from_0_on_what_is_proven_is_what_the_averaged_update_does(turn):
    assert covered_to(Certifier.second(prepared(turn, "td")), Fraction(0), Fraction(2)) == 2
    certifier = Certifier.second(prepared("baird", "td", sampling="markov"))
    assert covered_to(certifier, Fraction(0), Fraction(1, 10**6)) == 0


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(6))
def test_no_step_size_that_is_covered_is_what_it_is_not_by_brute_force(brute_force, monkeypatch, seed):
    monkeypatch.setattr(boundary, "LARGEST", 0)
    recursion = prepared(garnet(3, 2, 2, 2, seed=seed), OF_THE_PAPER[seed % len(OF_THE_PAPER)], sampling="markov")
    first, second = Certifier.first(recursion), Certifier.second(recursion)
    decided = 0
    for certifier, moment in ((first, 0), (second, 1)):
        for stretch in (*covered(certifier, Fraction(1, 10), Fraction(9)), *covered(certifier, Fraction(50), None)):
            ends = (stretch.low, stretch.high or stretch.low * 1000)
            for alpha in np.geomspace(*map(float, ends), 7):
                assert (brute_force(recursion, alpha)[moment] < 1) is stretch.stable
                decided += 1
    assert decided > 20


@pytest.mark.parametrize("case", [("random-walk-inverted", "td", "markov"), ("baird", "tdrc", "iid")])
def test_certificates_and_the_boundary_polynomial_say_the_same(case):
    name, algorithm, sampling = case
    certifier = Certifier.second(prepared(name, algorithm, sampling=sampling))
    exact = exact_stability(certifier, (9,))
    search = partial(crossings, certifier.candidates.excess, interval=False)
    enclosed = enclosed_stability(certifier, located(certifier, search, (9, 7)))
    assert [s.stable for s in exact.stretches] == [s.stable for s in enclosed.stretches] == [True, False]
    assert exact.stretches[0].proof is Proof.EXACT
    for one, other in zip(exact.stretches, enclosed.stretches, strict=True):
        for end, same in ((one.low, other.low), (one.high, other.high)):
            assert end is same is None or float(end) == pytest.approx(float(same), rel=3e-9)


ALL = [(name, a.name) for name, _ in PROBLEMS for a in OF_THE_PAPER if name != "two-state"]
QUICK = [("random-walk-dependent", "td")]


@pytest.mark.parametrize(
    ("name", "algorithm"), [case if case in QUICK else pytest.param(*case, marks=pytest.mark.slow) for case in ALL]
)
def test_along_every_chain_of_the_paper_all_step_sizes_are_proven_stable_or_not(name, algorithm):
    result = step_size_limits(prepared(name, algorithm, sampling="markov"))
    for limit in (result.mean, result.mean_square):
        assert limit.everywhere in (Proof.EXACT, Proof.ENCLOSED)
        if limit.value is None:
            assert limit.proof is Proof.EXACT
        else:
            assert limit.weakest in (Proof.EXACT, Proof.ENCLOSED)
            assert limit.reason.startswith(f"bounded up to {limit.lower!r}, not at {limit.upper!r}")


def test_what_is_too_large_to_be_covered_says_so(monkeypatch, turn):
    monkeypatch.setattr(boundary, "LARGEST", 0)
    for name in ("LARGEST_SECOND_COVERED", "LARGEST_FIRST_COVERED"):
        monkeypatch.setattr(certificate, name, 0)
    result = step_size_limits(prepared(turn, "td"))
    for limit in (result.mean, result.mean_square):
        assert (limit.proof, limit.below, limit.weakest) == (Proof.ENCLOSED, Proof.FLOAT, Proof.FLOAT)
        assert "below, no step size of a scan is unstable (float)" in limit.reason


def test_bernstein_coefficients_are_those_of_the_residual_in_floats():
    recursion = prepared("random-walk-dependent", "htd", sampling="markov")
    certifier, rng, ends = Certifier.second(recursion), np.random.default_rng(1), (Fraction(1, 4), Fraction(3, 2))
    arrays = layout(recursion).linear()
    shape = (4, arrays.modes, arrays.size, arrays.size)
    made_up = rng.normal(size=shape)
    made_up, r = made_up + made_up.swapaxes(-1, -2), (Fraction(1), Fraction(5, 4), Fraction(3, 2))
    with precision(128):
        Z = [[float_balls(block) for block in blocks] for blocks in made_up]
        coefficients = _residual(Z, [certifier.parts(blocks) for blocks in Z], ends, r)
        values = np.array([[[float(x.mid()) for x in block.entries()] for block in blocks] for blocks in coefficients])
    for t in (0.0, 0.3, 1.0):
        alpha, factor = float(ends[0]) + t * float(ends[1] - ends[0]), 1 + t / 2
        at = np.tensordot(bernstein(3, t), made_up, 1)
        half = Half.of(arrays)
        expected = factor * at - half.unpack(written_out(forward(arrays), half, alpha).T @ half.pack(at))
        assert np.tensordot(bernstein(5, t), values, 1).ravel() == pytest.approx(expected.ravel(), rel=1e-9, abs=1e-9)


def bernstein(degree, t):
    """Return the polynomials of the basis at t, from the binomial distribution."""
    from scipy.stats import binom

    return binom.pmf(np.arange(degree + 1), degree, t)


def test_parts_of_the_first_moments_are_those_of_the_operator():
    result, alpha = prepared("random-walk-dependent", "td", sampling="markov"), 1 / 3
    arrays = layout(result).linear()
    B = np.column_stack([Spectrum(arrays).first_operator(alpha)(unit) for unit in np.eye(arrays.modes * arrays.size)])
    P = B + B.T
    with precision(128):
        parts = [part[0] for part in Certifier.first(result).parts([float_balls(P)])]
        still, once, twice = (np.array([float(x.mid()) for x in part.entries()]).reshape(P.shape) for part in parts)
    assert still + once * alpha + twice * alpha**2 == pytest.approx(B.T @ P @ B, rel=1e-12, abs=1e-12)

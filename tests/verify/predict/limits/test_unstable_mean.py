"""Where the mean is proven to be unstable: cases by hand, eigenvalues by brute force, exact polynomials built apart."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest

from tdrc_theory import OF_THE_PAPER, Problem
from tdrc_theory.exact.number import precision
from tdrc_theory.problems.garnet import garnet
from verify.check import Proof
from verify.predict.limits import boundary, unstable_mean
from verify.predict.limits.certificate import Certifier, FirstPencil
from verify.predict.limits.cover import joined
from verify.predict.limits.limit import step_size_limits
from verify.predict.limits.unstable_mean import Characteristic, unstable_stretches
from verify.predict.prediction import prepared
from verify.predict.recursion import RESTART


def polynomial(*coefficients):
    """Return a characteristic polynomial in z, each coefficient from its own in alpha."""
    return Characteristic(tuple(flint.fmpq_poly([flint.fmpq(x) for x in c]) for c in coefficients))


def roots(characteristic):
    """Return what finds the roots in floats."""
    return lambda alpha: np.roots(
        [float(c(flint.fmpq(*alpha.as_integer_ratio()))) for c in characteristic.coefficients]
    )


def of(recursion):
    certifier = Certifier.first(recursion)
    return Characteristic.of(certifier.pencil), certifier.candidates.eigenvalues


def first_operator(recursion, alpha):
    """Return the operator on first moments entry by entry, exact."""
    n, modes = recursion.n, recursion.recursion.modes
    B = [[Fraction(0)] * (modes * n) for _ in range(modes * n)]
    for step, pairs in zip(recursion.recursion.steps, recursion.updates, strict=True):
        arrive = dict(enumerate(recursion.recursion.start)) if step.target == RESTART else {step.target: 1}
        for i in range(n):
            for j in range(n):
                entry = (i == j) + alpha * (recursion.common[i][j] + sum(u[i] * v[j] for u, v in pairs))
                for mode, share in arrive.items():
                    B[mode * n + i][step.source * n + j] += step.probability * share * entry
    return flint.fmpq_mat([[flint.fmpq(x.numerator, x.denominator) for x in row] for row in B])


def test_one_weight_and_two_states_are_as_by_hand(turn):
    # p = z^2 - (1 - a)(1 - a/9): its roots have modulus 1 at 5 - sqrt(7), 5 + sqrt(7) and 10.
    characteristic, eigenvalues = of(prepared(turn, "td"))
    assert [c.coeffs() for c in characteristic.coefficients] == [[1], [], [-1, flint.fmpq(10, 9), flint.fmpq(-1, 9)]]
    assert characteristic.unstable_from(Fraction(10)) == 10
    assert characteristic.unstable_from(Fraction(9)) == 18
    (complex_pair,) = joined(
        unstable_stretches(characteristic, eigenvalues, Fraction(2355, 1000), Fraction(7645, 1000))
    )
    assert (complex_pair.low, complex_pair.high) == (Fraction(2355, 1000), Fraction(7645, 1000))
    assert complex_pair.proof is Proof.ENCLOSED
    (real,) = joined(unstable_stretches(characteristic, eigenvalues, Fraction(10001, 1000), None))
    assert (real.low, real.high, real.proof) == (Fraction(10001, 1000), None, Proof.EXACT)
    for stable in (1, 2, 8, 9):
        low, high = Fraction(stable), Fraction(stable) * Fraction(101, 100)
        assert not list(unstable_stretches(characteristic, eigenvalues, low, high))


def unequal():
    """Return a problem whose first three states are reached alike, with the odds 1:2:3, by an action of ratio 0."""
    odds = [(state, Fraction(state + 1, 6)) for state in range(3)]
    return Problem(
        name="unequal",
        gamma="9/10",
        features=[[1, 0], [1, 2], [3, 1], [2, -1]],
        transitions=[step for s in range(4) for step in (*((s, 0, t, p, 0) for t, p in odds), (s, 1, 3, 1, s))],
        behaviour=[["2/3", "1/3"]] * 4,
        target=[[0, 1]] * 4,
    )


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [("random-walk-tabular", "gtd2"), ("boyan", "td"), ("baird", "tdrc"), (unequal(), "td"), (unequal(), "tdrc")],
)
def test_the_polynomial_is_that_of_the_operator_entry_by_entry(name, algorithm):
    recursion = prepared(name, algorithm, sampling="markov")
    characteristic = Characteristic.of(FirstPencil(recursion))
    for alpha in (Fraction(2, 7), Fraction(-31, 4)):
        at = flint.fmpq(alpha.numerator, alpha.denominator)
        expected = first_operator(recursion, alpha).charpoly().coeffs()[::-1]
        known = [c(at) for c in characteristic.coefficients]
        assert known == expected[: len(known)]
        assert not any(expected[len(known) :])  # the eigenvalue 0, of modes that are reached alike
        z = Fraction(5, 3)
        assert characteristic.at(z)(at) == flint.fmpq_poly(known[::-1])(flint.fmpq(5, 3))


def test_modes_that_are_reached_alike_are_one():
    # Of Baird's seven states the first six are reached alike: two classes of 15 coordinates.
    pencil = FirstPencil(prepared("baird", "tdrc", sampling="markov"))
    assert (pencil.n, pencil.halves[0].shape, pencil.inside.shape) == (30, (30, 30), (30, 30))
    assert FirstPencil(prepared(unequal(), "tdrc", sampling="markov")).n == 8  # of 16
    tabular = prepared("random-walk-tabular", "td", sampling="markov")
    assert FirstPencil(tabular).n == tabular.recursion.modes * tabular.n


CASES = [
    ("random-walk-tabular", "gtd2", "0.8660807"),
    pytest.param("boyan", "td", "1.755884", marks=pytest.mark.thorough),
]
SLOW = [("boyan", "gtd2", "2.439446"), ("boyan", "htd", "1.435292"), ("boyan", "tdc++", "1.567247")]


@pytest.mark.parametrize(
    ("name", "algorithm", "low"), [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW)]
)
def test_above_the_last_limit_an_eigenvalue_is_outside_at_every_step_size(brute_force, name, algorithm, low):
    recursion = prepared(name, algorithm, sampling="markov")
    stretches = list(unstable_stretches(*of(recursion), Fraction(low), None))
    (whole,) = joined(stretches)
    assert (whole.low, whole.high, whole.stable) == (Fraction(low), None, False)
    assert {s.proof for s in stretches} == {Proof.EXACT, Proof.ENCLOSED}
    for alpha in np.geomspace(float(whole.low), 1e4, 60 if recursion.n < 8 else 10):
        assert np.abs(np.linalg.eigvals(np.array(first_floats(recursion, alpha)))).max() > 1
    for s in stretches[:: max(1, len(stretches) // 4)]:
        with precision(128):
            moduli = [
                abs(root)
                for root, _ in first_operator(recursion, s.low + Fraction(1, 10**9)).charpoly().numer().complex_roots()
            ]
            assert any(modulus > 1 for modulus in moduli)


def first_floats(recursion, alpha):
    B = first_operator(recursion, Fraction(float(alpha)))
    return [[float(x) for x in row] for row in B.tolist()]


@pytest.mark.parametrize("seed", range(6))
def test_eigenvalues_that_are_wrong_prove_nothing_wrong(brute_force, seed):
    recursion = prepared(garnet(3, 2, 2, 2, seed=seed), OF_THE_PAPER[seed % len(OF_THE_PAPER)], sampling="markov")
    characteristic, eigenvalues = of(recursion)
    rng = np.random.default_rng(seed)

    def wrong(alpha):
        values = eigenvalues(alpha)
        return np.append(values * rng.uniform(0.5, 2, len(values)), [1.0 + rng.uniform(), -1.0 - rng.uniform()])

    for low in np.geomspace(0.05, 20, 8):
        for stretch in unstable_stretches(characteristic, wrong, Fraction(float(low)), Fraction(float(low * 1.5))):
            for alpha in np.linspace(float(stretch.low), float(stretch.high), 5):
                assert brute_force(recursion, alpha)[0] >= 1 - 1e-9


def test_an_interval_that_floats_propose_too_wide_is_refused(monkeypatch, turn):
    characteristic, eigenvalues = of(prepared(turn, "td"))
    monkeypatch.setattr(unstable_mean, "_proposed", lambda _, excess, largest: (1, excess / 2, largest / 2))
    assert not list(unstable_stretches(characteristic, eigenvalues, Fraction(7), Fraction(9)))


def test_what_lies_before_a_proven_interval_is_not_proven_with_it(monkeypatch, turn):
    characteristic, eigenvalues = of(prepared(turn, "td"))
    half = Fraction(1, 10**6)
    monkeypatch.setattr(unstable_mean.Characteristic, "half_width", lambda *_: half)
    stretches = list(unstable_stretches(characteristic, eigenvalues, Fraction(3), Fraction(7)))
    assert stretches
    assert all(s.high - s.low <= 2 * half for s in stretches)


def test_a_real_eigenvalue_that_touches_1_does_not_end_what_is_unstable():
    touches = polynomial([1], [-2, 2, -1])  # z = 1 + (alpha - 1)^2
    assert touches.unstable_up_to(Fraction(1), Fraction(1, 2)) == math.inf
    ends = polynomial([1], [-3, 5, -4, 1])  # z = 1 + (alpha - 1)^2 (2 - alpha)
    assert ends.unstable_up_to(Fraction(1), Fraction(1, 2)) == pytest.approx(2, rel=1e-12)
    assert ends.unstable_up_to(Fraction(1), Fraction(1, 2)) <= 2
    assert ends.unstable_up_to(Fraction(1), Fraction(5, 2)) is None
    assert touches.unstable_up_to(Fraction(1, 2), Fraction(1, 2)) is None  # what is beyond 1/2 need not be beyond 1


def test_below_minus_1_the_sign_is_that_of_the_degree():
    odd, even = polynomial([1], [0, 1]), polynomial([1], [0, 1], [])  # z = -alpha, and 0 beside it
    for each in (odd, even):
        assert each.unstable_up_to(Fraction(-1), Fraction(2)) == math.inf
        assert each.unstable_up_to(Fraction(-1), Fraction(1, 2)) is None
        assert each.unstable_up_to(Fraction(1), Fraction(2)) is None


def test_eigenvalues_may_meet_and_part():
    meet = polynomial([1], [-4], [5, -1])  # (z - 2)^2 = alpha - 1
    (whole,) = joined(unstable_stretches(meet, roots(meet), Fraction(1, 2), Fraction(3, 2)))
    assert (whole.low, whole.high) == (Fraction(1, 2), Fraction(3, 2))


def test_eigenvalues_that_no_step_size_changes_are_judged_at_one():
    assert polynomial([1], ["-1/2"]).unstable_from(Fraction(1)) is None
    assert polynomial([1], [-2]).unstable_from(Fraction(1)) == 1
    still = polynomial([1], [], [4])  # 2 i and -2 i
    (whole,) = joined(unstable_stretches(still, roots(still), Fraction(1), Fraction(50)))
    assert (whole.low, whole.high, whole.proof) == (1, 50, Proof.ENCLOSED)


@pytest.mark.parametrize("degree", [20, 120])
def test_eigenvalues_far_outside_are_no_error_even_where_their_powers_leave_the_range_of_floats(degree):
    large = polynomial([1], *[[]] * (degree - 1), [0, 10**300])  # z^degree = -10^300 alpha
    stretches = joined(unstable_stretches(large, roots(large), Fraction(1), Fraction(2)))
    assert all((s.low, s.high, s.stable) == (1, 2, False) for s in stretches)


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(6))
def test_limits_without_the_boundary_polynomial_are_right_wherever_one_looks(brute_force, monkeypatch, seed):
    recursion = prepared(garnet(3, 2, 2, 2, seed=seed), OF_THE_PAPER[seed % len(OF_THE_PAPER)], sampling="markov")
    exact = step_size_limits(recursion)
    monkeypatch.setattr(boundary, "LARGEST", 0)
    result = step_size_limits(recursion)
    for known, limit in zip((exact.mean, exact.mean_square), (result.mean, result.mean_square), strict=True):
        assert known.everywhere is Proof.EXACT
        assert limit.everywhere is Proof.ENCLOSED
        assert [c.value for c in limit.changes] == pytest.approx([c.value for c in known.changes], rel=1e-2)

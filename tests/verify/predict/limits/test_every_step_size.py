"""Step-size limits for all step sizes at once, each against two computations that share nothing with them.

One is the spectral radius of the Kronecker form in floats, the other the sign of its determinant in balls.
"""

from fractions import Fraction

import flint
import numpy as np
import pytest

from tdrc_theory import OF_THE_PAPER, Problem
from tdrc_theory.exact.number import precision
from tdrc_theory.problems.garnet import garnet
from verify.check import Proof
from verify.predict.limits import boundary as boundary_polynomial
from verify.predict.limits.boundary import boundary, restricted
from verify.predict.limits.certificate import FirstPencil, SecondPencil
from verify.predict.limits.limit import step_size_limits
from verify.predict.prediction import prepared
from verify.predict.recursion import RESTART

KNOWN = [
    ("two-state", "tdc", "iid", [0.4196609850]),
    ("baird", "tdrc", "iid", [0.03486434524]),
    pytest.param("baird", "tdrc", "markov", [0.03676716672], marks=pytest.mark.slow),
    ("random-walk-inverted", "td", "markov", [1.5906169697]),
    pytest.param(
        "random-walk-inverted", "tdc++", "markov", [0.0355508147, 0.0555596574, 0.0775398538], marks=pytest.mark.slow
    ),
    pytest.param("random-walk-tabular", "gtd2", "markov", [0.398015115957], marks=pytest.mark.slow),
    pytest.param("boyan", "gtd2", "markov", [1.51951527575], marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "algorithm", "sampling", "values"), KNOWN)
def test_every_change_is_one_of_the_radius_and_of_the_determinants_sign(brute_force, name, algorithm, sampling, values):
    recursion = prepared(name, algorithm, sampling=sampling)
    result = step_size_limits(recursion).mean_square
    assert [change.value for change in result.changes] == pytest.approx(values, rel=1e-9)
    assert result.everywhere in (Proof.EXACT, Proof.ENCLOSED)
    for change in result.changes:
        below, above = (brute_force(recursion, change.value * factor)[1] for factor in (1 - 1e-4, 1 + 1e-4))
        assert (below > 1 > above) if change.regained else (below < 1 < above)
        signs = [determinant_sign(recursion, Fraction(end)) for end in (change.lower, change.upper)]
        assert sorted(signs) == [-1, 1]
    beyond = np.geomspace(1.01 * result.changes[-1].upper, 1000, 12 if recursion.n < 12 else 3)
    assert all(brute_force(recursion, alpha)[1] > 1 for alpha in beyond)


@pytest.mark.slow
def test_changes_that_only_intervals_show_are_changes_of_the_radius_and_of_the_determinants_sign(brute_force):
    recursion = prepared("boyan", "tdc++", sampling="markov")  # a scan sees the first of them alone
    result = step_size_limits(recursion).mean_square
    assert [change.regained for change in result.changes] == [False, True, False]
    assert result.everywhere is Proof.ENCLOSED
    for change in result.changes:
        assert change.upper - change.lower < 1e-6
        below, above = (brute_force(recursion, end)[1] for end in (change.lower - 1e-5, change.upper + 1e-5))
        assert (below > 1 > above) if change.regained else (below < 1 < above)
        assert sorted(determinant_sign(recursion, Fraction(end)) for end in (change.lower, change.upper)) == [-1, 1]


def determinant_sign(recursion, alpha):
    """Return the sign of det(I - T) on symmetric blocks, with T built entry by entry, in balls of 200 bits."""
    n, modes = recursion.n, recursion.recursion.modes
    places = [(i, j) for i in range(n) for j in range(i, n)]
    size = len(places)
    with precision(200):
        total = [[flint.arb(int(i == j)) for j in range(modes * size)] for i in range(modes * size)]
        for step, pairs in zip(recursion.recursion.steps, recursion.updates, strict=True):
            M = [[(i == j) + alpha * recursion.common[i][j] for j in range(n)] for i in range(n)]
            for u, v in pairs:
                M = [[M[i][j] + alpha * u[i] * v[j] for j in range(n)] for i in range(n)]
            M = [[flint.arb(flint.fmpq(x.numerator, x.denominator)) for x in map(Fraction, row)] for row in M]
            arrive = (
                dict(enumerate(recursion.recursion.start)) if step.target == RESTART else {step.target: Fraction(1)}
            )
            moved = [  # of the unit block at (k, l), entry (i, j) of M Q M^T
                [M[i][k] * M[j][m] + (M[i][m] * M[j][k] if k != m else 0) for k, m in places] for i, j in places
            ]
            for mode, share in arrive.items():
                weight = Fraction(step.probability * share)
                p = flint.arb(flint.fmpq(weight.numerator, weight.denominator))
                for a, row in enumerate(moved if weight else []):
                    for b, x in enumerate(row):
                        total[mode * size + a][step.source * size + b] -= p * x
        value = flint.arb_mat(total).det()
        assert value > 0 or value < 0
        return 1 if value > 0 else -1


@pytest.mark.quick(3)
@pytest.mark.parametrize("seed", range(8))
def test_stretches_of_random_problems_are_right_wherever_one_looks(brute_force, seed):
    sampling = ("markov", "iid")[seed % 2]
    recursion = prepared(garnet(3, 2, 2, 2, seed=seed), OF_THE_PAPER[seed % len(OF_THE_PAPER)], sampling=sampling)
    result = step_size_limits(recursion)
    for moment, limit in enumerate((result.mean, result.mean_square)):
        assert limit.everywhere is Proof.EXACT
        for alpha in np.geomspace(1e-2, 1e3, 40):
            if all(abs(alpha - change.value) > 1e-3 * alpha for change in limit.changes):
                before = [change for change in limit.changes if change.value < alpha]
                first = limit.value is not None or any(not change.regained for change in limit.changes[:1])
                stable = before[-1].regained if before else first
                assert (brute_force(recursion, alpha)[moment] < 1) is stable


@pytest.mark.parametrize(
    ("problem", "algorithm", "sampling"),
    [("baird", "tdrc", "iid"), ("baird", "td", "markov"), (garnet(3, 2, 2, 2, seed=1), "tdc", "markov")],
)
def test_the_radius_on_the_invariant_space_is_that_of_the_whole_operator(brute_force, problem, algorithm, sampling):
    recursion = prepared(problem, algorithm, sampling=sampling)
    for pencil, power in ((FirstPencil(recursion), 2), (SecondPencil(recursion), 1)):
        space = restricted(pencil, 200)
        X = [np.array([float(x) for x in part.entries()]).reshape(2 * (space.dimension,)) for part in space.X]
        for alpha in (0.01, 0.3, 2.0):
            radius = np.abs(np.linalg.eigvals(X[0] + alpha * X[1] + alpha**2 * X[2])).max()
            assert radius == pytest.approx(brute_force(recursion, alpha)[power == 1] ** power, rel=1e-7)


def test_symmetry_makes_the_operator_of_bairds_problem_small():
    recursion = prepared("baird", "tdrc", sampling="markov")
    assert restricted(SecondPencil(recursion), 40).dimension == 32


def test_an_eigenvalue_that_is_1_at_every_step_size_leaves_no_polynomial():
    # gamma = 1 and one state that leads to itself: no update sees w, and nothing moves it.
    recursion = prepared(blind(), "td", sampling="iid")
    result = boundary(SecondPencil(recursion))
    assert (result.polynomial.degree, result.roots, result.stable) == (-1, (), (False,))


def blind():
    """Return a problem whose TD errors are blind to the mean of the weights, which noise moves."""
    from dataclasses import replace

    return replace(garnet(3, 2, 2, 3, seed=5), gamma=1, features=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])


def test_a_crossing_of_third_order_is_reached_in_floats_too(monkeypatch):
    # Only state 0 has a feature: with TDC, 2 steps multiply w by 1 - a and h by 1 - a, and 2 is a root of order 3.
    monkeypatch.setattr(boundary_polynomial, "LARGEST", 0)
    turn = Problem(
        name="turn",
        gamma=1,
        features=[[1], [0]],
        transitions=[(0, 0, 1, 1, 1), (1, 0, 0, 1, -1)],
        behaviour=[[1]] * 2,
        target=[[1]] * 2,
    )
    limit = step_size_limits(prepared(turn, "tdc")).mean_square
    assert limit.lower < 2 < limit.upper
    assert limit.weakest is Proof.ENCLOSED

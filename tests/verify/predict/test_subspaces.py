"""What grows where nothing ever is, or where no error shows it, changes neither curve, study nor floor."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import OF_THE_PAPER, Problem
from tdrc_theory.problems import PROBLEMS, find_problem
from verify.predict import prediction, subspaces
from verify.predict.prediction import predicted, prepared
from verify.predict.study import floor, study
from verify.predict.subspaces import at_rest, observable, reachable

TURNED = [["3/5", "4/5"], ["-12/5", "9/5"]]
"""Features (1, 0) and (0, 3), turned by a right angle's triple: TD then does the same, turned."""


def noisy(features, **options):
    """Return a problem whose state 0 has rewards of mean 0 and whose state 1 has none; neither leads to the other.

    With independent samples and step size 1, TD's second moment of the first weight is multiplied by 5/8 and has 1/2
    added in an update, the error is half of it / 2, and the second weight would be multiplied by -3.5 in every other.
    """
    moves = [(0, 0, 0, Fraction(1, 2), 1), (0, 0, 0, Fraction(1, 2), -1), (1, 0, 1, 1, 0)]
    ways = {"behaviour": [[1]] * 2, "target": [[1]] * 2, "state_weights": [Fraction(1, 2)] * 2}
    return Problem(name="noisy", gamma=Fraction(1, 2), features=features, transitions=moves, **{**ways, **options})


def by_hand(steps):
    """Return E[MSPBE] = (w_0 / 2)^2 / 2 of `noisy`, E[w_0^2] by its own recursion in fractions."""
    square = Fraction(0)
    for _ in range(steps):
        square = square / 2 + (square / 4 + 1) / 2
    return float(square / 8)


@pytest.mark.quick(1)
@pytest.mark.parametrize("every", [1, 50, 400])
@pytest.mark.parametrize("features", [[[1, 0], [0, 3]], TURNED], ids=["straight", "turned"])
def test_a_direction_that_would_grow_but_never_starts_does_not_lift_the_curve(features, every):
    recursion = prepared(noisy(features), "td", sampling="iid")
    result = predicted(recursion, Fraction(1), 400, every=every)
    assert result.mspbe[1] == pytest.approx(by_hand(every), rel=1e-9)
    assert result.mspbe[-1] == pytest.approx(by_hand(400), rel=1e-9)
    assert "of 2 directions the start leads into 1" in result.method
    assert floor(recursion, Fraction(1)) == pytest.approx(by_hand(400), rel=1e-9)
    row = study(recursion, [Fraction(1)], 400).rows[0]
    assert row.final == pytest.approx(by_hand(400), rel=1e-9)
    assert row.area == pytest.approx(np.mean([by_hand(n) for n in range(401)]), rel=1e-9)


def test_the_same_direction_lifts_all_of_them_once_it_is_started():
    recursion = prepared(noisy([[1, 0], [0, 3]], initial_weights=[0, 1]), "td", sampling="iid")
    assert floor(recursion, Fraction(1)) == np.inf
    for every in (1, 1000):
        assert predicted(recursion, Fraction(1), 1000, every=every).mspbe[-1] == np.inf


@pytest.mark.parametrize("every", [1, 600])
def test_a_weight_that_the_error_does_not_see_does_not_lift_the_curve(every):
    # State 1 has no share in the MSPBE, but every other update is its: with feature 4 and step size 1 it diverges.
    problem = Problem(
        name="unseen",
        gamma=0,
        features=[[1, 0], [0, 4]],
        transitions=[(s, 0, t, Fraction(1, 2), 1 + s) for s in range(2) for t in range(2)],
        behaviour=[[1]] * 2,
        target=[[1]] * 2,
        state_weights=[1, 0],
        initial_weights=[3, 5],
    )
    recursion = prepared(problem, "td", sampling="markov")
    result = predicted(recursion, Fraction(1, 2), 600, every=every)
    assert "of which the MSPBE sees 1" in result.method
    # (w_0 - 1)^2 is multiplied by 1/4 in every other update, and starts at 4.
    assert result.mspbe[-1] == pytest.approx(4 * (5 / 8) ** 600, rel=1e-9, abs=1e-30)
    # The other less 1/2, 9/2 at first, is multiplied by -7 in every other update; its square leaves the floats.
    assert result.mean_weights[-1, 1] == pytest.approx(4.5 * 3.0**600, rel=1e-9)
    assert floor(recursion, Fraction(1, 2)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("every", [1, 100_000])
def test_a_mean_that_dies_out_bounds_the_error_from_below_though_its_square_is_past_the_range_of_floats(every):
    steps = 100_000 if every > 1 else 3000
    result = predicted(prepared("baird", "tdrc", sampling="iid"), Fraction(1, 2), steps, every=every)
    assert result.mspbe[-1] == np.inf
    assert result.rmspbe_least[-1] < result.rmspbe_least[0]


@pytest.mark.parametrize("every", [1, 500])
def test_a_mode_that_would_grow_but_is_empty_does_not_lift_the_curve(every):
    # State 0 multiplies w by -8, but w is 0 until state 1, which is never left and has rewards of mean 0.
    problem = Problem(
        name="left for good",
        gamma=0,
        features=[[3], [1]],
        transitions=[(0, 0, 0, "1/2", 0), (0, 0, 1, "1/2", 0), (1, 0, 1, "1/2", 1), (1, 0, 1, "1/2", -1)],
        behaviour=[[1]] * 2,
        target=[[1]] * 2,
        start=[1, 0],
        state_weights=[0, 1],
    )
    recursion = prepared(problem, "td", sampling="markov")
    end = predicted(recursion, Fraction(1), 500, every=every).mspbe[-1]
    assert end == pytest.approx(1, rel=1e-9)  # with step size 1 the weight is the last reward
    assert floor(recursion, Fraction(1)) == pytest.approx(1, rel=1e-9)
    assert study(recursion, [Fraction(1)], 500).rows[0].final == pytest.approx(1, rel=1e-9)


@pytest.mark.quick(5)
@pytest.mark.parametrize("algorithm", OF_THE_PAPER, ids=lambda a: a.name)
@pytest.mark.parametrize("name", ["baird", "random-walk-dependent"])
def test_what_is_left_out_changes_no_step_of_a_run(name, algorithm, mspbe):
    problem = find_problem(name)
    recursion = prepared(problem, algorithm)
    inside = reachable(recursion)
    shown = observable(inside)
    B, origin = inside.basis.to_float(), np.array([float(v) for v in inside.origin])
    rng = np.random.default_rng(3)
    all_of, kept, few = (np.array([float(v) for v in each.first]) for each in (recursion, inside, shown))
    for t in rng.integers(len(recursion.updates), size=30):
        all_of, kept, few = (after(each, y, t) for each, y in ((recursion, all_of), (inside, kept), (shown, few)))
        weights = recursion.basis.to_float() @ all_of + np.array([float(v) for v in recursion.origin])
        assert B @ kept + origin == pytest.approx(weights, rel=1e-9, abs=1e-9)
        alike = shown.basis.to_float() @ few + np.array([float(v) for v in shown.origin])
        errors = [mspbe(problem, w[-problem.k :]) for w in (weights, alike)]
        assert errors[1] == pytest.approx(errors[0], rel=1e-9, abs=1e-12)


def after(recursion, y, t):
    """Return y after the update t, with step size 1/16."""
    z = np.append(y, 1.0)
    move = np.array([[float(x) for x in row] for row in recursion.common]).reshape(recursion.n, recursion.n + 1) @ z
    for u, v in recursion.updates[t]:
        move = move + np.array([float(x) for x in u]) * (np.array([float(x) for x in v]) @ z)
    return y + move / 16


def test_a_start_at_a_fixed_point_of_every_update_leads_nowhere():
    recursion = prepared(replace(find_problem("two-state"), initial_weights=[0]), "tdrc")
    assert (recursion.n, reachable(recursion).n) == (2, 0)
    assert at_rest(recursion)
    moved = prepared("two-state", "tdrc")
    assert observable(reachable(moved)) is moved
    assert not at_rest(moved)


@pytest.mark.parametrize("name", [name for name, _ in PROBLEMS])
@pytest.mark.parametrize("algorithm", ["tdrc", "td", "gtd2"])
def test_every_built_in_problem_starts_away_from_rest(name, algorithm):
    assert not at_rest(prepared(name, algorithm))


def test_a_start_at_rest_in_the_mean_alone_is_not_at_rest():
    # Rewards 1 and -1 with equal probability: the expected update at w = 0 is 0, single updates are not.
    problem = Problem(
        name="noise",
        gamma=0,
        features=[[1]],
        transitions=[(0, 0, 0, "1/2", 1), (0, 0, 0, "1/2", -1)],
        behaviour=[[1]],
        target=[[1]],
    )
    assert not at_rest(prepared(problem, "td"))
    assert at_rest(prepared(replace(problem, transitions=[(0, 0, 0, 1, 2)], initial_weights=[2]), "td"))


def test_more_directions_than_are_looked_at_are_all_computed_and_said_to_be(monkeypatch):
    monkeypatch.setattr(subspaces, "LARGEST_REDUCED", 1)
    monkeypatch.setattr(prediction, "LARGEST_REDUCED", 1)
    recursion = prepared(noisy([[1, 0], [0, 3]]), "td", sampling="iid")
    assert "; in all 2 directions" in predicted(recursion, Fraction(1), 3).method

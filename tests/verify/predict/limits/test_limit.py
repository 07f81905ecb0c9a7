"""Step-size limits against cases solved by hand and radii of operators written out by brute force."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import OF_THE_PAPER, Problem, find_algorithm
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.problem import END
from tdrc_theory.problems import find_problem
from tdrc_theory.problems.averaged import averaged_process
from tdrc_theory.problems.garnet import garnet
from verify.check import Proof
from verify.predict.limits import boundary
from verify.predict.limits.certificate import Certifier, SecondCandidates
from verify.predict.limits.cover import Stretch
from verify.predict.limits.limit import SearchStatus, classes, limit_of, step_size_limits
from verify.predict.limits.stability import Stability, crossings
from verify.predict.operator import Spectrum, layout
from verify.predict.prediction import predicted, prepared
from verify.predict.study import floor, study


def limits(problem, algorithm, sampling=None, **parameters):
    return step_size_limits(prepared(problem, algorithm, sampling=sampling, **parameters))


def one_feature(values, gamma="1/2"):
    """Return a process whose states lead to the next in turn, with one feature."""
    size = len(values)
    P = [[int(j == (i + 1) % size) for j in range(size)] for i in range(size)]
    return averaged_process(
        name="turn", gamma=gamma, features=[[v] for v in values], P=P, r=[1] * size, d=[Fraction(1, size)] * size
    )


@pytest.mark.parametrize("values", [(1, 2), (1, 3, 2), (2, 1, 1, 5)])
def test_one_weight_and_independent_samples_are_solved_by_hand(values):
    result = limits(one_feature(values), "td")
    g = [Fraction(x) * (Fraction(y, 2) - x) for x, y in zip(values, (*values[1:], values[0]), strict=True)]
    mean, square = sum(g) / len(g), sum(v * v for v in g) / len(g)
    assert mean < 0
    assert result.mean.lower < -2 / mean < result.mean.upper
    assert result.mean_square.lower < -2 * mean / square < result.mean_square.upper
    assert result.mean_square.proof is result.mean_square.below is result.mean_square.everywhere is Proof.EXACT
    assert result.mean_square.others == result.mean.others == ()


def test_under_markov_sampling_stability_can_be_lost_and_regained(turn):
    result = limits(turn, "td")
    for limit in (result.mean, result.mean_square):
        assert limit.value == pytest.approx(5 - 7**0.5, rel=1e-9)
        assert limit.others == pytest.approx((5 + 7**0.5, 10), rel=1e-9)
        assert limit.proof is limit.below is limit.everywhere is Proof.EXACT
        assert [change.regained for change in limit.changes] == [False, True, False]
    independent = limits(turn, "td", "iid")
    assert independent.mean.value == pytest.approx(2 / (5 / 9))
    assert independent.mean_square.value == pytest.approx((1 + 1 / 9) / ((1 + 1 / 81) / 2))


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("name", "algorithm", "sampling"),
    [
        ("baird", "tdrc", "iid"),
        ("random-walk-inverted", "td", "markov"),
        ("random-walk-inverted", "gtd2", "iid"),
        ("random-walk-dependent", "htd", "markov"),
        pytest.param("boyan", "td", "markov", marks=pytest.mark.thorough),
    ],
)
def test_radii_at_the_limit_are_one_by_brute_force(brute_force, name, algorithm, sampling):
    recursion = prepared(name, algorithm, sampling=sampling)
    result = step_size_limits(recursion)
    assert brute_force(recursion, result.mean.value)[0] == pytest.approx(1, abs=1e-9)
    assert brute_force(recursion, result.mean_square.value)[1] == pytest.approx(1, abs=1e-9)
    assert result.mean_square.lower <= result.mean_square.value <= result.mean_square.upper
    assert result.mean.value > result.mean_square.value


@pytest.mark.parametrize("seed", range(6))
def test_certificates_never_contradict_brute_force(brute_force, seed):
    algorithm = OF_THE_PAPER[seed % len(OF_THE_PAPER)]
    sampling = ("markov", "iid")[seed % 2]
    recursion = prepared(garnet(3, 2, 2, 2, seed=seed), algorithm, sampling=sampling)
    decided = 0
    for alpha in (Fraction(1, 50), Fraction(1, 3), Fraction(1), Fraction(2), Fraction(7)):
        radii = brute_force(recursion, float(alpha))
        certifiers = (Certifier.first(recursion), Certifier.second(recursion))
        for radius, bounded in zip(radii, [certifier.bounded(alpha) for certifier in certifiers], strict=True):
            decided += bounded is not None
            assert bounded in (None, radius < 1)
    assert decided >= 8


@pytest.mark.parametrize("sampling", [pytest.param("markov", marks=pytest.mark.slow), "iid"])
def test_baird_has_a_limit_for_tdrc_and_none_for_td(sampling):
    result = limits("baird", "tdrc", sampling)
    assert result.mean_square.proof is result.mean_square.everywhere is Proof.EXACT
    assert 0 < result.mean_square.lower < result.mean_square.upper < result.mean.lower
    nothing = limits("baird", "td", sampling)
    assert nothing.mean_square.value is nothing.mean.value is None
    assert nothing.mean_square.proof is Proof.EXACT
    assert nothing.mean_square.others == ()


def test_the_mean_limit_of_independent_samples_is_that_of_the_eigenvalues_of_G():
    G = expected_update(find_problem("baird"), find_algorithm("tdrc"), {"beta": Fraction(1), "eta": Fraction(1)}).G
    values = np.linalg.eigvals(G.to_float())
    values = values[np.abs(values) > 1e-9]
    assert limits("baird", "tdrc", "iid").mean.value == pytest.approx((-2 * values.real / np.abs(values) ** 2).min())


def test_two_states_have_a_limit_for_tdc_and_none_for_tdrc(brute_force):
    result = limits("two-state", "tdc").mean_square
    assert result.proof is Proof.EXACT
    recursion = prepared("two-state", "tdc")
    assert brute_force(recursion, result.lower)[1] < 1 < brute_force(recursion, result.upper)[1]
    nothing = limits("two-state", "tdrc").mean_square
    assert (nothing.value, nothing.proof) == (None, Proof.EXACT)
    assert "eigenvalue" in nothing.reason


def test_a_drift_that_nothing_holds_back_has_no_limit():
    drifting = averaged_process(name="drift", gamma=1, features=[[1]], P=[[1]], r=[1], d=[1])
    result = limits(drifting, "td").mean_square
    assert (result.value, result.proof) == (None, Proof.EXACT)


def test_the_floor_is_where_the_curve_ends_up():
    for name, alpha in zip(("random-walk-tabular", "two-state", "boyan"), ("1/4", "1/8", "1/4"), strict=True):
        algorithm = "tdc" if name == "two-state" else "tdrc"
        recursion = prepared(name, algorithm)
        curve = predicted(recursion, Fraction(alpha), 30_000, 10_000)
        assert floor(recursion, Fraction(alpha)) == pytest.approx(curve.mspbe[-1], rel=1e-6, abs=1e-15)
    assert floor(prepared("baird", "td"), Fraction(1, 64)) == np.inf


def test_a_study_has_the_errors_of_single_predictions_and_finds_better_step_sizes():
    recursion = prepared("random-walk-dependent", "tdrc")
    alphas = [Fraction(1, 4), Fraction(1, 64), Fraction(1, 16)]
    result = study(recursion, alphas, 300)
    assert [row.alpha for row in result.rows] == sorted(alphas)
    for row in result.rows:
        alone = predicted(recursion, row.alpha, 300)
        assert row.final == pytest.approx(alone.mspbe[-1], rel=1e-10)
        assert row.area == pytest.approx(alone.area, rel=1e-10)
    for best, column in ((result.best_final, "final"), (result.best_area, "area")):
        assert best.value <= min(getattr(row, column) for row in result.rows)
        again = study(recursion, [Fraction(best.alpha)], 300).rows[0]
        assert getattr(again, column) == pytest.approx(best.value, rel=1e-9)


@pytest.mark.parametrize("sampling", ["markov", "iid"])
@pytest.mark.parametrize("algorithm", ["td", "tdrc"])
def test_a_level_that_no_difference_shows_has_no_limit_and_does_not_lift_the_floor(algorithm, sampling):
    # gamma = 1 and a feature for each state: every TD error is blind to the mean of the weights, which noise moves.
    problem = replace(garnet(3, 2, 2, 3, seed=5), gamma=1, features=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    result = limits(problem, algorithm, sampling)
    for limit in (result.mean, result.mean_square):
        assert (limit.status, limit.value, limit.proof) == (SearchStatus.NONE, None, Proof.EXACT)
    recursion = prepared(problem, algorithm, sampling=sampling)
    assert floor(recursion, Fraction(1, 8)) == pytest.approx(
        predicted(recursion, Fraction(1, 8), 20_000, 10_000).mspbe[-1]
    )


def test_a_short_stretch_of_unstable_step_sizes_is_not_passed_over(brute_force):
    ring = Problem(
        name="ring",
        gamma="1/2",
        features=[[0], [1], [-2], [1]],
        transitions=[(s, a, (s + 1) % 4, 1, 0) for s in range(4) for a in range(2)],
        behaviour=[["1/5", "4/5"], ["1/2", "1/2"], ["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["5/8", "3/8"], ["4/9", "5/9"], ["5/9", "4/9"], ["2/7", "5/7"]],
    )
    result = limits(ring, "tdrc").mean
    inside = [n / 100 for n in range(1, 71)]
    recursion = prepared(ring, "tdrc")
    assert all(brute_force(recursion, alpha)[0] < 1 for alpha in inside)
    assert brute_force(recursion, 0.8)[0] > 1 > brute_force(recursion, 1.0)[0]
    assert 0.7 < result.value < 0.8
    assert len(result.others) == 2


def test_a_scan_ends_where_radii_are_too_near_1_to_be_found():
    looked_at = []

    def radius(alpha):
        looked_at.append(alpha)
        return 1 + (alpha - 0.5) if alpha > 0.3 else 1.0

    assert crossings(lambda alpha: radius(alpha) - 1, interval=False) == [pytest.approx(0.5)]
    assert min(looked_at) > 1e-3


def test_a_crossing_beside_which_nothing_is_found_is_no_limit(monkeypatch):
    monkeypatch.setattr(boundary, "LARGEST", 0)
    monkeypatch.setattr(SecondCandidates, "excess", lambda _, alpha: np.nan if 0.58 < alpha < 0.62 else alpha - 0.6)
    result = step_size_limits(prepared(_one_state(1), "td", sampling="iid"))
    assert (result.mean_square.status, result.mean_square.value) == (SearchStatus.NOT_FOUND, None)
    assert "no eigenvalue was found near 0.6" in result.mean_square.reason
    assert result.mean.status is SearchStatus.FOUND


@pytest.mark.parametrize("sampling", ["iid", "markov"])
@pytest.mark.parametrize("unit", [Fraction(10**5), Fraction(1, 10**5)])
def test_a_limit_is_found_in_whatever_unit_features_are(unit, sampling):
    def turn(unit):
        return Problem(
            name="turn",
            gamma="1/2",
            features=[[unit], [2 * unit]],
            transitions=[(0, 0, 1, 1, 0), (1, 0, 0, 1, 0)],
            behaviour=[[1], [1]],
            target=[[1], [1]],
        )

    result, known = limits(turn(unit), "td", sampling), limits(turn(1), "td", sampling)
    for one, other in ((result.mean, known.mean), (result.mean_square, known.mean_square)):
        assert one.value == pytest.approx(other.value / float(unit) ** 2, rel=1e-9)
        assert one.weakest is Proof.EXACT


@pytest.mark.parametrize("sampling", ["iid", "markov"])
def test_a_limit_that_no_float_sees_is_found(sampling, brute_force):
    near = Problem(
        name="near",
        gamma="9/10",
        features=[[1], [2]],
        transitions=[(0, 0, 1, 1, 1), (0, 1, 1, 1, 1), (1, 0, 0, 1, 0), (1, 1, 1, 1, 0)],
        behaviour=[["1/2", "1/2"], ["4999/10000", "5001/10000"]],
        target=[["1/2", "1/2"], [0, 1]],
    )
    result = limits(near, "tdc", sampling).mean_square
    assert (result.status, result.proof, result.everywhere) == (SearchStatus.FOUND, Proof.EXACT, Proof.EXACT)
    recursion = prepared(near, "tdc", sampling=sampling)
    assert brute_force(recursion, 1e4 * result.upper)[1] > 1


def test_an_eigenvalue_that_is_not_the_radius_is_not_taken_for_it(brute_force):
    # Arnoldi's method alone returned another one here: below 1, where the radius is above.
    recursion = prepared("random-walk-inverted", "tdc++", sampling="markov")
    for alpha in (0.0776, 0.07765, 0.0777):
        assert Spectrum(layout(recursion).linear()).second(alpha) == pytest.approx(
            brute_force(recursion, alpha)[1], abs=1e-9
        )


@pytest.mark.slow
def test_eigenvalues_that_lie_close_to_each_other_are_told_apart_by_a_power():
    recursion = prepared(garnet(40, 2, 3, 40, seed=1, gamma=Fraction(9, 10)), "tdrc", sampling="iid")
    alpha = Fraction(3, 1000)
    assert 1 - 1e-8 < Spectrum(layout(recursion).linear()).second(float(alpha)) < 1 - 1e-9
    assert Certifier.second(recursion).bounded(alpha)


def _one_state(feature, **options):
    only = {"transitions": [(0, 0, 0, 1, 1)], "behaviour": [[1]], "target": [[1]], "gamma": 0}
    return Problem(name="one state", features=[[feature]], **{**only, **options})


@pytest.mark.parametrize(("feature", "limit"), [(1, 2.0), (2, 0.5), (8, 2 / 64)])
@pytest.mark.parametrize("sampling", ["iid", "markov"])
def test_a_limit_that_a_scan_hits_exactly_is_found(feature, limit, sampling):
    result = limits(_one_state(feature), "td", sampling=sampling)
    for each in (result.mean, result.mean_square):
        assert each.value == pytest.approx(limit, rel=1e-9)
        assert each.lower < limit <= each.upper


def test_what_only_h_moves_is_not_counted_as_moving_w():
    # x = 0 where samples come from: w never moves, and h <- (1 - alpha eta beta) h.
    still = Problem(
        name="still",
        gamma=1,
        features=[[0], [1]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 0, 1, 0)],
        behaviour=[[1]] * 2,
        target=[[1]] * 2,
        state_weights=[1, 0],
    )
    assert limits(still, "tdrc", sampling="iid", beta=1, eta=1).mean_square.value == pytest.approx(2, rel=1e-9)


def test_w_and_h_that_move_on_one_line_only_have_its_limit():
    # delta = 0 always; h <- h - alpha (x^2 + beta) h and w <- w - alpha x^2 h, with x = x' = 1 and beta = 1.
    loop = _one_state(1, gamma=1, transitions=[(0, 0, 0, 1, 0)])
    assert limits(loop, "tdrc", sampling="iid", beta=1, eta=1).mean.value == pytest.approx(1, rel=1e-9)


def test_moments_that_stay_where_they_are_are_not_said_to_grow():
    # State 1 is never left, and moves w_1 alone: w_1 <- w_1 - alpha w_1 / 2. Then w_0 stays, whatever it is.
    caught = Problem(
        name="caught",
        gamma="1/2",
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 0, "1/2", 1), (0, 0, 1, "1/2", 0), (1, 0, 1, 1, 1)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
    )
    for limit in (limits(caught, "td").mean, limits(caught, "td").mean_square):
        assert (limit.value, limit.weakest, limit.everywhere) == (pytest.approx(4), Proof.EXACT, Proof.EXACT)


def test_a_state_that_is_never_left_has_limits_worked_out_by_hand():
    # There w_1 is multiplied by 1 - alpha / 5 and by 1 in turn at random: |1 - alpha / 10| <= 1 for its mean, and
    # (1 + (1 - alpha / 5)^2) / 2 <= 1 for its square. On the way there, half the time w_0 is not moved at all.
    absorbing = Problem(
        name="one absorbing state",
        gamma="9/10",
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 1, 1, 5), (0, 1, 0, 1, 0), (1, 0, 1, 1, 0), (1, 1, 1, 1, 0)],
        behaviour=[["1/2", "1/2"]] * 2,
        target=[[1, 0], [1, 0]],
        initial_weights=[1, 1],
    )
    result = limits(absorbing, "td")
    assert (result.mean.value, result.mean_square.value) == (pytest.approx(20), pytest.approx(10))
    for limit, alpha in ((result.mean, Fraction(19)), (result.mean_square, Fraction(9))):
        assert limit.weakest is limit.everywhere is Proof.EXACT
        curve = predicted(prepared(absorbing, "td"), alpha, 20_000, 10_000)
        assert np.isfinite(curve.mean_weights).all()
    assert np.isfinite(predicted(prepared(absorbing, "td"), Fraction(9), 20_000, 10_000).mspbe).all()
    assert np.isinf(predicted(prepared(absorbing, "td"), Fraction(11), 20_000, 10_000).mspbe[-1])


def test_a_probability_too_small_for_floats_still_joins_states():
    tiny = Fraction(1, 10**400)
    joined = Problem(
        name="rare",
        gamma="1/2",
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, END, 1, 0)],
        behaviour=[[1]] * 2,
        target=[[1]] * 2,
        start=[tiny, 1 - tiny],
    )
    recursion = prepared(joined, "td", sampling="markov")
    assert classes(recursion) == [recursion]


def chain_with_states_left_for_good(seed):
    """Return a random problem whose states 0 and 1 may be left for good, and 2 and 3 never."""
    draw = random.Random(seed)
    after = [draw.choice([s, s, *range(s, 4)] if s < 2 else [2, 3]) for s in range(4) for _ in range(2)]
    return Problem(
        name="left for good",
        gamma="9/10",
        features=[[draw.randint(-1, 2) for _ in range(2)] for _ in range(4)],
        transitions=[(i // 2, i % 2, s, 1, 1) for i, s in enumerate(after)],
        behaviour=[["1/2", "1/2"]] * 4,
        target=[["3/4", "1/4"]] * 4,
        state_weights=["1/4"] * 4,
    )


@pytest.mark.parametrize("seed", range(12))
def test_powers_of_the_kronecker_form_grow_only_where_a_limit_says_so(kronecker_forms, seed):
    problem, looks = chain_with_states_left_for_good(seed), 0
    result, outcome = prepared(problem, "tdc", sampling="markov"), limits(problem, "tdc", sampling="markov")
    for moment, limit in enumerate((outcome.mean, outcome.mean_square)):
        if "no update sees" in limit.reason:  # the linear part is bounded, noise along what is not seen is not
            continue
        assert limit.everywhere is Proof.EXACT
        for alpha in np.geomspace(0.05, 30, 9):
            changes = limit.changes
            if any(abs(alpha - change.value) < 0.02 * alpha for change in changes):
                continue
            before = [change for change in changes if change.value < alpha]
            at_first = not changes[0].regained if changes else "bounded at every step size" in limit.reason
            stable = before[-1].regained if before else at_first
            form = kronecker_forms(result, alpha)[moment]
            with np.errstate(all="ignore"):
                early, late = (np.linalg.norm(np.linalg.matrix_power(form, power)) for power in (20_000, 40_000))
            assert bool(late < 1.2 * early + 1e-6) is stable
            looks += 1
    assert looks or not outcome.mean.changes


def test_a_radius_that_touches_1_is_not_said_to_be_lost_above(brute_force):
    # Three states in turn, gamma = 0: three steps multiply w by (1 - a)^2 (1 - a/4), with the local maximum 1 at 3.
    turn = Problem(
        name="turn",
        gamma=0,
        features=[[1], [1], ["1/2"]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 2, 1, 0), (2, 0, 0, 1, 0)],
        behaviour=[[1]] * 3,
        target=[[1]] * 3,
    )
    for moment, limit in enumerate((limits(turn, "td").mean, limits(turn, "td").mean_square)):
        assert (limit.value, limit.weakest, limit.everywhere) == (3, Proof.EXACT, Proof.EXACT)
        assert [change.regained for change in limit.changes] == [False, True, False]
        assert all(brute_force(prepared(turn, "td"), alpha)[moment] < 1 - 1e-7 for alpha in (2.99, 3.01))
        assert "not at" not in limit.reason
        assert f"radius 1 at one step size before {limit.upper!r}" in limit.reason


def parts(*stretches, crossings):
    """Return what is known of one class: stretches of step sizes (low, high, stable, proof)."""
    return Stability(tuple(Stretch(Fraction(low), high, *rest) for low, high, *rest in stretches), crossings)


def test_a_class_that_regains_stability_where_another_loses_it_leaves_the_place_open():
    low, high, exact = Fraction(1), Fraction(1001, 1000), Proof.EXACT
    gains = parts((0, low, False, exact), (high, None, True, exact), crossings={1.0005: 3})
    loses = parts((0, low, True, exact), (high, None, False, exact), crossings={1.0004: 3})
    limit = limit_of(gains & loses, (None, Proof.FLOAT, ""))
    assert (limit.changes, limit.everywhere) == ((), Proof.FLOAT)


def test_a_limit_between_an_exact_and_an_enclosed_stretch_is_enclosed():
    low, high = Fraction(1), Fraction(1001, 1000)
    known = parts((0, low, True, Proof.EXACT), (high, None, False, Proof.ENCLOSED), crossings={1.0005: None})
    limit = limit_of(known, (None, Proof.FLOAT, ""))
    assert limit.proof is limit.weakest is limit.everywhere is Proof.ENCLOSED
    assert limit.below is Proof.EXACT


def test_a_first_order_that_decides_nothing_is_no_reason():
    ring = Problem(
        name="ring",
        gamma=1,
        features=[[-1, -1], [-1, 1]],
        transitions=[(s, a, 1 - s, 1, 0) for s in range(2) for a in range(2)],
        behaviour=[["1/2", "1/2"], ["1/3", "2/3"]],
        target=[["1/2", "1/2"], ["2/3", "1/3"]],
    )
    limit = limits(ring, "htd").mean
    assert (limit.status, limit.everywhere) == (SearchStatus.NONE, Proof.EXACT)
    assert limit.reason == "at every step size the radius is at least 1"


def test_a_step_size_at_which_the_matrix_is_singular_even_in_floats_is_a_crossing():
    (reduced,) = classes(prepared(one_feature((1,), gamma="0"), "td"))  # T = (1 - alpha)^2, which is 1 at 2
    excess = SecondCandidates(reduced).excess
    assert excess(2.0) == 0
    assert excess(1.5) < 0 < excess(2.5)

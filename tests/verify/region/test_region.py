"""Regions of beta and eta, against dense scans in floats and against the verdicts around their ends."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import ExpectationTable, averaged_process, expected_update, find_algorithm, find_problem
from tdrc_theory.errors import BadOption
from tdrc_theory.problems import PROBLEMS
from tdrc_theory.problems.garnet import garnet
from verify.conditions.setting import Setting
from verify.exact.roots import real_roots
from verify.region import region
from verify.region.rate import fastest


def ends(result):
    return [
        (i.lower.value, i.lower_closed, None if i.upper is None else i.upper.value, i.upper_closed)
        for i in result.intervals
    ]


def test_on_baird_tdrc_converges_on_two_intervals_of_beta():
    result = region("baird", eta=1)
    (a, b), (c, d) = [(i.lower.value, i.upper.value) for i in result.intervals]
    assert (a, b, c, d) == pytest.approx((0, 0.02217811, 0.23925046, 14.52152), abs=5e-6)
    assert [(i.lower_closed, i.upper_closed) for i in result.intervals] == [(True, False), (False, False)]
    assert result.intervals[0].upper.text() == result.intervals[1].lower.text() == "root of 4900*t^2 - 1281*t + 26"
    (never,) = result.fails_for_every_eta
    assert (never.lower.value, never.upper.value, never.lower_closed, never.upper_closed) == (b, c, True, True)


@pytest.mark.parametrize("beta", ["1/10", "47/200", "2/5"])
def test_two_state_needs_eta_above_its_limit(beta):
    (interval,) = region("two-state", beta=beta).intervals
    limit = Fraction(47, 100) / (Fraction(5, 2) + Fraction(beta))
    assert interval.lower.text() == str(limit)
    assert (interval.lower_closed, interval.upper) == (False, None)


def test_two_state_converges_below_an_eigenvalue_and_at_no_eta_above():
    result = region("two-state", eta=1)
    assert ends(result) == [(0.0, True, pytest.approx(0.47), False)]
    assert [str(i) for i in result.fails_for_every_eta] == ["[0.47, infinity)"]
    assert region("two-state", beta=1).intervals == ()


@pytest.mark.parametrize(
    "name", ["random-walk-tabular", "random-walk-inverted", "random-walk-dependent", "boyan", "five-state"]
)
def test_positive_definite_problems_converge_everywhere(name):
    of_beta = region(name, eta=1)
    assert ends(of_beta) == [(0.0, True, None, False)]
    assert of_beta.fails_for_every_eta == ()
    assert ends(region(name, beta=1)) == [(0.0, False, None, False)]


def float_abscissas(problem, algorithm, values, parameter, fixed):
    """The largest real parts off the zeros that G has everywhere, from G as derived at each value."""
    table, method = ExpectationTable(problem), find_algorithm(algorithm)
    settings = [(v, fixed) if parameter == "beta" else (fixed, v) for v in values]
    spectra = [
        np.linalg.eigvals(
            expected_update(table, method, method.parameters(dict(zip(("beta", "eta"), s, strict=True)))).G.to_float()
        )
        for s in settings
    ]
    zeros = min((np.abs(spectrum) < 1e-7).sum() for spectrum in spectra)
    return [np.sort_complex(s)[np.argsort(np.abs(np.sort_complex(s)))][zeros:].real.max(initial=-1) for s in spectra]


def assert_agrees_with_a_scan(result, values, unsure=1e-5):
    fixed = result.fixed if result.fixed is not None else Fraction(1)
    scanned = float_abscissas(result.problem, result.algorithm.name, values, result.parameter, fixed)
    decided = 0
    for value, abscissa in zip(values, scanned, strict=True):
        inside = any(i.lower.value < value and (i.upper is None or value < i.upper.value) for i in result.intervals)
        if abs(abscissa) > unsure:
            decided += 1
            assert inside == (abscissa < 0), (value, abscissa)
    return decided


SCAN = [Fraction(n, 40) for n in range(1, 60, 2)] + [Fraction(n) for n in (2, 5, 9, 14, 15, 30, 100)]


@pytest.mark.quick(12)
@pytest.mark.parametrize("name", [n for n, _ in PROBLEMS])
@pytest.mark.parametrize(("algorithm", "asked"), [("tdrc", "eta"), ("tdrc", "beta"), ("tdc++", "eta"), ("htd", "beta")])
def test_regions_of_the_paper_problems_agree_with_a_dense_scan(name, algorithm, asked):
    result = region(name, algorithm, **{asked: 1})
    assert assert_agrees_with_a_scan(result, SCAN, unsure=1e-8) > 20


def random_problem(seed):
    if seed % 3 == 0:
        return garnet(4, 2, 2, 2, seed, Fraction(19, 20))
    # Most states lead to one with large features and little weight: what makes off-policy TD diverge.
    rng = np.random.default_rng(seed)
    states, k = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    rows = rng.integers(0, 2, (states, states))
    rows[:, -1] = rng.integers(1, 8, states)
    weights = np.append(rng.integers(2, 9, states - 1), 1)
    features = rng.integers(-2, 3, (states, k))
    features[-1] = rng.integers(2, 5, k)
    return averaged_process(
        name=f"random {seed}",
        gamma=Fraction(99, 100),
        features=features.tolist(),
        P=[[Fraction(int(p), int(row.sum())) for p in row] for row in rows],
        r=[0] * states,
        d=[Fraction(int(w), int(weights.sum())) for w in weights],
    )


@pytest.mark.quick(30)
@pytest.mark.parametrize("seed", range(100))
def test_regions_of_random_problems_agree_with_a_dense_scan(seed):
    problem = random_problem(seed)
    assert_agrees_with_a_scan(region(problem, eta=Fraction(1, 2)), SCAN)
    assert_agrees_with_a_scan(region(problem, beta=Fraction(1, 2)), SCAN)


def test_random_problems_show_bounded_and_unbounded_regions():
    uppers = [i.upper for seed in range(100) for i in region(random_problem(seed), eta=1).intervals]
    assert sum(upper is None for upper in uppers) > 20
    assert sum(upper is not None for upper in uppers) > 5


@pytest.mark.parametrize("seed", range(0, 40, 2))
def test_the_exact_verdict_changes_at_every_end(seed):
    result = region(random_problem(seed), eta=Fraction(1, 2))
    for interval in result.intervals:
        for end, side in ((interval.lower, 1), (interval.upper, -1)):
            if end is None or end.value == 0:
                continue
            inside = Fraction(end.value) * (1 + side * Fraction(1, 10**6))
            outside = Fraction(end.value) * (1 - side * Fraction(1, 10**6))
            assert result.contains(inside)
            assert not result.contains(outside)


def test_the_ends_are_roots_of_the_polynomials_that_are_shown():
    for interval in region("baird", eta=1).intervals:
        for end in (interval.lower, interval.upper):
            assert end.polynomial(end.ball).contains(0)
            assert any(root.overlaps(end.ball) for root in real_roots(end.polynomial))


def test_what_has_no_such_parameter_is_refused():
    for algorithm, asked, reason in (("gtd2", {"eta": 1}, "has no beta"), ("tdc", {"eta": 1}, "fixes beta")):
        with pytest.raises(BadOption, match=reason):
            region("baird", algorithm, **asked)
    with pytest.raises(BadOption, match="one of them"):
        region("baird", beta=1, eta=1)


def test_a_user_algorithm_has_a_region_unless_it_branches_on_beta(tmp_path):
    file = tmp_path / "mine.py"
    head = "(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    "
    square = "return rho*(delta*x - gamma*delta_hat*x_next), (rho*delta - delta_hat)*x - beta*beta*h\n"
    branch = "return rho*(delta*x - gamma*delta_hat*x_next), (rho*delta - delta_hat)*x - min(beta, 1)*h\n"
    file.write_text(f"def square{head}{square}\n\ndef branch{head}{branch}")
    (interval,) = region("two-state", f"{file}:square", eta=1).intervals
    assert interval.upper.value == pytest.approx(0.47**0.5)
    with pytest.raises(BadOption, match="branches on beta"):
        region("two-state", f"{file}:branch", eta=1)


def test_the_fastest_rate_is_enclosed_and_no_neighbour_beats_it():
    setting = Setting.of(find_problem("baird"), find_algorithm("tdrc"), Fraction(1), Fraction(1))
    result = fastest(setting, ("beta",))
    assert result.parameters["eta"] == 1
    values = [result.parameters["beta"] * Fraction(n, 20) for n in (10, 15, 19, 21, 25, 30)]
    others = float_abscissas(setting.problem, "tdrc", [result.parameters["beta"], *values], "beta", Fraction(1))
    assert result.abscissa.middle == pytest.approx(others[0], rel=1e-6)
    assert all(other > result.abscissa.lower for other in others[1:])


def test_a_search_that_ends_at_its_edge_says_so():
    setting = Setting.of(find_problem("random-walk-tabular"), find_algorithm("tdrc"), Fraction(1), Fraction(1))
    result = fastest(setting, ("beta",))
    assert result.parameters["beta"] == 1024
    assert "at whose edge it ended" in result.to_json()["found_by"]
    baird = Setting.of(find_problem("baird"), find_algorithm("tdrc"), Fraction(1), Fraction(1))
    assert "edge" not in fastest(baird, ("beta",)).to_json()["found_by"]


def test_nothing_is_recommended_where_nothing_converges():
    setting = Setting.of(find_problem("two-state"), find_algorithm("td"), Fraction(1), Fraction(1))
    with pytest.raises(BadOption, match="td has no beta"):
        fastest(setting, ("beta",))
    diverging = Setting.of(find_problem("two-state"), find_algorithm("tdrc"), Fraction(1), Fraction(1))
    assert fastest(diverging, ("eta",)) is None


HEAD = "(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return "


USER = {
    "touching": "rho*(delta*x - gamma*delta_hat*x_next), (rho*delta - delta_hat)*x - (beta*beta - 2)**2*h",
    "resting": "rho*delta*x, 0*delta - (beta - 3)**2*h",
    "drifting": "rho*delta*x + (beta - 1)*x, 0*h",
}


@pytest.fixture
def user(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("\n\n".join(f"def {name}{HEAD}{body}" for name, body in USER.items()))
    return lambda name: f"{file}:{name}"


def test_an_irrational_value_at_which_a_user_algorithm_may_converge_is_left_undecided(user):
    result = region("baird", user("touching"), eta=1)
    (point,) = [end for end in result.undecided if abs(end.value - 2**0.5) < 1e-9]
    assert point.text() == "root of t^2 - 2"
    assert result.to_json()["undecided"]


def test_a_rational_value_at_which_nothing_goes_wrong_stays_inside(user):
    (interval,) = region("random-walk-tabular", user("resting"), eta=1).intervals
    assert (interval.lower.value, interval.lower_closed, interval.upper) == (0, True, None)


def test_a_drift_that_depends_on_beta_is_refused(user):
    resting = averaged_process(name="resting", gamma=1, features=[[1]], P=[[1]], r=[0], d=[1])
    with pytest.raises(BadOption, match="depend on beta"):
        region(resting, user("drifting"), eta=1)


@pytest.mark.parametrize("digits", [3, 15, 16, 30, 60])
def test_boundaries_that_are_close_are_told_apart(digits):
    gap = Fraction(1, 10**digits)
    problem = averaged_process(
        name="two loops",
        gamma=Fraction(99, 100),
        features=[[1, 0], [2, 0], [0, 1], [0, 2 + gap]],
        P=[[0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1]],
        r=[0] * 4,
        d=[Fraction(1, 4)] * 4,
    )
    (interval,) = region(problem, eta=1).intervals
    other = Fraction(1, 4) * (1 - Fraction(99, 100) * (2 + gap) + Fraction(1, 100) * (2 + gap) ** 2)
    assert interval.upper.rational == min(Fraction(47, 200), -other)

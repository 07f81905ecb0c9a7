"""Regions of two parameters, against exact verdicts at random points and against what is known by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from xml.etree import ElementTree

import pytest

from tdrc_theory import find_algorithm, find_problem
from tdrc_theory.cli.command import run
from tdrc_theory.errors import BadOption, NoExpectation
from tdrc_theory.figures.figure import svg
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problems.garnet import garnet
from verify.check import CONVERGES
from verify.conditions.setting import Setting
from verify.conditions.verdict import verdict
from verify.region import region
from verify.region.__main__ import PROG, main
from verify.region.family import Family
from verify.region.map import compute_map, map_values
from verify.region.map import picture as picture_of
from verify.region.plane import plane
from verify.region.region import family_region


def setting_of(problem, algorithm, **options):
    return Setting.of(find_problem(problem), find_algorithm(algorithm), Fraction(1), Fraction(1), options)


@learner(weights="w h", memory="e")
def decayed(x, x_next, w, h, e, rho, gamma, reward, decay=0.5, kappa=1):
    """TDC with a trace of any decay, both signs in it, and a coefficient that is no polynomial."""
    e = rho * (decay * e - decay * dot(e, x) * x / 8 + x)
    delta = reward + gamma * dot(w, x_next) - dot(w, x)
    return Step(w=delta * e - gamma * dot(h, e) * x_next, h=(delta * e - dot(h, x) * x) / (kappa + rho), e=e)


CASES = [
    ("two-state", "tdrc", ("beta", "eta")),
    ("two-state", "tdrc", ("eta", "beta")),
    ("two-state", "tdc-momentum", ("mu", "eta")),
    ("baird", "tdrc", ("beta", "eta")),
    (garnet(3, 2, 2, 1, 3), "htd-lambda", ("lam", "eta")),
]
LONG = [
    ("baird", "tdrc-lambda", ("lam", "beta")),
    ("baird", "tdrc-lambda", ("eta", "lam")),
    (garnet(3, 2, 2, 1, 8), decayed, ("decay", "kappa")),
]


def converges(setting):
    try:
        return verdict(setting).status in CONVERGES
    except NoExpectation:
        return False


def inside(result, value):
    for interval in result.intervals:
        low, high = interval.lower, interval.upper
        if low.value < value and (high is None or value < high.value):
            return True
    return False


def shape(result):
    return [(i.lower_closed, i.upper is None, i.upper_closed) for i in result.intervals]


def drawn(rng, name):
    return Fraction(rng.randint(1, 99), 100) if name == "lam" else Fraction(rng.randint(1, 400), rng.randint(20, 400))


@pytest.mark.parametrize(
    ("problem", "algorithm", "names"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.thorough) for case in LONG)],
    ids=str,
)
def test_in_every_strip_the_region_has_the_shape_of_its_sample_and_verdicts_agree_with_it(problem, algorithm, names):
    setting, rng = setting_of(problem, algorithm), Random(7)
    result = plane(setting, names)
    assert result.strips is not None
    outcomes = set()
    for _ in range(10):
        values = {name: drawn(rng, name) for name in names}
        second = values[names[1]]
        (strip,) = [s for s in result.strips if s.lower.value < second and (s.upper is None or second < s.upper.value)]
        here = family_region(Family(setting.at(**{names[1]: second}), (names[0],)))
        assert shape(here) == shape(strip.region)
        judged = converges(setting.at(**values))
        assert judged is inside(here, values[names[0]])
        outcomes.add(judged)
    one_shape = {tuple(shape(strip.region)) for strip in result.strips} <= {
        ((True, True, False),),
        ((False, True, False),),
    }
    assert outcomes == {True, False} or one_shape or "lam" in names


def test_of_two_state_the_curves_are_those_found_by_hand():
    result = plane(setting_of("two-state", "tdrc"), ("beta", "eta"))
    # TDRC converges for beta < 47/100 and eta > 0.47 / (2.5 + beta), which at beta = 47/100 is 47/297, at 0 47/250.
    assert [strip.upper and strip.upper.rational for strip in result.strips] == [
        Fraction(47, 297),
        Fraction(47, 250),
        None,
    ]
    assert [len(strip.region.intervals) for strip in result.strips] == [0, 1, 1]
    assert {str(p) for p in result.boundary.zero} == {"100*beta - 47", "eta"}
    assert {str(p) for p in result.boundary.imaginary} == {"100*beta*eta + 250*eta - 47"}
    assert [line.at.text() for line in result.lines] == ["47/297", "47/250"]
    assert result.lines[0].region.intervals == ()


def test_of_td_lambda_the_region_does_not_depend_on_a_parameter_that_it_lacks():
    with pytest.raises(BadOption, match="td-lambda has no beta; it has lam"):
        plane(setting_of("baird", "td-lambda"), ("lam", "beta"))


def test_where_memory_has_no_expectation_is_outside_and_said():
    problem = garnet(3, 2, 2, 2, 8)

    @learner(weights="w", memory="e")
    def free(x, x_next, w, e, rho, gamma, reward, decay=0):
        e = rho * (decay * e + x)
        return Step(w=(reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e)

    result = region(problem, free, over="decay")
    (absent,) = result.no_expected_update
    # E[rho] = 1 in every mode, so that the decay alone decides: its system has radius `decay`.
    assert (absent.lower.rational, absent.lower_closed, absent.upper) == (1, True, None)
    assert all(i.upper is not None and i.upper.value <= 1 for i in result.intervals)
    assert "no expected update for decay in [1, infinity)" in str(result)
    text = result.to_json()["no_expected_update"]
    assert (text[0]["lower"], text[0]["upper"]) == (1.0, None)


def test_memory_of_both_signs_ends_where_its_radius_reaches_1():
    problem, setting = garnet(3, 2, 2, 2, 8), setting_of(garnet(3, 2, 2, 2, 8), decayed)
    result = region(problem, decayed, over="decay")
    (absent,) = result.no_expected_update
    for share, defined in ((Fraction(999, 1000), True), (Fraction(1001, 1000), False)):
        value = Fraction(absent.lower.value).limit_denominator(10**6) * share
        assert Family(setting, ("decay",)).is_defined(value) is defined


def test_a_quotient_of_parameters_has_a_region_and_none_where_it_divides_by_0():
    @learner(weights="w h")
    def quotient(x, x_next, w, h, rho, gamma, reward, kappa=1):
        delta = reward + gamma * dot(w, x_next) - dot(w, x)
        dw = rho * (delta * x - gamma * dot(h, x) * x_next)
        return Step(w=dw, h=(rho * delta - dot(h, x)) * x / (kappa - 3))

    result = region("two-state", quotient, over="kappa")
    # It is TDC with eta = 1 / (kappa - 3), which converges for eta > 47/250.
    (interval,) = result.intervals
    assert (interval.lower.rational, interval.upper.rational) == (3, 3 + Fraction(250, 47))
    assert (interval.lower_closed, interval.upper_closed) == (False, False)
    (absent,) = result.no_expected_update
    assert absent.lower.rational == absent.upper.rational == 3


def test_the_command_prints_strips_and_writes_a_picture_with_the_names(tmp_path, capsys):
    file = tmp_path / "map.svg"
    asked = ["baird", "--algorithm", "td-target", "--over", "eta", "--map", str(file)]
    assert run(main, PROG, asked) == 2
    capsys.readouterr()
    asked = ["two-state", "--algorithm", "tdc-momentum", "--over", "mu,eta", "--map", str(file)]
    assert run(main, PROG, asked) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("The expected update of tdc-momentum on two-state converges for ")
    assert "two eigenvalues may meet the imaginary axis where" in shown
    texts = [t.text for t in ElementTree.parse(file).getroot().iter("{http://www.w3.org/2000/svg}text")]
    assert "eta" in texts
    assert "mu (logarithmic; the left edge is 0)" in texts
    assert not any("paper" in (text or "") for text in texts)
    assert run(main, PROG, ["two-state", "--over", "beta,eta", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert (answer["parameter"], answer["fixed"], len(answer["strips"]), len(answer["lines"])) == ("beta,eta", {}, 3, 2)
    assert answer["strips"][1]["exact"] == {"lower": "47/297", "upper": "47/250"}
    assert answer["strips"][1]["intervals"][0]["exact"]["upper"] == "47/100"


@pytest.mark.thorough
def test_an_axis_of_a_bounded_range_is_linear_from_0_to_1():
    region_map = compute_map(setting_of(garnet(2, 2, 2, 1, 4), "tdrc-lambda"), ("lam", "eta"))
    picture = svg(*picture_of(region_map))
    assert ">lam</text>" in picture
    assert "Values of lam, to the right, and of eta, upwards" in picture
    assert {row.parameters["eta"] for row in region_map.rows} == set(map_values("eta"))
    assert {interval.upper.rational for row in region_map.rows for interval in row.intervals} == {1}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["two-state", "--over", "beta,beta"], "beta is named twice"),
        (["two-state", "--over", "beta,eta,lam"], "is not one parameter, or two with a comma between them"),
        (["two-state", "--over", "beta,"], "is not one parameter, or two with a comma between them"),
        (["two-state", "--over", "beta,kappa"], "tdrc has no kappa; it has beta, eta"),
        (["two-state", "--over", "beta,eta", "--eta", "1"], "--eta: not allowed with --over, which leaves it open"),
        (["two-state", "--map", "map.svg", "--beta", "1"], "--beta: not allowed with --map, which leaves it open"),
        (["two-state", "--map", "map.svg", "--over", "eta"], "it draws two parameters; --over eta names one"),
        (["random-walk-dependent", "--over", "beta,eta"], "square roots in it"),
    ],
)
def test_what_is_no_pair_of_parameters_is_refused_in_one_line(asker, arguments, reason):
    status, out, text = asker(main, PROG)(*arguments)
    assert (status, out) == (2, "")
    assert reason in text
    assert text.count("\n") == 1


def test_curves_of_too_high_a_degree_are_said_and_nothing_is_claimed(monkeypatch, capsys):
    monkeypatch.setattr("verify.region.plane.LARGEST_DEGREE", 2)
    assert run(main, PROG, ["baird", "--over", "beta,eta"]) == 0
    assert "of too high a degree to be projected" in capsys.readouterr().out
    assert plane(setting_of("baird", "tdrc"), ("beta", "eta")).to_json()["strips"] is None

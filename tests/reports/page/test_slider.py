"""What a slider shows was judged exactly at each value, and is what the learner's own curve says at the value used."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from reports.page.slider import sliders, values
from reports.page.subject import OnProblem, Request
from reports.sections import stability_map
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.problems import find_problem
from verify.conditions import check_conditions
from verify.predict.prediction import predict

SVG = "{http://www.w3.org/2000/svg}"


def on(problem, algorithm, **parameters):
    asked = {name: Fraction(value) for name, value in parameters.items()}
    request = Request(steps=40, alpha=Fraction(1, 32))
    result = find_problem(problem)
    return OnProblem(problem=result, algorithm=find_algorithm(algorithm), parameters=asked, request=request)


@pytest.mark.parametrize(
    ("problem", "algorithm", "names"),
    [
        ("two-state", "tdrc", ["beta", "eta"]),
        ("two-state", "tdc", ["eta"]),
        ("two-state", "td", []),
        ("five-state", "td-lambda", ["lam"]),
    ],
)
def test_a_slider_moves_each_parameter_that_is_free(problem, algorithm, names):
    assert [slider.name for slider in sliders(on(problem, algorithm))] == names


@pytest.mark.parametrize(("name", "used"), [("beta", "1/3"), ("eta", "2"), ("lam", "1/3")])
def test_its_values_ascend_within_the_range_and_have_the_one_used(name, used):
    result = values(name, Fraction(used))
    assert list(result) == sorted(set(result))
    assert Fraction(used) in result
    assert (0 in result, max(result) <= 1) == (name != "eta", name == "lam")


def test_the_verdict_at_each_value_is_that_of_the_conditions_there():
    (_, eta) = sliders(on("two-state", "tdrc", beta="1/10"))
    assert (len(eta.places), eta.places[eta.chosen]) == (13, 1)
    shown = [re.match(r"eta = (\S+): (\S+) \(exact\);", line).groups() for line in eta.lines]
    for value, (at, status) in zip(eta.places, shown, strict=True):
        result = check_conditions("two-state", "tdrc", beta="1/10", eta=value).verdict
        assert (Fraction(at), status) == (value, result.status.value)
    assert len({status for _, status in shown}) == 2, "stability changes within the slider"


def test_the_curve_of_a_value_ends_where_the_prediction_there_does():
    beta, _ = sliders(on("two-state", "tdrc"))
    last = [row[2] for row in beta.figure.numbers.rows]
    expected = [
        predict("two-state", "tdrc", alpha="1/32", steps=40, beta=value, every=40).mspbe[-1] for value in beta.places
    ]
    assert [float(text) for text in last] == pytest.approx(expected, rel=1e-3)
    lines = list(ET.fromstring(beta.figure.svg).find(f"{SVG}g[@class='family']"))
    assert len(lines) == len(beta.places)
    assert [number for number, line in enumerate(lines) if line.get("class") == "chosen"] == [beta.chosen]
    heights = [float(line.get("d").split()[-1]) for line in lines]
    assert sorted(heights, reverse=True) == [y for _, y in sorted(zip(expected, heights, strict=True))]


def test_a_dot_lies_on_the_map_where_the_parameters_are():
    result = stability_map.SECTION.collect(on("two-state", "tdrc"), lambda _: None)
    drawn = ET.fromstring(result.map.svg)
    marks = [(float(mark.get("x")), float(mark.get("y"))) for mark in drawn.iter(f"{SVG}use")]
    dots = {g.get("data-of"): list(g) for g in drawn.iter(f"{SVG}g") if g.get("class") == "family dots"}
    assert {name: len(each) for name, each in dots.items()} == {s.name: len(s.places) for s in result.sliders}
    for each in dots.values():
        (chosen,) = [dot for dot in each if dot.get("class") == "chosen"]
        at = float(chosen.get("cx")), float(chosen.get("cy"))
        assert any(math.dist(at, mark) < 0.2 for mark in marks), "the map marks the paper's default, beta = eta = 1"
    across = [float(dot.get("cx")) for dot in dots["beta"]]
    assert across == sorted(across)
    assert len({dot.get("cy") for dot in dots["beta"]}) == len({dot.get("cx") for dot in dots["eta"]}) == 1

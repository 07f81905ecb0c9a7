from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import combinations

import pytest

from reports.chain.arrows import chain_of
from reports.chain.drawing import svg
from reports.chain.layout import MOST_ON_CIRCLE, RADIUS, layout
from reports.chain.words import linear_form
from tdrc_theory import Problem
from tdrc_theory.exact import sqrt
from tdrc_theory.problems import PROBLEMS, find_problem

NAMES = [name for name, _ in PROBLEMS]
SVG = "{http://www.w3.org/2000/svg}"


def ring(states, name="a ring"):
    """Every state leads to the next, the last to the first, so that no line holds it."""
    return Problem(
        name=name,
        gamma="1/2",
        features=[[1]] * states,
        transitions=[(s, 0, (s + 1) % states, 1, 0) for s in range(states)],
        behaviour=[[1]] * states,
        target=[[1]] * states,
    )


@pytest.mark.parametrize("name", NAMES)
def test_what_leaves_a_state_is_certain_under_both_policies(name):
    problem = find_problem(name)
    chain = chain_of(problem)
    for s in problem.live_states:
        leaving = [arrow for arrow in chain.arrows if arrow.s == s]
        assert sum(arrow.behaviour for arrow in leaving) == sum(arrow.target for arrow in leaving) == 1


def test_the_actions_of_bairds_problem_are_merged():
    chain = chain_of(find_problem("baird"))
    assert len(chain.arrows) == 49
    assert {arrow.behaviour for arrow in chain.arrows} == {Fraction(1, 7)}
    assert {arrow.t for arrow in chain.arrows if arrow.target} == {6}
    assert chain.first == (6,)


@pytest.mark.parametrize("name", NAMES)
def test_states_lie_apart_and_everything_lies_within_the_figure(name):
    problem = find_problem(name)
    places = layout(chain_of(problem))
    points = [*places.states, *places.ends.values()]
    assert min(math.dist(a, b) for a, b in combinations(points, 2)) > 2 * RADIUS
    root = ET.fromstring(svg(problem))
    left, top, width, height = map(float, root.get("viewBox").split())
    circles = [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter(f"{SVG}circle")]
    texts = [(float(t.get("x")), float(t.get("y"))) for t in root.iter(f"{SVG}text")]
    assert len(circles) >= problem.states
    for x, y in [*circles, *texts]:
        assert left <= x <= left + width
        assert top <= y <= top + height


@pytest.mark.parametrize("name", NAMES)
def test_labels_do_not_lie_on_each_other(name):
    root = ET.fromstring(svg(find_problem(name)))
    boxes = []
    for text in root.iter(f"{SVG}text"):
        if text.get("text-anchor") == "middle":
            x, y, half = float(text.get("x")), float(text.get("y")), 3 * len(text.text)
            boxes.append((x - half, y - 9, x + half, y, text.text))
    for a, b in combinations(boxes, 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3], (a, b)


def test_every_end_of_an_episode_is_drawn():
    drawn = ET.fromstring(svg(find_problem("random-walk-tabular")))
    assert len(layout(chain_of(find_problem("random-walk-tabular"))).ends) == 2
    told = drawn.find(f"{SVG}desc").text
    assert "0 to the end: behaviour 1/2, target 2/5, reward -1" in told
    assert "4 to the end: behaviour 1/2, target 3/5, reward 1" in told


def test_what_would_not_be_legible_is_not_drawn():
    assert svg(ring(MOST_ON_CIRCLE)) is not None
    assert svg(ring(MOST_ON_CIRCLE + 1)) is None


def test_a_name_is_text_whatever_it_looks_like():
    root = ET.fromstring(svg(ring(5, "<script>alert(1)</script>&\x1b")))
    assert root.find(f"{SVG}title").text == "The chain of <script>alert(1)</script>&\\x1b"


def test_a_value_is_written_as_the_terms_of_its_features():
    assert linear_form((Fraction(0), Fraction(0))) == ("0",)
    assert linear_form((sqrt(2) / 2, Fraction(-1), Fraction(10))) == ("1/2 √2 w₀", "- w₁", "+ 10 w₂")
    assert linear_form((sqrt(2) + 1, Fraction(0))) == ("(1 + √2) w₀",)

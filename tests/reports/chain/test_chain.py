from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from reports.chain.arrows import chain_of, linear_form
from reports.chain.drawing import MOST_IN_MATRIX, draw
from reports.chain.layout import MOST_ON_CIRCLE, RADIUS, layout
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
    root = ET.fromstring(draw(problem).svg)
    left, top, width, height = map(float, root.get("viewBox").split())
    circles = [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter(f"{SVG}circle")]
    texts = [(float(t.get("x")), float(t.get("y"))) for t in root.iter(f"{SVG}text")]
    assert len(circles) >= problem.states
    for x, y in [*circles, *texts]:
        assert left <= x <= left + width
        assert top <= y <= top + height


def dense(states, seed=0, policies=2):
    """Every state leads to every other and to itself, as often as chance has it."""
    random = Random(seed)
    steps = []
    for s in range(states):
        for a in range(2):
            parts = [random.randint(1, 6) for _ in range(states)]
            steps += [(s, a, t, Fraction(part, sum(parts)), random.randint(-1, 1)) for t, part in enumerate(parts)]
    target = ["1/2", "1/2"] if policies == 1 else ["1/5", "4/5"]
    return Problem(
        name="dense",
        gamma="1/2",
        features=[[random.randint(-1, 2) for _ in range(3)] for _ in range(states)],
        transitions=steps,
        behaviour=[["1/2", "1/2"]] * states,
        target=[target] * states,
    )


MOVES = ((1, 7), (4, 2), (6, 1))
SPARSE = Problem(
    name="each state leads to three others",
    gamma="1/2",
    features=[[1]] * 12,
    transitions=[(s, 0, (s + move) % 12, Fraction(odds + s, 10 + 3 * s), s) for s in range(12) for move, odds in MOVES],
    behaviour=[[1]] * 12,
    target=[[1]] * 12,
)
DRAWN = [*map(find_problem, NAMES), *(dense(n) for n in (2, 3, 4, 5, 7, 12, 20)), dense(5, policies=1), SPARSE]


@pytest.mark.quick(8)
@pytest.mark.parametrize("problem", DRAWN, ids=lambda problem: f"{problem.name}-{problem.states}")
def test_labels_do_not_lie_on_each_other(problem):
    root = ET.fromstring(draw(problem).svg)
    boxes = []
    for text in root.iter(f"{SVG}text"):
        size = float(text.get("font-size", 12)) / 12
        x, y, half = float(text.get("x")), float(text.get("y")), 3 * len(text.text) * size
        left = {"middle": x - half, "start": x, "end": x - 2 * half}[text.get("text-anchor", "start")]
        boxes.append((left, y - 9 * size, left + 2 * half, y, text.text))
    for a, b in combinations(boxes, 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3], (a, b)


def points_of(way):
    """Return points of a drawn Bezier curve, quadratic or cubic, from its own data."""
    corners = [complex(*map(float, pair.split(","))) for pair in re.findall(r"[-\d.]+,[-\d.]+", way.get("d"))]
    degree = len(corners) - 1
    shares = [n / 200 for n in range(201)]
    return [
        sum(math.comb(degree, i) * t**i * (1 - t) ** (degree - i) * at for i, at in enumerate(corners)) for t in shares
    ]


@pytest.mark.quick(8)
@pytest.mark.parametrize("problem", DRAWN, ids=lambda problem: f"{problem.name}-{problem.states}")
def test_no_label_lies_on_an_arrow_that_it_does_not_belong_to(problem):
    root = ET.fromstring(draw(problem).svg)
    ways = [points_of(way) for way in root.iter(f"{SVG}path") if way.find(f"{SVG}title") is not None]
    on_line = layout(chain_of(problem)).on_line if problem.states <= MOST_ON_CIRCLE else False
    for text in root.iter(f"{SVG}text"):
        if text.get("stroke") == "white":
            x, y, half = float(text.get("x")), float(text.get("y")), 3 * len(text.text)
            left = {"middle": x - half, "start": x, "end": x - 2 * half}[text.get("text-anchor")]
            crossed = [w for w in ways if any(left <= p.real <= left + 2 * half and y - 8 <= p.imag <= y for p in w)]
            assert len(crossed) <= (0 if on_line else 1), text.text


@pytest.mark.parametrize("states", [3, 4])
def test_every_arrow_of_a_small_dense_chain_is_labelled(states):
    texts = [text.text for text in ET.fromstring(draw(dense(states)).svg).iter(f"{SVG}text")]
    assert (
        sum(text.startswith("b ") for text in texts) == sum(text.startswith("\u03c0 ") for text in texts) == states**2
    )


def test_arrows_too_many_for_labels_tell_probabilities_by_their_width_and_the_caption_where_to_find_them():
    drawn = draw(SPARSE)
    ways = [way for way in ET.fromstring(drawn.svg).iter(f"{SVG}path") if way.find(f"{SVG}title") is not None]
    odds = [Fraction(re.search(r"behaviour (\S+),", way.find(f"{SVG}title").text)[1]) for way in ways]
    widths = [float(way.get("stroke-width")) for way in ways]
    assert len(ways) == 36
    assert [w for _, w in sorted(zip(odds, widths, strict=True))] == sorted(widths)
    assert max(widths) > 3 * min(widths)
    assert "numbers behind it have their exact probabilities" in drawn.caption


def test_a_chain_with_arrows_everywhere_is_a_matrix_for_each_policy():
    drawn = draw(dense(5))
    assert "as matrices" in drawn.caption
    root = ET.fromstring(drawn.svg)
    shares = [float(text.text) for text in root.iter(f"{SVG}text") if text.text.startswith(".")]
    assert len(shares) == 2 * 25
    for row in range(10):
        assert sum(shares[5 * row : 5 * row + 5]) == pytest.approx(1, abs=0.025 + 1e-9)  # each is rounded
    strengths = [float(cell.get("fill-opacity")) for cell in root.iter(f"{SVG}rect") if cell.get("fill-opacity")]
    assert strengths.index(max(strengths)) in [i for i, share in enumerate(shares) if share == max(shares)]
    on_policy = ET.fromstring(draw(dense(5, policies=1)).svg)
    assert sum(text.text.startswith(".") for text in on_policy.iter(f"{SVG}text")) == 25


def test_every_end_of_an_episode_is_drawn():
    drawn = ET.fromstring(draw(find_problem("random-walk-tabular")).svg)
    assert len(layout(chain_of(find_problem("random-walk-tabular"))).ends) == 2
    text = drawn.find(f"{SVG}desc").text
    assert "0 to the end: behaviour 1/2, target 2/5, reward -1" in text
    assert "4 to the end: behaviour 1/2, target 3/5, reward 1" in text


def test_what_would_not_be_legible_is_not_drawn():
    assert "circles are states" in draw(ring(MOST_ON_CIRCLE)).caption
    assert "as matrices" in draw(ring(MOST_ON_CIRCLE + 1)).caption
    assert draw(ring(MOST_IN_MATRIX)) is not None
    assert draw(ring(MOST_IN_MATRIX + 1)) is None


def test_a_name_is_text_whatever_it_looks_like():
    root = ET.fromstring(draw(ring(5, "<script>alert(1)</script>&\x1b")).svg)
    assert root.find(f"{SVG}title").text == "The chain of <script>alert(1)</script>&\\x1b"


def test_a_value_is_written_as_the_terms_of_its_features():
    assert linear_form((Fraction(0), Fraction(0))) == ("0",)
    assert linear_form((sqrt(2) / 2, Fraction(-1), Fraction(10))) == ("1/2 √2 w₀", "- w₁", "+ 10 w₂")
    assert linear_form((sqrt(2) + 1, Fraction(0))) == ("(1 + √2) w₀",)


def test_a_state_has_no_value_of_its_own_where_features_are_by_state_and_action():
    fields = {"transitions": [(0, 0, 1, 1, 0), (1, 0, 0, 1, 0)], "behaviour": [[1], [1]], "target": [[1], [1]]}
    by_state, by_pair = ([[3], [5]], [[[3]], [[5]]])
    for features, drawn in ((by_state, True), (by_pair, False)):
        drawing = draw(Problem(name="turn", gamma="1/2", features=features, **fields))
        assert ("w.x" in drawing.caption) is drawn
        assert ("its value" in drawing.svg) is drawn

"""What a prompt, a notebook and `plot` show of every public result."""

from __future__ import annotations

import functools
import re
import sys
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")
import matplotlib.pyplot as plt

from reports.compare import compare
from simulate.run.learning_curve import learning_curve
from simulate.store import Store
from simulate.sweep.experiment_file import parse_experiment
from simulate.sweep.study import sweep
from tdrc_theory import find_algorithm, find_problem
from tdrc_theory.errors import BadOption
from tdrc_theory.papers import find_paper
from tdrc_theory.tables.shown import Shown, View
from verify import check_conditions
from verify.borkar_meyn import borkar_meyn
from verify.conditions.setting import Setting
from verify.data import Arrays, check_data
from verify.paper.report import answers
from verify.predict import first_order, limits, predict
from verify.random import Plan, survey
from verify.region import region
from verify.region.map import compute_map
from verify.region.plane import plane

HOSTILE = "<script>alert(1)</script> $_$ \x1b[31m \u202e"
WALK = replace(find_problem("random-walk-tabular"), name=HOSTILE)
TWO = replace(find_problem("two-state"), name=HOSTILE)


def studied(tmp_path):
    (tmp_path / "p.toml").write_text(
        'name = "<script>alert(1)</script>"\ngamma = "1/2"\nfeatures = [[1]]\ninitial_weights = [1]\n[mdp]\n'
        "transitions = [[0, 0, 0, 1, 0]]\nbehaviour = [[1]]\ntarget = [[1]]\n"
    )
    learners = [{"algorithms": ["td", "tdrc"], "alpha": ["1/8", "1/4"]}]
    asked = {"name": HOSTILE[:25], "problems": ["p.toml"], "steps": 20, "runs": 3, "learners": learners, "figure": {}}
    with Store(None) as store:
        return sweep(parse_experiment(asked, tmp_path), store)


def judged(_):
    paper = find_paper("tdrc")
    return answers(paper, [paper.claim("determinant.of-G"), paper.claim("theorem-3.1.case-ii")])


@functools.cache
def logged():
    state = np.arange(400) % 2
    rows = {"x": np.eye(2)[state], "x_next": np.eye(2)[1 - state], "reward": 1.0 * state, "rho": np.ones(400)}
    return replace(check_data(Arrays(rows), "td", gamma="9/10"), name=HOSTILE)


TAGS = {"p", "br", "strong", "table", "thead", "tbody", "tr", "th", "td"}
RESULTS = {
    "verdict": (lambda _: check_conditions(TWO), 1),
    "region": (lambda _: region(TWO, eta=1), 1),
    "map": (lambda _: compute_map(Setting.of(TWO, find_algorithm("tdrc"), 1, 1)), 1),
    "limits": (lambda _: limits(TWO, "tdc"), 1),
    "prediction": (lambda _: predict(TWO, "tdc", alpha="1/16", steps=20), 1),
    "first order": (
        lambda _: first_order(WALK, "td-lambda", alpha="1/16", steps=300, parameters={"lam": "1/2"}),
        1,
    ),
    "comparison": (lambda _: compare(WALK, alpha="1/16", steps=20, runs=10), 2),
    "runs alone": (
        lambda _: compare(WALK, "td-lambda", alpha="1/16", steps=300, runs=3, parameters={"lam": "1/2"}),
        2,
    ),
    "learning curve": (lambda _: learning_curve(TWO, alpha="1/16", steps=20, runs=3), 1),
    "study": (studied, 1),
    "answers": (judged, 1),
    "plane": (lambda _: plane(Setting.of(TWO, find_algorithm("tdrc"), 1, 1), ("beta", "eta")), 1),
    "survey": (lambda _: survey(Plan(problems=3), workers=1), 1),
    "data": (lambda _: logged(), 1),
    "five conditions": (lambda _: borkar_meyn(TWO), 1),
}


@pytest.fixture(params=RESULTS)
def result(request, tmp_path):
    make, panels = RESULTS[request.param]
    yield make(tmp_path), panels
    plt.close("all")


class Reader(HTMLParser):
    """Collects tags and text."""

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.text = set(), [], []

    def handle_starttag(self, tag, _):
        self.tags.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.quick(8)
def test_a_prompt_shows_one_short_line_and_no_wall_of_fractions(result):
    shown = repr(result[0])
    assert re.fullmatch(r"<.+>", shown)
    assert shown.isprintable()
    assert len(shown) < 400
    assert "Fraction(" not in shown


def test_parts_of_results_are_short_at_a_prompt_too(tmp_path):
    report, outcome = check_conditions(TWO), region(TWO, eta=1)
    study = studied(tmp_path)
    parts = [report.problem, report.verdict, *report.checks, *outcome.intervals, outcome.intervals[0].upper]
    parts += [find_paper(), find_paper().claims[0]]
    for part in [*parts, limits(TWO, "tdc").mean, *study.all(), *judged(None)]:
        assert "Fraction(" not in repr(part)
        assert re.fullmatch(r"<.+>", repr(part))
        assert len(repr(part)) < 300


@pytest.mark.quick(5)
def test_a_notebook_shows_tables_in_which_no_text_is_markup(result):
    shown = result[0]._repr_html_()
    reader = Reader()
    reader.feed(shown)
    reader.close()
    assert reader.open == []
    assert {"p", "table", "th", "td"} <= reader.tags <= TAGS
    assert shown.replace("\n", "").isprintable()
    assert repr(result[0])[1:-1] in "".join(reader.text)


def test_plot_returns_axes_with_labels(result):
    outcome, panels = result
    axes = outcome.plot()
    axes = [axes] if panels == 1 else list(axes)
    assert len(axes) == panels
    assert all(isinstance(ax, mpl.axes.Axes) and ax.get_xlabel() for ax in axes)
    assert plt.gcf().axes == axes
    plt.gcf().canvas.draw()


@pytest.mark.quick(4)
def test_plot_draws_on_axes_of_the_readers_own_where_there_is_one_panel(result):
    outcome, panels = result
    _, ax = plt.subplots()
    if panels == 1:
        assert outcome.plot(ax) is ax
        assert ax.get_xlabel()
    else:
        with pytest.raises(BadOption, match="one pair of axes is given, and there are 2 panels"):
            outcome.plot(ax)


def test_every_result_that_is_shown_has_its_view():
    kinds, outcome = [Shown], []
    while kinds:
        outcome += (below := kinds.pop().__subclasses__())
        kinds += below
    outcome = [
        kind for kind in outcome if getattr(sys.modules[kind.__module__], kind.__name__) is kind
    ]  # slots make a second
    assert len(outcome) >= 10
    assert all(isinstance(kind.view, View) for kind in outcome)


def test_the_line_of_a_region_holds_just_the_values_at_which_it_converges():
    outcome = region("baird", eta=1)
    (area, *_) = outcome.view.picture(outcome).panels[0].areas
    for beta in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 5), Fraction(1, 2), Fraction(10), Fraction(20)):
        inside = any(min(x for x, _ in box) < beta < max(x for x, _ in box) for box in area.polygons)
        assert inside == outcome.contains(beta), beta
    plt.close("all")


@pytest.mark.parametrize(("alpha", "bounded"), [("1/8", True), ("3/8", True), ("1/2", False), ("9/10", False)])
def test_bars_of_limits_end_where_a_prediction_grows(alpha, bounded):
    outcome = limits("two-state", "tdc")
    (area,) = outcome.view.picture(outcome).panels[0].areas
    within = [min(x for x, _ in box) <= float(Fraction(alpha)) <= max(x for x, _ in box) for box in area.polygons]
    errors = predict("two-state", "tdc", alpha=alpha, steps=4000, every=4000).mspbe
    assert within == [True, bounded]
    assert (errors[-1] < errors[0]) == bounded


@pytest.mark.parametrize(("algorithm", "converges"), [("tdc", True), ("tdrc", False)])
def test_eigenvalues_lie_left_of_the_axis_where_it_converges(algorithm, converges):
    report = check_conditions("two-state", algorithm)
    _, values = report.view.picture(report).panels[0].curves
    assert len(values.x) == 2
    assert (max(values.x) < 0) == converges == (report.verdict.status.value == "convergent")


def test_all_checks_are_what_print_shows():
    report = check_conditions("two-state")
    assert len(str(report).splitlines()) > len(report.checks)
    assert all(check.claim in str(report) for check in report.checks)

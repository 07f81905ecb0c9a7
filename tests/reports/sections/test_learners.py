"""The page of the learners says of each what is derived from its function, and of each verdict what the checks find."""

import re

import pytest

from reports.build.site import build
from reports.page.subject import OnLearners, Request
from reports.sections import learner_regions, learner_verdicts, learners
from tdrc_theory import ALGORITHMS, PROBLEMS, find_algorithm, find_problem
from tdrc_theory.derive.symbolic import derive
from tdrc_theory.problems.by_action import by_action
from verify import check_conditions
from verify.region.region import region

NAMES = ("td-lambda", "tdc", "emphatic-td", "vtrace", "td-target", "retrace")


def taken_by(name, problem):
    """The problem as the learner takes it: Retrace with a copy of the features for each action."""
    return by_action(find_problem(problem)) if name == "retrace" else find_problem(problem)


def subject(algorithms, *problems):
    return OnLearners(
        request=Request(place_and_time=False),
        algorithms=tuple(map(find_algorithm, algorithms)),
        problems=tuple(map(find_problem, problems)),
    )


@pytest.fixture(scope="module")
def page():
    about = subject(NAMES, "baird", "random-walk-tabular", "two-state")
    return build([about], about.request)


def test_every_built_in_learner_is_shown_with_what_follows_from_its_function():
    shown = learners.collect(subject(ALGORITHMS), lambda _: None)
    assert [each.derived.name for each in shown] == [algorithm.name for algorithm in ALGORITHMS]
    for each, algorithm in zip(shown, ALGORITHMS, strict=True):
        result, formulas = derive(algorithm), dict(each.derived.equations)
        assert (formulas["G"].tree, formulas["g"].tree) == (result.G_tree(), result.g_tree())
        assert {
            formulas[f"the update of {name}"].text
            for name in (*algorithm.weights, *algorithm.memory) or algorithm.stacked
        } == set(result.update_text().values())
        assert each.derived.source == algorithm.source
        for name, value in algorithm.parameters({}).items():
            assert f"{name} = {value}" in dict(each.facts)["parameters"]


def test_a_cell_shows_what_the_checks_find(page):
    names = ("td-lambda", "emphatic-td", "vtrace")
    result = learner_verdicts.collect(subject(names, "baird", "random-walk-tabular", "two-state"), lambda _: None)
    assert result.problems == ("baird", "random-walk-tabular", "two-state")
    for name, _, judged in result.rows:
        for problem, (each, _) in zip(result.problems, judged, strict=True):
            if problem == "two-state" and find_algorithm(name).memory:
                assert (each.status, each.reason) == (
                    "",
                    "independent samples only; a learner with memory needs a chain",
                )
                continue
            report = check_conditions(taken_by(name, problem), name)
            assert (each.status, each.proof) == (report.verdict.status.value, report.verdict.proof.value)
            assert each.bias == report.bias
    by_name = {name: dict(zip(result.problems, judged, strict=True)) for name, _, judged in result.rows}
    assert by_name["emphatic-td"]["baird"][1] == "trace variance infinite"
    assert by_name["td-lambda"]["random-walk-tabular"][1] == "trace variance finite"
    assert by_name["vtrace"]["random-walk-tabular"][0].bias.word == "biased"
    cells = re.search(r'<section id="part-1-learner_verdicts">.*?</section>', page, re.DOTALL).group()
    assert cells.count('<td role="cell">') == 18
    assert cells.count("independent samples only") == 3
    assert cells.count("trace variance infinite") == 1
    assert "retrace: action values, on the same problems with a copy of the features for each action" in cells


def test_a_region_is_that_of_the_command():
    result = learner_regions.collect(subject(NAMES, "baird", "random-walk-dependent"), lambda _: None)
    shown = {row[0]: row[1:] for row in result.shown.rows}
    assert set(shown) == {"td-lambda: lam", "tdc: eta", "emphatic-td: lam", "td-target: eta", "retrace: lam"}
    for head, (on_baird, on_irrational) in shown.items():
        name, _, over = head.partition(": ")
        computed = region(taken_by(name, "baird"), name, over=over)
        assert on_baird == (computed.where.partition(f"{over} in ")[2] or "no value")
        assert on_irrational == "not computed: irrational features"
    exact = {row[0]: row[1] for row in result.numbers.rows}
    assert exact["td-lambda: lam"] == "from 61/66 to 1"
    assert exact["td-target: eta"] == "from 0 to root of 2989*t^2 + 399*t - 13000"


def test_every_problem_that_is_built_in_has_its_column(page):
    assert len(PROBLEMS) >= 6
    for name in NAMES:
        assert f'href="#part-1-learners-{name}"' in page
        assert f'id="part-1-learners-{name}"' in page

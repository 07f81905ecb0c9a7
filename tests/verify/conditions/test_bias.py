"""What stands beside a verdict where an update converges elsewhere than TD does."""

import html
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from tdrc_theory import ALGORITHMS, Algorithm, Problem, find_problem
from tdrc_theory.problem import END
from tdrc_theory.problems import PROBLEMS
from verify import check_conditions
from verify.check import CONVERGES, Status
from verify.conditions import setting as setting_module
from verify.conditions.terminal import plain_text
from verify.region import region
from verify.search.hunt import SearchResult, parse_pattern, verdicts

WALK = "random-walk-tabular"


def pushed(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """Is TDC++ but for a constant that moves h, and so w."""
    return rho * (delta * x - gamma * delta_hat * x_next) - beta * h, (rho * delta - delta_hat) * x - beta * h + x


CHAINS = [name for name, make in PROBLEMS if not make().independent_only]
FOR_STATES = [a for a in ALGORITHMS if not a.for_action_values]
JUDGED = [(a, name) for a in FOR_STATES for name, _ in PROBLEMS if name in CHAINS or not a.memory]


@pytest.mark.quick(20)
@pytest.mark.parametrize(("algorithm", "problem"), JUDGED, ids=lambda each: getattr(each, "name", each))
def test_a_verdict_is_never_shown_without_the_bias_that_the_check_finds(problem, algorithm):
    report = check_conditions(problem, algorithm)
    biased = report.verdict.status in CONVERGES and report["fixed-points.equal"].status is Status.FAILS
    assert (report.bias is not None) == biased
    text = plain_text(report)
    answer, _, heading, second = text.splitlines()[:4]
    if biased:
        assert not re.search(r"converges to (TD's solution|the \S+ of TD's solutions)", answer)
    for shown in (heading, repr(report), report._repr_html_().partition("<br>")[0]):
        assert any(word in shown for word in ("biased", "own equation", "selective")) == biased
    if biased:
        assert second == f"  {report.bias}"
        assert "TD's fixed point" in second or second == "  biased: rests although TD has no fixed point"
        assert second in str(report).splitlines()
        assert html.escape(str(report.bias)) in report._repr_html_()


def test_a_learner_that_is_made_to_solve_another_equation_is_told_from_a_biased_one():
    half = {"lam": "1/2"}
    for name in ("td-lambda", "tdrc-lambda", "gtd2-lambda"):
        assert check_conditions("random-walk-dependent", name, parameters=half).bias.word == "own equation"
        assert check_conditions("random-walk-dependent", name).bias is None
        assert check_conditions(WALK, name, parameters=half).bias is None, "its features represent the values"
    assert check_conditions(WALK, "td-ridge").bias.word == "biased"


def test_v_trace_is_biased_where_ratios_are_cut_off_and_not_on_policy():
    assert check_conditions(WALK, "vtrace").bias.word == "biased"
    walk = find_problem(WALK)
    assert check_conditions(replace(walk, target=walk.behaviour), "vtrace").bias is None


def test_the_status_of_the_verdict_stays_what_the_matrices_say():
    report = check_conditions(WALK, "vtrace")
    assert report.to_json()["verdict"]["status"] == "convergent"
    assert report.verdict_text() == "convergent (exact), biased"


@pytest.mark.parametrize("past_reach", [False, True])
def test_past_exact_arithmetic_what_was_not_compared_is_not_called_unbiased(past_reach, monkeypatch):
    if past_reach:
        monkeypatch.setattr(setting_module, "LARGEST_EXACT", 1)
    results = {name: check_conditions(WALK, name).bias for name in ("td", "tdrc", "tdc++", "htd", "vtrace")}
    assert [name for name, bias in results.items() if bias is not None] == ["vtrace"]
    assert results["vtrace"].word == ("bias unknown" if past_reach else "biased")
    assert f"convergent ({'enclosed' if past_reach else 'exact'}), {results['vtrace'].word}" in plain_text(
        check_conditions(WALK, "vtrace")
    )


@pytest.mark.parametrize(
    ("reward", "beside"),
    [
        (1, "biased: rests although TD has no fixed point"),
        (0, "selective: rests at only some of TD's fixed points"),
    ],
)
def test_what_rests_where_td_drifts_or_stays_anywhere_is_told_from_what_rests_elsewhere(reward, beside):
    def of_behaviour(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return delta * x, 0

    # The target policy stays for ever, without discount: A = 0 and b = reward / 2. Behaviour leaves at times.
    problem = Problem(
        name="never left",
        gamma=1,
        features=[[1]],
        transitions=[(0, 0, 0, 1, reward), (0, 1, END, 1, 0)],
        behaviour=[["1/2", "1/2"]],
        target=[[1, 0]],
        start=[1],
    )
    report = check_conditions(problem, Algorithm("of behaviour", of_behaviour))
    assert report.verdict.status.value == "convergent"
    assert str(report.bias) == beside
    assert check_conditions(problem, "td").bias is None


def test_a_region_and_a_search_name_the_bias_too():
    result = region("two-state", Algorithm("pushed", pushed), eta=1)
    assert str(result).endswith("; biased at beta = 1: rests elsewhere than TD's fixed point")
    assert result.biases() == ["biased at beta = 1: rests elsewhere than TD's fixed point"]
    assert region("two-state", "tdc++", eta=1).biases() == []
    problem, clauses = find_problem(WALK), parse_pattern("vtrace convergent, td convergent")
    biased, plain = SearchResult(clauses=clauses, problem=problem, verdicts=verdicts(clauses, problem), tries=1).lines()
    assert biased.startswith("vtrace convergent: convergent (exact): biased: rests elsewhere than TD's fixed point; ")
    assert "biased" not in plain


def test_every_interval_of_a_region_has_a_value_inside():
    inside = [interval.inside() for interval in region("baird", eta=1).intervals]
    for value, (low, high) in zip(inside, [(0, 0.0221), (0.2393, 14.52)], strict=True):
        assert isinstance(value, Fraction)
        assert low < value < high

"""The sentence that a verdict opens with says what was checked: where it converges, how far, and what was promised."""

import re

import numpy as np
import pytest

from tdrc_theory import averaged_process
from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.problems import PROBLEMS
from verify.check import CONVERGES
from verify.conditions.report import check_conditions, rounded_down
from verify.conditions.terminal import FORMULAS


def iterated(report, alpha):
    """Return how far the expected update is from rest after many iterations, and how far it starts from it."""
    G, g = (np.array(part.to_float()) for part in report.setting.update)
    step, error = np.eye(len(G)) + alpha * G, G @ np.linspace(1, 2, len(G)) + g[:, 0]
    far = np.linalg.matrix_power(step, 10**6) @ error  # G rho + g, which G's update multiplies by the same matrix
    return np.linalg.norm(far), np.linalg.norm(error)


@pytest.mark.quick(20)
@pytest.mark.parametrize(
    ("problem", "algorithm"),
    [
        (name, algorithm.name)
        for name, make in PROBLEMS
        for algorithm in ALGORITHMS
        if not algorithm.for_action_values and not (algorithm.memory and make().independent_only)
    ],
)
def test_the_sentence_says_the_verdict_in_one_line_and_every_check_has_a_formula(problem, algorithm):
    report = check_conditions(problem, algorithm)
    first = report.answer.split(";")[0]
    assert {True: " converges ", False: " does not converge: "}[report.verdict.status in CONVERGES] in first
    assert ("TD's solution" in first and "not" not in first) <= (report.bias is None)
    assert report.answer.endswith(".")
    assert "\n" not in report.answer
    assert {check.claim for check in report.checks} <= set(FORMULAS)


@pytest.mark.parametrize("algorithm", ["tdc", "tdrc", "gtd", "residual-gradient", "td-ridge", "htd"])
@pytest.mark.parametrize("problem", ["random-walk-tabular", "random-walk-inverted", "boyan", "five-state"])
def test_the_expected_update_converges_below_the_step_size_that_is_said_and_not_above(problem, algorithm):
    report = check_conditions(problem, algorithm)
    limit = float(re.search(r"below (\S+) \(enclosed;", report.answer).group(1))
    after, before = iterated(report, 0.9 * limit)
    assert after < before
    with np.errstate(all="ignore"):
        after, before = iterated(report, 1.02 * limit)
    assert not after < 1e6 * before


def test_an_expected_update_that_does_not_converge_is_said_to_at_no_step_size():
    report = check_conditions("two-state")
    assert "errors grow from almost every start, whatever the step size" in report.answer
    for alpha in (2.0**-6, 0.1, 1):
        with np.errstate(all="ignore"):
            after, before = iterated(report, alpha)
        assert not after < before


def test_what_the_theorem_promises_stands_in_the_sentence_of_tdrc_alone():
    assert check_conditions("boyan").answer.endswith("the paper's Theorem 3.1 promises convergence.")
    baird = check_conditions("baird").answer
    assert baird.endswith("does not cover it: C is singular and its bound on beta is negative.")
    assert "to the line of TD's solutions, slowly" in baird
    assert "the corrected theorem does" in check_conditions("five-state").answer
    assert "beta = 1 is not below 0.47" in check_conditions("two-state").answer
    assert "Theorem" not in check_conditions("boyan", "gtd2").answer


def test_a_mean_that_runs_need_not_follow_is_said_to_be_one():
    assert "the variance of its memory is infinite" in check_conditions("baird", "emphatic-td").answer
    assert "variance" not in check_conditions("random-walk-tabular", "emphatic-td").answer


def test_weights_that_drift_are_said_to():
    drifting = averaged_process(name="drift", gamma=1, features=[[1]], P=[[1]], r=[1], d=[1])
    assert "it has no fixed point, so the weights drift" in check_conditions(drifting, "td").answer


def test_a_hostile_name_is_shown_without_what_a_terminal_obeys():
    hostile = averaged_process(name="\x1b[31mred", gamma=0, features=[[1]], P=[[1]], r=[1], d=[1])
    assert check_conditions(hostile, "td").answer.isprintable()


@pytest.mark.parametrize("value", [0.036899, 0.0369, 2.0, 1999.9, 1e-9, 0.1, 3e20, 5e-324])
def test_a_limit_is_rounded_to_the_safe_side(value):
    shown = float(rounded_down(value))
    assert value * 0.989 <= shown <= value

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kstest, ttest_1samp

from reports.compare import Comparison, compare
from reports.compare.__main__ import PROG, main
from reports.compare.comparison import joint_test, nearly_normal
from reports.compare.output import plain_text
from simulate.run.learning_curve import learning_curve
from tdrc_theory import Problem, find_problem
from verify.predict import predict
from verify.predict.prediction import prepared, step_size

WALK = "random-walk-tabular"
MINE = """
from tdrc_theory.learner import Step, dot, learner

@learner(weights="w h v")
def heavy(x, x_next, w, h, v, rho, gamma_next, reward, eta=1, mu=1):
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    along = rho * (delta * x - gamma_next * dot(h, x) * x_next)
    return Step(w=v, h=eta * (rho * delta - dot(h, x)) * x, v=mu * (along - v))

@learner(weights="w rbar", scalars="rbar")
def average(x, x_next, w, rbar, rho, reward, eta=1):
    delta = reward - rbar + dot(w, x_next) - dot(w, x)
    return Step(w=rho * delta * x, rbar=eta * rho * delta)
"""
STILL = """
name = "still"
gamma = "1/2"
features = [[1]]
initial_weights = [1]
[mdp]
transitions = [[0, 0, 0, 1, 0]]
behaviour = [[1]]
target = [[1]]
"""
RARE = 1e-6
"""So rarely a right prediction is refused."""


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def test_a_prediction_of_the_same_learner_is_not_refused():
    comparison = compare(WALK, alpha="1/16", steps=120, runs=400)
    assert comparison.test.degrees == 6  # the first two updates from the middle of the walk teach nothing
    assert comparison.test.p_value > RARE
    assert comparison.between_bounds


def test_a_prediction_of_another_learner_is_refused():
    asked = {"alpha": "1/16", "beta": 1, "eta": 1, "sampling": "markov", "steps": 300}
    curve = learning_curve(WALK, runs=4000, every=1, **asked)
    for changed, value in (("beta", 0), ("eta", 24), ("alpha", "1/15"), ("sampling", "iid")):
        result = Comparison(predict(WALK, **{**asked, changed: value}), curve)
        assert result.test.p_value < 1e-6, changed


def test_the_last_update_is_compared_too_where_it_is_no_multiple_of_every():
    comparison = compare(WALK, alpha="1/16", steps=25, runs=3, every=10)
    assert comparison.curve.steps.tolist() == comparison.prediction.recorded.tolist() == [0, 10, 20, 25]
    assert len(comparison.prediction.mspbe) == len(comparison.prediction.mean_weights) == 4


def test_runs_that_diverge_are_told_of_and_not_tested():
    comparison = compare(
        replace(find_problem("two-state"), initial_weights=[0]), "td", alpha=10**90, steps=6, runs=9, every=1
    )
    assert comparison.test is None
    assert "runs do not differ" in comparison.why_no_test  # from weights of 0 with rewards of 0 nothing moves
    predicted = compare("baird", "td", alpha=10**90, steps=8, runs=20, every=1)
    assert (predicted.test, predicted.curve.diverged_runs) == (None, [])
    assert "the predicted error leaves" in predicted.why_no_test
    moved = compare("baird", "td", alpha=10**90, steps=60, runs=20, every=1)
    assert moved.test is None
    assert "left the range of floats" in moved.why_no_test


def test_the_command_shows_checkpoints_and_one_test(ask, tmp_path):
    figure = tmp_path / "both.svg"
    status, out, err = ask(WALK, "--alpha", "1/16", "--steps", "200", "--runs", "50", "--plot", str(figure))
    assert (status, err) == (0, "")
    assert "updates  E[MSPBE]" in out
    assert "chi-square" in out
    assert ET.parse(figure).getroot().tag.endswith("svg")


def test_json_has_both_curves_and_the_test(ask):
    status, out, _ = ask(WALK, "--steps", "20", "--runs", "60", "--json")
    answer = json.loads(out)
    assert status == 0
    assert len(answer["steps"]) == len(answer["predicted"]["mspbe"]) == len(answer["run"]["mspbe"]["mean"]) == 21
    assert (answer["predicted"]["proof"], answer["run"]["proof"]) == ("float", "sampled")
    assert 0 <= answer["test"]["p_value"] <= 1


def test_workers_change_nothing(ask):
    asked = ("baird", "--alpha", "1/64", "--steps", "40", "--runs", "30", "--json")
    assert ask(*asked, "--workers", "1") == ask(*asked, "--workers", "3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "nowhere"),
        ((WALK, "--alpha", "0"), "--alpha"),
        ((WALK, "--runs", "0"), "--runs"),
        ((WALK, "--steps", "-1"), "--steps"),
        (("two-state", "--sampling", "markov"), "two-state"),
    ],
)
def test_bad_input_is_one_line(ask, arguments, message):
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.thorough
def test_what_cannot_be_predicted_is_run_and_it_is_said_why(ask, tmp_path):
    file, figure = tmp_path / "mine.py", tmp_path / "runs.svg"
    signature = "x, x_next, h, delta, delta_hat, rho, gamma, beta"
    file.write_text(f"def greedy_step({signature}):\n    return rho * delta * abs(delta) * x, 0\n")
    asked = (WALK, "--algorithm", f"{file}:greedy_step", "--steps", "20", "--runs", "8")
    status, out, err = ask(*asked, "--plot", str(figure))
    assert (status, err) == (0, "")
    answer, chosen, head, *_ = out.splitlines()
    assert answer.startswith("Nothing predicts this curve, so that the runs stand alone: ")
    assert chosen == ("alpha = 1/16 was chosen, since none was given: which step sizes are stable was not estimated")
    assert head == "greedy_step, alpha = 1/16 on random-walk-tabular, markov sampling"
    assert "updates  mean MSPBE  std. error  mean RMSPBE  std. error" in out
    assert re.search(r"\nno prediction: .*mine.py:2: greedy_step is not affine in \(w, h\): .*\n$", out)
    assert "mean of 8 runs" in figure.read_text()
    document = json.loads(ask(*asked, "--json")[1])
    curve = learning_curve(WALK, f"{file}:greedy_step", alpha="1/16", steps=20, runs=8)
    assert document["run"]["mspbe"]["mean"] == curve.mspbe.mean.tolist()
    assert (document["predicted"], document["test"], document["why_no_test"]) == (None, None, "there is no prediction")
    assert "not affine" in document["why_not_predicted"]


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["heavy", "average"])
def test_a_users_learner_of_three_vectors_and_one_of_an_average_reward_agree_with_their_predictions(tmp_path, name):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    comparison = compare(WALK, f"{file}:{name}", alpha="1/16", parameters={"eta": "1/2"}, steps=120, runs=400)
    assert comparison.test.p_value > RARE
    assert comparison.between_bounds


def test_a_learner_with_memory_agrees_with_its_prediction_and_beyond_it_with_what_is_known(ask):
    asked = {"algorithm": "emphatic-td", "alpha": "1/16", "runs": 400}
    exact = compare("boyan", parameters={"lam": "1/2"}, steps=60, **asked)
    assert exact.test.p_value > RARE
    assert exact.between_bounds
    status, out, _ = ask(
        WALK, "--algorithm", "emphatic-td", "--set", "lam=1/2", "--alpha", "1/16", "--steps", "60", "--runs", "40"
    )
    assert status == 0
    assert "\nno prediction: --steps: 60 is more than " in out
    assert "\nE[MSPBE] in the long run is 0.0157732 (first order, float), which is not tested\n" in out


def test_a_target_network_that_is_copied_agrees_with_its_prediction(ask):
    comparison = compare(WALK, "td-target", alpha="1/16", copy="target=w", period=20, steps=120, runs=400)
    assert comparison.test.p_value > RARE
    assert comparison.between_bounds
    status, out, _ = ask(WALK, "--algorithm", "td-target", "--copy", "target=w", "--period", "20", "--runs", "9")
    assert status == 0
    assert "stay bounded (float, as without copies)\ntd-target, eta = 1, alpha = 1/16, target <- w every 20" in out
    status, _, err = ask(WALK, "--algorithm", "td-target", "--copy", "target=h", "--period", "20", "--runs", "9")
    assert status == 2
    assert "--copy: 'target=h' is not TARGET=SOURCE" in err


def test_errors_that_vanish_are_told(ask, tmp_path):
    (tmp_path / "still.toml").write_text(STILL)
    asked = (str(tmp_path / "still.toml"), "--algorithm", "td", "--alpha", "1/2", "--runs", "3", "--steps", "1500")
    assert ask(*asked)[1].endswith("\n3 runs with errors that fell below 3e-151 and read as 0 or lost digits\n")
    assert json.loads(ask(*asked, "--json")[1])["run"]["vanished_runs"] == 3


def test_distances_are_counted_in_standard_errors():
    comparison = compare(WALK, alpha="1/16", steps=30, runs=100, every=10)
    values = comparison.curve.errors[:, 2] ** 2
    by_hand = (values.mean() - comparison.prediction.mspbe[2]) / (values.std(ddof=1) / 10)
    assert comparison.distances[2] == pytest.approx(by_hand)
    assert np.isnan(comparison.distances[0])


def test_errors_with_a_heavy_tail_refuse_no_right_prediction():
    # Above the mean-square limit of 0.0368 a few runs make up the mean of the later errors.
    for seed in (0, 2):
        comparison = compare("baird", alpha="1/16", steps=100, runs=500, seed=seed)
        assert comparison.test.p_value > RARE
        assert set(comparison.places[-2:]).isdisjoint(comparison.tested)
        assert comparison.between_bounds


@pytest.mark.thorough
def test_a_mean_that_hardly_a_run_reaches_has_no_z_and_refuses_no_right_prediction(ask):
    # Emphatic TD's memory has no variance here: after 16 updates E[MSPBE] is two million, and all runs are below 0.03.
    asked = ("theta-2theta", "--algorithm", "emphatic-td", "--alpha", "1/128", "--runs", "200", "--steps", "16")
    status, out, _ = ask(*asked)
    assert status == 0
    assert out.startswith("200 runs of emphatic-td on theta-2theta agree with the prediction at 4 of 7 checkpoints")
    assert "\nleft out, and without z, where too few of the 200 runs make up the mean MSPBE: after 7, 11, 16\n" in out
    z = json.loads(ask(*asked, "--json")[1])["z"]
    assert z[-1] is None
    assert max(abs(each) for each in z if each is not None) < 4


def test_the_mean_of_a_few_runs_has_no_z(ask):
    *_, why = json.loads(ask("baird", "--runs", "10", "--steps", "30", "--json")[1])["z"]
    assert why is None
    assert "\nno z: the mean of 10 runs is not taken for normal" in ask("baird", "--runs", "10", "--steps", "30")[1]


def test_what_so_many_runs_never_meet_refuses_no_prediction():
    rare = Problem(
        name="a rare reward",
        gamma="1/2",
        features=[[1]],
        transitions=[(0, 0, 0, "9999/10000", 0), (0, 0, 0, "1/10000", 100)],
        behaviour=[[1]],
        target=[[1]],
    )
    comparison = compare(rare, alpha="1/4", steps=4, runs=20, every=1)
    assert np.unique(comparison.curve.errors[:, 1:], axis=0).shape[0] == 1  # no run met it
    assert comparison.test is None
    assert comparison.between_bounds


def test_what_is_left_of_an_error_when_only_rounding_is_refuses_no_prediction():
    quiet = Problem(
        name="no noise at the fixed point",
        gamma="1/2",
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 1, "1/2", 1), (0, 0, 0, "1/2", 1), (1, 0, 0, 1, 1)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
    )
    comparison = compare(quiet, "td", alpha="1/2", steps=3000, runs=500)
    assert comparison.prediction.mspbe[-1] < 1e-100
    assert comparison.curve.mspbe.mean[-1] < 1e-29  # 0 or not, as the processor rounds
    assert comparison.tested.tolist() == [1]
    assert comparison.test.p_value > RARE
    assert np.isnan(comparison.distances[-1])
    assert comparison.between_bounds
    without = "left out, and without z, where rounding may be felt in the MSPBE: after 210, 420, 810, 1560, 3000"
    assert without in plain_text(comparison)
    # It can fail: the error that is left of another step size is not of the size of rounding.
    other = Comparison(predict(quiet, "td", alpha="1/4", steps=3000, every=30), comparison.curve)
    assert not other.between_bounds


def test_a_single_run_is_held_against_nothing(ask):
    _, out, _ = ask(WALK, "--steps", "10", "--runs", "1")
    assert "no test" in out
    assert "no interval" in out


def test_bounds_that_say_nothing_are_not_called_kept(ask):
    at_rest = ask("two-state", "--initial-weights", "0", "--runs", "9", "--steps", "50")[1]
    assert "\nthe predicted bounds of the mean RMSPBE say nothing here: [0, 0] after the last update\n" in at_rest
    comparison = compare("baird", alpha="1/4", steps=400, runs=50)
    assert not comparison.telling[-1]
    assert comparison.telling[1]
    status, out, _ = ask("baird", "--alpha", "1/4", "--steps", "400", "--runs", "50")
    assert status == 0
    assert out.startswith("alpha = 1/4 is above the mean-square limit 0.0368 (float): errors grow without bound.\n")
    assert "within its predicted bounds everywhere" not in out
    assert re.search(
        r"within its predicted bounds wherever they say something, .*; they say nothing at \d+ points", out
    )


@pytest.mark.thorough
def test_all_commands_choose_the_same_step_size():
    for problem, algorithm in (("baird", "tdrc"), ("random-walk-tabular", "emphatic-td"), ("two-state", "tdrc")):
        curve = learning_curve(problem, algorithm, steps=20, runs=2)
        assert curve.why_alpha
        assert compare(problem, algorithm, steps=20, runs=2).curve.alpha == curve.alpha
        recursion = prepared(problem, algorithm, steps=20)
        assert step_size(recursion, None, 20) == (curve.alpha, curve.why_alpha)


EXPECTED = np.array([1.0, -2.0, 30.0])
MIXING = np.array([[1.0, 0.0, 0.0], [0.9, 0.1, 0.0], [5.0, 5.0, 20.0]])


def draws(seed, runs=40):
    return EXPECTED + np.random.default_rng(seed).normal(size=(runs, 3)) @ MIXING.T


def test_one_checkpoint_gives_students_two_sided_test():
    values = draws(0)[:, :1]
    ours = joint_test(values, EXPECTED[:1])
    assert ours.p_value == pytest.approx(ttest_1samp(values[:, 0], EXPECTED[0]).pvalue)


def test_p_values_of_a_right_expectation_are_uniform():
    results = [joint_test(draws(seed), EXPECTED).p_value for seed in range(1000)]
    assert kstest(results, "uniform").pvalue > RARE


def test_a_small_difference_against_the_correlation_is_seen():
    # A tenth of a standard deviation in each, which single checkpoints hardly show, with the opposite sign.
    wrong = EXPECTED + 0.1 * np.array([1.0, -1.0, 0.0])
    values = draws(3, runs=2000)
    assert joint_test(values, EXPECTED).p_value > RARE
    assert joint_test(values, wrong).p_value < 1e-9


def test_a_checkpoint_that_repeats_another_adds_no_degree_of_freedom():
    values = draws(5)
    twice = joint_test(values[:, [0, 1, 2, 2]], EXPECTED[[0, 1, 2, 2]])
    once = joint_test(values, EXPECTED)
    assert twice.degrees == once.degrees == 3
    assert twice.statistic == pytest.approx(once.statistic)


def test_units_do_not_matter():
    scale = np.array([1e-12, 1.0, 1e9])
    values = draws(6)
    assert joint_test(values * scale, EXPECTED * scale).p_value == pytest.approx(joint_test(values, EXPECTED).p_value)


def test_what_never_varies_must_be_as_expected():
    still = np.full((10, 2), 3.0)
    assert joint_test(still, np.array([3.0, 3.0])) is None
    result = joint_test(still, np.array([3.0, 3.001]))
    assert (result.statistic, result.p_value) == (math.inf, 0.0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.ones((1, 2)), np.ones(2)),
        (np.array([[1.0, math.inf], [1.0, 2.0], [2.0, 1.0]]), np.ones(2)),
        (draws(7), np.array([1.0, math.inf, 30.0])),
        (draws(7)[:3], EXPECTED),
    ],
    ids=["one run", "a run that diverged", "a prediction past the range", "too few runs"],
)
def test_where_nothing_can_be_said_there_is_no_test(values, expected):
    assert joint_test(values, expected) is None


def test_the_more_skewed_the_more_runs_a_mean_takes():
    rng = np.random.default_rng(1)
    normal, exponential, heavy = rng.normal(size=2000), rng.exponential(size=2000), rng.lognormal(0, 3, size=2000)
    values = np.column_stack([normal, exponential, heavy, np.full(2000, 7.0)])
    assert nearly_normal(values).tolist() == [True, True, False, True]
    assert nearly_normal(1e200 * values).tolist() == [True, True, False, True]
    assert not nearly_normal(exponential[:40, None])


def test_the_unit_of_a_checkpoint_changes_nothing():
    units = np.array([1e200, 1e-200, 3.0])
    ours, others = joint_test(draws(2), EXPECTED), joint_test(draws(2) * units, EXPECTED * units)
    assert (others.degrees, others.p_value) == (3, pytest.approx(ours.p_value))

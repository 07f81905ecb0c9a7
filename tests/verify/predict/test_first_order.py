"""Moments to first order in the step size: against exact ones of finite memory, and against runs."""

import csv
import json
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.random import default_rng

from tdrc_theory import Problem
from tdrc_theory.algorithms import TD
from tdrc_theory.errors import BadOption
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.problem import END
from tdrc_theory.problems import find_problem
from verify.predict import first_order, predict
from verify.predict.__main__ import PROG, main
from verify.predict.first_order import to_first_order
from verify.predict.limits.limit import SearchStatus
from verify.predict.prediction import prepared
from verify.predict.study import floor


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


@pytest.mark.parametrize(
    ("problem", "algorithm"),
    [
        ("random-walk-tabular", "tdrc"),
        ("random-walk-inverted", "td"),
        ("random-walk-tabular", "vtrace"),
        ("boyan", "td"),
    ],
)
def test_without_memory_it_is_what_the_exact_floor_tends_to(problem, algorithm):
    """V-trace rests where the MSPBE has a slope, so that its floor shows the mean's shift besides the spread."""
    recursion = prepared(problem, algorithm)
    there = to_first_order(recursion, Fraction(1), 1)
    rest = first_order(problem, algorithm, alpha="1/1000000000", steps=1).floor
    slope = there.floor - rest
    apart = [
        abs((floor(recursion, alpha) - rest) / float(alpha) - slope) for alpha in (Fraction(1, 64), Fraction(1, 256))
    ]
    assert apart[0] < 0.05 * slope
    assert apart[1] == pytest.approx(apart[0] / 4, rel=0.2)  # what is left out is of second order


def test_a_trace_of_finitely_many_values_agrees_with_its_exact_moments():
    """Episodes of two steps: the exact operator is small, and its floor at small step sizes has the slope predicted."""
    problem = Problem(
        name="two steps",
        gamma="9/10",
        features=[[1, 0], [1, 2]],
        transitions=[(0, 0, 1, 1, 1), (0, 1, 1, 1, -2), (1, 0, END, 1, 2), (1, 1, END, 1, 0)],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["1/2", "1/2"], ["1/4", "3/4"]],
        start=[1, 0],
    )
    for algorithm in ("td-lambda", "tdrc-lambda"):
        recursion = prepared(problem, algorithm, parameters={"lam": "1/2"})
        assert recursion.recursion.horizon is None
        assert recursion.recursion.modes == 3  # the second state after either action
        there, rest = (to_first_order(recursion, alpha, 1).floor for alpha in (Fraction(1), Fraction(1, 10**9)))
        slope = there - rest
        apart = [
            abs((floor(recursion, alpha) - rest) / float(alpha) - slope)
            for alpha in (Fraction(1, 256), Fraction(1, 1024))
        ]
        assert apart[0] < 0.05 * slope
        assert apart[1] == pytest.approx(apart[0] / 4, rel=0.2)


def endless():
    """Return two states and two actions, one of which the target never takes in state 1."""
    return Problem(
        name="endless",
        gamma="4/5",
        features=[[1, 0], ["1/2", 1]],
        transitions=[
            (0, 0, 1, 1, 1),
            (0, 1, 0, "1/2", -1),
            (0, 1, 1, "1/2", 3),
            (1, 0, 0, 1, 2),
            (1, 1, 1, "1/2", 0),
            (1, 1, 0, "1/2", -2),
        ],
        behaviour=[["1/2", "1/2"], ["1/2", "1/2"]],
        target=[["3/4", "1/4"], [0, 1]],
    )


def runs(alpha, lam, count, updates, seed):
    """Return the weights of runs of TD(lambda) on `endless` (count, 2), by an equation of its own."""
    random = default_rng(seed)
    x = np.array([[1.0, 0.0], [0.5, 1.0]])
    # by a coin, the state and the action
    reached = np.array([[[1, 0], [0, 1]], [[1, 1], [0, 0]]])
    reward = np.array([[[1.0, -1.0], [2.0, 0.0]], [[1.0, 3.0], [2.0, -2.0]]])
    ratio = np.array([[1.5, 0.5], [0.0, 2.0]])
    s = random.integers(2, size=count)
    w, e = np.zeros((count, 2)), np.zeros((count, 2))
    for _ in range(updates):
        a = random.integers(2, size=count)
        e = ratio[s, a][:, None] * (0.8 * lam * e + x[s])
        coin = random.integers(2, size=count)
        after = reached[coin, s, a]
        delta = reward[coin, s, a] + 0.8 * (w * x[after]).sum(axis=1) - (w * x[s]).sum(axis=1)
        w = w + alpha * delta[:, None] * e
        s = after
    return w


def test_runs_spread_as_predicted():
    alpha, count = 1 / 100, 8000
    there = first_order(endless(), "td-lambda", alpha="1/100", steps=1, parameters={"lam": "1/2"})
    assert there.horizon is not None
    w = runs(alpha, 0.5, count, 1500, seed=3)
    centred = w - w.mean(axis=0)
    sampled = centred.T @ centred / count
    error = np.sqrt(np.var(centred[:, :, None] * centred[:, None, :], axis=0) / count)
    allowed = 6 * error + 5 * alpha * np.abs(there.covariance)  # what is left out is of the order alpha of it
    assert (np.abs(sampled - there.covariance) < allowed).all()
    assert (np.abs(sampled) > 5 * allowed).all()  # so that other covariances are told apart


def test_the_mean_in_the_long_run_is_shifted_as_predicted():
    """Exact means after a million updates, in which the start is forgotten."""
    update = expected_update(find_problem("random-walk-tabular"), TD, {})
    rest, apart = np.linalg.solve(update.G.to_float(), -update.g.to_float()[:, 0]), []
    for alpha in ("1/64", "1/256"):
        prediction = predict("random-walk-tabular", "td", alpha=alpha, steps=10**6, every=10**6)
        there = first_order("random-walk-tabular", "td", alpha=alpha, steps=1)
        shift = prediction.mean_weights[-1] - rest
        apart.append(np.abs(shift - there.shift).max() / np.abs(there.shift).max())
    assert apart[0] < 0.1
    assert apart[1] == pytest.approx(apart[0] / 4, rel=0.2)


def test_without_a_finite_variance_there_is_no_covariance_and_it_says_so():
    there = first_order("baird", "td-lambda", alpha="1/100", steps=10, parameters={"lam": "19/20"})
    assert there.covariance is None
    assert np.isnan(there.floor)
    assert there.reason == "no covariance to first order (exact): the variance of e grows without bound, and with it Q"
    assert there.limits.mean_square.status is SearchStatus.UNDECIDED
    unstable = first_order(endless(), "td-lambda", alpha="1/100", steps=10, parameters={"lam": "1/3"})
    assert unstable.covariance is not None


def test_the_mean_is_the_expected_update_iterated():
    there = first_order(endless(), "td-lambda", alpha="1/10", steps=3, parameters={"lam": "1/2"})
    update = expected_update(endless(), there.algorithm, there.parameters)
    w = np.zeros(2)
    for n in range(4):
        assert there.mean_weights[n] == pytest.approx(w, abs=1e-12)
        w = w + (update.G.to_float() @ w + update.g.to_float()[:, 0]) / 10


def test_the_command_labels_what_is_of_first_order(ask):
    asked = ("random-walk-tabular", "--algorithm", "td-lambda", "--set", "lam=1/2", "--steps", "500")
    status, out, err = ask(*asked, "--json")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert answer["order"] == "first order"
    assert answer["mspbe"] is None
    assert answer["limits"] == {"mean": None, "mean_square": None}
    assert answer["limit_evidence"]["mean"]["status"] == "undecided"
    assert answer["trace_variance"]["status"] == "holds"
    assert len(answer["mean_weights"]) == 501
    assert answer["floor"] == answer["long_run"]["mspbe"] > 0
    assert np.array(answer["long_run"]["covariance"]).shape == (5, 5)
    status, out, _ = ask(*asked)
    lines = out.splitlines()
    assert status == 0
    assert "settles at about" in lines[0]
    assert "(first order, float)" in lines[0]
    assert lines[2].endswith("markov sampling (first order, float)")
    assert lines[3].startswith(f"exact with --steps up to {answer['exact_up_to']}, where floats reach;")
    assert sum("(first order, float)" in line for line in lines) == 5


@pytest.mark.parametrize(
    ("problem", "k", "known"),
    [("random-walk-tabular", 5, True), pytest.param("baird", 8, False, marks=pytest.mark.thorough)],
)
def test_rows_and_figure_have_what_the_object_has_and_its_label(ask, tmp_path, problem, k, known):
    table, drawn = tmp_path / "rows.csv", tmp_path / "curve.svg"
    asked = (problem, "--algorithm", "td-lambda", "--set", "lam=1/2", "--steps", "300", "--every", "100")
    answer = json.loads(ask(*asked, "--json", "--csv", str(table), "--plot", str(drawn))[1])
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["order"], int(row["updates"])) for row in rows] == [("first order", n) for n in (0, 100, 200, 300)]
    assert [float(row["mspbe_of_mean_weights"]) for row in rows] == answer["mspbe_of_mean_weights"]
    assert [[float(row[f"mean_w{i}"]) for i in range(k)] for row in rows] == answer["mean_weights"]
    floors = [float(row["mspbe_in_the_long_run"]) for row in rows]
    assert (floors == [answer["floor"]] * 4) is known is (answer["floor"] is not None)
    written = drawn.read_text()
    assert ElementTree.fromstring(written).tag.endswith("svg")
    assert "(first order, float)" in written
    assert ("E[MSPBE] in the long run" in written) is known
    assert ("in the long run: no covariance to first order" in written) is not known


def test_up_to_the_horizon_the_command_is_exact_and_what_needs_more_is_refused(ask):
    asked = ("random-walk-tabular", "--algorithm", "td-lambda", "--set", "lam=1/2")
    status, out, _ = ask(*asked, "--steps", "5", "--json")
    answer = json.loads(out)
    assert (status, answer["floor"], len(answer["mspbe"])) == (0, None, 6)
    assert "order" not in answer
    status, out, err = ask(*asked, "--steps", "500", "--proof", "enclosed")
    assert (status, out) == (2, "")
    assert "--steps: 500 is more than" in err
    assert err.count("\n") == 1


def test_there_is_nothing_to_expand_around_without_an_expected_update():
    @learner(weights="w", memory="e")
    def growing(x, x_next, w, e, rho, gamma, reward):
        return Step(w=rho * (reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=2 * e + x)

    with pytest.raises(BadOption, match="there is no expected update to iterate"):
        first_order("baird", growing, alpha="1/100")

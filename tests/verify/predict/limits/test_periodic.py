"""Weights that are copied from others periodically: against every trajectory, and the periods that converge."""

import json
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem
from tdrc_theory.learner import Step, learner
from tdrc_theory.problem import END
from tdrc_theory.problems import find_problem
from verify.check import Proof
from verify.predict import predict
from verify.predict.__main__ import PROG, main
from verify.predict.limits import periodic
from verify.predict.limits.limit import SearchStatus
from verify.predict.limits.periodic import period_of
from verify.predict.prediction import prepared

BAIRD = {"sampling": "iid", "copy": "target=w"}


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def restarting():
    """Return two states, two features, an end, and restarts in both."""
    return Problem(
        name="restarting",
        gamma="9/10",
        features=[[1, 0], ["1/2", 1]],
        transitions=[(0, 0, 1, "1/2", 1), (0, 0, END, "1/2", -1), (0, 1, 0, 1, 2), (1, 0, END, 1, 3), (1, 1, 0, 1, 0)],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["1/2", "1/2"], [0, 1]],
        start=["1/4", "3/4"],
        initial_weights=[1, "-1/2"],
    )


def every_trajectory(problem, alpha, period, steps, sampling):
    """Return [(w, probability)] of TD with a target network that becomes w every `period` updates."""
    zeros, w = (Fraction(0),) * 2, problem.initial_weights
    firsts = list(enumerate(problem.start)) if sampling == "markov" else [(None, Fraction(1))]
    now = {(s, w, w): p for s, p in firsts}
    for n in range(1, steps + 1):
        after = {}
        for (state, w, target), p in now.items():
            for t in problem.transitions:
                if state not in (None, t.s):
                    continue
                over = t.s_next == END
                x, x_next = problem.features[t.s], zeros if over else problem.features[t.s_next]
                rho = problem.target[t.s][t.a] / problem.behaviour[t.s][t.a]
                ahead = sum(a * b for a, b in zip(target, x_next, strict=True))
                delta = t.reward + problem.gamma * ahead - sum(a * b for a, b in zip(w, x, strict=True))
                new = tuple(a + alpha * rho * delta * b for a, b in zip(w, x, strict=True))
                kept = new if n % period == 0 else target
                share = p * problem.behaviour[t.s][t.a] * t.probability * (problem.d[t.s] if state is None else 1)
                nexts = [(None, Fraction(1))] if state is None else firsts if over else [(t.s_next, Fraction(1))]
                for s, part in nexts:
                    after[s, new, kept] = after.get((s, new, kept), Fraction(0)) + share * part
        now = after
    return [(w, p) for (_, w, _), p in now.items()]


@pytest.mark.parametrize("sampling", ["markov", "iid"])
def test_a_few_updates_with_copies_agree_with_every_trajectory(sampling, mspbe):
    problem, alpha = restarting(), Fraction(1, 4)
    ends = every_trajectory(problem, alpha, 2, 5, sampling)
    assert sum(p for _, p in ends) == 1
    mass, w = np.array([float(p) for _, p in ends]), np.array([[float(v) for v in w] for w, _ in ends])
    for proof in (Proof.FLOAT, Proof.ENCLOSED):
        prediction = predict(
            problem, "td-target", alpha=alpha, steps=5, sampling=sampling, copy="target=w", period=2, proof=proof
        )
        assert prediction.mean_weights[-1] == pytest.approx(mass @ w, rel=1e-11)
        assert prediction.mspbe[-1] == pytest.approx(mass @ mspbe(problem, w), rel=1e-11)


def test_copied_at_every_update_it_is_td():
    for sampling in ("markov", "iid"):
        copied = predict("baird", "td-target", alpha="1/50", steps=30, sampling=sampling, copy="target=w", period=1)
        assert copied.mspbe == pytest.approx(predict("baird", "td", alpha="1/50", steps=30, sampling=sampling).mspbe)


@pytest.mark.thorough
def test_bairds_problem_diverges_up_to_76_updates_and_converges_from_77_on():
    result = {}
    for count in (76, 77):
        result[count] = period_of(prepared("baird", "td-target", period=count, **BAIRD), Fraction(1, 100))
    assert [result[count].converges for count in (76, 77)] == [False, True]
    assert result[76].stretches == result[77].stretches == ((1, 76, False), (77, None, True))
    assert result[76].converges_from == 77
    assert result[76].radius.lower > 1 > result[77].radius.upper


@pytest.mark.thorough
@pytest.mark.parametrize("count", [1, 76, 300])
def test_the_radius_is_that_of_the_closed_form(count):
    """With M = I - alpha E[rho x x^T]: w' = M^N w + (I + M + ... + M^(N-1)) alpha gamma E[rho x x'^T] w."""
    problem, alpha = find_problem("baird"), 0.01
    x = np.array([[float(v) for v in row] for row in problem.features])
    d = np.array([float(v) for v in problem.d])
    C = x.T @ (d[:, None] * x)
    across = 0.99 * np.outer(x.T @ d, x[6])  # the target's action leads to state 7
    M = np.eye(8) - alpha * C
    K = np.eye(8)
    for _ in range(count):
        K = M @ K + alpha * across
    values = np.abs(np.linalg.eigvals(K))
    there = np.sort(values[np.abs(values - 1) > 1e-9])[-1]  # the direction that never moves is left out
    result = period_of(prepared("baird", "td-target", period=count, **BAIRD), Fraction(1, 100))
    assert result.radius.lower <= there * (1 + 1e-7)
    assert there * (1 - 1e-7) <= result.radius.upper


@pytest.mark.thorough
def test_along_the_chain_the_mean_of_a_period_is_another_one():
    """Its radius is that of a product of means by mode, written out."""
    recursion = prepared("baird", "td-target", sampling="markov", copy="target=w", period=5)
    result = period_of(recursion, Fraction(1, 100))
    n, modes = recursion.n, recursion.recursion.modes
    B = np.zeros((modes, n, modes, n))
    common = np.array([[float(x) for x in row[:n]] for row in recursion.common])
    for step, pairs in zip(recursion.recursion.steps, recursion.updates, strict=True):
        G = common + sum(np.outer([float(x) for x in u], [float(x) for x in v[:n]]) for u, v in pairs)
        B[step.target, :, step.source] += float(step.probability) * (np.eye(n) + G / 100)
    copied = np.array([[float(x) for x in row[:n]] for row in recursion.copied()[:n]])
    K = np.kron(np.eye(modes), copied) @ np.linalg.matrix_power(B.reshape(modes * n, modes * n), 5)
    radius = np.abs(np.linalg.eigvals(K)).max()
    assert result.radius.lower - 1e-9 <= radius <= result.radius.upper + 1e-9
    assert result.stretches == ((1, 76, False), (77, None, True))  # of the expected update, whatever the sampling


def test_where_long_periods_diverge_none_is_said_to_converge():
    """With x' = 3 x the target's fixed point is gamma 3 > 1 times the target, however long the period."""
    problem = Problem(
        name="three times",
        gamma="9/10",
        features=[[1], [3]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 0, "1/10", 0), (1, 0, 1, "9/10", 0)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
        state_weights=[1, 0],
    )
    result = period_of(prepared(problem, "td-target", sampling="iid", copy="target=w", period=3), Fraction(1, 10))
    assert result.converges is False
    assert result.converges_from is None
    assert result.stretches == ((1, periodic._SHORT, False),)


def test_any_weights_can_be_copied_and_their_own_rule_is_left_aside():
    @learner(weights="w kept")
    def with_kept(x, x_next, w, kept, rho, gamma, reward):
        delta = reward + gamma * (kept @ x_next) - w @ x
        return Step(w=rho * delta * x, kept=5 * kept)

    a, b = (
        predict("boyan", which, alpha="1/8", steps=20, copy=copy, period=4)
        for which, copy in ((with_kept, "kept=w"), ("td-target", "target=w"))
    )
    assert a.mspbe == pytest.approx(b.mspbe)


def test_a_command_with_copies_says_what_is_known_of_a_period_and_of_others(ask):
    asked = ("two-state", "--algorithm", "td-target", "--alpha", "1/100", "--sampling", "iid", "--steps", "3")
    status, out, err = ask(*asked, "--copy", "target=w", "--period", "5")
    assert (status, err) == (0, "")
    # x = 1, x' = 2 and gamma > 1/2: the fixed point of a given target lies beyond it, and long periods diverge too.
    assert "the expected update, by the period: diverges from 1 to 200 (enclosed)\n" in out
    assert "mean limit of alpha: undecided: with target <- w every 5 updates" in out
    assert "copy" not in json.loads(ask(*asked, "--json")[1])


@pytest.mark.thorough
def test_limits_are_undecided_with_copies_and_the_command_says_what_is_known(ask):
    asked = ("baird", "--algorithm", "td-target", "--alpha", "1/100", "--sampling", "iid", "--steps", "10")
    copied = (*asked, "--copy", "target=w", "--period", "77")
    status, out, err = ask(*copied, "--json")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert answer["limits"] == {"mean": None, "mean_square": None}
    assert answer["limit_evidence"]["mean"]["status"] == SearchStatus.UNDECIDED.value
    assert (answer["copy"]["target"], answer["copy"]["source"], answer["copy"]["period"]) == ("target", "w", 77)
    assert answer["copy"]["converges"] is True
    assert answer["copy"]["expected_update"]["converges_from"] == 77
    assert answer["copy"]["expected_update"]["periods"][-1] == {"first": 77, "last": None, "converges": True}
    status, out, _ = ask(*copied)
    assert "the expected update, by the period: diverges from 1 to 76, converges from 77 on (enclosed)\n" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--copy", "target=w"), "--copy: --period is missing"),
        (("--period", "3"), "--period: --copy is missing"),
        (("--copy", "w", "--period", "3"), "'w' is not TARGET=SOURCE, two of the weights of td-target: target, w"),
        (("--copy", "w=w", "--period", "3"), "is not TARGET=SOURCE"),
        (("--copy", "target=w", "--period", "0"), "--period: 0 is not from 1 to"),
        (("--algorithm", "differential-td", "--copy", "rbar=w", "--period", "2"), "rbar and w are not both vectors"),
    ],
)
def test_a_copy_that_is_none_is_refused_in_one_line(ask, options, message):
    status, out, err = ask("boyan", "--algorithm", "td-target", *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err

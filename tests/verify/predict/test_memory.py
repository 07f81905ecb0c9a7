"""Finite step sizes of learners with memory, against every trajectory in fractions, by equations of its own."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem
from tdrc_theory.algorithms import TD_LAMBDA
from tdrc_theory.errors import BadOption
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problem import END
from verify.check import Proof
from verify.predict import limits, predict
from verify.predict.limits.limit import SearchStatus, step_size_limits
from verify.predict.prediction import predicted, prepared
from verify.predict.recursion import MOST_MODES, recursion

ALPHA, ETA, LAM, BETA, GAMMA, MU = (
    Fraction(1, 4),
    Fraction(2),
    Fraction(1, 3),
    Fraction(1, 2),
    Fraction(9, 10),
    Fraction(3),
)


@pytest.fixture
def two_states():
    """Return two states with two features, an action that the target never takes, an end, and restarts in both."""
    return Problem(
        name="two states",
        gamma=GAMMA,
        features=[[1, 0], ["1/2", 1]],
        transitions=[
            (0, 0, 1, "1/2", 1),
            (0, 0, END, "1/2", -1),
            (0, 1, 0, 1, 2),
            (1, 0, END, 1, 3),
            (1, 1, 0, 1, 0),
        ],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["1/2", "1/2"], [0, 1]],
        start=["1/4", "3/4"],
        initial_weights=[1, "-1/2"],
    )


def inner(a, b):
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def plus(*terms):
    """Return the sum of (number, vector)."""
    return tuple(sum((c * v[i] for c, v in terms), Fraction(0)) for i in range(2))


def td_lambda(now, x, x_next, reward, rho, before):
    e = plus((rho * GAMMA * LAM, now["e"]), (rho, x))
    delta = reward + GAMMA * inner(now["w"], x_next) - inner(now["w"], x)
    return {"e": e, "w": plus((1, now["w"]), (ALPHA * delta, e))}


def emphatic_td(now, x, x_next, reward, rho, before):
    follow_on = before * GAMMA * now["F"] + 1
    emphasis = LAM + (1 - LAM) * follow_on
    e = plus((rho * GAMMA * LAM, now["e"]), (rho * emphasis, x))
    delta = reward + GAMMA * inner(now["w"], x_next) - inner(now["w"], x)
    return {"e": e, "F": follow_on, "w": plus((1, now["w"]), (ALPHA * delta, e))}


def tdrc_lambda(now, x, x_next, reward, rho, before):
    e = plus((rho * GAMMA * LAM, now["e"]), (rho, x))
    delta = reward + GAMMA * inner(now["w"], x_next) - inner(now["w"], x)
    correction = GAMMA * (1 - LAM) * inner(now["h"], e)
    return {
        "e": e,
        "w": plus((1, now["w"]), (ALPHA * delta, e), (-ALPHA * correction, x_next)),
        "h": plus((1 - ETA * ALPHA * BETA, now["h"]), (ETA * ALPHA * delta, e), (-ETA * ALPHA * inner(now["h"], x), x)),
    }


def td_target(now, x, x_next, reward, rho, before):
    delta = reward + GAMMA * inner(now["target"], x_next) - inner(now["w"], x)
    return {
        "w": plus((1, now["w"]), (ALPHA * rho * delta, x)),
        "target": plus((1 - ETA * ALPHA, now["target"]), (ETA * ALPHA, now["w"])),
    }


def differential_td(now, x, x_next, reward, rho, before):
    delta = reward - now["rbar"] + inner(now["w"], x_next) - inner(now["w"], x)
    return {"w": plus((1, now["w"]), (ALPHA * rho * delta, x)), "rbar": now["rbar"] + ALPHA * ETA * rho * delta}


def tdc_momentum(now, x, x_next, reward, rho, before):
    delta = reward + GAMMA * inner(now["w"], x_next) - inner(now["w"], x)
    along, v = inner(now["h"], x), now["v"]
    return {
        "w": plus((1, now["w"]), (ALPHA, v)),
        "h": plus((1, now["h"]), (ALPHA * ETA * (rho * delta - along), x)),
        "v": plus((1 - ALPHA * MU, v), (ALPHA * MU * rho * delta, x), (-ALPHA * MU * rho * GAMMA * along, x_next)),
    }


ZERO_VECTOR = (Fraction(0), Fraction(0))
EQUATIONS = {
    "td-lambda": (td_lambda, {"lam": LAM}, {"e": ZERO_VECTOR}),
    "emphatic-td": (emphatic_td, {"lam": LAM}, {"e": ZERO_VECTOR, "F": Fraction(0)}),
    "tdrc-lambda": (tdrc_lambda, {"lam": LAM, "beta": BETA, "eta": ETA}, {"e": ZERO_VECTOR, "h": ZERO_VECTOR}),
    "td-target": (td_target, {"eta": ETA}, {"target": ZERO_VECTOR}),
    "differential-td": (differential_td, {"eta": ETA}, {"rbar": Fraction(0)}),
    "tdc-momentum": (tdc_momentum, {"eta": ETA, "mu": MU}, {"h": ZERO_VECTOR, "v": ZERO_VECTOR}),
}


def every_trajectory(problem, step, kept, steps):
    """Return [({name: value}, probability)] after so many updates: memory is 0 and the ratio before 1 at a start."""
    first = {**kept, "w": problem.initial_weights}
    memory = [name for name in ("e", "F") if name in kept]
    now = {(s, Fraction(1), tuple(first.items())): p for s, p in enumerate(problem.start)}
    for _ in range(steps):
        after = {}
        for (s, before, values), p in now.items():
            for t in problem.transitions:
                if t.s != s:
                    continue
                over = t.s_next == END
                x_next = ZERO_VECTOR if over else problem.features[t.s_next]
                rho = problem.target[s][t.a] / problem.behaviour[s][t.a]
                new = {**dict(values), **step(dict(values), problem.features[s], x_next, t.reward, rho, before)}
                if over:
                    new |= {name: kept[name] for name in memory}
                for arrival, share in enumerate(problem.start) if over else [(t.s_next, Fraction(1))]:
                    key = arrival, Fraction(1) if over else rho, tuple(new.items())
                    mass = p * problem.behaviour[s][t.a] * t.probability * share
                    after[key] = after.get(key, Fraction(0)) + mass
        now = after
    return [(dict(values), p) for (_, _, values), p in now.items()]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough if name == "tdrc-lambda" else []) for name in EQUATIONS]
)
def test_a_few_updates_agree_with_every_trajectory_there_is(name, two_states, mspbe):
    step, parameters, kept = EQUATIONS[name]
    ends = every_trajectory(two_states, step, kept, 6)
    assert sum(p for _, p in ends) == 1
    mass = np.array([float(p) for _, p in ends])
    w = np.array([[float(v) for v in values["w"]] for values, _ in ends])
    exact = [sum(p * values["w"][i] for values, p in ends) for i in range(2)]
    for proof in (Proof.FLOAT, Proof.ENCLOSED):
        prediction = predict(
            two_states, name, alpha=ALPHA, steps=6, parameters=parameters, covariances=True, proof=proof
        )
        assert prediction.mean_weights[-1] == pytest.approx([float(v) for v in exact], rel=1e-12)
        assert prediction.mspbe[-1] == pytest.approx(mass @ mspbe(two_states, w), rel=1e-11)
        centred = w - mass @ w
        assert prediction.covariance[-1] == pytest.approx(centred.T @ (mass[:, None] * centred), rel=1e-10, abs=1e-12)
    others = [n for n in prediction.algorithm.stacked if n != "w"]
    if others:
        there = [[values[n]] if n == "rbar" else values[n] for values, _ in ends for n in others]
        table = np.array([float(v) for row in there for v in row]).reshape(len(ends), -1)
        assert prediction.mean_h[-1] == pytest.approx(mass @ table, rel=1e-11, abs=1e-12)


@learner(weights="w", memory="last")
def from_the_last(x, x_next, w, last, rho, gamma, reward):
    """Move along the features of the state before: memory that does not depend on itself takes finitely many values."""
    return Step(w=rho * (reward + gamma * dot(w, x_next) - dot(w, x)) * (x + last), last=x)


def test_memory_of_finitely_many_values_is_exact_for_any_number_of_updates(two_states):
    reduced = prepared(two_states, from_the_last)
    assert reduced.recursion.horizon is None
    assert reduced.recursion.modes == 5  # state 0 after either or at a start, state 1 after state 0 or at a start
    assert reduced.recursion.closed


def test_a_trace_without_lambda_is_no_memory(two_states):
    for traced, plain in (("td-lambda", "td"), ("tdrc-lambda", "tdrc")):
        with_trace, without = (prepared(two_states, name) for name in (traced, plain))
        assert (with_trace.recursion.modes, with_trace.recursion.horizon) == (without.recursion.modes, None)
        a, b = (predict(two_states, name, alpha="1/8", steps=40) for name in (traced, plain))
        assert a.mspbe == pytest.approx(b.mspbe, rel=1e-11)
        assert str(limits(two_states, traced).mean_square) == str(limits(two_states, plain).mean_square)


def test_episodes_of_bounded_length_have_finitely_many_traces():
    reduced = prepared("boyan", "td-lambda", parameters={"lam": "1/2"}, sampling="markov")
    assert reduced.recursion.horizon is None
    assert reduced.recursion.closed


@pytest.mark.thorough
def test_a_trace_without_end_is_exact_up_to_a_horizon_that_is_named(two_states):
    longest = recursion(two_states, TD_LAMBDA, {"lam": LAM}, "markov")
    assert longest.horizon > 6
    assert longest.modes <= MOST_MODES + 2  # both states after the last update
    assert not longest.closed
    reduced = prepared(two_states, "td-lambda", parameters={"lam": LAM}, steps=3)
    assert reduced.recursion.horizon == 3
    assert {limit.status for limit in (step_size_limits(reduced).mean, step_size_limits(reduced).mean_square)} == {
        SearchStatus.UNDECIDED
    }
    with pytest.raises(BadOption, match="--steps: 4 is more than 3, up to which td-lambda is predicted exactly on"):
        predicted(reduced, ALPHA, 4)


def test_what_is_kept_along_a_chain_has_no_independent_samples(two_states):
    @learner(weights="w")
    def with_ratio(x, x_next, w, rho_before, rho, gamma, reward):
        return Step(w=rho_before * rho * (reward + gamma * dot(w, x_next) - dot(w, x)) * x)

    for algorithm, what in (("td-lambda", "e"), (with_ratio, "rho_before")):
        with pytest.raises(BadOption, match=f"keeps {what} from step to step"):
            predict(two_states, algorithm, alpha="1/8", steps=3, sampling="iid")


@pytest.mark.thorough
def test_rare_trajectories_carry_the_mean_where_a_trace_can_grow():
    result, balls = (
        predict("baird", "td-lambda", alpha="1/100", steps=33, parameters={"lam": "1/4"}, proof=proof)
        for proof in (Proof.FLOAT, Proof.ENCLOSED)
    )
    prepared_for = prepared("baird", "td-lambda", steps=33, parameters={"lam": "1/4"})
    assert prepared_for.recursion.horizon == 33
    assert result.mspbe == pytest.approx(balls.mspbe, rel=1e-9)
    assert 70 < result.mspbe[10] < 75
    assert 6e103 < result.mspbe[33] < 8e103


def test_the_mean_of_emphatic_td_leaves_its_expected_update_for_good():
    """On theta -> 2 theta the expected update is stable (-17/5) and the exact mean is not, at any step size tried.

    The exact means are those of a recursion over the state and the steps since the last deviation, by hand.
    """
    problem = Problem(
        name="theta",
        gamma="9/10",
        features=[[1], [2]],
        transitions=[(0, 0, 0, 1, 0), (0, 1, 1, 1, 0), (1, 0, 0, 1, 0), (1, 1, 1, 1, 0)],
        behaviour=[["1/2", "1/2"]] * 2,
        target=[[0, 1]] * 2,
        start=[1, 0],
        initial_weights=[1],
    )
    gamma, half = Fraction(9, 10), Fraction(1, 2)
    for alpha in (Fraction(1, 1000), Fraction(1, 10)):
        mean, recent = [Fraction(1)], {0: Fraction(1)}  # E[w; n target actions since the last deviation or the start]
        for _ in range(20):
            after = {0: half * sum(recent.values())}
            for n, w in recent.items():
                # F = 1 + 2 gamma + ... + (2 gamma)^n, x = 1 at n = 0 and else 2, always on to the state of 2.
                follow_on = sum((2 * gamma) ** i for i in range(n + 1))
                x = 2 if n else 1
                after[n + 1] = half * w * (1 + alpha * 2 * follow_on * (gamma * 2 - x) * x)
            recent = after
            mean.append(sum(recent.values()))
        prediction = predict(problem, "emphatic-td", alpha=alpha, steps=20)
        assert prediction.mean_weights[:, 0] == pytest.approx([float(v) for v in mean], rel=1e-11)
        assert abs(mean[-1]) > 25

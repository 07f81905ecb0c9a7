"""Predictions on problems of every kind: discounts by state and transition, interests, action values."""

from fractions import Fraction

import pytest

from tdrc_theory import Problem
from tdrc_theory.problem import END
from verify.predict import predict

ALPHA, LAM, GAMMA = Fraction(1, 4), Fraction(1, 3), Fraction(9, 10)
ZERO_VECTOR = (Fraction(0), Fraction(0))


def inner(a, b):
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def plus(*terms):
    """Return the sum of (number, vector)."""
    return tuple(sum((c * v[i] for c, v in terms), Fraction(0)) for i in range(2))


def varied():
    """Return two states with interests and discounts of their own, and one transition with another discount."""
    return Problem(
        name="varied",
        gamma=["1/2", "4/5"],
        features=[[1, 0], ["1/2", 1]],
        transitions=[
            (0, 0, 1, "1/2", 1),
            (0, 0, 0, "1/2", -1, "9/10"),
            (0, 1, 0, 1, 2),
            (1, 0, 0, 1, 3),
            (1, 1, 1, 1, 0),
        ],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["1/2", "1/2"], [0, 1]],
        interest=[2, "1/3"],
        initial_weights=[1, "-1/2"],
    )


def test_discounts_of_transitions_and_interests_enter_as_emphatic_td_writes_them():
    """Gamma of the step before decays both traces: that of the first step is the state's own."""
    problem, own = varied(), [Fraction(1, 2), Fraction(4, 5)]
    now = {(s, Fraction(1), own[s], ZERO_VECTOR, Fraction(0), problem.initial_weights): Fraction(1, 2) for s in (0, 1)}
    for _ in range(4):
        after = {}
        for (s, before, gamma, e, follow_on, w), p in now.items():
            for t in problem.transitions:
                if t.s != s:
                    continue
                rho, x, x_next = problem.rho(s, t.a), problem.features[s], problem.features[t.s_next]
                ahead = Fraction(9, 10) if (s, t.a, t.s_next) == (0, 0, 0) else own[t.s_next]
                F = before * gamma * follow_on + problem.interest[s]
                new = plus((rho * gamma * LAM, e), (rho * (LAM * problem.interest[s] + (1 - LAM) * F), x))
                delta = t.reward + ahead * inner(w, x_next) - inner(w, x)
                key = t.s_next, rho, ahead, new, F, plus((1, w), (ALPHA * delta, new))
                after[key] = after.get(key, Fraction(0)) + p * problem.behaviour[s][t.a] * t.probability
        now = after
    mean = [sum(p * w[i] for (*_, w), p in now.items()) for i in range(2)]
    second = [
        sum(p * w[i] * w[j] for (*_, w), p in now.items()) - mean[i] * mean[j] for i, j in ((0, 0), (0, 1), (1, 1))
    ]
    prediction = predict(problem, "emphatic-td", alpha=ALPHA, steps=4, parameters={"lam": LAM}, covariances=True)
    assert prediction.mean_weights[-1] == pytest.approx([float(v) for v in mean], rel=1e-11)
    result = prediction.covariance[-1][[0, 0, 1], [0, 1, 1]]
    assert result == pytest.approx([float(v) for v in second], rel=1e-10)


@pytest.mark.parametrize("sampling", ["markov", "iid"])
def test_action_values_agree_with_every_trajectory(sampling):
    """Expected Sarsa: the mean of the target's next features, in pairs of a state and an action."""
    problem = Problem(
        name="pairs",
        gamma="9/10",
        features=[[[1, 0], [0, 1]], [[1, 1], ["1/2", 0]]],
        transitions=[(0, 0, 1, "1/2", 1), (0, 0, END, "1/2", -1), (0, 1, 0, 1, 2), (1, 0, 0, 1, 3), (1, 1, END, 1, 0)],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["1/2", "1/2"], [0, 1]],
        start=["1/4", "3/4"],
        initial_weights=[1, 2],
    )
    firsts = list(enumerate(problem.start))
    now = {(s if sampling == "markov" else None, problem.initial_weights): Fraction(0) for s in (0, 1)}
    for s, p in firsts:
        now[s if sampling == "markov" else None, problem.initial_weights] += p
    for _ in range(5):
        after = {}
        for (state, w), p in now.items():
            for t in problem.transitions:
                if state not in (None, t.s):
                    continue
                over = t.s_next == END
                x = problem.features[t.s][t.a]
                policy = () if over else problem.target[t.s_next]
                ahead = sum((b * inner(w, problem.features[t.s_next][a]) for a, b in enumerate(policy)), Fraction(0))
                new = plus((1, w), (ALPHA * (t.reward + GAMMA * ahead - inner(w, x)), x))
                share = p * problem.behaviour[t.s][t.a] * t.probability * (problem.d[t.s] if state is None else 1)
                for s, part in [(None, 1)] if state is None else firsts if over else [(t.s_next, 1)]:
                    after[s, new] = after.get((s, new), Fraction(0)) + share * part
        now = after
    prediction = predict(problem, "expected-sarsa", alpha=ALPHA, steps=5, sampling=sampling, covariances=True)
    mean = [sum(p * w[i] for (_, w), p in now.items()) for i in range(2)]
    assert prediction.mean_weights[-1] == pytest.approx([float(v) for v in mean], rel=1e-11)
    second = sum(p * w[0] * w[1] for (_, w), p in now.items()) - mean[0] * mean[1]
    assert prediction.covariance[-1][0, 1] == pytest.approx(float(second), rel=1e-10)

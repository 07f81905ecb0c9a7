"""Last layers: estimates against exact matrices of a known chain, and against the agent's own update."""

from bisect import bisect
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from reports.last_layer.estimate import BLOCKS, Transitions, abscissa, averages, last_layer, of_blocks, settled_h
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems.averaged import averaged_process
from verify import check_conditions
from verify.check import Status
from verify.data.numbers import BETA, beta_bound, condition_of_C, eta_bound, lowest_of_A

GAMMA = Fraction(9, 10)
X = np.array([[2, 0], [1, 0], [2, 1], [1, 1]])
MOVES = np.array(
    [
        [[0, 2, 2, 0], [0, 2, 2, 0]],
        [[3, 1, 0, 0], [1, 3, 0, 0]],
        [[3, 0, 1, 0], [2, 1, 1, 0]],
        [[1, 0, 2, 1], [1, 0, 1, 2]],
    ]
)
"""Quarters: of each state and action, the probability of each next state."""
GREEDY = np.array([1, 0, 1, 0])
"""What behaviour does in an eighth of its steps only, so that A is not positive definite."""
REWARD = np.array([[1, 0], [-1, 2], [0, 1], [3, -2]])
W, H = np.array([[0.5, -1.0], [1.0, 0.25]]), np.array([[0.1, 0.0], [-0.2, 0.3]])


def known():
    """Return the averaged process of states and actions: greedy actions follow, behaviour's weigh (1/8 greedy)."""
    act = [[Fraction(1, 8) if a == GREEDY[s] else Fraction(7, 8) for a in range(2)] for s in range(4)]
    pairs = [(s, a) for s in range(4) for a in range(2)]
    step = [[Fraction(int(MOVES[s, a, t]), 4) for t in range(4)] for s, a in pairs]
    chain = np.array([[float(act[t][b] * row[t]) for t, b in pairs] for row in step])
    stationary = np.linalg.matrix_power(chain, 400)[0]
    d = [Fraction(float(p)).limit_denominator(10**9) for p in stationary]
    d[-1] = 1 - sum(d[:-1])
    features = [[int(v) for b in range(2) for v in X[s] * (b == a)] for s, a in pairs]
    P = [[row[t] if b == GREEDY[t] else 0 for t, b in pairs] for row in step]
    reward = [int(REWARD[s, a]) for s, a in pairs]
    return averaged_process(name="known", gamma=GAMMA, features=features, P=P, r=reward, d=d)


def sampled(seed, samples=4000):
    u = np.random.default_rng(seed).random((samples, 2)).tolist()
    reach = np.cumsum(MOVES / 4, axis=2).tolist()
    states, actions = [0], []
    for act, move in u:
        s = states[-1]
        actions.append(int(GREEDY[s] if act < 1 / 8 else 1 - GREEDY[s]))
        states.append(bisect(reach[s][actions[-1]], move))
    nexts, states = states[1:], states[:-1]
    return Transitions(
        x=X[states].astype(float),
        x_next=X[nexts].astype(float),
        action=np.array(actions),
        next_action=GREEDY[nexts],
        discount=np.full(samples, float(GAMMA)),
        reward=REWARD[states, actions].astype(float),
        weights=W,
        h=H,
    )


def exact():
    """Return what the estimates are of, from exact matrices and the verdicts on them."""
    problem = known()
    report = check_conditions(problem, "tdrc", beta=1, eta=1)
    A, b, C = (m.to_float() for m in key_matrices(problem))
    abscissa_of_G = report.verdict.spectral_abscissa
    ends = np.linalg.solve(C + np.eye(4), b[:, 0] - A @ W.ravel())
    eigenvalues = np.linalg.eigvalsh(C)
    return {
        (lambda each: lowest_of_A(each.A)): np.linalg.eigvalsh((A + A.T) / 2)[0],
        (lambda each: condition_of_C(each.C)): eigenvalues[0] / eigenvalues[-1],
        (lambda each: beta_bound(each.A)): report.bounds["beta_corrected"].value,
        (lambda each: eta_bound(each.A, each.C)): report.bounds["eta"].value,
        stable: (float(abscissa_of_G.lower) + float(abscissa_of_G.upper)) / 2,
        ending: np.linalg.norm(ends),
    }


def stable(averages):
    return abscissa(not_by_action(averages), beta=1, eta=1)


def ending(averages):
    return settled_h(not_by_action(averages), beta=1)


def not_by_action(averages):
    """Return averages with which h moves as TDRC's does: along the mean over all transitions."""
    return replace(averages, share=np.eye(len(averages.C)))


@pytest.mark.thorough
def test_intervals_hold_what_a_known_chain_has_about_as_often_as_they_say():
    """Of intervals that hold it as often as they say, one in a million is refused, for each of the quantities."""
    truth, runs = exact(), 100
    held = np.zeros(len(truth))
    for seed in range(runs):
        parts = averages(sampled(seed), BLOCKS, 1e-12)
        held += [each.lower <= value <= each.upper for each, value in of_all(parts, truth)]
    assert (held >= binom.ppf(1e-6, runs, 0.95)).all(), held
    assert held.mean() / runs >= 0.9
    assert held.mean() < runs


def of_all(parts, truth):
    return [(of_blocks(parts, quantity), value) for quantity, value in truth.items()]


def test_more_transitions_come_closer():
    truth = exact()
    for each, value in of_all(averages(sampled(3, 60_000), BLOCKS, 1e-12), truth):
        assert each.value == pytest.approx(value, rel=0.15)
        assert each.upper - each.lower < abs(value)


def test_what_is_not_there_in_every_block_has_no_interval_and_decides_nothing():
    parts = averages(sampled(0), BLOCKS, 1e-12)
    values = iter([np.inf, *range(1, BLOCKS + 1)])
    result = of_blocks(parts, lambda _: next(values))
    assert np.isnan(result.lower)
    assert result.above(0) is result.below(0) is Status.UNDECIDED


def test_a_bound_that_is_infinite_without_any_block_too_is_kept_by_every_number():
    run = sampled(0)
    ended = replace(run, discount=np.zeros(len(run.action)))  # A is C, which is positive definite
    result = last_layer(ended, 100.0, 1.0, 1e-12)
    assert result.hypotheses["beta is below its bound"] is Status.HOLDS
    assert result.numbers[BETA].to_json() == {"value": None, "lower": None, "upper": None}


def test_a_direction_below_the_resolution_is_left_out():
    run = sampled(0)
    thin = replace(run, x=run.x * [1, 1e-4], x_next=run.x_next * [1, 1e-4])
    assert len(averages(thin, BLOCKS, 1e-12)[0].C) == 4
    assert len(averages(thin, BLOCKS, 1e-6)[0].C) == 2

"""QRC with a second weight vector for each action, written out here, beside learners of prediction on all features."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from claim_facts import facts

from verify.paper.facts.content import judged
from verify.paper.facts.update_terms import OnActionValues

ACTIONS, WIDTH = 3, 4
GAMMA = Fraction(9, 10)


def dot(a, b):
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def vector(drawn):
    return [Fraction(drawn.randint(-5, 5)) for _ in range(WIDTH)]


def sample(seed, same_action):
    drawn = random.Random(seed)
    taken = drawn.randrange(ACTIONS)
    greedy = taken if same_action else (taken + 1) % ACTIONS
    heads = [vector(drawn) for _ in range(ACTIONS)], [vector(drawn) for _ in range(ACTIONS)]
    return vector(drawn), vector(drawn), taken, greedy, Fraction(drawn.randint(-9, 9)), *heads


def qrc(x, y, taken, greedy, R, w, h, beta):
    """Return (dw, dh), a vector for each action, as the paper's two equations have it."""
    delta = R + GAMMA * dot(w[greedy], y) - dot(w[taken], x)
    guess = dot(h[taken], x)
    dw = [[Fraction(0)] * WIDTH for _ in range(ACTIONS)]
    dh = [[Fraction(0)] * WIDTH for _ in range(ACTIONS)]
    for i in range(WIDTH):
        dw[taken][i] += delta * x[i]
        dw[greedy][i] -= GAMMA * guess * y[i]
        dh[taken][i] = (delta - guess) * x[i] - beta * h[taken][i]
    return dw, dh


def stacked(x, y, taken, greedy, R, w, h, beta, correction=True):
    """Return TDRC's (dw, dh) at rho = 1 on the features of state and action, cut into actions."""
    X, Y, W, H = ([Fraction(0)] * (ACTIONS * WIDTH) for _ in range(4))
    for a in range(ACTIONS):
        for i in range(WIDTH):
            X[a * WIDTH + i], Y[a * WIDTH + i] = x[i] * (a == taken), y[i] * (a == greedy)
            W[a * WIDTH + i], H[a * WIDTH + i] = w[a][i], h[a][i]
    delta, guess = R + GAMMA * dot(W, Y) - dot(W, X), dot(H, X) * correction
    dw = [delta * p - GAMMA * guess * q for p, q in zip(X, Y, strict=True)]
    dh = [(delta - guess) * p - beta * q for p, q in zip(X, H, strict=True)]
    cut = [slice(a * WIDTH, (a + 1) * WIDTH) for a in range(ACTIONS)]
    return [dw[s] for s in cut], [dh[s] for s in cut]


@pytest.mark.parametrize("same_action", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_qc_is_tdc_and_qrc_is_tdrc_but_for_the_h_of_actions_not_taken(seed, same_action):
    data = sample(seed, same_action)
    assert qrc(*data, 0) == stacked(*data, 0)
    (dw, dh), (tdrc_dw, tdrc_dh) = qrc(*data, 2), stacked(*data, 2)
    assert dw == tdrc_dw
    assert [dh[a] == tdrc_dh[a] for a in range(ACTIONS)] == [a == data[2] for a in range(ACTIONS)]


@pytest.mark.parametrize("same_action", [True, False])
def test_qrc_without_h_is_q_learning(same_action):
    *rest, w, h = sample(7, same_action)
    nothing = [[Fraction(0)] * WIDTH for _ in h]
    x, y, taken, greedy, R = rest
    dw, _ = qrc(*rest, w, nothing, 1)
    delta = R + GAMMA * dot(w[greedy], y) - dot(w[taken], x)
    assert dw == [[delta * v if a == taken else 0 for v in x] for a in range(ACTIONS)]
    assert dw == stacked(*rest, w, h, 1, correction=False)[0]


@pytest.mark.parametrize("fact", facts("control."), ids=lambda fact: fact.id)
def test_the_statements_hold_exactly(fact):
    judgement = judged(fact.printed)
    assert (judgement.status.value, judgement.proof.value) == ("holds", "exact")


@pytest.mark.parametrize(
    "other",
    [
        OnActionValues("tdrc"),
        OnActionValues("tdc"),
        OnActionValues("tdc", beta=1),
        OnActionValues("td", whole=False),
        OnActionValues("gtd2", beta=0),
        OnActionValues("htd", beta=0),
        OnActionValues("td", beta=0, h_is_zero=True),
        OnActionValues("gtd2", whole=False, h_is_zero=True),
    ],
    ids=str,
)
def test_another_learner_or_setting_does_not_hold(other):
    assert judged(other).status.value == "fails"

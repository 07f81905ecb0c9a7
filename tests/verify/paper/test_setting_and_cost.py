"""Multiplications counted by numbers that count, in updates written out here; features and states counted by hand."""

from __future__ import annotations

import pytest
from claim_facts import BY_NAME
from quantified import on

from verify.paper.facts.atoms import Plain
from verify.paper.facts.content import judged
from verify.paper.facts.update_terms import Costs


class Counting:
    """A number that counts the multiplications in which it, or what comes of it, takes part."""

    products = 0

    def __add__(self, _):
        return self

    __radd__ = __sub__ = __rsub__ = __add__

    def __mul__(self, _):
        Counting.products += 1
        return self

    __rmul__ = __mul__


def dot(a, b):
    total = a[0] * b[0]
    for p, q in zip(a[1:], b[1:], strict=True):
        total = total + p * q
    return total


def td(x, y, w, _, R, rho, gamma, alpha):
    scale = alpha * rho * (R + gamma * dot(w, y) - dot(w, x))
    return [c + scale * p for c, p in zip(w, x, strict=True)]


def tdc(x, y, w, h, R, rho, gamma, alpha):
    error, guess = rho * (R + gamma * dot(w, y) - dot(w, x)), dot(h, x)
    ahead, back, of_h = alpha * error, alpha * rho * gamma * guess, alpha * (error - guess)
    new = [c + ahead * p - back * q for c, p, q in zip(w, x, y, strict=True)]
    return new, [c + of_h * p for c, p in zip(h, x, strict=True)]


def gtd2(x, y, w, h, R, rho, gamma, alpha):
    error, guess = rho * (R + gamma * dot(w, y) - dot(w, x)), dot(h, x)
    ahead, of_h = alpha * rho * guess, alpha * (error - guess)
    back = ahead * gamma
    new = [c + ahead * p - back * q for c, p, q in zip(w, x, y, strict=True)]
    return new, [c + of_h * p for c, p in zip(h, x, strict=True)]


def tdrc(x, y, w, h, R, rho, gamma, alpha):
    new, moved = tdc(x, y, w, h, R, rho, gamma, alpha)
    shrink = alpha * Counting()
    return new, [c - shrink * p for c, p in zip(moved, h, strict=True)]


def products(update, n):
    Counting.products = 0
    vectors = [[Counting() for _ in range(n)] for _ in range(4)]
    update(*vectors, *(Counting() for _ in range(4)))
    return Counting.products


def a_feature(update):
    slopes = {products(update, n + 1) - products(update, n) for n in range(1, 9)}
    (slope,) = slopes
    return slope


def test_counted_multiplications_are_three_six_six_and_seven_a_feature():
    assert [a_feature(update) for update in (td, tdc, gtd2, tdrc)] == [3, 6, 6, 7]


@pytest.mark.parametrize(("learner", "count"), [("td", 3), ("tdc", 6), ("gtd2", 6), ("tdrc", 7)])
def test_the_terms_give_the_same_counts(learner, count):
    (step,) = judged(Costs((learner,), 1, "td")).steps
    assert f"{learner}: {count} a feature" in step.text


@pytest.mark.parametrize("wrong", [Costs(("tdc",), 3, "td"), Costs(("tdrc",), 2, "td"), Costs(("td",), 2, "td")])
def test_another_factor_or_learner_fails(wrong):
    assert judged(wrong).status.value == "fails"


def test_features_and_states_are_those_of_the_papers_problems():
    counts = {
        "random-walk-tabular": (5, 5),
        "random-walk-inverted": (5, 5),
        "random-walk-dependent": (3, 5),
        "boyan": (4, 13),
        "baird": (8, 7),
    }
    for name, (features, states) in counts.items():
        judgement = judged(on(name, Plain("few-features")))
        assert judgement.steps[0].text == f"{features} features, {states} states"
        assert (judgement.status.value == "holds") is (features < states)


@pytest.mark.parametrize(
    "fact", [BY_NAME["background.few-features"], BY_NAME["background.double-cost"]], ids=lambda fact: fact.id
)
def test_the_statements_come_out_as_expected(fact):
    corrected = None if fact.corrected is None else judged(fact.corrected).status.value
    assert (judged(fact.printed).status.value, corrected) == fact.claim.expected
    assert judged(fact.printed).proof.value == "exact"

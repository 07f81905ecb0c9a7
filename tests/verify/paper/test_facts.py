"""The claims in words: each comes out as expected, and its problems are checked again by code of this file alone."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from verify.paper.facts import FACTS, FAMILIES


@pytest.fixture(scope="module")
def judged():
    return {fact.id: (fact.examine(), None if fact.confirm is None else fact.confirm()) for fact in FACTS}


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.id)
def test_every_fact_comes_out_as_the_registry_expects(fact, judged):
    printed, corrected = judged[fact.id]
    assert (printed.status.value, corrected and corrected.status.value) == fact.expected
    assert printed.proof.value in ("exact", "enclosed") or "reproduces the published tables" in said(fact, printed)


def said(fact, judgement):
    return " ".join([fact.printed, *(f"{step.reason} {step.text}" for step in judgement.steps)])


def test_nothing_is_said_in_the_language_of_the_program(judged):
    for fact in FACTS:
        for judgement in judged[fact.id]:
            if judgement is not None:
                shown = f"{said(fact, judgement)} {fact.corrected} {fact.remark}"
                assert not re.search(r"Fraction\(|\w+\.\w+\(|Matrix\(|<[a-z]|\bTrue\b|\bFalse\b|\[\(", shown), fact.id


def test_what_is_read_word_for_word_says_what_is_true_or_how_it_was_meant():
    for fact in FACTS:
        assert fact.corrected or fact.remark or not (fact.erratum or "").startswith("R"), fact.id


def test_what_fails_has_a_witness_and_what_holds_has_steps(judged):
    for printed, corrected in judged.values():
        for judgement in (printed, corrected):
            if judgement is not None:
                assert judgement.steps
                assert (judgement.witness is not None) == (judgement.status.value == "fails")


def test_every_fact_is_registered_once():
    assert len({fact.id for fact in FACTS}) == len(FACTS) == sum(len(family.FACTS) for family in FAMILIES)


def expected_G(witness, algorithm, beta, eta):
    """Return G of an algorithm by its expected step from every unit vector, straight from the witness's numbers."""
    X = [[Fraction(v) for v in row] for row in witness["features"]]
    gamma, k = Fraction(witness["gamma"]), len(X[0])

    def dot(a, b):
        return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))

    def mean_step(h, w):
        total = [Fraction(0)] * (2 * k)
        for s, a, t, p, _ in witness["transitions"]:
            b = Fraction(witness["behaviour"][s][a])
            if not b:
                continue
            mass, rho = Fraction(witness["d"][s]) * b * Fraction(p), Fraction(witness["target"][s][a]) / b
            x, y = X[s], X[t] if t >= 0 else [Fraction(0)] * k
            delta = gamma * dot(w, y) - dot(w, x)  # the reward is part of g
            guess = dot(h, x)
            if algorithm in ("td", "vtrace"):
                dh, ratio = [Fraction(0)] * k, min(rho, Fraction(1)) if algorithm == "vtrace" else rho
                dw = [ratio * delta * u for u in x]
            elif algorithm == "htd":
                dh = [rho * delta * u - guess * (u - gamma * v) for u, v in zip(x, y, strict=True)]
                dw = [rho * delta * u + (rho - 1) * guess * (u - gamma * v) for u, v in zip(x, y, strict=True)]
            else:
                shrink = beta if algorithm == "tdrc" else Fraction(0)
                dh = [rho * delta * u - guess * u - shrink * c for u, c in zip(x, h, strict=True)]
                dw = [rho * delta * u - rho * gamma * guess * v for u, v in zip(x, y, strict=True)]
            for i, v in enumerate([eta * v for v in dh] + dw):
                total[i] += mass * v
        return total

    columns = []
    for i in range(2 * k):
        unit = [Fraction(int(i == j)) for j in range(2 * k)]
        columns.append(mean_step(unit[:k], unit[k:]))
    return np.array([[float(v) for v in column] for column in columns]).T


WITNESSES = {
    "text.inherits-soundness": [("td", 0, 1, "unstable"), ("tdc", 0, 1, "stable"), ("tdrc", 1, 1, "unstable")],
    "text.convergent-where-TD-is": [
        ("td", 0, 1, "stable"),
        ("tdc", 0, 1, "stable"),
        ("tdrc", 1, 1, "unstable"),
        ("tdrc", 1, "1/100", "stable"),
    ],
    "text.eta-above-1": [("tdc", 0, "1/4", "stable"), ("tdc", 0, "1/8", "unstable")],
    "text.eta-from-1-on": [("tdc", 0, 1, "unstable"), ("tdc", 0, "9/5", "unstable"), ("tdc", 0, "19/10", "stable")],
    "text.beta-removes-eta": [("tdc", 0, 2, "stable"), ("tdrc", 1, 2, "unstable"), ("tdrc", 1, 64, "unstable")],
    "text.smaller-beta": [("tdrc", 1, 1, "marginal"), ("tdrc", "9/10", 1, "marginal")],
    "text.singular-C-not-for-TDC": [
        ("tdc", 0, 1, "marginal"),
        ("tdc", 0, "1/7", "marginal"),
        ("tdc", 0, "1/8", "unstable"),
    ],
    "text.htd-ensures-convergence": [("htd", 0, 1, "unstable"), ("td", 0, 1, "unstable"), ("vtrace", 0, 1, "unstable")],
}


@pytest.mark.parametrize("identifier", WITNESSES)
def test_the_problem_of_a_refutation_does_what_is_said(identifier, judged):
    witness = judged[identifier][0].witness
    for algorithm, beta, eta, does in WITNESSES[identifier]:
        G = expected_G(witness, algorithm, Fraction(beta), Fraction(eta))
        k = len(G) // 2
        roots = np.linalg.eigvals(G[k:, k:] if algorithm in ("td", "vtrace") else G).real
        moving = roots[np.abs(roots) > 1e-6]
        assert (moving.max() > 1e-4) == (does == "unstable"), (algorithm, beta, eta)
        assert (len(moving) < len(roots)) == (does == "marginal") or does == "unstable"


def test_the_weights_of_the_skewed_problem_are_those_of_its_behaviour(judged):
    witness = judged["text.convergent-where-TD-is"][0].witness
    d = [Fraction(v) for v in witness["d"]]
    arriving = [Fraction(0)] * 3
    for s, a, t, p, _ in witness["transitions"]:
        arriving[t] += d[s] * Fraction(witness["behaviour"][s][a]) * Fraction(p)
    assert arriving == d
    assert sum(d) == 1

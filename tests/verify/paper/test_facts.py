"""The claims in words: each as expected, as strong as it is known, and its problems checked again here."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from fractions import Fraction

import numpy as np
import pytest
from claim_facts import FACTS

from tdrc_theory.formula.expression import Expr
from tdrc_theory.papers.claim import Places
from verify.check import Proof
from verify.paper.facts.cells import OfCells
from verify.paper.facts.content import Argument, sentence
from verify.paper.facts.content import judged as judgement_of

LONG = ("text.smaller-beta", "text.baird-needs-a-large-eta", "text.eta-from-1-on")  # many regions each
TREES = [
    pytest.param(statement, id=f"{fact.id}-{which}", marks=pytest.mark.thorough if fact.id in LONG else [])
    for fact in FACTS
    for which, statement in (("printed", fact.printed), ("corrected", fact.corrected))
    if statement is not None and not isinstance(statement, Expr | Argument | Places)
]


@pytest.fixture(scope="module")
def judged():
    return {
        fact.id: (judgement_of(fact.printed), None if fact.corrected is None else judgement_of(fact.corrected))
        for fact in FACTS
    }


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.id)
def test_every_fact_comes_out_as_the_registry_expects(fact, judged):
    printed, corrected = judged[fact.id]
    assert (printed.status.value, corrected and corrected.status.value) == fact.claim.expected


def rests_on_runs(statement):
    """Return whether published means are somewhere in a statement, or in an argument's lemmas."""
    if isinstance(statement, OfCells):
        return True
    inside = (
        statement
        if isinstance(statement, tuple)
        else [getattr(statement, f.name) for f in fields(statement)]
        if is_dataclass(statement)
        else []
    )
    return any(map(rests_on_runs, inside))


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.id)
def test_no_sentence_is_shown_stronger_than_what_it_was_made_from(fact, judged):
    for statement, each in zip((fact.printed, fact.corrected), judged[fact.id], strict=True):
        if isinstance(statement, Places):
            assert each.proof is None
        elif statement is not None and rests_on_runs(statement):
            assert each.proof is Proof.SAMPLED
        elif isinstance(statement, Argument):
            assert each.proof is Proof.ARGUED
        elif statement is not None:
            assert each.proof in (Proof.EXACT, Proof.ENCLOSED)


@pytest.mark.parametrize("statement", TREES)
def test_the_other_code_finds_nothing_else_where_it_can_tell(statement):
    assert statement.recheck({}) in (statement.truth({}).value, None)


def shown(statement, judgement):
    return " ".join([sentence(statement), *(f"{step.reason} {step.text}" for step in judgement.steps)])


def test_nothing_is_said_in_the_language_of_the_program(judged):
    for fact in FACTS:
        for statement, judgement in zip((fact.printed, fact.corrected), judged[fact.id], strict=True):
            if judgement is not None:
                written = f"{shown(statement, judgement)} {fact.claim.remark}"
                assert not re.search(r"Fraction\(|\w+\.\w+\(|Matrix\(|<[a-z]|\bTrue\b|\bFalse\b|\[\(", written), fact.id


def test_what_is_read_word_for_word_says_what_is_true_or_how_it_was_meant():
    for fact in FACTS:
        assert fact.corrected or fact.claim.remark or not (fact.claim.erratum or "").startswith("R"), fact.id


def test_what_fails_has_a_witness_or_an_argument_and_what_holds_has_steps(judged):
    for fact in FACTS:
        for statement, judgement in zip((fact.printed, fact.corrected), judged[fact.id], strict=True):
            if judgement is not None:
                assert judgement.steps
                refuted = judgement.status.value == "fails" and not isinstance(statement, Argument)
                assert (judgement.witness is not None) == refuted, fact.id


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


@pytest.mark.quick(2)
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

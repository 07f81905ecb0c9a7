"""Second moments by the proof assistant: against an exact recursion by hand, and what is refused or not accepted."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction

import pytest

from tdrc_theory.errors import BadOption, MissingExtra
from tdrc_theory.proofs.coq import compiled_checker, coq_output, coq_version
from verify.kernel.second_moments import contraction, moments_theorem, proven_moments
from verify.kernel.verdicts import HEADER, answers_on
from verify.predict import limits, predict
from verify.predict.__main__ import PROG, main
from verify.predict.prediction import prepared

ALPHA = Fraction(1, 5)
GAMMA = Fraction(99, 100)
TWO_STATES = [(Fraction(1, 2), 1, 2), (Fraction(1, 2), 2, 2)]
"""Probability, feature and next feature of each step of the two-state problem, on which every reward is 0."""


@pytest.fixture
def with_coq():
    try:
        coq_version()
    except MissingExtra as missing:
        pytest.skip(f"Coq is not asked: {missing}")


@pytest.fixture
def ask(asker, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return asker(main, PROG)


def times(a, b):
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def turned(a):
    return [list(row) for row in zip(*a, strict=True)]


def tdc_steps(alpha):
    """Return the probability of each step, and TDC's update of (h, w) on it as a matrix, by hand."""
    for p, x, x_next in TWO_STATES:
        delta = [0, GAMMA * x_next - x]
        dh = [delta[0] * x - x * x, delta[1] * x]
        dw = [delta[0] * x - GAMMA * x_next * x, delta[1] * x]
        yield p, [[1 + alpha * dh[0], alpha * dh[1]], [alpha * dw[0], 1 + alpha * dw[1]]]


def two_states():
    return prepared("two-state", "tdc", sampling="iid")


def falls_by(alpha, P, rate):
    """Return rate P minus the mean of M^T P M, exactly."""
    ahead = [times(times(turned(M), P), M) for _, M in tdc_steps(alpha)]
    shares = [p for p, _ in tdc_steps(alpha)]
    return [
        [rate * P[i][j] - sum(p * A[i][j] for p, A in zip(shares, ahead, strict=True)) for j in range(2)]
        for i in range(2)
    ]


def test_the_form_falls_along_an_exact_recursion_by_hand_which_is_the_predicted_one():
    result = contraction(two_states(), ALPHA)
    recorded = predict("two-state", "tdc", alpha=ALPHA, steps=20, sampling="iid", covariances=True)
    moments = [[Fraction(0), Fraction(0)], [Fraction(0), recorded.problem.initial_weights[0] ** 2]]
    start = sum(result.P[i][j] * moments[i][j] for i in range(2) for j in range(2))
    assert start > 0
    for n in range(21):
        mean, spread = recorded.mean_weights[n, 0], recorded.covariance[n, 0, 0]
        assert float(moments[1][1]) == pytest.approx(spread + mean**2, rel=1e-12)
        size = sum(result.P[i][j] * moments[i][j] for i in range(2) for j in range(2))
        assert moments[0][0] + moments[1][1] <= size <= result.rate**n * start
        stepped = [(p, times(times(M, moments), turned(M))) for p, M in tdc_steps(ALPHA)]
        moments = [[sum(p * S[i][j] for p, S in stepped) for j in range(2)] for i in range(2)]


LIMITS = {
    ("two-state", "tdc"): "0.41966098",
    ("random-walk-dependent", "td"): "1.48590959",
    ("baird", "tdrc"): "0.034864345",
}
"""Step sizes just below the limits: where all directions move, with square roots, and in a subspace."""


@pytest.mark.parametrize("setting", LIMITS)
def test_a_form_is_found_at_small_shares_of_the_limit_and_at_nearly_all_of_it(setting):
    recursion = prepared(*setting, sampling="iid")
    for share in (Fraction(1, 1000), Fraction(9999, 10000)):
        assert 0 < contraction(recursion, share * Fraction(LIMITS[setting])).rate < 1


def test_a_step_size_above_the_limit_is_refused_with_the_limit():
    result, limit = two_states(), limits("two-state", "tdc").mean_square
    with pytest.raises(BadOption, match=r"alpha = 1/2 is not below the mean-square limit 0.41966099 \(exact\)$"):
        proven_moments(result, Fraction(1, 2), limit)
    unstable, none = prepared("two-state", "td", sampling="iid"), limits("two-state", "td").mean_square
    with pytest.raises(BadOption, match="no step size keeps second moments bounded: at every step size"):
        proven_moments(unstable, ALPHA, none)
    with pytest.raises(BadOption, match=r"no form that falls in the mean was found at alpha = 1/2$"):
        contraction(result, Fraction(1, 2))


REFUSED = {
    "independent samples; add --sampling iid": ["baird"],
    "weights are copied (target <- w every 4 updates)": [
        *("baird", "--algorithm", "td-target", "--sampling", "iid"),
        *("--copy", "target=w", "--period", "4"),
    ],
    "past what Coq computes with": ["boyan", "--sampling", "iid"],
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_the_theorem_does_not_speak_of_is_refused_in_one_line(reason, ask, monkeypatch, tmp_path):
    monkeypatch.setattr("verify.kernel.second_moments.MOST_PRODUCTS", 1000)
    status, out, err = ask(*REFUSED[reason], "--steps", "10", "--coq-file", "kept.v")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{PROG}: error: --prove: " in err
    assert reason in err
    assert list(tmp_path.iterdir()) == []


def test_without_coq_one_line_says_what_to_install(ask, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    status, out, err = ask("two-state", "--algorithm", "tdc", "--steps", "10", "--prove")
    assert (status, out) == (2, "")
    assert err.startswith(f"{PROG}: error: Coq is not installed; on Debian: apt-get install ")


@pytest.mark.slow
def test_the_command_says_what_coq_accepted_and_keeps_the_file(ask, with_coq, tmp_path):
    asked = ("two-state", "--algorithm", "tdc", "--alpha", "1/5", "--steps", "10")
    status, out, _ = ask(*asked, "--coq-file", "kept.v")
    assert status == 0
    assert out.startswith(
        "Errors of tdc on two-state stay bounded at alpha = 1/5 (kernel), below the mean-square limit"
    )
    assert "\nsecond moments (kernel): at alpha = 1/5 the second moments are bounded from every start, " in out
    assert (tmp_path / "kept.v").read_text(encoding="utf-8").startswith(HEADER)
    answer = json.loads(ask(*asked, "--prove", "--json")[1])["second_moments"]
    assert (answer["status"], answer["proof"], answer["evidence"]["axioms"]) == ("holds", "kernel", "none")


@pytest.mark.slow
def test_second_moments_are_accepted_without_axioms_in_a_subspace_and_with_rewards(with_coq):
    settings = [
        ("baird", "tdrc", "1/64"),
        ("random-walk-inverted", "td", "1/2"),
        ("five-state", "residual-gradient", "1/16"),
    ]
    stated = [lambda s=s: moments_theorem(prepared(*s[:2], sampling="iid"), Fraction(s[2])) for s in settings]
    assert [answer.accepted for answer in answers_on(stated, lambda _: None)] == [True] * len(settings)


LIES = {
    "a larger step size": ("the_step_size", "5", "2"),
    "a faster rate": ("the_rate", "224", "112"),
    "another probability": ("the_table", "(ints [:: 1; 1])\n", "(ints [:: 1; 2])\n"),
    "another discount": ("the_table", "99", "89"),
    "another rule": ("the_learner", "Opposite", ""),
    "a learner with memory": ("the_learner", "[::])", "[:: (false, Number 0)])"),
    "directions in which nothing moves": ("the_contraction", "[:: 0; 1]", "[:: 0; 0]"),
}


def altered(text, part, old, new):
    before, definition, after = re.split(rf"(Definition {part} .*?\.\n)", text, maxsplit=1, flags=re.DOTALL)
    changed = definition.replace(old, new)
    assert changed != definition
    return before + changed + after


@pytest.mark.slow
def test_a_theorem_of_another_table_rule_or_step_size_is_not_accepted(with_coq):
    text = moments_theorem(two_states(), ALPHA)
    stated = [lambda lie=lie: altered(text, *lie) for lie in LIES.values()]
    answers = answers_on([*stated, lambda: text], lambda _: None)
    assert [answer.accepted for answer in answers] == [False] * len(LIES) + [True]


def holds(alpha, rate, P, of_form, of_fall):
    """Return whether numbers prove the theorem, by exact arithmetic and the update by hand."""
    one = [[P[i][j] - (i == j) for j in range(2)] for i in range(2)]
    symmetric = P[0][1] == P[1][0]
    dominated = [
        2 * row[i] > sum(map(abs, row))
        for W, S in ((of_form, one), (of_fall, falls_by(alpha, P, rate)))
        for i, row in enumerate(times(times(W, S), turned(W)))
    ]
    return symmetric and 0 < rate < 1 and all(dominated)


def tampered(result, rng):
    alpha, rate, matrices = (
        ALPHA,
        result.rate,
        [[list(row) for row in m] for m in (result.P, result.of_form, result.of_fall)],
    )
    kind = rng.randrange(5)
    if kind == 0:
        alpha = ALPHA * Fraction(rng.randint(1, 40), 16)
    elif kind == 1:
        rate = Fraction(rng.randint(-10, 1000), 900)
    else:
        row = rng.choice(matrices[kind - 2])
        row[rng.randrange(2)] = rng.choice([0, 1, -1, row[0] + 1, -row[1], 2 * row[0], row[0] + row[0] // 50])
    return alpha, rate, *matrices


@pytest.mark.slow
def test_coq_accepts_tampered_numbers_where_exact_arithmetic_does_and_nowhere_else(with_coq, monkeypatch):
    result, rng = contraction(two_states(), ALPHA), random.Random(19)
    each = [(ALPHA, *result), *(tampered(result, rng) for _ in range(300))]
    texts = []
    for alpha, rate, P, of_form, of_fall in each:
        outcome = result._replace(rate=rate, P=P, of_form=of_form, of_fall=of_fall)
        monkeypatch.setattr("verify.kernel.second_moments.contraction", lambda *_, outcome=outcome: outcome)
        definitions = moments_theorem(two_states(), alpha).partition("Theorem")[0]
        names = "the_learner the_table the_step_size the_rate 2 2 the_contraction"
        texts.append(
            f"Module M{len(texts)}.\n{definitions}Definition answer := contracts {names}.\nEnd M{len(texts)}.\n"
        )
    asked = "; ".join(f"M{i}.answer" for i in range(len(texts)))
    with compiled_checker() as checker:
        printed = coq_output(checker, "\n".join([HEADER, *texts, f"Eval vm_compute in [:: {asked}].\n"]))
    answers = [word == "true" for word in re.findall(r"\b(true|false)\b", printed)]
    assert answers == [holds(*numbers) for numbers in each]
    assert answers[0]
    assert 100 < answers.count(False) < len(each) - 20

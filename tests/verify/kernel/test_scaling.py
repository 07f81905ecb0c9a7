"""How learners scale, by the proof assistant: each theorem is about the rule of the learner's own function."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadOption, MissingExtra
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Text
from tdrc_theory.proofs import coq
from tdrc_theory.proofs.coq import read_sources, theorems
from verify.kernel.scaling import HEADER, Family, comparisons_theorem, steps_theorem
from verify.paper.kernel import FILE, scaling_source

REWARDS = {"R": 1, "w": 1}
FEATURES = {"x": 1, "w": -1, "beta": 2, "alpha": -2}
CLAIM = find_paper().claim("scaling.rewards")


def shifted(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x + x, (rho * delta - delta_hat) * x


def unscaled(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x, (rho * delta - delta_hat) * x - h


def squared(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x * x, 0


def family(direction, powers):
    return Family((find_algorithm("td"), Algorithm(direction.__name__, direction)), powers)


def learners():
    return tuple(map(find_algorithm, ("td", "tdc", "gtd2", "htd", "vtrace", "tdrc", "tdc++")))


ACCEPTED = {
    "features": steps_theorem("features", Family(learners(), FEATURES), -1),
    "rewards": steps_theorem("rewards", Family(learners(), REWARDS), 1),
    "comparisons": comparisons_theorem("comparisons", Family(learners(), REWARDS)),
    "unscaled_by_rewards": steps_theorem("unscaled_by_rewards", family(unscaled, REWARDS), 1),
    "shifted_by_features": steps_theorem("shifted_by_features", family(shifted, {"x": 1, "w": -1, "alpha": -2}), -1),
}
REJECTED = {
    "another_power_of_beta": steps_theorem("another_power_of_beta", Family(learners(), FEATURES | {"beta": 1}), -1),
    "another_power_of_steps": steps_theorem("another_power_of_steps", Family(learners(), FEATURES), 1),
    "shifted_by_rewards": steps_theorem("shifted_by_rewards", family(shifted, REWARDS), 1),
    "shifted_comparisons": comparisons_theorem("shifted_comparisons", family(shifted, REWARDS)),
    "unscaled_by_features": steps_theorem("unscaled_by_features", family(unscaled, FEATURES), -1),
    "squared_by_features": steps_theorem("squared_by_features", family(squared, FEATURES), -1),
}


@pytest.mark.slow
def test_coq_accepts_what_scales_and_nothing_else():
    try:
        coq.coq_version()
    except MissingExtra as missing:
        pytest.skip(f"Coq is not asked: {missing}")
    every, needed, waiting = read_sources(), set(), ["scaling.v"]
    while waiting:
        file = waiting.pop()
        needed.add(file)
        waiting += coq.required(every[file]) - needed
    sources = {file: every[file] for file in needed}
    sources["accepted.v"] = "\n".join([HEADER, *ACCEPTED.values()])
    sources |= {f"{name}.v": f"{HEADER}\n{text}" for name, text in REJECTED.items()}
    answers = {answer.theorem.name: answer.accepted for answer in coq.check_proofs(sources)}
    assert {name: answers[name] for name in ACCEPTED} == dict.fromkeys(ACCEPTED, True)
    assert {name: answers[name] for name in REJECTED} == dict.fromkeys(REJECTED, False)


def test_the_theorems_of_the_claim_are_written_from_its_statement_and_the_functions():
    stated = {each.name: each.statement for each in theorems({FILE: scaling_source()})}
    assert stated.keys() == {CLAIM.theorem, CLAIM.refutation}
    assert steps_theorem(CLAIM.theorem, Family(learners(), FEATURES), -1) in scaling_source()
    assert comparisons_theorem(CLAIM.refutation, Family(learners(), REWARDS)) in scaling_source()


def test_another_statement_or_another_rule_is_another_theorem(monkeypatch):
    before = scaling_source()
    tdrc = find_algorithm("tdrc")
    altered = replace(tdrc, direction=unscaled)
    find = "verify.paper.kernel.find_algorithm"
    with monkeypatch.context() as patched:
        patched.setattr(find, lambda name: altered if name == "tdrc" else find_algorithm(name))
        assert scaling_source() != before
    paper = find_paper()
    claim = replace(CLAIM, corrected=Text(CLAIM.corrected.text.replace("beta=2", "beta=1")))
    other = replace(paper, claims=tuple(claim if each.id == CLAIM.id else each for each in paper.claims))
    monkeypatch.setattr("verify.paper.kernel.find_paper", lambda name: other if name == "tdrc" else find_paper(name))
    assert scaling_source() != before


def test_what_is_not_translated_is_refused_in_one_line():
    with pytest.raises(BadOption, match=r"^--prove: td-lambda has memory, and how it scales is not translated to Coq$"):
        steps_theorem("traced", Family((find_algorithm("td-lambda"),), REWARDS), 1)
    with pytest.raises(BadOption, match=r"^--prove: comparisons are stated of rewards times c alone$"):
        comparisons_theorem("compared", Family(learners(), FEATURES))

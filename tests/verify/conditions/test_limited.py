"""What the command on conditions prints at its time limit: the contract's object, undecided."""

from __future__ import annotations

import json
from argparse import Namespace

import pytest

from tdrc_theory import find_algorithm, find_problem
from tdrc_theory.errors import BadOption
from verify.conditions.terminal import undecided_at_limit


def options(**others):
    return Namespace(**({"beta": None, "eta": None, "set": [], "limit_seconds": 1.5, "json": True} | others))


def test_the_answer_at_the_limit_has_the_keys_of_every_other_and_decides_nothing():
    answer = json.loads(undecided_at_limit(find_problem("baird"), find_algorithm("tdrc"), options()))
    assert {"problem", "algorithm", "ranks", "matrices", "bounds", "checks", "verdict"} <= answer.keys()
    assert answer["verdict"]["status"] == "undecided"
    assert answer["verdict"]["proof"] is None  # nothing was computed that has a kind
    assert answer["verdict"]["reason"] == "not decided within 1.5 s (--limit-seconds)"
    assert answer["problem"]["states"] == 7
    assert answer["algorithm"]["beta"] == "1"


def test_as_text_it_opens_with_a_sentence_and_shows_the_setting():
    text = undecided_at_limit(find_problem("baird"), find_algorithm("tdrc"), options(json=False, beta=2))
    assert text.startswith("It is undecided whether the expected update of tdrc on baird converges")
    assert "undecided: tdrc, beta = 2, eta = 1 on baird" in text


def test_a_parameter_out_of_range_is_refused_before_the_limit():
    with pytest.raises(BadOption, match="beta"):
        undecided_at_limit(find_problem("baird"), find_algorithm("tdrc"), options(beta=-1))

"""The working precision is one for the whole process, and no thread's answer depends on what another does with it."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import flint
import pytest

from tdrc_theory.exact.number import DEFAULT, precision
from verify import check_conditions
from verify.region import region

ANSWERS = (
    lambda: check_conditions("two-state", "htd").to_json(),
    lambda: check_conditions("baird").to_json(),
    lambda: check_conditions("random-walk-dependent", "td").to_json(),
    lambda: region("two-state", eta=1).to_json(),
)


@pytest.fixture
def ambient():
    before = flint.ctx.prec
    yield
    flint.ctx.prec = before


def answered(answer):
    return json.dumps(answer())


def test_answers_in_threads_have_the_same_digits_as_one_after_another():
    expected = [answered(answer) for answer in ANSWERS]
    before, interval = flint.ctx.prec, sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            result = list(pool.map(answered, ANSWERS * 2))
    finally:
        sys.setswitchinterval(interval)
    assert result == expected * 2
    assert flint.ctx.prec == before


@pytest.mark.parametrize("bits", [30, 200])
def test_answers_do_not_depend_on_the_precision_that_a_program_has_set(ambient, bits):
    expected = [answered(answer) for answer in ANSWERS]
    flint.ctx.prec = bits
    assert [answered(answer) for answer in ANSWERS] == expected
    assert flint.ctx.prec == bits


def test_a_block_that_asks_for_nothing_keeps_that_around_it(ambient):
    flint.ctx.prec = 77
    with precision():
        assert flint.ctx.prec == DEFAULT
        with precision(300), precision():
            assert flint.ctx.prec == 300
    assert flint.ctx.prec == 77

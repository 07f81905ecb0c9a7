from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest

from tdrc_theory.cli.workers import as_completed, worker_count
from tdrc_theory.errors import BadOption


def test_every_task_comes_back_once_with_its_own_result_and_few_are_out_at_once():
    given_out, seen = [], {}
    with ThreadPoolExecutor(3) as pool:

        def submit(number):
            given_out.append(number)
            assert len(given_out) - len(seen) <= 5
            return pool.submit(pow, number, 2)

        for number, square in as_completed(range(40), submit, 5):
            assert number not in seen
            seen[number] = square
    assert seen == {number: number**2 for number in range(40)}
    assert given_out == list(range(40))


def test_what_is_done_first_comes_first():
    slow = Event()
    with ThreadPoolExecutor(2) as pool:
        result = as_completed(["slow", "quick"], lambda name: pool.submit(slow.wait if name == "slow" else str), 2)
        assert next(result)[0] == "quick"
        slow.set()
        assert next(result) == ("slow", True)


def test_an_error_is_raised_and_what_has_not_begun_is_cancelled():
    futures = {"bad": Future(), "other": Future()}
    futures["bad"].set_exception(ValueError("no"))
    with pytest.raises(ValueError, match="no"):
        next(as_completed(futures, futures.get, 2))
    assert futures["other"].cancelled()


@pytest.mark.parametrize("workers", [0, -1, 1025])
def test_a_number_of_workers_that_makes_no_sense_is_refused(workers):
    with pytest.raises(BadOption, match=f"--workers: {workers} is not from 1 to 1024"):
        worker_count(workers)


def test_workers_are_as_many_as_asked_for_and_at_least_one_by_default():
    assert worker_count(7) == 7
    assert worker_count(None) >= 1

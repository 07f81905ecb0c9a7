"""The replayed experience, against NumPy's legacy generator and the dynamics written out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import legacy_stream
from simulate.legacy_stream import LegacyStream
from tdrc_theory.problems import find_problem


def walk_step(generator, s, a):
    arrived = s + (1 if a else -1)
    return (arrived, 0.0) if 0 <= arrived <= 4 else (5, 1.0 if a else -1.0)


def boyan_step(generator, s, a):
    arrived = s + (2 if a and s <= 10 else 1)
    return (arrived, -3.0) if s < 12 else (13, -2.0)


def baird_step(generator, s, a):
    return (6 if a else int(generator.randint(6))), 0.0


DYNAMICS = {
    "random-walk-tabular": (walk_step, 2, 0.5, (0.4 / 0.5, 0.6 / 0.5), 5),
    "boyan": (boyan_step, 0, 0.5, (1.0, 1.0), 13),
    "baird": (baird_step, 6, 6 / 7, (0.0, 7.0), 7),
}


@pytest.mark.parametrize("name", DYNAMICS)
@pytest.mark.parametrize("run", [0, 1, 199])
def test_a_run_is_what_the_legacy_generator_gives(name, run):
    step, start, left, rho, end = DYNAMICS[name]
    generator = np.random.RandomState(run)
    s, a = start, int(generator.random_sample() >= left)
    got = LegacyStream(find_problem(name), 700)(run)
    assert len(got.s) == 700
    for t in range(700):
        s_next, reward = step(generator, s, a)
        assert (got.s[t], got.s_next[t], got.reward[t]) == (s, s_next, reward)
        assert got.rho[t] == pytest.approx(rho[a], rel=1e-15)
        s, a = (start if s_next == end else s_next), int(generator.random_sample() >= left)


@pytest.mark.parametrize("features", ["inverted", "dependent"])
def test_features_do_not_change_the_experience(features):
    one, other = (LegacyStream(find_problem(f"random-walk-{f}"), 100)(5) for f in ("tabular", features))
    assert all((a == b).all() for a, b in zip(one[:4], other[:4], strict=True))


def test_too_few_words_are_made_more_and_change_nothing(monkeypatch):
    stream = LegacyStream(find_problem("baird"), 500)
    before = stream(3)
    for words in (1, 2, 3):
        monkeypatch.setattr(legacy_stream, "_WORDS_A_STEP", words)
        assert all((a == b).all() for a, b in zip(before[:4], stream(3)[:4], strict=True))


def test_the_first_numbers_are_those_that_numpy_printed_in_its_documentation():
    # RandomState(0).random_sample() is 0.5488135 in any version: the walk goes right first.
    assert LegacyStream(find_problem("random-walk-tabular"), 1)(0).s_next[0] == 3


def test_another_number_of_steps_has_another_key():
    problem = find_problem("boyan")
    assert LegacyStream(problem, 10).key != LegacyStream(problem, 11).key

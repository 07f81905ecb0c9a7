from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from simulate.control import conclusions
from simulate.control.conclusions import Size
from simulate.control.linear.agent import find_agent
from simulate.control.linear.learner import Learned, learn
from simulate.control.linear.settings import linear_settings
from simulate.control.linear.steps_to_goal import steps_to_goal
from simulate.control.linear.study import STEP_SIZES, StepSizeStudy, study
from simulate.control.statements.linear import LINEAR, LinearEvidence

RUNS, STEPS, EVERY = 12, 2000, 100
BY_KEY = {one.key: one for one in LINEAR}
SETTINGS = linear_settings(find_agent("qrc"), alpha=Fraction(1, 4), steps=STEPS, every=EVERY)


def learned(early, late, correction=(1.0, 1.0), direction=1.0):
    """Runs whose episodes take so many steps in each half, with some noise; sizes at the beginning and at the end."""
    generator = np.random.default_rng(1)
    steps = [np.repeat([early, late], [1000 // early, 1000 // late]) for _ in range(RUNS)]
    steps = [run + generator.integers(-1, 2, size=len(run)) for run in steps]
    points = STEPS // EVERY
    sizes = np.linspace(*correction, points) * np.ones((RUNS, 1))
    ones = np.ones((RUNS, points))
    return Learned(
        settings=SETTINGS,
        seed=0,
        runs=range(RUNS),
        steps=tuple(steps),
        returns=tuple(-run for run in steps),
        ends=tuple(np.cumsum(run) for run in steps),
        last_steps=np.array([STEPS - run.sum() for run in steps]),
        last_returns=np.array([run.sum() - STEPS for run in steps], np.float64),
        diverged=np.full(RUNS, -1),
        updates=np.arange(1, points + 1) * EVERY,
        h_norm=sizes,
        correction_norm=sizes,
        error_norm=ones,
        direction_norm=direction * ones,
        largest_value=ones,
        peak_value=ones,
    )


def evidence(**other):
    fine = learned(50, 20)
    given = {"td": fine, "tdc": fine, "tdrc": fine, **other}
    return LinearEvidence(*(StepSizeStudy({Fraction(1, 4): one}, one) for one in given.values()))


TURNED = {
    "linear-tdc-fails": ({"tdc": learned(50, 100)}, {"tdc": learned(50, 25)}),
    "linear-tdrc-matches-td": ({"tdrc": learned(52, 20)}, {"tdrc": learned(100, 50)}),
    "linear-tdc-quick-at-first": ({"tdc": learned(50, 100)}, {"tdc": learned(100, 20)}),
    "linear-correction-explodes": ({"tdc": learned(50, 20, (0.1, 2))}, {"tdc": learned(50, 20, (1, 2))}),
    "linear-correction-swells-direction": (
        {"tdc": learned(50, 20, direction=3)},
        {"tdc": learned(50, 20, direction=0.2)},
    ),
    "linear-tdrc-contains-correction": ({"tdrc": learned(50, 20, (1, 0.2))}, {"tdrc": learned(50, 20, (1, 4))}),
}


@pytest.mark.parametrize("key", BY_KEY)
def test_each_statement_is_borne_out_or_not_by_what_came_out(key):
    for_it, against_it = (BY_KEY[key].judge(evidence(**given)) for given in TURNED[key])
    assert for_it.supported is True
    assert against_it.supported is False
    assert for_it.reason != against_it.reason


def test_what_runs_do_not_tell_apart_is_undecided():
    quick, slow = learned(50, 24), learned(50, 50)
    mixed = replace(
        quick,
        steps=quick.steps[::2] + slow.steps[::2],
        last_steps=np.append(quick.last_steps[::2], slow.last_steps[::2]),
    )
    found = BY_KEY["linear-tdc-fails"].judge(evidence(tdc=mixed))
    assert found.supported is None
    assert found.status == "undecided"


def test_steps_to_the_goal_are_those_of_the_episode_under_way():
    one = replace(
        learned(50, 20),
        steps=(np.array([150, 50, 300]), np.array([1000, 900]), np.array([450])),
        last_steps=np.array([1500, 100, 0]),
        diverged=np.array([-1, -1, 450]),
        runs=range(3),
    )
    curve = steps_to_goal(one)
    assert curve[0, :6].tolist() == [150, 50, 300, 300, 300, 1500]  # after 100, 200, ... updates
    assert curve[1, [9, 10, 18, 19]].tolist() == [1000, 900, 900, 900]  # and the last has just begun
    assert curve[2, [3, 4, 19]].tolist() == [450, 1000, 1000]  # as if what diverged lasted to the cut-off


def test_the_best_step_size_is_chosen_on_other_runs_than_those_that_judge_it():
    done = []
    settings = linear_settings(find_agent("qrc"), steps=2000, every=100, cutoff=400)
    found = study(settings, runs=3, seed=4, workers=1, progress=done.append)
    assert done == sorted(set(done))
    assert done[-1] == 3 * (len(STEP_SIZES) + 1)
    assert tuple(found.swept) == STEP_SIZES
    areas = {alpha: steps_to_goal(one).mean() for alpha, one in found.swept.items()}
    best = found.best.settings
    assert areas[best.alpha] == min(areas.values())
    again = learn(best, range(3, 6), seed=4)
    assert (again.largest_value == found.best.largest_value).all()
    assert found.area.shape == found.late.shape == (3,)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "limit", "runs", "steps"),
    [
        ("action values", "no time limit", 60, 50_000),
        ("action values", "at most 1000 steps", 60, 50_000),
        ("actor-critic", "at most 1000 steps", 30, 30_000),
    ],
)
def test_on_linear_mountain_car_tdc_fails_and_its_correction_does_not_explode(kind, limit, runs, steps, monkeypatch):
    monkeypatch.setattr(conclusions, "KINDS", {kind: conclusions.KINDS[kind]})
    monkeypatch.setattr(conclusions, "LIMITS", {limit: conclusions.LIMITS[limit]})
    (evidence,) = conclusions.linear_evidence(Size(runs, steps, 0, 0, thorough=False), seed=0, workers=None).values()
    found = {key: one.judge(evidence).supported for key, one in BY_KEY.items()}
    assert found["linear-tdc-fails"]
    assert found["linear-tdrc-contains-correction"]
    assert found["linear-tdc-quick-at-first"] is False
    assert found["linear-correction-explodes"] is False
    assert found["linear-correction-swells-direction"] is False

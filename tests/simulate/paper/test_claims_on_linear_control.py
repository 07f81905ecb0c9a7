from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from simulate.control.history import Learned, steps_to_goal, summaries
from simulate.control.linear.agent import find_agent, linear_settings
from simulate.control.linear.learner import learn
from simulate.paper.conclusions import claims_on_runs, printed
from simulate.paper.seen import linear_picture, numbers_from, see_linear
from simulate.paper.statement import judge
from simulate.store import Store
from simulate.sweep.experiment_file import load_variants
from tdrc_theory.evidence import Status
from tdrc_theory.papers import find_paper

RUNS, STEPS, EVERY = 12, 2000, 100
PAPER = find_paper("tdrc")
CLAIMS = {claim.id: claim for claim in claims_on_runs(PAPER) if claim.sweep == "linear-control"}
FILE = PAPER.folder / "experiments" / "linear-control.toml"
STEP_SIZES = tuple(Fraction(1, 2**power) for power in range(8, 0, -1))
"""The paper's grid."""
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
    arguments = {"td": fine, "tdc": fine, "tdrc": fine, **other}
    by_algorithm = dict(zip(("q-learning", "qc", "qrc"), arguments.values(), strict=True))
    return see_linear(
        next(iter(load_variants(FILE).values())),
        lambda asked: [summaries(by_algorithm[one.agent.name]) for one, _ in asked],
    )


def judged(key, runs):
    return judge(printed(CLAIMS[key]), runs, PAPER.definitions)


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


@pytest.mark.parametrize("key", CLAIMS)
def test_each_claim_is_borne_out_or_not_by_what_came_out(key):
    for_it, against_it = (judged(key, evidence(**value)) for value in TURNED[key])
    assert for_it.status is Status.HOLDS
    assert against_it.status is Status.FAILS
    assert for_it.steps != against_it.steps


def test_what_runs_do_not_tell_apart_is_undecided():
    quick, slow = learned(50, 24), learned(50, 50)
    mixed = replace(
        quick,
        steps=quick.steps[::2] + slow.steps[::2],
        ends=quick.ends[::2] + slow.ends[::2],
        last_steps=np.append(quick.last_steps[::2], slow.last_steps[::2]),
    )
    assert judged("linear-tdc-fails", evidence(tdc=mixed)).status is Status.UNDECIDED


def test_steps_to_the_goal_are_those_of_the_episode_under_way():
    one = replace(
        learned(50, 20),
        steps=(np.array([150, 50, 300]), np.array([1000, 900]), np.array([450])),
        ends=(np.array([150, 200, 500]), np.array([1000, 1900]), np.array([450])),
        last_steps=np.array([1500, 100, 0]),
        diverged=np.array([-1, -1, 450]),
        runs=range(3),
    )
    curve = steps_to_goal(one)
    assert curve[0, :6].tolist() == [150, 50, 300, 300, 300, 1500]  # after 100, 200, ... updates
    assert curve[1, [9, 10, 18, 19]].tolist() == [1000, 900, 900, 900]  # and the last has just begun
    assert curve[2, [3, 4, 19]].tolist() == [450, 1000, 1000]  # as if what diverged lasted to the cut-off


def test_an_agent_is_judged_and_drawn_at_the_step_size_that_is_best_on_other_runs():
    (one, *_) = load_variants(FILE).values()
    one = replace(one, runs=3, seed=4, places=(one.places[0]._replace(steps=2000),))
    (learners,) = one.learners
    with Store(None) as store:
        numbers = numbers_from(store, seed=4, workers=1)
        seen, picture = see_linear(one, numbers), linear_picture({"a title": one}, numbers, workers=1)
    grid = learners.configurations(learners.agents[1], one.places[0])
    areas = {each.alpha: steps_to_goal(learn(each, range(3), seed=4)).mean(axis=1) for each in grid}
    best = learn(min(grid, key=lambda each: areas[each.alpha].mean()), range(3, 6), seed=4)
    assert seen.functions["whole"]("tdc", "steps").tolist() == steps_to_goal(best).mean(axis=1).tolist()
    assert seen.functions["first"]("tdc", "correction").tolist() == best.correction_norm[:, 0].tolist()
    drawn, swept, shares = (panel.curves[1] for panel in picture.panels)
    assert drawn.y == steps_to_goal(best).mean(axis=0).tolist()
    assert dict(zip(swept.x, swept.y, strict=True)) == {float(alpha): area.mean() for alpha, area in areas.items()}
    assert shares.y == pytest.approx((best.correction_norm / best.error_norm).mean(axis=0))


def test_the_file_has_the_papers_grid_and_both_limits_for_both_kinds_of_agents():
    result = load_variants(FILE)
    assert len(result) == 4
    for name, one in result.items():
        (long,), (learners,) = one.places, one.learners
        assert (learners.called, learners.alpha) == (("td", "tdc", "tdrc"), STEP_SIZES)
        first = learners.configurations(learners.agents[0], long)[0]
        assert first.cutoff == (None if "no time limit" in name else 1000)
        assert (first.agent.actor is True) == name.startswith("actor-critic")
    assert one.runs == 30
    assert {one.places[0].steps for one in load_variants(FILE, full=True).values()} == {50_000}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "limit", "runs", "steps"),
    [
        ("action values", "no time limit", 60, 50_000),
        ("action values", "at most 1000 steps", 60, 50_000),
        ("actor-critic", "at most 1000 steps", 30, 30_000),
    ],
)
def test_on_linear_mountain_car_tdc_fails_and_its_correction_does_not_explode(kind, limit, runs, steps):
    one = load_variants(FILE)[f"{kind}, {limit}"]
    one = replace(one, runs=runs, places=tuple(long._replace(steps=steps) for long in one.places))
    with Store(None) as store:
        seen = see_linear(one, numbers_from(store, seed=0, workers=None))
    results = {key: judged(key, seen).status for key in CLAIMS}
    assert results["linear-tdc-fails"] is Status.HOLDS
    assert results["linear-tdrc-contains-correction"] is Status.HOLDS
    assert results["linear-tdc-quick-at-first"] is Status.FAILS
    assert results["linear-correction-explodes"] is Status.FAILS
    assert results["linear-correction-swells-direction"] is Status.FAILS

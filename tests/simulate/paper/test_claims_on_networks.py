"""What the paper concludes of control with networks, judged on made-up runs."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from simulate.control.history import History, summaries, summary_names
from simulate.control.linear.agent import find_agent, linear_settings
from simulate.control.piece import ControlPiece, SummaryPiece
from simulate.control.settings import settings
from simulate.paper import __main__ as command
from simulate.paper import conclusions
from simulate.paper.conclusions import claims_on_runs, printed
from simulate.paper.seen import numbers_from, see_networks
from simulate.paper.statement import NotRun, judge, three_valued
from simulate.store import Store
from simulate.sweep.experiment_file import load_variants
from tdrc_theory.errors import MissingExtra
from tdrc_theory.evidence import Status
from tdrc_theory.papers import find_paper

PAPER = find_paper("tdrc")
CLAIMS = {claim.id: claim for claim in claims_on_runs(PAPER)}
ON_CAR, IN_GAMES, LINEAR = (
    [claim.id for claim in CLAIMS.values() if claim.sweep == name]
    for name in ("network-control", "minatar", "linear-control")
)
FILES = PAPER.folder / "experiments"
RUNS = 20
EARLIER, LATER = (1.0, 2.0), (1.0, 0.2)


def history(environment, algorithm, length=300.0, h=(1.0, 1.0), episodes=60, stuck=0, **options):
    """Runs whose episodes, and returns, are about so long; the last of them are stuck."""
    generator = np.random.default_rng(1)
    steps = [np.round(length * generator.uniform(0.8, 1.2, episodes)) for _ in range(RUNS)]
    for run in steps[RUNS - stuck :]:
        run[-20:] = 1000
    nothing = np.zeros((RUNS, 3))
    return History(
        settings=settings(environment, algorithm, **options),
        seed=0,
        runs=range(RUNS),
        steps=tuple(steps),
        returns=tuple(steps),
        ends=tuple(np.cumsum(run) for run in steps),
        last_steps=np.zeros(RUNS),
        last_returns=np.zeros(RUNS),
        updates=np.array([100, 200, 10**7]),
        h_norm=np.array([[*h, np.nan]] * RUNS),
        error_norm=nothing,
        correction_norm=nothing,
        largest_value=nothing,
        peak_value=nothing,
    )


def experiment(name, full=True):
    return next(iter(load_variants(FILES / f"{name}.toml", full).values()))


def seen(name, algorithms, full=True, runs=None):
    """Return runs in which every algorithm does the same, but for what is said of "algorithm option value"."""

    def numbers(asked):
        return [summaries(made_up_runs(chosen, algorithms)) for chosen, _ in asked]

    return see_networks(experiment(name, full), experiment(name), runs or numbers)


def made_up_runs(chosen, algorithms):
    usual = {"target_every": 0, "updates_per_step": 1, "eta": 1, "beta": 1}
    own = [
        f"{option} {value}"
        for option, is_usual in usual.items()
        if (value := getattr(chosen, option)) not in (None, is_usual)
    ]
    result = history(chosen.environment, chosen.algorithm, **algorithms.get(" ".join([chosen.algorithm, *own]), {}))
    return replace(result, settings=chosen)


def on_car(full=True, **chosen):
    return seen("network-control", chosen, full)


def in_a_game(**lengths):
    return seen(
        "minatar",
        {name: {"length": length} for name, length in lengths.items()}
        | {
            name: {"length": 100.0}
            for name in ("q-learning", "qc", "qrc", "qrc beta 1/10", "qrc beta 1/2")
            if name not in lengths
        },
    )


def judged(key, runs):
    return judge(printed(CLAIMS[key]), runs, PAPER.definitions)


SLOW, QUICK = {"length": 500.0}, {"length": 100.0}
TURNED = {
    "network-qc-slower": (on_car(qc=SLOW), on_car(qc=QUICK)),
    "network-qrc-close": (on_car(), on_car(qrc=SLOW)),
    "network-qrc-wins-at-ten-updates": (
        on_car(**{"qrc updates_per_step 10": QUICK}),
        on_car(**{"qrc updates_per_step 10": SLOW}),
    ),
    "network-half-eta-helps-qc": (on_car(qc=SLOW), on_car(**{"qc eta 1/2": SLOW})),
    "network-qc-h-grows": (on_car(qc={"h": EARLIER}), on_car(qc={"h": LATER})),
    "network-qrc-h-shrinks": (on_car(qrc={"h": LATER}), on_car(qrc={"h": EARLIER})),
    "network-qrc-never-stuck": (on_car(**{"q-learning": {"stuck": 5}}), on_car(qrc={"stuck": 1})),
    "network-targets-hurt": (
        on_car(**{f"q-learning target_every {n}": SLOW for n in (4, 64, 256)}),
        on_car(**{"q-learning target_every 4": QUICK}),
    ),
    "network-delay-hurts-qc": (
        on_car(**{f"qc target_every {n}": {"length": 350 + n} for n in (4, 64, 256)}),
        on_car(**{"qc target_every 256": QUICK}),
    ),
    "minatar-qc-beats-q-learning": (in_a_game(qc=200.0), in_a_game(qc=50.0)),
    "minatar-qrc-between": (in_a_game(qrc=150.0, qc=200.0), in_a_game(qrc=150.0, qc=120.0)),
    "minatar-small-beta-best": (in_a_game(**{"qrc beta 1/2": 300.0}), in_a_game(qc=300.0)),
}


@pytest.mark.parametrize("key", [*ON_CAR, *IN_GAMES])
def test_each_claim_is_borne_out_or_not_by_what_came_out(key):
    for_it, against_it = (judged(key, runs) for runs in TURNED[key])
    assert for_it.status is Status.HOLDS
    assert against_it.status is Status.FAILS
    assert for_it.steps != against_it.steps


@pytest.mark.parametrize("key", ["network-qrc-wins-at-ten-updates", "network-targets-hurt", "network-delay-hurts-qc"])
def test_what_was_not_run_is_undecided(key):
    judgement = judged(key, on_car(full=False))
    assert judgement.status is Status.UNDECIDED
    assert judgement.steps[0].text == "not run at this size; --full runs it"


@pytest.mark.parametrize("key", ["network-qc-slower", "network-qrc-wins-at-ten-updates", "network-targets-hurt"])
def test_what_is_alike_is_undecided(key):
    assert judged(key, on_car()).status is Status.UNDECIDED


def test_short_runs_call_nobody_stuck():
    short = on_car(qrc={"episodes": 30, "stuck": 3})
    assert judged("network-qrc-never-stuck", short).status is Status.UNDECIDED


def test_a_run_that_diverged_has_grown_whatever_it_was_before():
    result = on_car(qrc={"h": (1.0, np.nan)}, qc={"h": (1.0, np.nan)})
    shrinks, grows = (judged(key, result) for key in ("network-qrc-h-shrinks", "network-qc-h-grows"))
    assert (shrinks.status, grows.status) == (Status.FAILS, Status.HOLDS)
    assert "in 0 of 20 runs" in shrinks.steps[0].text
    assert "diverged" in shrinks.steps[0].text


def test_the_better_of_two_betas_is_held_to_wider_intervals():
    text = printed(CLAIMS["minatar-small-beta-best"])
    wide, narrow = (judge(one, in_a_game()).steps[0].text for one in (text, text.replace("alike=2", "alike=1")))
    ends = [[float(end) for end in one.split("[")[1].rstrip("]").split(",")] for one in (wide, narrow)]
    assert ends[0][0] < ends[1][0] < ends[1][1] < ends[0][1]


def test_without_torch_networks_are_undecided():
    def numbers(_):
        raise NotRun("networks need torch")

    judgement = judged("network-qc-slower", seen("network-control", {}, runs=numbers))
    assert (judgement.status, judgement.steps[0].text) == (Status.UNDECIDED, "networks need torch")


@pytest.fixture
def made_up(monkeypatch):
    """Let the command make up networks' runs."""
    monkeypatch.setattr(
        conclusions,
        "numbers_from",
        lambda *_, **__: lambda asked: [summaries(made_up_runs(chosen, {})) for chosen, _ in asked],
    )


def test_the_command_judges_every_claim_of_an_experiment(made_up, asker):
    ask = asker(command.main, command.PROG)
    status, out, _ = ask("--experiment", "network-control", "--experiment", "minatar")
    assert status == 0
    assert [line.split(" (")[0] for line in out.splitlines()[1:] if line and line[0] != " "][:-1] == [
        *ON_CAR,
        *IN_GAMES,
    ]
    assert out.count("not run: such runs are days of a core") == 2 * len(IN_GAMES)
    status, out, _ = ask("--experiment", "minatar", "--minatar-steps", "100", "--json")
    shown = json.loads(out)
    assert [one["claim"] for one in shown["claims"]] == IN_GAMES
    assert shown["claims"][0]["settings"]["minatar:breakout"]["status"] == "undecided"
    assert shown["claims"][0]["settings"]["minatar:breakout"]["proof"] == "sampled"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--experiment", "linnear"], "unknown experiment 'linnear'"),
        (["--experiment", "linear-control", "--runs", "29"], "--runs: 29 is less than 30"),
        (["--runs", "1"], "--runs: 1 is less than 2"),
        (["--claim", "linear-tdc-fail"], "unknown claim on runs 'linear-tdc-fail'"),
        (["emphatic"], "unknown paper 'emphatic'"),
        (["--minatar-steps", "0"], "--minatar-steps: 0 is less than 1"),
        (["--seed", "-1"], "--seed"),
        (["--experiment", "network-control", "--plot", "x.svg"], "--plot"),
        (["--experiment", "linear-control", "--workers", "0"], "--workers"),
        (["--store", "/dev/null/x"], "--store"),
    ],
)
def test_what_the_command_cannot_do_is_one_line(arguments, expected, asker):
    status, out, errors = asker(command.main, command.PROG)(*arguments)
    assert (status, out) == (2, "")
    assert expected in errors
    assert len(errors.splitlines()) == 1


def test_runs_of_networks_are_kept_in_the_store_and_are_those_of_any_block(tmp_path, monkeypatch):
    chosen = settings("mountain-car", "qrc", episodes=1, cutoff=40, alpha=Fraction(1, 1024))
    with Store(tmp_path / "runs.sqlite") as store:
        (result,) = numbers_from(store, seed=1, workers=1)([(chosen, range(3))])
    assert result["whole steps"].tolist() == [40, 40, 40]
    monkeypatch.setattr(SummaryPiece, "compute", None)
    with Store(tmp_path / "runs.sqlite") as store:
        (again,) = numbers_from(store, seed=1, workers=1)([(chosen, range(3))])
    assert all(np.array_equal(again[name], result[name], equal_nan=True) for name in result)


def test_without_torch_a_store_is_asked_for_nothing(monkeypatch):
    def keys(_):
        raise MissingExtra("networks need torch")

    monkeypatch.setattr(ControlPiece, "keys", keys)
    with Store(None) as store, pytest.raises(NotRun, match="torch"):
        numbers_from(store, seed=1, workers=1)([(settings("mountain-car", "qrc", episodes=1), range(2))])


@pytest.mark.parametrize(
    "chosen",
    [
        settings("mountain-car", "qrc", episodes=2),
        settings("minatar:breakout", "qc", steps=100),
        linear_settings(find_agent("qrc"), steps=100),
    ],
)
def test_the_names_of_summaries_are_those_of_the_numbers(chosen):
    from simulate.control.linear.learner import learn

    result = summaries(
        learn(replace(chosen, every=50), range(2), workers=1)
        if not hasattr(chosen, "buffer")
        else replace(history(chosen.environment, chosen.algorithm), settings=chosen)
    )
    assert set(summary_names(chosen)) <= set(result)
    assert all(len(values) in (2, RUNS) for values in result.values())


def test_answers_are_joined_as_three_valued_ones():
    arguments = ([], [True], [True, None], [None, False])
    assert [three_valued(one) for one in arguments] == [True, True, None, False]

import importlib
import json
import pkgutil
from fractions import Fraction

import numpy as np
import pytest

from simulate.control import statements
from simulate.control.conclusions import Q, Size, judged, learner
from simulate.control.history import History
from simulate.control.settings import settings
from simulate.control.statements import __main__ as command
from simulate.control.statements.linear import LINEAR
from simulate.control.statements.minatar import BETAS, MINATAR, MinAtarEvidence
from simulate.control.statements.network import NETWORK, NetworkEvidence
from simulate.statement import Statement, every
from tdrc_theory.errors import MissingExtra

RUNS = 20
ALL = {one.key: one for one in (*LINEAR, *NETWORK, *MINATAR)}
HALF = Fraction(1, 2)
EARLIER, LATER = (1.0, 2.0), (1.0, 0.2)


def history(environment, algorithm, length=300.0, h=(1.0, 1.0), episodes=60, stuck=0, **given):
    """Runs whose episodes, and returns, are about so long; the last of them are stuck."""
    generator = np.random.default_rng(1)
    steps = [np.round(length * generator.uniform(0.8, 1.2, episodes)) for _ in range(RUNS)]
    for run in steps[RUNS - stuck :]:
        run[-20:] = 1000
    nothing = np.zeros((RUNS, 3))
    return History(
        settings=settings(environment, algorithm, **given),
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


def on_car(thorough=True, **chosen):
    """Evidence in which every algorithm does the same, but for what is said of "algorithm option value"."""

    def learn(algorithm, **given):
        alpha = given.pop("alpha")
        (about,) = given.items() or [("", "")]
        key = " ".join(str(part) for part in (algorithm, *about) if part != "")
        return history("mountain-car", algorithm, alpha=alpha, **chosen.get(key, {}))

    return NetworkEvidence(learn, dict.fromkeys(Q, Fraction(1, 1024)), thorough)


def in_a_game(**lengths):
    def learn(algorithm, beta=None):
        key = algorithm if beta is None else f"{algorithm} {beta}"
        return history("minatar:breakout", algorithm, length=lengths.get(key, 100.0), beta=beta)

    return MinAtarEvidence(learn)


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
    "minatar-small-beta-best": (in_a_game(**{f"qrc {BETAS[1]}": 300.0}), in_a_game(qc=300.0)),
}


@pytest.mark.parametrize("key", [one.key for one in (*NETWORK, *MINATAR)])
def test_each_statement_is_borne_out_or_not_by_what_came_out(key):
    for_it, against_it = (ALL[key].judge(given) for given in TURNED[key])
    assert for_it.supported is True
    assert against_it.supported is False
    assert for_it.reason != against_it.reason


@pytest.mark.parametrize("key", ["network-qrc-wins-at-ten-updates", "network-targets-hurt", "network-delay-hurts-qc"])
def test_what_was_not_run_is_undecided(key):
    assert ALL[key].judge(on_car(thorough=False)).supported is None


@pytest.mark.parametrize("key", ["network-qc-slower", "network-qrc-wins-at-ten-updates", "network-targets-hurt"])
def test_what_is_alike_is_undecided(key):
    assert ALL[key].judge(on_car()).supported is None


def test_short_runs_call_nobody_stuck():
    short = on_car(qrc={"episodes": 30, "stuck": 3})
    assert ALL["network-qrc-never-stuck"].judge(short).supported is None


def test_a_run_that_diverged_has_grown_whatever_it_was_before():
    found = on_car(qrc={"h": (1.0, np.nan)}, qc={"h": (1.0, np.nan)})
    shrinks, grows = (ALL[key].judge(found) for key in ("network-qrc-h-shrinks", "network-qc-h-grows"))
    assert (shrinks.supported, grows.supported) == (False, True)
    assert f"{RUNS} diverged" in shrinks.reason


def test_ten_updates_a_step_are_told_to_be_at_step_sizes_chosen_for_one():
    assert "chosen for one update" in ALL["network-qrc-wins-at-ten-updates"].judge(on_car()).reason


def test_the_better_of_two_betas_is_held_to_wider_intervals(monkeypatch):
    asked = []
    more = MinAtarEvidence.more
    monkeypatch.setattr(MinAtarEvidence, "more", lambda *given, **by: asked.append(by) or more(*given, **by))
    ALL["minatar-small-beta-best"].judge(in_a_game())
    assert asked == [{"alike": len(BETAS)}] * 3 * len(BETAS)


def test_games_that_were_not_played_are_undecided():
    found = [one.judge(MinAtarEvidence(None)) for one in MINATAR]
    assert {one.supported for one in found} == {None}
    assert all("--minatar-steps" in one.reason for one in found)


def test_without_torch_networks_are_undecided_and_the_rest_is_judged():
    def learn(algorithm, **given):
        raise MissingExtra("networks need torch")

    found = judged(NETWORK[:1], {"one": on_car(), "other": NetworkEvidence(learn, dict.fromkeys(Q, HALF), True)})
    assert found[0].findings["other"] == (None, "networks need torch")
    assert "over QRC" in found[0].findings["one"].reason


@pytest.mark.parametrize("found", list(pkgutil.iter_modules(statements.__path__)), ids=lambda found: found.name)
def test_no_statement_of_a_file_is_forgotten(found):
    module = importlib.import_module(f"simulate.control.statements.{found.name}")
    values = [v for value in vars(module).values() for v in (value if isinstance(value, tuple) else (value,))]
    assert all(ALL[one.key] is one for one in values if isinstance(one, Statement))


@pytest.fixture
def made_up(monkeypatch):
    """Let the command make up networks' runs, and make short ones of linear control."""

    def learner(**_):
        return lambda environment, _, algorithm, **given: history(environment, algorithm, alpha=given.get("alpha"))

    monkeypatch.setattr(command, "learner", learner)
    monkeypatch.setattr(command, "SMALL", Size(2, 2500, RUNS, 60, thorough=False))


def test_the_command_judges_every_statement(made_up, asker, tmp_path):
    ask = asker(command.main, command.PROG)
    plot = tmp_path / "linear.svg"
    status, out, _ = ask("--workers", "1", "--plot", str(plot))
    assert status == 0
    assert [line.split(" (")[0] for line in out.splitlines() if line and line[0] != " "] == list(ALL)
    assert out.count("not run: the paper's 5 million steps") == 2 * len(MINATAR)
    assert plot.read_text(encoding="utf-8").count("actor-critic-tdrc") == 6
    status, out, _ = ask("network", "minatar", "--minatar-steps", "100", "--json")
    shown = json.loads(out)
    assert [one["statement"] for one in shown["statements"]] == [one.key for one in (*NETWORK, *MINATAR)]
    assert shown["statements"][0]["settings"]["alpha 1/1024"]["status"] == "undecided"
    assert "return, QC" in shown["statements"][-3]["settings"]["minatar:breakout"]["reason"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["linnear"], "no such experiment; allowed: linear, network, minatar"),
        (["--runs", "29"], "--runs: 29 is less than 30"),
        (["minatar", "--minatar-steps", "0"], "--minatar-steps: 0 is less than 1"),
        (["--seed", "-1"], "--seed"),
        (["network", "--plot", "x.svg"], "--plot"),
        (["linear", "--workers", "0"], "--workers"),
        (["network", "--checkpoints", "/dev/null/x"], "--checkpoints"),
    ],
)
def test_what_the_command_cannot_do_is_one_line(given, told, asker):
    status, out, errors = asker(command.main, command.PROG)(*given)
    assert (status, out) == (2, "")
    assert told in errors
    assert len(errors.splitlines()) == 1


def test_networks_that_learn_are_kept_and_answered_from_memory(tmp_path):
    learn = learner(seed=1, folder=tmp_path)
    given = {"episodes": 1, "cutoff": 40, "alpha": Fraction(1, 1024)}
    found = learn("mountain-car", range(2), "qrc", **given)
    assert learn("mountain-car", range(2), "qrc", **given) is found
    assert len(list(tmp_path.iterdir())) == 1
    again = learner(seed=1, folder=tmp_path)("mountain-car", range(2), "qrc", **given)
    assert [run.tolist() for run in again.steps] == [run.tolist() for run in found.steps] == [[40], [40]]


def test_answers_are_joined_as_three_valued_ones():
    assert [every(given) for given in ([], [True], [True, None], [None, False])] == [True, True, None, False]

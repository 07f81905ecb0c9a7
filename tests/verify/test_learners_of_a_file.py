"""Learners of a user's file: with traces, with three vectors, with an average reward."""

import json

import pytest

from verify.conditions import __main__ as conditions
from verify.predict import __main__ as predict
from verify.region import __main__ as region

FILE = """
from tdrc_theory.algorithms import TD_LAMBDA
from tdrc_theory.learner import Step, dot, learner


@learner(weights="w", memory="e F", scalars="F", own_fixed_points=True)
def emphatic(w, e, F, x, x_next, rho, rho_before, interest, reward, gamma, gamma_next, lam=0):
    F = interest + gamma * rho_before * F
    e = rho * (gamma * lam * e + (lam * interest + (1 - lam) * F) * x)
    return Step(w=(reward + dot(w, gamma_next * x_next - x)) * e, e=e, F=F)


@learner(weights="w h", memory="e", solves=TD_LAMBDA)
def traced(w, h, e, x, x_next, rho, reward, gamma, gamma_next, beta=1, eta=1, lam=0):
    e = rho * (x + gamma * lam * e)
    error = reward + gamma_next * (w @ x_next) - w @ x
    pull = error * e - gamma_next * (1 - lam) * (e @ h) * x_next
    return Step(w=pull, h=eta * (error * e - (h @ x) * x - beta * h), e=e)


@learner(weights="w h v")
def heavy(w, h, v, x, x_next, rho, reward, gamma_next, eta=1, mu=1):
    error = reward + gamma_next * (w @ x_next) - w @ x
    pull = rho * error * x - rho * gamma_next * (h @ x) * x_next
    return Step(w=v, h=eta * (rho * error - h @ x) * x, v=mu * pull - mu * v)


@learner(weights="w rate", scalars="rate", own_fixed_points=True)
def average(w, rate, x, x_next, rho, reward, eta=1):
    error = reward - rate + w @ (x_next - x)
    return Step(w=rho * error * x, rate=eta * rho * error)
"""

OWN = {"emphatic": "emphatic-td", "traced": "tdrc-lambda", "heavy": "tdc-momentum", "average": "differential-td"}
REGIONS = {
    "emphatic": ("baird", "--over", "lam"),
    "traced": ("baird", "--over", "lam", "--beta", "1/10"),
    "heavy": ("baird", "--over", "eta"),
    "average": ("two-state", "--over", "eta"),
}


@pytest.fixture
def both(tmp_path, monkeypatch, asker):
    """Return what asks a command of a learner of the file and of the built-in one: their answers."""
    (tmp_path / "mine.py").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def both(command, name, *arguments):
        ask = asker(command.main, command.PROG)
        answers = [ask(*arguments, "--json", "--algorithm", each) for each in (f"mine.py:{name}", OWN[name])]
        assert [(status, err) for status, _, err in answers] == [(0, "")] * 2
        return [{k: v for k, v in json.loads(out).items() if k != "algorithm"} for _, out, _ in answers]

    return both


@pytest.mark.parametrize("name", OWN)
def test_conditions_of_a_learner_of_a_file_are_those_of_the_built_in_one(both, name):
    own, built_in = both(conditions, name, "boyan")
    named = built_in["answer"].replace(f"of {OWN[name]} on", f"of {name} on")
    assert own == built_in | {"answer": named}
    assert own["verdict"]["status"].startswith("convergent")


@pytest.mark.parametrize("name", OWN)
def test_the_region_of_a_learner_of_a_file_is_that_of_the_built_in_one(both, name):
    own, built_in = both(region, name, *REGIONS[name])
    assert own["intervals"] == built_in["intervals"] != []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "emphatic" else pytest.mark.thorough) for name in OWN]
)
def test_the_prediction_of_a_learner_of_a_file_is_that_of_the_built_in_one(both, name):
    own, built_in = both(predict, name, "random-walk-dependent", "--steps", "8", "--alpha", "1/64")
    assert own["mspbe"] == pytest.approx(built_in["mspbe"], rel=1e-12)
    assert len(own["mspbe"]) == 9
    assert own["mspbe"][-1] != own["mspbe"][0]

"""The command on problems with varying discounts and interests, and with action values, beside numbers by hand."""

import pytest

from tdrc_theory import load_problem
from tdrc_theory.algorithms import find_algorithm
from verify.conditions.setting import Setting

RING = """name = "ring"
features = [[1], [2]]
interest = [1, 3]
{gamma}
[mdp]
transitions = [{steps}]
behaviour = [[1], [1]]
target = [[1], [1]]
"""
BY_STATE = RING.format(gamma='gamma = [0, "1/2"]', steps="[0, 0, 1, 1, 1], [1, 0, 0, 1, 0]")
BY_TRANSITION = RING.format(gamma="gamma = 1", steps='[0, 0, 1, 1, 1, "1/2"], [1, 0, 0, 1, 0, 0]')
CHOICE = """name = "choice"
gamma = "3/4"
features = [[[1], [2]]]
[mdp]
transitions = [[0, 0, 0, 1, 1], [0, 1, 0, 1, 0]]
behaviour = [["1/2", "1/2"]]
target = [[0, 1]]
"""
LEARNERS = """from tdrc_theory.learner import Step, dot, learner

@learner(weights="w")
def trap(x, x_next, w, rho, gamma, reward):
    return Step(w=rho * (reward + gamma * dot(w, x_next) - dot(w, x)) * x)

@learner(weights="w", memory="e")
def trap_with_memory(x, x_next, w, e, rho, gamma, reward, lam=0):
    e = rho * (gamma * lam * e + x)
    return Step(w=(reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e)

@learner(weights="w")
def sarsa(x, x_next, w, rho_next, gamma_next, reward):
    return Step(w=(reward + gamma_next * rho_next * dot(w, x_next) - dot(w, x)) * x)
"""


@pytest.fixture
def saved(tmp_path):
    (tmp_path / "mine.py").write_text(LEARNERS, encoding="utf-8")

    def saved(text):
        path = tmp_path / "problem.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return saved


# A of the ring: 1/2 1 (1 - 1/2 2) + 1/2 2 (2 - 0). Its follow-on is 1 where gamma is 0, then 1/2 1 + 3, so that of
# emphatic TD is 1/2 1 0 + 1/2 7/2 4. A of the choice: 1/2 1 (1 - 3/4 2) + 1/2 2 (2 - 3/4 2), its b 1/2 1.
@pytest.mark.parametrize(
    ("text", "algorithm", "A", "b", "rate"),
    [
        (BY_STATE, "td", "2", "1/2", -2),
        (BY_TRANSITION, "td", "2", "1/2", -2),
        (BY_STATE, "emphatic-td", "2", "1/2", -7),
        (BY_TRANSITION, "emphatic-td", "2", "1/2", -7),
        (CHOICE, "expected-sarsa", "1/4", "1/2", -1 / 4),
        (CHOICE, "mine.py:sarsa", "1/4", "1/2", -1 / 4),
    ],
)
def test_the_answer_is_the_one_computed_by_hand(saved, ask_json, text, algorithm, A, b, rate):
    path = saved(text)
    answer = ask_json(str(path), "--algorithm", algorithm.replace("mine.py", str(path.with_name("mine.py"))))
    assert answer["matrices"]["A"] == [[A]]
    assert answer["matrices"]["b"] == [b]
    result = answer["verdict"]["spectral_abscissa"]
    assert answer["verdict"]["status"] == "convergent"
    assert result["lower"] <= rate <= result["upper"]


@pytest.mark.parametrize(
    ("text", "algorithm", "message"),
    [
        (CHOICE, "tdrc", "write x_bar, or weight x_next by rho_next"),
        (CHOICE, "td-lambda", "write x_bar, or weight x_next by rho_next"),
        (BY_STATE, "expected-sarsa", "x_bar is for features by state and action; write x_next, weighted by rho"),
        (BY_STATE, "mine.py:sarsa", "rho_next is for features by state and action; write x_next, weighted by rho"),
        (BY_STATE, "mine.py:trap", "write gamma_next for what discounts x_next"),
        (BY_TRANSITION, "mine.py:trap", "write gamma_next for what discounts x_next"),
        (BY_STATE, "mine.py:trap_with_memory", "write gamma_next for what discounts x_next"),
    ],
)
def test_a_learner_for_other_problems_is_refused_in_one_line(saved, ask, text, algorithm, message):
    path = saved(text)
    status, out, err = ask(str(path), "--algorithm", algorithm.replace("mine.py", str(path.with_name("mine.py"))))
    assert (status, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_constant_discount_has_both_names(saved, ask):
    text = BY_STATE.replace('[0, "1/2"]', '"1/2"')
    path = saved(text)
    assert ask(str(path), "--algorithm", f"{path.with_name('mine.py')}:trap")[0] == 0


@pytest.mark.parametrize("text", [BY_STATE, BY_TRANSITION])
def test_tdrc_is_recognised_where_discounts_vary(saved, text):
    path = saved(text)
    path.with_name("named.py").write_text(
        "from tdrc_theory.learner import Step, dot, learner\n\n"
        '@learner(weights="w h")\n'
        "def named(x, x_next, w, h, rho, gamma_next, reward, beta=1, eta=1):\n"
        "    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)\n"
        "    dw = rho * (delta * x - gamma_next * dot(h, x) * x_next)\n"
        "    return Step(w=dw, h=eta * ((rho * delta - dot(h, x)) * x - beta * h))\n",
        encoding="utf-8",
    )
    for name in ("tdrc", f"{path.with_name('named.py')}:named"):
        assert Setting.of(load_problem(path), find_algorithm(name), 1, 1).is_tdrc
    assert not Setting.of(load_problem(path), find_algorithm("tdc++"), 1, 1).is_tdrc

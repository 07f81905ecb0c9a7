import math
from dataclasses import replace
from fractions import Fraction

import gymnasium
import numpy as np
import pytest

from simulate.compiling.cache import compiled
from simulate.control.linear.agent import AGENTS, TILES, find_agent, linear_settings
from simulate.control.linear.learner import ACTIONS, ARGUMENTS, agent_text, learn, rows_of, tile
from tdrc_theory.errors import BadOption, UnknownName

GAMMA, EPSILON = 0.97, 0.25


def state_features(agent, car):
    u, v = (car[0] + 1.2) / 1.8, (car[1] + 0.07) / 0.14
    x = np.zeros(agent.features)
    x[[tile(j, u, v, agent.tilings, TILES) for j in range(agent.tilings)]] = 1
    return x


class Cars:
    """Gymnasium's car, with episodes cut off, and what each step needs of a row of uniforms."""

    def __init__(self, car, cutoff):
        self.theirs, self.cutoff, self.elapsed, self.lengths = gymnasium.make("MountainCar-v0").unwrapped, cutoff, 0, []
        self.theirs.state = tuple(car)

    def step(self, action):
        _, _, ended, _, _ = self.theirs.step(action)
        self.elapsed += 1
        return np.array(self.theirs.state), ended

    def go_on(self, ended, uniform):
        if ended or self.elapsed == self.cutoff:
            self.lengths.append(self.elapsed)
            self.elapsed, self.theirs.state = 0, (-0.6 + 0.2 * uniform, 0.0)
        return np.array(self.theirs.state)


def by_action_values(agent, car, uniforms, cutoff, alpha, eta, beta):
    """The paper's equations with features of state and action, x(s, a), and the secondary weights of A alone moved."""
    w, h = np.zeros((2, ACTIONS, agent.features))
    cars, state, corrections = Cars(car, cutoff), np.array(car), []
    for explore, choice, begin in uniforms:
        x = state_features(agent, state)
        q = w @ x
        best = np.flatnonzero(q == q.max())
        a = int(choice * 3) if explore < EPSILON else best[int(choice * len(best))]
        following, ended = cars.step(a)
        x_next = state_features(agent, following)
        a_next = int(np.argmax(w @ x_next))
        delta = -1 + (0 if ended else GAMMA * w[a_next] @ x_next) - q[a]
        delta_hat = h[a] @ x
        correction = np.zeros_like(w)
        correction[a_next] = -GAMMA * delta_hat * x_next * (not ended)
        w[a] += alpha * delta * x
        w += alpha * correction
        h[a] += eta * alpha * ((delta - delta_hat) * x - beta * h[a])
        corrections.append(np.linalg.norm(correction))
        state = cars.go_on(ended, begin)
    return w, h, cars.lengths, corrections


class Adam:
    def __init__(self, shape):
        self.m, self.v, self.t = np.zeros(shape), np.zeros(shape), 0

    def __call__(self, g, alpha):
        self.t += 1
        self.m, self.v = 0.9 * self.m + 0.1 * g, 0.999 * self.v + 0.001 * g**2
        return alpha * self.m / (1 - 0.9**self.t) / (np.sqrt(self.v / (1 - 0.999**self.t)) + 1e-8)


def by_actor_critic(agent, car, uniforms, cutoff, alpha, eta, beta):
    """Appendix G.1, with alpha before the whole update of the critic; the policy's gradient by finite differences."""
    w, h, theta = np.zeros(agent.features), np.zeros(agent.features), np.zeros((ACTIONS, agent.features))
    of_w, of_h, of_theta = Adam(w.shape), Adam(h.shape), Adam(theta.shape)
    cars, state, corrections = Cars(car, cutoff), np.array(car), []

    def log_policy(theta, x):
        return theta @ x - math.log(np.exp(theta @ x).sum())

    for _, choice, begin in uniforms:
        x = state_features(agent, state)
        policy = np.exp(log_policy(theta, x))
        a = int(np.searchsorted(np.cumsum(policy)[:-1], choice, side="right"))
        following, ended = cars.step(a)
        x_next = state_features(agent, following) * (not ended)
        delta, delta_hat = -1 + GAMMA * w @ x_next - w @ x, h @ x
        slope = np.zeros_like(theta)
        for b, i in np.argwhere(np.outer(np.ones(ACTIONS), x)):
            moved = np.zeros_like(theta)
            moved[b, i] = 1e-5
            slope[b, i] = (log_policy(theta + moved, x)[a] - log_policy(theta - moved, x)[a]) / 2e-5
        correction = -GAMMA * delta_hat * x_next
        w += of_w(delta * x + correction, alpha)
        h += of_h((delta - delta_hat) * x - beta * h, eta * alpha)
        theta += of_theta(delta * slope, alpha)
        corrections.append(np.linalg.norm(correction))
        state = cars.go_on(ended, begin)
    return w, h, theta, cars.lengths, corrections


def ran(agent, car, uniforms, cutoff, alpha, eta, beta):
    """Return what the compiled loop makes of the same uniforms: weights, lengths and measures."""
    settings = np.array([alpha, eta, beta, GAMMA, EPSILON, *agent.rule.parameters.values()])
    critic, actor = (
        np.repeat(np.array(rows_of(agent.rule, kind))[:, None], actions * agent.features, axis=1)
        for kind, actions in (("critic", 1 if agent.actor else ACTIONS), ("actor", ACTIONS))
    )
    counts, lengths = np.array([0, 0, 0, -1]), np.zeros(1000, np.int64)
    measures = np.zeros((len(uniforms), 6))
    here = np.array(car)
    run = compiled(agent_text(agent), "run", ARGUMENTS)
    run(uniforms, settings, cutoff, 1, counts, here, critic, actor, lengths, measures)
    assert counts[2] == len(uniforms)
    return critic[0], critic[1], actor[0], lengths[: counts[0]].tolist(), measures


UNIFORMS = np.random.default_rng(3).random((150, 3))
NEAR_THE_GOAL = (0.44, 0.05)
CUTOFF = 37


@pytest.mark.parametrize("name", ["qrc", "qc"])
def test_the_compiled_agent_follows_the_papers_equations(name):
    agent = find_agent(name)
    beta = 0 if name == "qc" else 0.7
    arguments = (agent, NEAR_THE_GOAL, UNIFORMS, CUTOFF, 0.05, 0.6, beta)
    w, h, lengths, corrections = by_action_values(*arguments)
    result = ran(*arguments)
    np.testing.assert_allclose(result[0].reshape(w.shape), w, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(result[1].reshape(h.shape), h, rtol=1e-10, atol=1e-12)
    assert result[3] == lengths
    assert lengths[0] < 10  # the goal was reached
    assert CUTOFF in lengths  # and an episode was cut off, which is no termination
    np.testing.assert_allclose(result[4][:, 1], corrections, rtol=1e-9)
    np.testing.assert_allclose(result[4][-1, 0], np.linalg.norm(h), rtol=1e-10)


def test_the_compiled_actor_critic_follows_the_papers_equations():
    agent = find_agent("actor-critic-tdrc")
    arguments = (agent, NEAR_THE_GOAL, UNIFORMS[:90], CUTOFF, 0.02, 0.6, 0.7)
    w, h, theta, lengths, corrections = by_actor_critic(*arguments)
    result = ran(*arguments)
    # Adam divides by the size of a gradient, so the error of a finite difference does not fade.
    np.testing.assert_allclose(result[0], w, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(result[1], h, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(result[2].reshape(theta.shape), theta, atol=1e-6)
    assert result[3] == lengths
    np.testing.assert_allclose(result[4][:, 1], corrections, rtol=1e-8)


def setting(name, **options):
    cutoff = options.pop("cutoff", 1000)
    agent = options.pop("agent", find_agent(name))
    result = linear_settings(agent, **{"alpha": Fraction(1, 8), "steps": 3000, "every": 100, **options})
    return replace(result, cutoff=cutoff)


def test_what_comes_out_depends_on_the_seed_and_the_run_alone():
    one = learn(setting("qrc"), range(4), seed=5, workers=1)
    other = learn(setting("qrc"), range(1, 4), seed=5, workers=3)
    for a, b in zip(one.steps[1:], other.steps, strict=True):
        assert a.tolist() == b.tolist()
    assert (one.h_norm[1:] == other.h_norm).all()
    assert len({run.tobytes() for run in one.largest_value}) == 4
    assert (learn(setting("qrc"), range(1), seed=6).largest_value != one.largest_value[:1]).any()


def test_a_run_is_the_same_when_its_random_numbers_are_drawn_in_pieces(monkeypatch):
    whole = learn(setting("qrc"), range(1))
    monkeypatch.setattr("simulate.control.linear.learner.CHUNK", 700)
    pieces = learn(setting("qrc"), range(1))
    assert whole.steps[0].tolist() == pieces.steps[0].tolist()
    assert (whole.largest_value == pieces.largest_value).all()


@pytest.mark.thorough
def test_qc_whose_h_hardly_moves_is_q_learning():
    still = learn(setting("qc", eta=Fraction(1, 10**40)), range(2))
    plain = learn(setting("q-learning"), range(2))
    assert [run.tolist() for run in still.steps] == [run.tolist() for run in plain.steps]
    assert (still.largest_value == plain.largest_value).all()
    assert (plain.h_norm == 0).all()


def test_a_run_that_diverges_is_an_outcome():
    result = learn(setting("q-learning", alpha=Fraction(400)), range(3))
    assert (result.diverged > 0).all()
    assert result.seed_updates == result.diverged.sum()
    assert result.updates.tolist() == list(range(100, result.diverged.max() + 1, 100))
    assert np.isnan(result.largest_value[result.diverged.argmin(), result.diverged.min() // 100 :]).all()


def test_episodes_and_steps_both_say_how_long_a_run_is():
    result = learn(setting("qrc", steps=None, episodes=7, cutoff=300), range(3))
    assert [len(run) for run in result.steps] == [7, 7, 7]
    assert max(run.max() for run in result.steps) <= 300
    assert result.seed_updates == sum(run.sum() for run in result.steps)
    assert (result.last_steps == 0).all()
    by_steps = learn(setting("qrc", cutoff=None), range(2))
    assert [run.sum() + last for run, last in zip(by_steps.steps, by_steps.last_steps, strict=True)] == [3000, 3000]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": Fraction(0)}, "--alpha"),
        ({"beta": Fraction(-1)}, "beta"),
        ({"gamma": Fraction(2)}, "--gamma"),
        ({"episodes": 3}, "--episodes, --steps"),
        ({"steps": None, "episodes": 5, "cutoff": None}, "cut-off"),
        ({"steps": 0}, "--steps"),
        ({"every": 0}, "--every"),
        ({"steps": None, "episodes": 10**6}, "--episodes"),
    ],
)
def test_settings_without_meaning_are_refused(arguments, message):
    with pytest.raises(BadOption, match=message):
        setting("qrc", **arguments)


def test_agents_are_found_by_name_and_have_the_papers_tilings():
    assert [agent.tilings for agent in AGENTS] == [16, 16, 16, 5, 5, 5]
    assert {agent.rule.name for agent in AGENTS if agent.actor} == {"adam"}
    with pytest.raises(UnknownName, match="did you mean qrc"):
        find_agent("qrcc")


def test_a_users_algorithm_becomes_an_agent(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "def half(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return delta * x / 2, 0\n",
        encoding="utf-8",
    )
    mine = find_agent(f"{file}:half")
    halved = learn(setting("q-learning", agent=mine, alpha=Fraction(1, 4)), range(1))
    assert halved.settings.algorithm == "half"
    assert halved.steps[0].tolist() == learn(setting("q-learning"), range(1)).steps[0].tolist()

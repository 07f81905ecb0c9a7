"""What is recorded of a user's function runs as the function itself does, called on arrays step by step."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
import pytest

from simulate.environment import environment
from simulate.kernels import kernel, lanes
from simulate.kernels.plan import recorded_step
from simulate.step_sizes import AMSGRAD, CONSTANT
from tdrc_theory import Problem, expected_update
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadAlgorithm, TheoryError
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.learner.copies import Copy


def ring(ends):
    """Three states in a ring, which an episode may end in; two actions, two features."""
    extra = {"start": ["1/3", "1/3", "1/3"]} if ends else {}
    end = [(s, 1, 3, "1/5", s) for s in range(3)] if ends else []
    rest = "4/5" if ends else 1
    return Problem(
        name="ring",
        gamma="9/10",
        features=[[1, 0], [1, 2], [0, 3], *([[7, 7]] if ends else [])],
        transitions=[*((s, a, (s + 1 + a) % 3, rest if a else 1, s - a) for s in range(3) for a in range(2)), *end],
        behaviour=[["1/2", "1/2"], ["1/3", "2/3"], ["3/4", "1/4"], *([[0, 0]] if ends else [])],
        target=[["1/4", "3/4"], ["1/3", "2/3"], ["1/2", "1/2"], *([[0, 0]] if ends else [])],
        initial_weights=[2, -1],
        **({"terminal": [3], "start": ["1/3", "1/3", "1/3", 0]} if ends else extra),
    )


@learner(weights="w h c", memory="e F", scalars="c F")
def crowded(x, x_next, w, h, c, e, F, rho, rho_before, gamma, gamma_next, reward, interest, lam=0.5, most=1, eta=1):
    """Everything at once: comparisons of numbers and dot products, a dot product of one, functions, a clipped error."""
    F = rho_before * gamma * F + interest
    e = min(rho, 1.25) * (gamma * lam * e + F * x)
    delta = reward - c + gamma_next * dot(w, x_next) - dot(w, x)
    clipped = max(-most, min(delta, most))
    size = 1 + dot(x, x)
    along = h - dot(h, x) / size * x
    twice = dot(along, x_next - e)
    step = clipped * e - twice * x_next if twice > 0 and rho > 1 else math.tanh(delta) * e + abs(twice) * x
    return Step(w=step / size, h=eta * (np.sqrt(abs(delta)) * e - along), c=eta * clipped, e=e, F=F)


def followed(env, trajectory, algorithm, alpha, own):
    """Return w after every update, by calling the function on arrays and floats."""
    ended, k = len(env.features) - 1, env.features.shape[1]
    zero = {n: 0.0 if n in algorithm.scalars else np.zeros(k) for n in (*algorithm.weights, *algorithm.memory)}
    kept, before, path = {**zero, "w": env.initial_weights.copy()}, 1.0, [env.initial_weights]
    samples = list(zip(trajectory.s, trajectory.s_next, trajectory.rho, trajectory.reward, strict=True))
    for n in range(env.steps):
        sums = dict.fromkeys(algorithm.weights, 0.0)
        for s, s_next, rho, reward in samples[n * env.batch : (n + 1) * env.batch]:
            arguments = {"x": env.features[s], "x_next": env.features[s_next], "rho": rho, "rho_before": before}
            arguments |= {
                "reward": reward,
                "gamma": env.numbers["gamma_next"],
                "gamma_next": env.numbers["gamma_next"],
                "interest": 1.0,
                **kept,
                **own,
            }
            step = algorithm.direction(**{name: arguments[name] for name in algorithm.arguments})
            sums = {w: sums[w] + step[w] for w in sums}
            kept.update({m: zero[m] if s_next == ended else step[m] for m in algorithm.memory})
            before = 1.0 if s_next == ended else rho
        kept.update({w: kept[w] + alpha * sums[w] / env.batch for w in sums})
        path.append(kept["w"])
    return np.array(path)


@pytest.mark.parametrize(
    ("batch", "ends"), [*(pytest.param(1, ends, marks=pytest.mark.thorough) for ends in (True, False)), (3, True)]
)
def test_a_kernel_does_what_the_function_does_on_arrays(batch, ends):
    env = environment(ring(ends), steps=80, seed=4, batch=batch)
    trajectory, alphas, lams = env.trajectory(1), [0.02, 0.1, 0.3], [0.0, 0.5, 1.0]
    result = kernel(crowded, CONSTANT)(env, trajectory, lanes(CONSTANT, alphas, lam=lams, most=0.5, eta=2))
    for lane, (alpha, lam) in enumerate(zip(alphas, lams, strict=True)):
        path = followed(env, trajectory, crowded, alpha, {"lam": lam, "most": 0.5, "eta": 2.0})
        np.testing.assert_allclose(result.weights[:, lane], path[-1], rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(result.errors[:, lane], env.error(path.T), rtol=1e-9, atol=1e-11)


def test_a_lane_with_memory_is_the_same_bits_whatever_runs_beside_it():
    env = environment(ring(True), steps=50, seed=1)
    trajectory, alpha = env.trajectory(0), np.linspace(0.01, 0.3, 70)
    lam, most = np.linspace(0, 1, 70), np.linspace(2, 0.1, 70)
    run = kernel(crowded, CONSTANT)
    together = run(env, trajectory, lanes(CONSTANT, alpha, lam=lam, most=most))
    for lane in (0, 7, 63, 64, 69):
        alone = run(env, trajectory, lanes(CONSTANT, alpha[lane], lam=lam[lane], most=most[lane]))
        assert (alone.errors[:, 0] == together.errors[:, lane]).all()
        assert (alone.weights[:, 0] == together.weights[:, lane]).all()


@pytest.mark.parametrize(
    ("name", "lam", "ends"),
    [("emphatic-td", "1/2", False), pytest.param("tdrc-lambda", "1/4", True, marks=pytest.mark.slow)],
)
def test_the_mean_direction_along_a_trajectory_is_the_exact_expected_update(name, lam, ends, p_value):
    """The step size is so small that the weights stay where they are; of right kernels one in a million is refused."""
    problem, algorithm, alpha, runs = ring(ends), find_algorithm(name), 2.0**-40, 400
    used = algorithm.parameters({"lam": Fraction(lam)})
    G, g = (matrix.to_float() for matrix in expected_update(problem, algorithm, used))
    start = np.array([0.0] * (len(G) - 2) + [float(v) for v in problem.initial_weights])
    expected = (G @ start + g[:, 0])[-2:]
    run, chosen = kernel(algorithm, CONSTANT), lanes(CONSTANT, alpha, lam=float(Fraction(lam)))
    weights = []
    for steps in (100, 900):  # the first hundred are left out: memory is then as it will be
        env = environment(problem, steps=steps, seed=2)
        weights.append(np.array([run(env, env.trajectory(i), chosen, [steps]).weights[:, 0] for i in range(runs)]))
    directions = (weights[1] - weights[0]) / (800 * alpha)
    assert p_value(directions, expected) > 1e-6
    assert p_value(directions, 0.9 * expected) < 1e-6


def test_a_weight_that_leaves_the_range_of_floats_is_noted_whichever_it_is():
    @learner(weights="w v c", scalars="c")
    def growing(x, w, v, c, reward):
        return Step(w=0 * v, v=v * 1e30 + x, c=c + reward)

    env = environment(ring(False), steps=40, seed=1)
    result = kernel(growing, CONSTANT)(env, env.trajectory(0), lanes(CONSTANT, [1.0, 1e-30]))
    with np.errstate(all="ignore"):
        size = [np.abs(v).max() for v in np.cumprod(np.full(40, 1e30 + 1))]
    first = next(n for n, v in enumerate(size) if not np.isfinite(v))
    assert first <= result.diverged[0] <= first + 2  # the first samples may have features that are 0
    assert result.diverged[1] == -1


@pytest.mark.parametrize(
    ("batch", "period"), [*(pytest.param(1, period, marks=pytest.mark.thorough) for period in (1, 7)), (3, 7)]
)
def test_weights_are_copied_at_the_start_and_after_every_period(batch, period):
    env = environment(ring(True), steps=40, seed=4, batch=batch)
    trajectory, alpha = env.trajectory(1), 0.2
    copied = kernel(find_algorithm("td-target"), CONSTANT, Copy("target", "w", period))
    result = copied(env, trajectory, lanes(CONSTANT, alpha))
    samples = list(zip(*trajectory[:4], strict=True))
    w = target = env.initial_weights
    path = [w]
    for n in range(env.steps):
        moved = 0
        for s, s_next, rho, reward in samples[n * batch : (n + 1) * batch]:
            x, y = env.features[s], env.features[s_next]
            moved = moved + rho * (reward + env.numbers["gamma_next"] * target @ y - w @ x) * x / batch
        w = w + alpha * moved
        target = w if (n + 1) % period == 0 else target
        path.append(w)
    np.testing.assert_allclose(result.weights[:, 0], w, rtol=1e-11)
    np.testing.assert_allclose(result.errors[:, 0], env.error(np.array(path).T), rtol=1e-10)


def declared(function, weights="w", memory="e"):
    return learner(weights=weights, memory=memory, name="mine")(function)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("Step(w=x * w, e=e)", "multiplies two vectors, x and w; write dot(a, b)"),
        ("Step(w=x if x > 0 else w, e=e)", "branches on the vector x"),
        ("Step(w=max(x, 0), e=e)", "branches on the vector x"),
        ("Step(w=dot(x, w), e=e)", "returns w = dot(w, x): w is a vector, and this is a number"),
        ("Step(w=x, e=w)", "computes its memory e from weights (w)"),
        ("Step(w=np.exp(x), e=e)", "calls np.exp with the vector x"),
        ("Step(w=x + 1, e=e)", "adds the vector x and the number 1; a weight or memory that is a number"),
        ("Step(w=x)", "does not return e; its Step has w, e"),
        ("Step(w=x, e=e, h=x)", "returns h, which it does not declare"),
        ("x", "returns one vector or number; a learner returns Step(w=..., e=...)"),
        ("Step(w=dot(x, rho) * x, e=e)", "takes the dot product with rho, which is no vector"),
        ("Step(w=sum(x) * w, e=e)", "takes x for a plain number, or for a list"),
        ("Step(w=x / w, e=e)", "divides by the vector w"),
        ("Step(w=x**rho, e=e)", "multiplies two vectors, x and x"),
    ],
)
def test_what_cannot_be_recorded_is_refused_on_one_line(returned, message):
    function = eval(f"lambda x, w, e, rho: {returned}")
    with pytest.raises(BadAlgorithm) as refused:
        kernel(declared(function), CONSTANT).text(environment(ring(True), steps=3))
    assert str(refused.value).startswith("mine ")
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("how", [{"sampling": "iid"}, {"sampling": "batch", "data": 50}])
@pytest.mark.parametrize("name", ["td-lambda", "emphatic-td"])
def test_memory_needs_a_chain(name, how):
    env = environment(ring(False), steps=5, **how)
    with pytest.raises(TheoryError, match=f"{name} has memory, which needs a chain"):
        kernel(find_algorithm(name), AMSGRAD)(env, env.trajectory(0), lanes(AMSGRAD, 0.1))


def test_a_function_that_calls_itself_and_one_of_a_closure_are_recorded():
    def power(value, n):
        return 1 if n == 0 else value * power(value, n - 1)

    def scaled(function, by):
        @functools.wraps(function)
        def multiplied(delta):
            return by * function(delta)

        return multiplied

    squashed = scaled(math.atan, 2)

    def mine(x, w, reward):
        return Step(w=squashed(power(reward, 3) - dot(w, x)) * x)

    cube = "(reward * (reward * (reward * 1)))"
    step = recorded_step(declared(mine, memory=""))
    assert str(step.directions["w"]) == f"((2 * math.atan(({cube} - dot(w, x)))) * x)"

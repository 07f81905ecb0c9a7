"""Memory whose components mix through dot products with data: recursions in floats agree, and whether it exists."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem, expected_update
from tdrc_theory.derive.symbolic import derive
from tdrc_theory.errors import BadAlgorithm, NoExpectation
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.learner.expectation import driving_order, memory_of, mixes_components
from tdrc_theory.problems.garnet import garnet


@learner(weights="w", memory="e")
def dutch(x, x_next, w, e, rho, gamma, reward, lam=1, alpha=0.125):
    """The trace of true online TD(lambda), for a step size alpha."""
    e = rho * (gamma * lam * (e - alpha * dot(e, x) * x) + x)
    return Step(w=(reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e)


@learner(weights="w", memory="n e f", scalars="n")
def entangled(x, x_next, w, n, e, f, rho, gamma, reward, c=0.25):
    """e and n drive one another, with both signs, and f follows them."""
    return Step(
        w=rho * (reward + gamma * dot(w, x_next) - dot(w, x)) * (n * x + f),
        n=rho * c * dot(e, x_next) + 1,
        e=rho * (c * e - c * n * x + x_next),
        f=rho * c * f + c * dot(e, x) * x_next,
    )


def by_recursion(problem, step, size, direction, count=400):
    """The mean of a direction (k, k + 1) that is affine in memory, m becoming B m + u from 0, in floats."""
    features, S = np.array(problem.features, float), problem.states
    mass, first = np.array(problem.d, float), np.zeros((S, size))
    for last in [*[False] * count, True]:
        new, total = np.zeros((S, size)), 0
        for t in problem.transitions:
            b = problem.behaviour[t.s][t.a]
            if b:
                p, rho, x, y = float(b * t.probability), float(problem.rho(t.s, t.a)), features[t.s], features[t.s_next]
                B, u = step(x, y, rho)
                new[t.s_next] += p * (B @ first[t.s] + mass[t.s] * u)
                if last:
                    per = [direction(m, x, y, rho, float(t.reward)) for m in (first[t.s] / mass[t.s],)]
                    total = total + p * mass[t.s] * per[0]
        first = new
    return total


@pytest.mark.parametrize("seed", range(4))
def test_the_expected_update_with_a_dutch_trace_is_that_of_a_recursion(seed):
    problem, lam, alpha, gamma = garnet(4, 2, 2, 3, seed, Fraction(3, 5)), 0.5, 0.1, 0.6

    def step(x, y, rho):
        return rho * gamma * lam * (np.eye(3) - alpha * np.outer(x, x)), rho * x

    def direction(m, x, y, rho, R):
        B, u = step(x, y, rho)
        return np.outer(B @ m + u, np.append(gamma * y - x, R))

    G, g = expected_update(problem, dutch, {"lam": Fraction(1, 2), "alpha": Fraction(1, 10)})
    result = by_recursion(problem, step, 3, direction)
    np.testing.assert_allclose(np.hstack([G.to_float(), g.to_float()]), result, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_numbers_and_vectors_that_drive_one_another_have_the_mean_of_a_recursion(seed):
    problem, c, gamma = garnet(4, 2, 2, 2, seed, Fraction(3, 5)), Fraction(1, 50), 0.6

    def step(x, y, rho):
        B, q = np.zeros((5, 5)), float(c)
        B[0, 1:3] = rho * q * y
        B[1:3] = np.hstack([-rho * q * x[:, None], rho * q * np.eye(2), np.zeros((2, 2))])
        B[3:] = np.hstack([np.zeros((2, 1)), q * np.outer(y, x), rho * q * np.eye(2)])
        return B, np.concatenate([[1], rho * y, [0, 0]])

    def direction(m, x, y, rho, R):  # with memory before the step
        return rho * np.outer(m[0] * x + m[3:], np.append(gamma * y - x, R))

    G, g = expected_update(problem, entangled, {"c": c})
    result = by_recursion(problem, step, 5, direction)
    np.testing.assert_allclose(np.hstack([G.to_float(), g.to_float()]), result, rtol=1e-9, atol=1e-12)


def test_memories_are_solved_in_the_order_in_which_they_drive_one_another():
    assert driving_order(entangled) == [("n", "e"), ("f",)]
    assert mixes_components(entangled, ("n", "e"))
    assert not mixes_components(entangled, ("f",))


@pytest.mark.parametrize("seed", range(20))
def test_memory_of_both_signs_exists_where_the_radius_of_its_system_is_below_1(seed):
    problem, alpha = garnet(3, 2, 2, 2, seed, Fraction(9, 10)), Fraction(1, [20, 5, 2, 1][seed % 4])
    used = {"lam": Fraction(1), "alpha": alpha}
    T = memory_of(problem, dutch, used, formal=True).transitions[0].to_float()
    radius = np.abs(np.linalg.eigvals(T)).max()
    assert abs(radius - 1) > 1e-6
    if radius > 1:
        with pytest.raises(NoExpectation, match="the expected memory e grows without bound"):
            memory_of(problem, dutch, used)
    else:
        assert memory_of(problem, dutch, used).means == memory_of(problem, dutch, used, formal=True).means


def test_what_no_feature_drives_does_not_keep_memory_from_existing():
    """Without discount components off the features neither grow nor decay, and stay 0."""
    steps, one = [(0, 0, 0, 1, 1)], [[1]]
    loop = Problem(name="loop", gamma=1, features=[[1, 0]], transitions=steps, behaviour=one, target=one)
    used = {"lam": Fraction(1), "alpha": Fraction(1, 2)}
    # e = e / 2 + 1 in the first component.
    assert memory_of(loop, dutch, used).means["e"].rows == ((2, 0),)


def test_a_dot_product_of_two_memories_is_not_affine():
    @learner(weights="w", memory="e f")
    def twice(x, w, e, f):
        return Step(w=x, e=dot(e, f) * x, f=f)

    with pytest.raises(BadAlgorithm, match=r"twice is not affine in its memory: e has the term x\*dot\(e, f\)"):
        _ = twice.trace


def test_in_letters_a_dutch_trace_after_the_step_is_what_moves_the_weights():
    lines = str(derive(dutch)).splitlines()
    assert lines[2] == "  w += alpha delta e"
    assert lines[3] == "  E[dw] = -E[e (x - gamma x')^T] w + E[e R]"


def test_in_letters_numbers_beside_the_td_error_stay_in_the_expectation():
    @learner(weights="w", memory="F", scalars="F")
    def weighted(x, x_next, w, F, rho, gamma, reward):
        return Step(w=rho * F * (reward + gamma * dot(w, x_next) - dot(w, x)) * x, F=rho / 2 * F + F / 4 + 1)

    last = str(derive(weighted)).splitlines()[-1]
    assert "F x (x - gamma x')^T]" in last
    assert "F x R]" in last
    assert "-A " not in last

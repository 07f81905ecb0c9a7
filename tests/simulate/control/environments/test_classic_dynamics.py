"""Mountain Car and Cart Pole against gymnasium's own, step by step."""

import gymnasium
import numpy as np
import pytest

from simulate.control.environments import environments
from simulate.control.environments.cart_pole import STEEPEST, CartPole
from simulate.control.environments.mountain_car import MountainCar


def seeds(count, root=0):
    return np.random.SeedSequence(root).spawn(count)


def car_states(count):
    """(2, count): inside the box, on each of its edges and corners, and about the goal."""
    generator = np.random.default_rng(1)
    position = generator.uniform(-1.2, 0.6, count)
    velocity = generator.uniform(-0.07, 0.07, count)
    position[:400] = generator.choice([-1.2, 0.6, 0.5, 0.43, -1.13, np.nextafter(0.5, 0)], 400)
    velocity[200:600] = generator.choice([-0.07, 0.07, 0.0], 400)
    return np.stack((position, velocity))


def pole_states(count):
    """(4, count): beyond where an episode ends, on its edges and the floats beside them, and where it begins."""
    generator = np.random.default_rng(1)
    states = generator.uniform(-1, 1, (4, count)) * np.array([[3.0], [4.0], [0.3], [4.0]])
    edges = [sign * np.nextafter(edge, to) for edge in (2.4, STEEPEST) for sign in (-1, 1) for to in (0, edge, 9)]
    states[:, :600] = generator.uniform(-0.05, 0.05, (4, 600))
    states[0, :300], states[1, :300] = generator.choice(edges[:6], 300), 0
    states[2, 300:600], states[3, 300:600] = generator.choice(edges[6:], 300), 0
    return states


def expected(name, states, actions):
    """Return the states, rewards and terminations of gymnasium's environment, one copy at a time."""
    theirs = gymnasium.make(name).unwrapped
    after, text = np.zeros_like(states), []
    for i, action in enumerate(actions.tolist()):
        theirs.reset()
        theirs.state = states[:, i]
        text.append(theirs.step(action)[1:3])
        after[:, i] = theirs.state
    return after, *map(np.array, zip(*text, strict=True))


def test_a_step_of_mountain_car_is_gymnasiums():
    cars = MountainCar(seeds(4000))
    before = cars.position, cars.velocity = car_states(4000)
    actions = np.random.default_rng(2).integers(3, size=4000)
    after, rewards, terminated = expected("MountainCar-v0", np.stack(before), actions)
    step = cars.step(actions)
    np.testing.assert_allclose((cars.position, cars.velocity), after, rtol=1e-14, atol=1e-17)
    assert (step.rewards == rewards).all()
    assert (step.terminated == terminated).all()
    assert 50 < terminated.sum() < 2000
    np.testing.assert_allclose(step.observations, after.T, rtol=2**-23, atol=1e-17)  # a cosine's last bit may tell


def test_a_step_of_cart_pole_is_gymnasiums():
    poles = CartPole(seeds(4000))
    before = poles.states = pole_states(4000)
    actions = np.random.default_rng(2).integers(2, size=4000)
    after, rewards, terminated = expected("CartPole-v1", before, actions)
    step = poles.step(actions)
    np.testing.assert_allclose(poles.states, after, rtol=1e-14, atol=1e-16)
    assert (step.rewards == rewards).all()
    assert (step.terminated == terminated).all()
    assert 100 < terminated[:600].sum() < 500
    np.testing.assert_allclose(step.observations, after.T, rtol=1e-6)


def test_a_mountain_car_begins_at_rest_anywhere_in_the_valley():
    position, velocity = MountainCar(seeds(3000)).observe().T
    assert (velocity == 0).all()
    assert -0.6 <= position.min() < -0.599
    assert -0.401 < position.max() <= np.float32(-0.4)
    assert abs(position.mean() + 0.5) < 5 * 0.2 / np.sqrt(12 * 3000)


def test_a_pole_begins_close_to_upright_in_every_number_of_its_state():
    states = CartPole(seeds(3000)).observe()
    assert (abs(states) <= np.float32(0.05)).all()
    assert (abs(states.mean(axis=0)) < 5 * 0.1 / np.sqrt(12 * 3000)).all()
    assert (abs(np.corrcoef(states.T) - np.eye(4)) < 5 / np.sqrt(3000)).all()


def test_the_time_limit_truncates_and_never_terminates():
    cars = environments("mountain-car", seeds(3), cutoff=4)
    for _ in range(3):
        step = cars.step(np.array([1, 1, 1]))
        assert not step.truncated.any()
    cars.position[1], cars.velocity[1] = 0.49, 0.05  # reaches the goal with the last step that it has
    step = cars.step(np.array([1, 2, 1]))
    assert step.terminated.tolist() == [False, True, False]
    assert step.truncated.tolist() == [True, False, True]
    cars.reset(np.array([True, False, False]))
    assert cars.step(np.array([1, 1, 1])).truncated[0].tolist() is False


@pytest.mark.parametrize(("name", "limit"), [("mountain-car", 1000), ("cart-pole", 500)])
def test_an_episode_is_as_long_as_the_paper_and_its_measurements_have_it(name, limit):
    assert environments(name, seeds(1)).cutoff == limit


@pytest.mark.parametrize("cutoff", [0, -3])
def test_a_cut_off_below_one_step_is_refused(cutoff):
    with pytest.raises(ValueError, match="--cutoff"):
        environments("mountain-car", seeds(1), cutoff=cutoff)

import gymnasium
import numpy as np
import pytest

from simulate.control.environments import environments
from simulate.control.environments.mountain_car import CENTRE, HALF_WIDTH, MountainCar


def seeds(count, root=0):
    return np.random.SeedSequence(root).spawn(count)


def drawn_states(count):
    """Positions and velocities inside the box, on each of its edges and corners, and about the goal."""
    generator = np.random.default_rng(1)
    position = generator.uniform(-1.2, 0.6, count)
    velocity = generator.uniform(-0.07, 0.07, count)
    position[:400] = generator.choice([-1.2, 0.6, 0.5, 0.43, -1.13, np.nextafter(0.5, 0)], 400)
    velocity[200:600] = generator.choice([-0.07, 0.07, 0.0], 400)
    return position, velocity


def test_each_step_is_gymnasiums():
    count = 4000
    cars = MountainCar(seeds(count))
    cars.position, cars.velocity = drawn_states(count)
    actions = np.random.default_rng(2).integers(3, size=count)
    theirs = gymnasium.make("MountainCar-v0").unwrapped
    expected = []
    for state in zip(cars.position, cars.velocity, actions, strict=True):
        theirs.state = state[:2]
        _, reward, terminated, _, _ = theirs.step(int(state[2]))
        expected.append((*theirs.state, reward, terminated))
    position, velocity, reward, terminated = (np.array(column) for column in zip(*expected, strict=True))
    step = cars.step(actions)
    np.testing.assert_allclose(cars.position, position, rtol=1e-15, atol=1e-17)
    np.testing.assert_allclose(cars.velocity, velocity, rtol=1e-14, atol=1e-17)
    assert (step.rewards == reward).all()
    assert (step.terminated == terminated).all()
    assert 50 < terminated.sum() < count / 2
    seen = step.observations * HALF_WIDTH + CENTRE
    np.testing.assert_allclose(seen, np.stack((position, velocity), axis=1), atol=1e-7)


def test_an_episode_begins_at_rest_anywhere_in_the_valley():
    cars = MountainCar(seeds(3000))
    assert (cars.velocity == 0).all()
    assert -0.6 <= cars.position.min() < -0.599
    assert -0.401 < cars.position.max() < -0.4
    assert abs(cars.position.mean() + 0.5) < 4 * 0.2 / np.sqrt(12 * 3000)


def test_the_time_limit_truncates_and_never_terminates():
    cars = environments("mountain-car", seeds(2), cutoff=5)
    cars.position[1] = 0.499
    cars.velocity[1] = 0.0
    cars._elapsed[1] = 4  # reaches the goal with its last step
    cars.velocity[1] = 0.05
    first = cars.step(np.array([1, 2]))
    assert first.terminated.tolist() == [False, True]
    assert first.truncated.tolist() == [False, False]
    cars.reset(first.terminated)
    later = [cars.step(np.array([1, 1])) for _ in range(4)]
    assert [step.truncated.tolist() for step in later] == [[False, False]] * 3 + [[True, False]]
    assert not any(step.terminated.any() for step in later)


@pytest.mark.parametrize("cutoff", [0, -3])
def test_a_cut_off_below_one_step_is_refused(cutoff):
    with pytest.raises(ValueError, match="--cutoff"):
        environments("mountain-car", seeds(1), cutoff=cutoff)

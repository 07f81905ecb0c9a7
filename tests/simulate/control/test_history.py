"""What stands for the episode in which a run ended, where it counts at each of some steps."""

from dataclasses import replace

import numpy as np
import pytest

from simulate.control.history import measured, standing
from simulate.control.piece import ControlPiece
from simulate.control.settings import settings

pytest.importorskip("torch")
from simulate.control.training import train

FROM = {"mountain-car": ("steps", 60), "cart-pole": ("return", 5)}


@pytest.mark.parametrize("environment", FROM)
def test_a_run_without_an_ended_episode_has_not_diverged(environment):
    _, steps = FROM[environment]
    chosen = settings(environment, "qrc", steps=steps, warm_up=steps - 1, batch=2, every=1)
    result = ControlPiece(environment, (chosen,), 0, runs=range(3)).compute()
    assert (result.diverged == -1).all()
    assert (result.area == steps).all()  # as it is so far: no reward but 1 is left out, no goal was reached


def test_a_run_that_never_succeeds_again_does_not_keep_its_last_success():
    chosen = settings("mountain-car", "qrc", steps=80, cutoff=30, warm_up=79, batch=2, every=1)
    result = ControlPiece("mountain-car", (chosen,), 0, runs=range(1)).compute()
    assert (result.area == 30).all()  # the third lasts for 20 so far, and is as long as the second
    assert standing([[120]], [np.array([120])], np.array([900]), np.array([900])) == [900]
    assert standing([[120]], [np.array([7.0])], np.array([90]), np.array([3.0])) == [7]
    assert standing([[120]], [np.array([7.0])], np.array([130]), np.array([3.0])) == [3]


def test_networks_and_linear_agents_count_the_longer_of_two():
    chosen = settings("mountain-car", "qrc", steps=80, cutoff=30, warm_up=79, batch=2, every=1)
    history = train(chosen, range(1), seed=0)
    assert history.last_steps.tolist() == [20]
    assert history.last_returns.tolist() == [-20]
    late = [np.array([8])]
    values = measured(_with(history, late), range(8, 81, 8))
    assert values[0].tolist() == [8, *[72] * 9]


def _with(history, steps):
    return replace(history, steps=tuple(steps), ends=tuple(steps), last_steps=np.array([72]))

"""A learner's parameters are those that it uses, also where it is not affine and nothing is known of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from simulate.kernels import used_parameters
from simulate.kernels.kernel_residual_gradient import find_learner
from simulate.step_sizes import CONSTANT
from simulate.sweep.experiment import Learners
from tdrc_theory import Algorithm
from tdrc_theory.errors import BadOption

ONE, HALF, TWO = Fraction(1), Fraction(1, 2), Fraction(2)


def clipped(x, x_next, h, delta, delta_hat, rho, gamma, beta, most=ONE / 3):
    return rho * max(-most, min(delta, most)) * x, 0


def greedy(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * abs(delta) * x, rho * delta * x - beta * h


@pytest.mark.parametrize(
    ("algorithm", "used"),
    [
        (find_learner("tdrc"), {"beta": HALF, "eta": TWO}),
        (find_learner("tdc"), {"beta": 0, "eta": TWO}),
        (find_learner("td"), {}),
        (find_learner("tdc-lambda"), {"beta": 0, "eta": TWO, "lam": 0}),
        (find_learner("kernel-rg"), {}),
        (Algorithm("greedy", greedy), {"beta": HALF, "eta": TWO}),
        (Algorithm("greedy", greedy, fixed={"beta": ONE}), {"beta": ONE, "eta": TWO}),
        (Algorithm("clipped", clipped), {"most": ONE / 3}),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_is_used_is_what_is_fixed_or_asked_for_or_nothing(algorithm, used):
    assert used_parameters(algorithm, {"beta": HALF, "eta": TWO}) == used


@pytest.mark.parametrize("algorithm", [find_learner("td-lambda"), Algorithm("clipped", clipped)], ids=str)
def test_a_parameter_that_a_learner_lacks_is_refused(algorithm):
    with pytest.raises(BadOption, match=r"has no parameter mu; it has (lam|most)"):
        used_parameters(algorithm, {"mu": HALF})


def test_a_study_runs_no_configuration_twice_that_a_fixed_parameter_makes_the_same():
    algorithm = Algorithm("greedy", greedy, fixed={"beta": ONE})
    grid = Learners((algorithm,), (CONSTANT,), alpha=(HALF,), grids={"eta": (ONE, TWO), "beta": (HALF, ONE, TWO)})
    result = grid.configurations(algorithm, CONSTANT)
    assert [dict(setting.parameters) for setting in result] == [{"beta": ONE, "eta": ONE}, {"beta": ONE, "eta": TWO}]

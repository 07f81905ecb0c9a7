"""A learner's parameters are those that it uses, also where it is not affine and nothing is known of it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from simulate.kernels import used_parameters
from simulate.kernels.kernel_residual_gradient import find_learner
from simulate.step_sizes import CONSTANT
from simulate.sweep.experiment import Learners
from tdrc_theory import Algorithm

ONE, HALF, TWO = Fraction(1), Fraction(1, 2), Fraction(2)


def greedy(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * abs(delta) * x, rho * delta * x - beta * h


@pytest.mark.parametrize(
    ("algorithm", "used"),
    [
        (find_learner("tdrc"), (HALF, TWO)),
        (find_learner("tdc"), (0, TWO)),
        (find_learner("td"), (None, None)),
        (find_learner("kernel-rg"), (None, None)),
        (Algorithm("greedy", greedy), (HALF, TWO)),
        (Algorithm("greedy", greedy, fixed={"beta": ONE}), (ONE, TWO)),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_is_used_is_what_is_fixed_or_asked_for_or_nothing(algorithm, used):
    assert used_parameters(algorithm, HALF, TWO) == used


def test_a_study_runs_no_configuration_twice_that_a_fixed_parameter_makes_the_same():
    algorithm = Algorithm("greedy", greedy, fixed={"beta": ONE})
    grid = Learners((algorithm,), (CONSTANT,), alpha=(HALF,), eta=(ONE, TWO), beta=(HALF, ONE, TWO), parameters={})
    found = grid.settings(algorithm, CONSTANT)
    assert [(setting.eta, setting.beta) for setting in found] == [(ONE, ONE), (TWO, ONE)]

"""Features of any size that floats have: errors keep their digits, and what floats cannot hold is refused."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from simulate.environment import environment
from simulate.error_measure import error_measure, projected_error
from simulate.kernels.kernel_residual_gradient import gaussian
from simulate.run.learning_curve import learning_curve
from simulate.run.output import plain_text, to_json
from tdrc_theory import PROBLEMS, Problem, find_problem, key_matrices
from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Matrix

TEN = Fraction(10)


def chain(size=1, **changed):
    """Two states with one feature, `size` and twice that."""
    fields = {
        "name": "chain",
        "gamma": "9/10",
        "features": [[size], [2 * size]],
        "transitions": [(0, 0, 1, 1, 0), (1, 0, 0, "1/2", 1), (1, 0, 1, "1/2", 0)],
        "behaviour": [[1], [1]],
        "target": [[1], [1]],
    }
    return Problem(**{**fields, **changed})


def exact_error(problem, w):
    """Return sqrt((b - A w)^T C^-1 (b - A w)), one float at the end; the square root is that of integers."""
    A, b, C = key_matrices(problem)
    rest = b - A @ Matrix.column(w)
    square = (rest.T @ C.solve(rest)).rows[0][0]
    return math.isqrt(square.numerator * 4**600 // square.denominator) / 2**600


@pytest.mark.parametrize("power", [-307, -200, -163, -150, -80, 0, 80, 150, 163, 200, 300])
def test_the_first_error_is_the_same_whatever_the_unit_of_the_features(power):
    curve = learning_curve(chain(TEN**power), runs=2, steps=4, workers=1)
    assert curve.errors[:, 0] == pytest.approx(2 / math.sqrt(27), rel=1e-14)  # MSPBE 4/27, by hand
    assert curve.mspbe.mean[0] == pytest.approx(4 / 27, rel=1e-14)


@pytest.mark.parametrize("power", [-90, -45, 45, 90])
def test_a_run_in_another_unit_is_the_same_run(power):
    # TD's weights are in 1/unit and its step size in 1/unit^2.
    unit = Fraction(2) ** power
    asked = {"algorithm": "td", "runs": 3, "steps": 200, "workers": 1}
    expected = learning_curve(chain(), alpha="1/8", **asked)
    curve = learning_curve(chain(unit), alpha=Fraction(1, 8) / unit**2, **asked)
    assert curve.errors == pytest.approx(expected.errors, rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("apart", [5, 30, 290])
def test_the_error_of_features_in_units_of_their_own_is_exact_to_rounding(seed, apart):
    numbers = random.Random(seed)
    units = [TEN ** numbers.randrange(-apart, apart) for _ in range(3)]
    features = [[numbers.randrange(-9, 10) * unit for unit in units] for _ in range(4)]
    features = [[value + unit * (s == i) / 3 for i, (value, unit) in enumerate(zip(row, units, strict=True))]
                for s, row in enumerate(features)]  # fmt: skip
    rows = [[Fraction(numbers.randrange(1, 9)) for _ in range(4)] for _ in range(4)]
    transitions = [(s, 0, t, p / sum(row), t + 1) for s, row in enumerate(rows) for t, p in enumerate(row)]
    problem = Problem(name="units", gamma="4/5", features=features, transitions=transitions,
                      behaviour=[[1]] * 4, target=[[1]] * 4)  # fmt: skip
    assert key_matrices(problem).C.rank() == 3
    measure = error_measure(problem)
    for _ in range(5):
        w = [numbers.randrange(-9, 10) / unit for unit in units]
        result = measure(np.array([float(value) for value in w]))
        assert result == pytest.approx(exact_error(problem, [Fraction(float(value)) for value in w]), rel=1e-10)


@pytest.mark.parametrize("power", [-60, -30, -12, -9, -6, -3])
def test_the_error_of_features_that_are_almost_the_same_is_exact_to_rounding(power):
    apart = TEN**power
    problem = Problem(
        name="almost the same",
        gamma="9/10",
        features=[[1, 1], [2, 2 + apart], [3, 3 - apart]],
        transitions=[(s, 0, t, "1/3", s + t * t) for s in range(3) for t in range(3)],
        behaviour=[[1]] * 3,
        target=[[1]] * 3,
    )
    result = error_measure(problem)(np.zeros(2))
    assert result == pytest.approx(exact_error(problem, [0, 0]), rel=1e-7)


@pytest.mark.parametrize("name", [name for name, _ in PROBLEMS])
def test_features_of_a_usual_size_are_measured_in_the_unit_that_they_have(name):
    A, b, C = key_matrices(find_problem(name))
    plain = projected_error(A.to_float(), b.to_float()[:, 0], C.to_float(), C.rank())
    result = error_measure(find_problem(name))
    assert result.residual.tobytes() == plain.residual.tobytes()
    assert result.offset.tobytes() == plain.offset.tobytes()


@pytest.mark.parametrize("power", [-600, -500, 500, 600])
def test_similarity_does_not_depend_on_the_unit(power):
    features = np.array([[1.0, 0.5], [0.25, 3.0], [0.0, 0.0], [2.0, 1.0]])
    assert gaussian(np.ldexp(features, power)) == pytest.approx(gaussian(features), rel=1e-14)


def test_errors_that_fall_below_the_range_of_squares_are_told():
    still = {"transitions": [(0, 0, 0, 1, 0)], "features": [[1]], "behaviour": [[1]], "target": [[1]], "gamma": "1/2"}
    problem = Problem(name="still", initial_weights=[1], **still)
    asked = {"algorithm": "td", "alpha": "1/2", "runs": 3, "every": 300, "workers": 1}  # the error is (3/4)^n / 2
    shown = learning_curve(problem, steps=1200, **asked)
    assert shown.errors[:, -1] == pytest.approx(0.75**1200 / 2, rel=1e-9)
    assert shown.vanished_runs == 0
    assert plain_text(shown).endswith("left the range of floats: 0 of 3 runs\n")
    lost = learning_curve(problem, steps=1500, **asked)
    assert lost.vanished_runs == to_json(lost)["vanished_runs"] == 3
    assert plain_text(lost).endswith("; with errors that fell below 3e-151 and read as 0 or lost digits: 3\n")
    at_rest = learning_curve(replace(problem, initial_weights=[0]), steps=1500, **asked)
    assert not at_rest.errors.any()
    assert at_rest.vanished_runs == 0


def with_reward(reward):
    return chain(transitions=[(0, 0, 1, 1, 0), (1, 0, 0, "1/2", reward), (1, 0, 1, "1/2", 0)])


REFUSED = [
    (chain(TEN**-320), "state 0: feature 0: 1.00000e-320 is outside the range of floats"),
    (chain(TEN**320), r"state 0: feature 0: 1.00000e\+320 is outside the range of floats"),
    (chain(initial_weights=[TEN**-400]), "initial weight 0: 1.00000e-400 is outside"),
    (chain(initial_weights=[TEN**400]), r"initial weight 0: 1.00000e\+400 is outside"),
    (with_reward(TEN**-320), "state 1: reward: 1.00000e-320 is outside"),
    (with_reward(TEN**320), r"state 1: reward: 1.00000e\+320 is outside"),
    (with_reward(TEN**-170), "with weights 0 the RMSPBE is about 4e-171: its square is outside the range of floats"),
    (with_reward(TEN**170), r"with weights 0 the RMSPBE is about 4e\+169: its square is outside the range of floats"),
    (with_reward(TEN**308), r"outside the range of floats"),
    (chain(gamma=TEN**-320), "gamma: 1.00000e-320 is outside"),
    (
        replace(
            chain(),
            transitions=[*((s, a, 1 - s, 1, 1) for s in (0, 1) for a in (0, 1))],
            behaviour=[[1 - TEN**-320, TEN**-320]] * 2,
            target=[[0, 1]] * 2,
        ),
        r"state 0: importance ratio: 1.00000e\+320 is outside",
    ),
]


@pytest.mark.parametrize(("problem", "reason"), REFUSED, ids=[reason[:40] for _, reason in REFUSED])
def test_what_floats_cannot_hold_is_refused(problem, reason):
    with pytest.raises(BadNumber, match=reason) as refusal:
        environment(problem, steps=1)
    assert "\n" not in str(refusal.value)

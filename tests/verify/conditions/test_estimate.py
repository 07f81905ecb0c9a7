"""The estimate at a fixed point, its values and its errors, beside NumPy on plain arrays."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem
from verify.conditions import check_conditions
from verify.conditions.setting import LONGEST


def averaged(P, r, d, X, gamma):
    """Return a problem of one action, so that target and behaviour are one, with given state weights."""
    steps = [(s, 0, t, P[s][t], r[s]) for s in range(len(P)) for t in range(len(P)) if P[s][t]]
    one = [[1] for _ in P]
    return Problem(
        name="averaged", gamma=gamma, features=X, transitions=steps, behaviour=one, target=one, state_weights=d,
        independent_only=True,
    )  # fmt: skip


def floats(rows):
    return np.array([[float(Fraction(v)) for v in row] for row in rows])


KOLTER = {
    "P": [["1/2", "1/2"], ["1/2", "1/2"]],
    "r": ["1", "2"],
    "d": ["18/100", "82/100"],
    "X": [["1"], ["21/20"]],
    "gamma": "99/100",
}  # features nearly represent the values; weights far from those of the chain spoil the fixed point


@pytest.mark.parametrize("d", [["18/100", "82/100"], ["1/2", "1/2"], ["7/10", "3/10"]])
def test_value_error_and_values_are_those_of_plain_linear_algebra(d):
    data = {**KOLTER, "d": d}
    result = check_conditions(averaged(**data), "td").estimate
    P, X, D = floats(data["P"]), floats(data["X"]), np.diag([float(Fraction(v)) for v in d])
    r, I = np.array([1.0, 2.0]), np.eye(2)  # noqa: E741
    v = np.linalg.solve(I - 0.99 * P, r)
    w = np.linalg.solve(X.T @ D @ (I - 0.99 * P) @ X, X.T @ D @ r)
    assert [float(x) for (x,) in result.weights.rows] == pytest.approx(w, rel=1e-9)
    assert [float(x) for (x,) in result.true_values.rows] == pytest.approx(v, rel=1e-9)
    error = X @ w - v
    assert result.value_error == pytest.approx(np.sqrt(error @ D @ error), rel=1e-9)
    assert result.mspbe == 0
    assert result.value_error > 1


def test_where_c_is_singular_the_error_uses_its_pseudo_inverse():
    # V-trace rests elsewhere than TD; the walk's tabular features twice over make C singular.
    walk = find_problem("random-walk-tabular")
    wide = [[*row, *row] for row in walk.features]
    twice = Problem(
        name="twice", gamma=walk.gamma, features=wide, transitions=walk.transitions, behaviour=walk.behaviour,
        target=walk.target, terminal=walk.terminal, start=walk.start,
    )  # fmt: skip
    one, two = (check_conditions(p, "vtrace").estimate for p in (walk, twice))
    assert one.mspbe == two.mspbe > 0
    assert one.directions == 0
    assert two.directions == 5
    assert not two.values_vary
    assert one.values == two.values
    A, b, C = check_conditions(twice, "vtrace").key
    residual = b.to_float()[:, 0] - A.to_float() @ two.weights.to_float()[:, 0]
    assert float(two.mspbe) == pytest.approx(residual @ np.linalg.pinv(C.to_float()) @ residual, rel=1e-8)


def test_an_average_reward_has_no_value_error_beside_it():
    assert check_conditions("baird", "differential-td").estimate.value_error is None


def test_no_fixed_point_is_no_estimate():
    # A = 0 with a reward: the weights drift.
    drift = averaged([["1"]], ["1"], ["1"], [["1"]], "1")
    assert check_conditions(drift, "td").estimate is None
    assert check_conditions(drift, "td").to_json()["estimate"] is None


def test_exact_numbers_in_json_have_a_limit_and_floats_beside_them():
    d = [f"{10**150 + 1}/{10**151}", f"{9 * 10**150 - 1}/{10**151}"]
    shown = check_conditions(averaged(**{**KOLTER, "d": d}), "td").to_json()
    text = json.dumps(shown["estimate"]) + json.dumps(shown["checks"])
    assert max(map(len, re.findall(r"\d+", text))) <= LONGEST
    assert shown["estimate"]["weights"]["exact"] == [None]
    assert isinstance(shown["estimate"]["weights"]["value"][0], float)


SPIRAL = {
    "P": [["1", "0", "0"], ["0", "0", "1"], ["1", "0", "0"]],
    "r": ["0", "0", "0"],
    "d": ["8/14", "3/14", "3/14"],
    "X": [["2", "2"], ["1", "0"], ["2", "0"]],
    "gamma": "99/100",
}  # a deterministic chain whose -A has one pair of eigenvalues, with a positive real part


def test_a_verdict_says_whether_errors_oscillate():
    assert check_conditions("two-state", "td").verdict.reason == (
        "G has the real eigenvalue 0.47, so errors grow without oscillating"
    )
    P, X = floats(SPIRAL["P"]), floats(SPIRAL["X"])
    D = np.diag([float(Fraction(v)) for v in SPIRAL["d"]])
    root = max(np.linalg.eigvals(-X.T @ D @ (np.eye(3) - 0.99 * P) @ X), key=lambda z: z.imag)
    reason = check_conditions(averaged(**SPIRAL), "td").verdict.reason
    shown = re.fullmatch(r"G has the eigenvalues (\S+) \+- (\S+) i, so errors oscillate and grow", reason)
    assert float(shown[1]) == pytest.approx(root.real, rel=1e-5)
    assert float(shown[2]) == pytest.approx(root.imag, rel=1e-5)

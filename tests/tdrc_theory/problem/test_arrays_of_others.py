"""Arrays in the forms of NumPy, SciPy, PyTorch and pandas, and public problems from them, have the known values."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import END, Problem, averaged_process, find_problem, key_matrices
from tdrc_theory.problem.steps import target_values
from verify import check_conditions

WAIT = np.array([[0.1, 0.9, 0], [0.1, 0, 0.9], [0.1, 0, 0.9]])
CUT = np.array([[1.0, 0, 0], [1, 0, 0], [1, 0, 0]])
FOREST = {
    "name": "forest of three ages",
    "gamma": 0.9,
    "features": np.eye(3),
    "P": np.array([WAIT, CUT]),
    "R": np.array([[0, 0], [0, 1], [4, 2]]),
    "behaviour": np.full((3, 2), 0.5),
    "target": (0, 0, 0),
}


def values(problem):
    return [float(row[0]) for row in target_values(problem).rows]


def test_the_forest_has_the_values_of_its_optimal_policy():
    problem = Problem.from_arrays(**FOREST)
    solved = np.linalg.solve(np.eye(3) - 0.9 * WAIT, [0, 0, 4])
    np.testing.assert_allclose(values(problem), solved)
    np.testing.assert_allclose(solved, [26.244, 29.484, 33.484])  # as its documentation has it
    report = check_conditions(problem)
    A, b, _ = (matrix.to_float() for matrix in report.key)
    np.testing.assert_allclose(np.linalg.solve(A, b)[:, 0], solved)
    assert report.verdict_text() == "convergent (exact)"


@pytest.mark.parametrize("form", ["list", "csr_array", "csr_matrix", "coo_array", "lil_matrix"])
def test_sparse_matrices_are_the_same_forest(form):
    sparse = pytest.importorskip("scipy.sparse")
    result = getattr(sparse, form) if form != "list" else list
    problem = Problem.from_arrays(**FOREST | {"P": [result(WAIT), result(CUT)], "features": result(np.eye(3))})
    assert problem == Problem.from_arrays(**FOREST)
    rewards = [result(np.outer(FOREST["R"][:, a], [1, 1, 1])) for a in range(2)]
    assert Problem.from_arrays(**FOREST | {"R": rewards}) == problem


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_tensors_are_the_same_forest(precision):
    torch = pytest.importorskip("torch")
    tensors = {key: torch.tensor(FOREST[key], dtype=getattr(torch, precision)) for key in ("features", "P", "R")}
    tensors["P"].requires_grad_()
    tensors |= {"gamma": torch.tensor(0.9), "target": torch.zeros(3, dtype=torch.int64)}
    problem = Problem.from_arrays(**FOREST | tensors)
    plain = Problem.from_arrays(**FOREST)
    assert (problem.transitions, problem.gamma, problem.d) == (plain.transitions, plain.gamma, plain.d)


def test_a_table_is_read_by_rows():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(np.full((3, 2), 0.5), columns=["wait", "cut"])
    assert Problem.from_arrays(**FOREST | {"behaviour": table}) == Problem.from_arrays(**FOREST)


def test_a_kind_of_tensor_that_numpy_lacks_is_refused_in_one_line():
    torch = pytest.importorskip("torch")
    with pytest.raises(ValueError, match=r"features: a Tensor that cannot be read: [^\n]*$"):
        Problem.from_arrays(**FOREST | {"features": torch.eye(3, dtype=torch.bfloat16)})


def test_arrays_need_no_library_that_they_are_not_of():
    code = (
        "import sys; from tdrc_theory import Problem; Problem.from_arrays(name='one', gamma=0, features=[[1]],"
        "P=[[[1]]], R=[1], behaviour=[0], target=[0]);"
        "assert not {'torch', 'scipy', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("order", ["SAS", "ASS"])
def test_rewards_may_be_by_state_by_pair_or_by_transition(order):
    rng = np.random.default_rng(1)
    P = rng.integers(1, 9, (4, 3, 4)).astype(float)
    P /= P.sum(-1, keepdims=True)
    pi = rng.integers(1, 9, (4, 3)).astype(float)
    pi /= pi.sum(-1, keepdims=True)
    turned = {"SAS": lambda a: a, "ASS": lambda a: np.swapaxes(a, 0, 1)}[order]
    shared = {"name": "drawn", "gamma": 0.5, "features": np.eye(4), "behaviour": pi, "target": pi, "normalise": True}
    chain = np.einsum("sa,sat->st", pi, P)
    for shape in [(4,), (4, 3), (4, 3, 4)]:
        R = rng.integers(-5, 6, shape)
        by_transition = np.broadcast_to(R.reshape(*shape, *[1] * (3 - len(shape))), P.shape)
        paid = np.einsum("sa,sat,sat->s", pi, P, by_transition)
        arguments = turned(R) if R.ndim == 3 else R
        problem = Problem.from_arrays(P=turned(P), R=arguments, order=order, **shared)
        np.testing.assert_allclose(values(problem), np.linalg.solve(np.eye(4) - 0.5 * chain, paid))


def test_the_order_needs_no_row_of_a_policy():
    by_action = Problem.from_arrays(**FOREST | {"behaviour": [0, 0, 0]})
    assert by_action.actions == 2
    assert by_action.d == Problem.from_arrays(**FOREST | {"behaviour": [0, 0, 0], "order": "ASS"}).d


def test_boyans_chain_from_arrays_is_the_built_in_one():
    P = np.zeros((14, 14))
    for s in range(11):
        P[s, s + 1] = P[s, s + 2] = 0.5
    P[11, 12] = P[12, 13] = 1
    x = np.maximum(0, 1 - np.abs(np.arange(14)[:, None] / 4 - np.arange(4)))
    problem = Problem.from_arrays(
        name="boyan", gamma=1, features=x * (np.arange(14)[:, None] < 13), P=P[:, None], R=[-3] * 12 + [-2, 0],
        behaviour=[0] * 14, target=[0] * 14, terminal=[13], start=[1] + [0] * 13,
    )  # fmt: skip
    assert key_matrices(problem) == key_matrices(find_problem("boyan"))
    solved = np.linalg.solve(np.eye(13) - P[:13, :13], [-3] * 12 + [-2])
    np.testing.assert_allclose(values(problem)[:13], solved)
    visits = np.linalg.solve((np.eye(13) - P[:13, :13]).T, np.eye(13)[0])
    weighted = x[:13].T * visits
    w = np.linalg.solve(weighted @ (x[:13] - P[:13, :13] @ x[:13]), weighted @ ([-3] * 12 + [-2]))
    np.testing.assert_allclose(check_conditions(problem, "td").estimate.weights.to_float()[:, 0], w)


def split(presplit):
    """Return A, or A1 and A2 of one feature, which go to B or C with equal chances; B pays 1 and C nothing."""
    first = [(0, 0, 2, 1, 0), (1, 0, 3, 1, 0)] if presplit else [(0, 0, 2, 0.5, 0), (0, 0, 3, 0.5, 0), (1, 0, 2, 1, 0)]
    return Problem(
        name="A-presplit" if presplit else "A-split",
        gamma=1,
        features=[[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        transitions=[*first, (2, 0, END, 1, 1), (3, 0, END, 1, 0)],
        behaviour=[0, 0, 0, 0],
        target=[0, 0, 0, 0],
        start=["1/2", "1/2", 0, 0] if presplit else [1, 0, 0, 0],
    )


@pytest.mark.parametrize("presplit", [False, True])
def test_a_residual_gradient_splits_what_td_does_not(presplit):
    """Sutton and Barto 2018, examples 11.2 and 11.3."""
    right, smooth = [1 / 2, 1, 0], [1 / 2, 3 / 4, 1 / 4]
    for name, expected in (
        ("td", right),
        ("naive-residual-gradient", smooth),
        ("residual-gradient", smooth if presplit else right),
    ):
        report = check_conditions(split(presplit), name)
        assert report.verdict.status.value == "convergent"
        np.testing.assert_allclose(report.estimate.weights.to_float()[:, 0], expected)


def collision(features):
    """Return the Collision task: forward through eight states, from the fifth on with a way to turn away."""
    P = [[row] for row in np.eye(9)[1:5]] + [[np.eye(9)[s + 1], np.eye(9)[8]] for s in range(4, 8)] + [[]]
    R = [[0]] * 4 + [[0, 0]] * 3 + [[1, 0], []]
    return Problem.from_arrays(
        name="collision", gamma=0.9, features=features, P=P, R=R,
        behaviour=[[1]] * 4 + [["1/2", "1/2"]] * 4 + [[]], target=[0] * 9, terminal=[8], start=[0.25] * 4 + [0] * 5,
    )  # fmt: skip


def test_collision_has_states_with_different_numbers_of_actions():
    problem = collision(np.vstack([np.eye(8), np.zeros(8)]))
    np.testing.assert_allclose(values(problem)[:8], 0.9 ** np.arange(7, -1, -1))
    visits = np.array([1, 2, 3, 4, 4, 2, 1, 1 / 2])
    np.testing.assert_allclose([float(w) for w in problem.d], [*visits / visits.sum(), 0])
    report = check_conditions(problem, "emphatic-td")
    assert report.verdict.status.value == "convergent"
    np.testing.assert_allclose(report.estimate.weights.to_float()[:, 0], 0.9 ** np.arange(7, -1, -1))


def test_collision_with_six_binary_features_has_the_fixed_point_of_plain_numpy():
    rng = np.random.default_rng(5)
    x = np.vstack([rng.permuted(np.tile([1, 1, 1, 0, 0, 0], (8, 1)), axis=1), np.zeros((1, 6))])
    problem = collision(x)
    d = np.diag([1, 2, 3, 4, 4, 2, 1, 0.5]) / 17.5
    A = x[:8].T @ d @ (x[:8] - 0.9 * x[1:])
    b = x[:8].T @ d @ np.eye(8)[7]
    key = key_matrices(problem)
    np.testing.assert_allclose(key.A.to_float(), A)
    np.testing.assert_allclose(key.b.to_float()[:, 0], b)


def test_an_averaged_process_may_weigh_states_by_its_own_chain():
    P = [[0.5, 0.5, 0], [0, 0.5, 0.5], [1, 0, 0]]
    problem = averaged_process(name="ring", gamma=0.5, features=np.eye(3), P=P, r=[1, 2, 3], d="stationary")
    assert problem.d == (Fraction(2, 5), Fraction(2, 5), Fraction(1, 5))
    assert problem.state_weights is None
    np.testing.assert_allclose(values(problem), np.linalg.solve(np.eye(3) - 0.5 * np.array(P), [1, 2, 3]))
    stuck = averaged_process(name="stuck", gamma=0.5, features=np.eye(2), P=[[0, 1], [0, 1]], r=[1, 2], d="stationary")
    assert stuck.warnings[0].startswith("state 1 is absorbing and has all the stationary weight")

"""Probabilities that do not sum to 1 by rounding alone come in by `normalise`, which says how much it changed."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from reports.command import main
from tdrc_theory import Problem, averaged_process, key_matrices, load_problem
from tdrc_theory.errors import BadProblem

REMEDY = r'; a third is written "1/3", and normalise = true \(--normalise\) divides rounded numbers by their sum$'
ROUNDED = """
name = "rounded"
gamma = 0.9
features = [[1, 0], [0, 1], [7, 7]]

[mdp]
transitions = [[0, 0, 1, 0.3333333, 1], [0, 0, 0, 0.6666666, 0], [0, 1, 2, 1, 1], [1, 0, 0, 1, 0], [1, 1, 2, 1, -1]]
behaviour = [[0.4999999, 0.5], [0.5, 0.5], [0, 0]]
target = [[1, 0], [0.1666667, 0.8333334], [0, 0]]
terminal = [2]
start = [0.25, 0.7500001, 0]
"""


def softmax(rng, *shape):
    weights = np.exp(rng.normal(size=shape))
    return weights / weights.sum(-1, keepdims=True)


def drawn(seed):
    """Return arrays of four states and three actions whose rows sum to 1 up to the rounding of floats."""
    rng = np.random.default_rng(seed)
    return {
        "name": "drawn",
        "gamma": 0.9,
        "features": rng.integers(-3, 4, (4, 2)),
        "P": softmax(rng, 4, 3, 4),
        "R": rng.integers(-3, 4, (4, 3)),
        "behaviour": softmax(rng, 4, 3),
        "target": softmax(rng, 4, 3),
    }


def stationary(chain):
    values, vectors = np.linalg.eig(chain.T)
    d = vectors[:, np.argmax(values.real)]
    return d / d.sum()


@pytest.mark.parametrize("seed", range(20))
def test_rows_of_floats_that_were_divided_by_their_sum_come_in(seed):
    arrays = drawn(seed)
    with pytest.raises(BadProblem, match=REMEDY):
        Problem.from_arrays(**arrays)
    problem = Problem.from_arrays(**arrays, normalise=True)
    assert 0 < problem.normalised < Fraction(1, 10**15)
    assert any(note.startswith("normalised: ") and "e-1" in note for note in problem.notes)
    assert problem.to_json()["normalised"] == {"largest_change": float(problem.normalised)}

    P, R, x, b, pi = (np.array(arrays[key], float) for key in ("P", "R", "features", "behaviour", "target"))
    d = np.diag(stationary(np.einsum("sa,sat->st", b, P)).real)
    A, right, C = (matrix.to_float() for matrix in key_matrices(problem))
    np.testing.assert_allclose(A, x.T @ d @ (x - 0.9 * np.einsum("sa,sat->st", pi, P) @ x), rtol=0, atol=1e-12)
    np.testing.assert_allclose(right[:, 0], x.T @ d @ (pi * R).sum(1), rtol=0, atol=1e-12)
    np.testing.assert_allclose(C, x.T @ d @ x, rtol=0, atol=1e-12)


def test_stationary_weights_of_an_eigensolver_come_in():
    arrays = drawn(3)
    chain = np.einsum("sa,sat->st", arrays["behaviour"], arrays["P"])
    weights = stationary(chain).astype(complex)  # as `eig` returns them where other eigenvalues are complex
    problem = Problem.from_arrays(**arrays, state_weights=weights, normalise=True)
    assert sum(problem.d) == 1
    np.testing.assert_allclose([float(w) for w in problem.d], weights.real, rtol=0, atol=1e-15)


def test_what_rounding_made_negative_is_zero_and_what_is_negative_stays_refused():
    arrays = drawn(3)
    problem = Problem.from_arrays(**arrays, state_weights=[0.5, 0.5, -1e-17, 1e-17], normalise=True)
    assert problem.d[2] == 0
    assert sum(problem.d) == 1
    with pytest.raises(BadProblem, match="state_weights, entry 2: -1/1000 is negative"):
        Problem.from_arrays(**arrays, state_weights=[0.5, 0.5, -1e-3, 1e-3], normalise=True)


def test_a_row_is_divided_by_its_sum_exactly(tmp_path):
    path = tmp_path / "rounded.toml"
    path.write_text("normalise = true\n" + ROUNDED, encoding="utf-8")
    problem = load_problem(path)
    total = Fraction("0.4999999") + Fraction("0.5")
    assert problem.behaviour[0] == (Fraction("0.4999999") / total, Fraction("0.5") / total)
    assert problem.target[1] == (Fraction(1666667, 10000001), Fraction(8333334, 10000001))
    assert [t.probability for t in problem.transitions][:2] == [Fraction(3333333, 9999999), Fraction(6666666, 9999999)]
    assert problem.start[:2] == (Fraction(2500000, 10000001), Fraction(7500001, 10000001))
    assert sum(problem.start) == 1


def test_the_largest_change_is_that_of_one_entry(tmp_path):
    path = tmp_path / "rounded.toml"
    path.write_text(ROUNDED, encoding="utf-8")
    problem = load_problem(path, normalise=True)
    rows = [
        (problem.behaviour[0], ("0.4999999", "0.5")),
        (problem.target[1], ("0.1666667", "0.8333334")),
        ([t.probability for t in problem.transitions][:2], ("0.3333333", "0.6666666")),
        (problem.start, ("0.25", "0.7500001", "0")),
    ]
    changes = [abs(a - Fraction(b)) for row, written in rows for a, b in zip(row, written, strict=True)]
    assert problem.normalised == max(changes)


@pytest.mark.parametrize("rows", [[[0.9, 0.0], [1, 0]], [[0.99999, 0], [1, 0]], [[1.1, 0], [0, 1]]])
def test_what_is_off_by_more_than_rounding_is_refused_all_the_same(rows):
    problem = {"name": "off", "gamma": 0, "features": [[1], [2]], "transitions": [(0, 0, 1, 1, 0), (1, 0, 0, 1, 0)]}
    with pytest.raises(BadProblem, match=r"behaviour, state 0: entries sum to [0-9/]*, not 1$"):
        Problem(**problem, behaviour=rows, target=[0, 0], normalise=True)


def test_what_sums_to_one_stays_as_it_is():
    thirds = [[0.3333333333333333] * 3] * 3
    problem = Problem.from_arrays(
        name="thirds", gamma=0.9, features=np.eye(3), P=[thirds], R=[1, 2, 3], behaviour=[0, 0, 0], target=[0, 0, 0],
        normalise=True,
    )  # fmt: skip
    assert {t.probability for t in problem.transitions} == {Fraction(1, 3)}
    assert problem.normalised == 0
    assert not any("normalised" in note for note in problem.notes)


def test_an_averaged_process_does_not_end_by_rounding():
    P = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [1 / 7, 2 / 7, 4 / 7]]) * (1 - 1e-9)
    rounded = {
        "name": "averaged",
        "gamma": 1,
        "features": [[1], [2], [4]],
        "P": P,
        "r": [1, 0, 2],
        "d": [0.2, 0.3, 0.5],
    }
    problem = averaged_process(**rounded)
    assert sum("so an episode ends there with that probability" in note for note in problem.notes) == 3
    problem = averaged_process(**rounded, normalise=True)
    assert all(t.s_next >= 0 for t in problem.transitions)
    assert problem.normalised > 0
    with pytest.raises(BadProblem, match=r"d: a chain that ends has no stationary weights, and P, state 0, .*1/3"):
        averaged_process(**rounded | {"d": "stationary"})
    by_chain = averaged_process(**rounded | {"d": "stationary"}, normalise=True)
    np.testing.assert_allclose([float(w) for w in by_chain.d], stationary(P).real, rtol=0, atol=1e-12)


def test_a_row_above_one_by_rounding_names_the_option():
    with pytest.raises(BadProblem, match=r"P, state 0: entries sum to .*, more than 1; a third is .*--normalise"):
        averaged_process(name="above", gamma=0, features=[[1]], P=[[1 + 1e-9]], r=[1], d=[1])


@pytest.mark.parametrize("value", ["1", '"true"', "[true]"])
def test_the_key_is_true_or_false(tmp_path, value):
    path = tmp_path / "rounded.toml"
    path.write_text(f"normalise = {value}\n" + ROUNDED, encoding="utf-8")
    with pytest.raises(BadProblem, match=r"normalise: .* is not True or False"):
        load_problem(path)


@pytest.mark.parametrize("command", ["conditions", "region", "borkar-meyn", "predict"])
def test_every_command_that_takes_a_problem_takes_the_option(tmp_path, capsys, command):
    path = tmp_path / "rounded.toml"
    path.write_text(ROUNDED, encoding="utf-8")
    steps = ["--steps", "4"] if command == "predict" else []
    assert main([command, str(path), *steps]) == 2
    assert capsys.readouterr().err.rstrip().endswith("(--normalise) divides rounded numbers by their sum")
    assert main([command, str(path), "--normalise", *steps]) == 0
    assert "note: normalised: probabilities that summed to 1 up to rounding" in capsys.readouterr().out
    assert main([command, str(path), "--normalise", "--json", *steps]) == 0
    change = json.loads(capsys.readouterr().out)["problem"]["normalised"]["largest_change"]
    assert change == pytest.approx(8.333332e-8, rel=1e-6)

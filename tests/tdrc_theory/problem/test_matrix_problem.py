"""A, b and C alone give what a process with these gives, for the learners that they determine, and no more."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from reports.command import main
from tdrc_theory import ALGORITHMS, MatrixProblem, find_problem, key_matrices, load_problem
from tdrc_theory.errors import BadOption, BadProblem, TheoryError
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.problems.problem_file import problem_text
from verify import check_conditions
from verify.predict.mean import predict_mean
from verify.region import region

DETERMINED = {"td", "tdc", "gtd2", "tdrc", "tdc++", "gtd", "td-ridge", "td-target", "tdc-momentum", "r-gtd"}
TWO = """
name = "two states, by their matrices"
initial_weights = [1]

[matrices]
A = [["-47/100"]]
b = [0]
C = [[2.5]]
"""


def of(name):
    """Return a built-in problem by its matrices alone."""
    problem = find_problem(name)
    A, b, C = key_matrices(problem)
    return problem, MatrixProblem(name=name, A=A, b=b, C=C, initial_weights=problem.initial_weights)


@pytest.fixture
def two(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(TWO, encoding="utf-8")
    return str(path)


def test_the_learners_that_a_b_and_c_determine_are_known():
    _, matrices = of("two-state")
    accepted, refusals = set(), []
    for algorithm in ALGORITHMS:
        try:
            expected_update(matrices, algorithm, algorithm.parameters({}))
            accepted.add(algorithm.name)
        except BadOption as error:
            refusals.append(str(error))
    assert accepted == DETERMINED
    assert all("give the process, as [mdp] or [mrp]" in refusal for refusal in refusals)


@pytest.mark.parametrize("algorithm", [a for a in ALGORITHMS if a.name in DETERMINED], ids=lambda a: a.name)
@pytest.mark.parametrize("name", ["baird", "boyan", "two-state", "random-walk-inverted"])
def test_the_expected_update_is_that_of_the_process(name, algorithm):
    problem, matrices = of(name)
    used = algorithm.parameters({"beta": Fraction(2, 7), "eta": Fraction(3, 5)})
    assert expected_update(matrices, algorithm, used) == expected_update(problem, algorithm, used)


@pytest.mark.parametrize("algorithm", ["td", "tdc", "tdrc", "gtd2"])
@pytest.mark.parametrize("name", ["baird", "boyan"])
def test_a_verdict_is_that_of_the_process(name, algorithm):
    problem, matrices = of(name)
    known, alone = (check_conditions(p, algorithm, beta="1/10") for p in (problem, matrices))
    assert alone.verdict == known.verdict
    assert (alone.ranks, alone.key, dict(alone.bounds)) == (known.ranks, known.key, dict(known.bounds))
    judged = [
        [(c.claim, c.status, c.proof) for c in each.checks if c.claim != "true-values"] for each in (known, alone)
    ]
    assert judged[0] == judged[1]
    assert "true-values" not in {c.claim for c in alone.checks}  # no policy is given whose values these would be
    assert alone.estimate is None or alone.estimate.values is None


def test_a_region_is_that_of_the_process():
    problem, matrices = of("two-state")
    known, alone = (region(p, eta="1").to_json()["intervals"] for p in (problem, matrices))
    assert known == alone


def test_a_feature_wise_update_of_a_process_off_policy_is_g_of_plain_numpy():
    rng = np.random.default_rng(2)
    A, b = rng.integers(-3, 4, (3, 3)), rng.integers(-3, 4, 3)
    half = rng.integers(-2, 3, (3, 3))
    C = half @ half.T + np.eye(3, dtype=int)
    G, g = expected_update(
        MatrixProblem(name="drawn", A=A, b=b, C=C), check_conditions("two-state").algorithm,
        {"beta": Fraction(1, 2), "eta": Fraction(2)},
    )  # fmt: skip
    beta, eta = 0.5, 2
    np.testing.assert_array_equal(G.to_float(), np.block([[-eta * (C + beta * np.eye(3)), -eta * A], [A.T - C, -A]]))
    np.testing.assert_array_equal(g.to_float()[:, 0], [*(eta * b), *b])


def test_mean_weights_are_the_expected_update_iterated():
    A, C, b = np.array([[2.0, 1], [-1, 1]]), np.array([[2.0, 0], [0, 1]]), np.array([1.0, -1])
    problem = MatrixProblem(name="turn", A=A, b=b, C=C, initial_weights=[3, 4])
    result = predict_mean(problem, "td", alpha="1/4", steps=40)
    w = [np.array([3.0, 4])]
    for _ in range(40):
        w.append(w[-1] + 0.25 * (b - A @ w[-1]))
    np.testing.assert_allclose(result.mean_weights, w)
    np.testing.assert_allclose(result.mspbe_of_mean, [(b - A @ v) @ np.linalg.solve(C, b - A @ v) for v in w])
    values = np.linalg.eigvals(-A)
    assert result.limit == pytest.approx(min(-2 * values.real / abs(values) ** 2))
    assert max(abs(np.linalg.eigvals(np.eye(2) - result.limit * A))) == pytest.approx(1)
    assert not result.at_rest


def test_mean_weights_without_a_limit_say_why():
    assert predict_mean(of("two-state")[1], "td", alpha=1, steps=1).reason.startswith("the expected update has an eig")
    nowhere = MatrixProblem(name="drift", A=[[0]], b=[1], C=[[1]])
    assert predict_mean(nowhere, "td", alpha=1, steps=1).reason == "the expected update rests nowhere (exact)"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"A": [[1, 0]]}, "A: 1 row of 2 numbers; it must be square"),
        ({"A": []}, "A: 0 rows"),
        ({"A": [[1, "x"], [0, 1]]}, "A, row 0, entry 1: 'x' is not a number"),
        ({"b": [1]}, "b: 1 entries for 2 rows of A"),
        ({"C": [[1, 0]]}, "C: 1 row of 2 numbers; it must be square"),
        ({"C": [[1, 0], [1, 1]]}, "C: is not symmetric"),
        ({"C": [[1, 2], [2, 1]]}, "C: has a negative eigenvalue"),
        ({"C": [[1, 0], [0, 0]]}, r"A: C z = 0 makes z\^T x always 0, but z\^T A is not 0 for such a z"),
        ({"A": [[1, 0], [0, 0]], "C": [[1, 0], [0, 0]]}, r"b: C z = 0 makes"),
        ({"initial_weights": [1]}, "initial_weights: 1 entries for 2 rows of A"),
        ({"name": "two\nlines"}, "name: "),
    ],
)
def test_what_no_features_have_is_refused(fields, message):
    good = {"name": "good", "A": [[1, 0], [0, 1]], "b": [1, 1], "C": [[2, 1], [1, 2]]}
    assert MatrixProblem(**good).k == 2
    with pytest.raises(BadProblem, match=message):
        MatrixProblem(**good | fields)


def test_a_file_has_the_verdict_of_the_built_in_problem(two, capsys):
    assert main(["conditions", two, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["problem"]["states"] is answer["problem"]["gamma"] is None
    assert answer["problem"]["features"] == 1
    assert answer["matrices"] == {"A": [["-47/100"]], "b": ["0"], "C": [["5/2"]]}
    assert answer["verdict"] == check_conditions("two-state").to_json()["verdict"]


def test_a_file_is_read_back_as_it_was_written(two, tmp_path):
    problem = load_problem(two)
    again = tmp_path / "again.toml"
    again.write_text(problem_text(problem), encoding="utf-8")
    read = load_problem(again)
    assert all(getattr(read, f) == getattr(problem, f) for f in ("name", "A", "b", "C", "initial_weights"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[matrices]", "gamma = 0.9\n[matrices]", "gamma: unknown key; allowed: name, initial_weights"),
        ("b = [0]", "", "matrices.b: missing"),
        ("[[2.5]]", "[[true]]", "matrices.C, row 0, entry 0: True is not a number"),
        ("[[2.5]]", "[[-1]]", "matrices.C: has a negative eigenvalue"),
    ],
)
def test_a_wrong_file_is_refused_by_key(two, tmp_path, old, new, message):
    path = tmp_path / "wrong.toml"
    path.write_text(TWO.replace(old, new), encoding="utf-8")
    with pytest.raises(BadProblem) as caught:
        load_problem(path)
    assert str(caught.value).removeprefix(f"{path}: ").startswith(message)


def test_what_needs_the_process_is_refused_in_one_line(two, capsys):
    for command, *others in (
        ("run",),
        ("compare",),
        ("borkar-meyn",),
        ("predict", "--sampling", "markov"),
        ("predict", "--alphas", "1,2"),
        ("conditions", "--algorithm", "td-lambda"),
        ("conditions", "--algorithm", "htd"),
    ):
        assert main([command, two, *others]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "A, b and C " in line, command


def test_a_prediction_of_mean_weights_has_null_for_what_takes_the_process(two, capsys):
    assert main(["predict", two, "--algorithm", "td", "--alpha", "1/2", "--steps", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(answer["mean_weights"], [[1.0], [1.235], [1.235**2]])
    assert answer["mspbe"] is answer["limits"]["mean_square"] is None
    assert main(["predict", two, "--algorithm", "td", "--steps", "2"]) == 0
    assert "mean limit of alpha: none; the expected update has an eigenvalue" in capsys.readouterr().out


def test_a_page_and_a_certificate_are_made(two, tmp_path, capsys):
    page, proof = tmp_path / "page.html", tmp_path / "proof.json"
    assert main(["build", two, "--algorithm", "tdc", "-o", str(page)]) == 0
    assert "convergent (exact)" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert "the chain as a picture: only A, b and C are given" in text
    assert main(["conditions", two, "--algorithm", "tdc", "--certificate", str(proof)]) == 0
    assert main(["check-certificate", str(proof)]) == 0
    assert "accepted\n  convergent (fixed points: A w = b), of the 2 x 2 G in it;" in capsys.readouterr().out


def test_a_problem_that_steps_are_taken_from_is_not_found_in_matrices(two):
    with pytest.raises(TheoryError, match="this takes steps of the process"):
        find_problem(two)

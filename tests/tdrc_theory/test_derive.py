"""The symbolic expected update, against the exact one of problems."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from tdrc_theory import OF_THE_PAPER, Algorithm, ExpectationTable, Matrix, expected_update
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.algorithms.expected_sarsa import EXPECTED_SARSA
from tdrc_theory.derive.symbolic import A_B, A_B_T, A_T, B_B, A, B, C, I, derive
from tdrc_theory.formula import latex, text
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems.garnet import garnet

BETA, ETA = Fraction(2, 3), Fraction(7, 4)


IN_LETTERS = [
    *(a for a in OF_THE_PAPER if a.name != "vtrace"),
    *map(find_algorithm, ("gtd", "td-ridge", "td-target", "tdc-momentum", "r-gtd")),
]
"""Those whose G and g are of A, b and C alone."""


def value_of(block, values, gamma):
    total = None
    for letter, coefficient in block.parts.items():
        number = numeric(coefficient, gamma)
        part = values[letter] * Fraction(int(number.p), int(number.q))
        total = part if total is None else total + part
    return total


def numeric(coefficient, gamma):
    known = {"beta": BETA, "eta": ETA, "gamma": gamma, "mu": 1}
    return coefficient.subs({s: sympy.Rational(str(known[s.name])) for s in coefficient.free_symbols})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("algorithm", IN_LETTERS, ids=lambda a: a.name)
def test_symbolic_G_and_g_become_the_exact_ones_of_a_problem(algorithm, seed):
    problem = garnet(5, 2, 3, 3, seed)
    table = ExpectationTable(problem)
    key = key_matrices(table)
    one = [Fraction(1)] * len(table.modes.points)
    behaviour_A = table.entry(one, ("x",), "x") - table.entry(one, ("x",), "x_next") * problem.gamma
    values = {
        I: Matrix.identity(problem.k),
        A: key.A,
        A_T: key.A.T,
        C: key.C,
        B: key.b,
        A_B: behaviour_A,
        A_B_T: behaviour_A.T,
        B_B: table.entry([point["reward"] for point in table.modes.points], ("x",)),
    }
    exact = expected_update(table, algorithm, algorithm.parameters({"beta": BETA, "eta": ETA}))
    symbolic = derive(algorithm)
    k = problem.k
    zero_matrix, zero_vector = Matrix.zeros(k, k), Matrix.zeros(k, 1)
    blocks = [[value_of(block, values, problem.gamma) or zero_matrix for block in row] for row in symbolic.G]
    constants = [[value_of(block, values, problem.gamma) or zero_vector] for block in symbolic.g]
    assert Matrix.block(blocks) == exact.G
    assert Matrix.block(constants) == exact.g


@learner(weights="w h")
def corrected(x, x_bar, w, h, rho, gamma_next, reward, beta=1, eta=1):
    delta = reward + gamma_next * dot(w, x_bar) - dot(w, x)
    return Step(w=delta * x - gamma_next * dot(h, x) * x_bar, h=eta * (delta * x - dot(h, x) * x - beta * h))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("algorithm", [EXPECTED_SARSA, corrected], ids=lambda a: a.name)
def test_symbols_of_action_values_become_the_exact_ones_of_a_problem(algorithm, seed):
    rows = garnet(10, 2, 3, 3, seed).features
    problem = replace(garnet(5, 2, 3, 3, seed), features=[rows[2 * s : 2 * s + 2] for s in range(5)])
    key = key_matrices(problem)
    values = {I: Matrix.identity(3), A: key.A, A_T: key.A.T, C: key.C, B: key.b}
    exact = expected_update(problem, algorithm, algorithm.parameters({"beta": BETA, "eta": ETA}))
    symbolic = derive(algorithm)
    blocks = [[value_of(block, values, problem.gamma) for block in row] for row in symbolic.G]
    assert Matrix.block(blocks) == exact.G
    assert Matrix.block([[value_of(block, values, problem.gamma)] for block in symbolic.g]) == exact.g


def test_the_ratio_of_an_action_does_not_drop_out_of_its_own_features():
    @learner(weights="w h")
    def weighted(x, x_bar, w, h, rho, reward):
        return Step(w=rho * (reward - dot(w, x)) * x + 0 * x_bar, h=dot(h, x_bar) * x)

    assert str(derive(weighted).G[1][1]) == "-E[rho x x^T]"
    assert str(derive(weighted).g[1]) == "E[rho R x]"


def test_the_A_of_action_values_has_the_expected_next_features_only():
    @learner(weights="w v")
    def sampled(x, x_next, w, v, gamma_next, rho_next, reward):
        return Step(w=(reward + gamma_next * dot(w, x_next) - dot(w, x)) * x, v=rho_next * x - v)

    @learner(weights="w")
    def sarsa(x, x_next, w, gamma_next, rho_next, reward):
        return Step(w=(reward + gamma_next * rho_next * dot(w, x_next) - dot(w, x)) * x)

    assert str(derive(sampled).G[1][1]) == "-E[x (x - gamma x')^T]"
    assert str(derive(sarsa).G[0][0]) == "gamma E[rho_next x x'^T] - C"


def test_vtrace_has_an_expectation_of_its_own():
    (block,), (constant,) = derive(find("vtrace")).G[0], derive(find("vtrace")).g
    assert str(block) == "-E[min(1, rho) x (x - gamma x')^T]"
    assert str(constant) == "E[min(1, rho) x R]"


def find(name):
    return next(a for a in OF_THE_PAPER if a.name == name)


def test_tdrc_lambda_has_tdrcs_G_with_its_own_A_for_every_dimension():
    own = {"A": "E[e (x - gamma x')^T]", "A^T": "E[(x - gamma x') e^T]"}
    plain, traced = derive(find_algorithm("tdrc")), derive(find_algorithm("tdrc-lambda"))
    for row, other in zip(plain.G, traced.G, strict=True):
        for block, each in zip(row, other, strict=True):
            expected = {own.get(text(letter), text(letter)): c for letter, c in block.parts.items()}
            assert {text(letter): sympy.expand(c) for letter, c in each.parts.items()} == expected
    assert str(traced.G[0][1]) != str(plain.G[0][1])


def test_what_a_trace_takes_in_is_written_as_one_expectation():
    (corrections, _), (_, error) = (
        derive(find_algorithm("gtd2-lambda")).G[1],
        derive(find_algorithm("gtd2-lambda")).G[0],
    )
    assert [str(corrections), str(error)] == ["E[(x - gamma x') e^T]", "-eta E[e (x - gamma x')^T]"]
    backup = derive(find_algorithm("tree-backup"))
    assert backup.update_text() == {"e": "e = gamma lam pi e + x", "w": "w += alpha delta_bar e"}
    assert [str(backup.G[0][0]), str(backup.g[0])] == ["-E[e (x - gamma x_bar)^T]", "E[e R]"]
    assert [str(block) for block in derive(find_algorithm("expected-sarsa")).G[0]] == ["-A"]


def test_a_maximum_is_not_taken_for_a_minimum():
    def clipped_from_below(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return max(rho, 1) * delta * x, 0

    def either(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return (2 if rho < 1 else 3) * delta * x, 0

    def clipped_twice(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return min(rho, 1) * delta * x + min(rho, 1) * delta_hat * x, 0 * h

    assert str(derive(Algorithm("twice", clipped_twice)).g[1]) == "E[min(1, rho) x R]"
    assert "E[max(1, rho) x R]" in str(derive(Algorithm("below", clipped_from_below)).g[0])
    assert "(2 where rho < 1; 3 otherwise) R x" in str(derive(Algorithm("either", either)).g[0])


def test_the_update_is_written_as_the_paper_writes_it():
    lines = {name: latex(tree).replace(r" \, ", " ") for name, tree in derive(find("tdrc")).equations().items()}
    w, h = r"\mathbf{w}_{t+1} = \mathbf{w}_t", r"\mathbf{h}_{t+1} = \mathbf{h}_t"
    assert lines["w"] == w + r" + \alpha \left(\rho \delta \mathbf{x} - \gamma \rho \hat{\delta} \mathbf{x}'\right)"
    assert lines["h"] == h + (
        r" + \eta \alpha \left(\rho \delta \mathbf{x} - \hat{\delta} \mathbf{x} - \beta \mathbf{h}\right)"
    )
    assert list(derive(find("td")).equations()) == ["w"]


def test_G_is_written_as_a_block_matrix():
    assert latex(derive(find("tdc++")).G_tree()).replace(r" \, ", " ") == (
        r"\begin{bmatrix} -\eta \mathbf{C} - \beta \eta \mathbf{I} & -\eta \mathbf{A} \\ "
        r"\mathbf{A}^\top - \mathbf{C} - \beta \mathbf{I} & -\mathbf{A} \end{bmatrix}"
    )


def test_a_number_that_is_too_long_to_be_written_is_refused_in_one_line(asker, tmp_path):
    from tdrc_theory.derive.__main__ import main

    file = tmp_path / "mine.py"
    arguments = "x, x_next, h, delta, delta_hat, rho, gamma, beta"
    file.write_text(f"def mine({arguments}):\n    return 10**3000 * (10**3000 * delta) * x, 0\n", encoding="utf-8")
    status, out, err = asker(main, "derive")("--algorithm", f"{file}:mine")
    assert (status, out) == (2, "")
    assert err == "derive: error: a number of more than 4000 digits: formulas are written with fewer\n"

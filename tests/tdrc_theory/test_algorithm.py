import pickle
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import ExpectationTable, expected_update, find_problem
from tdrc_theory.algorithms import ALGORITHMS, OF_THE_PAPER, find_algorithm
from tdrc_theory.errors import BadAlgorithm, BadOption
from tdrc_theory.learner.algorithm import Algorithm

BETA, ETA = Fraction(3, 5), Fraction(7, 2)
VALUES = {"beta": BETA, "eta": ETA}


def algorithm(direction, **more):
    return Algorithm(name="mine", direction=direction, **more)


# The equations as the paper prints them, in vectors; x is x_t and y is x_{t+1}.
def td(x, y, w, h, R, rho, gamma, beta):
    delta = R + gamma * w @ y - w @ x
    return rho * delta * x, np.zeros_like(x)


def tdc(x, y, w, h, R, rho, gamma, beta):
    delta = R + gamma * w @ y - w @ x
    return rho * delta * x - rho * gamma * (h @ x) * y, (rho * delta - h @ x) * x


def gtd2(x, y, w, h, R, rho, gamma, beta):
    delta = R + gamma * w @ y - w @ x
    return rho * (x - gamma * y) * (h @ x), (rho * delta - h @ x) * x


def htd(x, y, w, h, R, rho, gamma, beta):
    delta = R + gamma * w @ y - w @ x
    moved = x - gamma * y
    return rho * delta * x + (rho - 1) * np.outer(moved, x) @ h, rho * delta * x - np.outer(moved, x) @ h


def vtrace(x, y, w, h, R, rho, gamma, beta):
    delta = R + gamma * w @ y - w @ x
    return min(rho, 1) * delta * x, np.zeros_like(x)


def tdrc(x, y, w, h, R, rho, gamma, beta):
    dw, dh = tdc(x, y, w, h, R, rho, gamma, beta)
    return dw, dh - beta * h


def tdcpp(x, y, w, h, R, rho, gamma, beta):
    dw, dh = tdrc(x, y, w, h, R, rho, gamma, beta)
    return dw - beta * h, dh


PRINTED = {"td": td, "tdc": tdc, "gtd2": gtd2, "htd": htd, "vtrace": vtrace, "tdrc": tdrc, "tdc++": tdcpp}


def test_every_built_in_has_its_printed_equation_here():
    assert set(PRINTED) == {a.name for a in OF_THE_PAPER}


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("rho", [0.0, 0.4, 1.0, 3.5])
def test_a_function_on_floats_is_the_printed_equation_in_vectors(name, rho):
    result = find_algorithm(name)
    rng = np.random.default_rng(11)
    x, y, w, h = rng.standard_normal((4, 5))
    R, gamma, beta = 0.7, 0.9, 0.3
    delta, delta_hat = R + gamma * w @ y - w @ x, h @ x
    used = float(result.fixed.get("beta", beta))
    each = [result.direction(x[i], y[i], h[i], delta, delta_hat, rho, gamma, used) for i in range(5)]
    dw, dh = (np.array(part, dtype=float) for part in zip(*each, strict=True))
    expected_w, expected_h = PRINTED[name](x, y, w, h, R, rho, gamma, beta)
    np.testing.assert_allclose(dw, expected_w, rtol=0, atol=1e-13)
    np.testing.assert_allclose(dh, expected_h, rtol=0, atol=1e-13)


def value(key, data):
    """Return a product of the normal form at given vectors, for each component."""
    atoms, vectors = key
    total = np.array([Fraction(1)] * len(data["x"]), object)
    for atom in atoms:
        total = total * (data[atom[0]] @ data[atom[1]])
    for name in vectors:
        total = total * data[name]
    return total


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("rho", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(7, 2)])
def test_the_terms_add_up_to_the_printed_equation(name, rho):
    result = find_algorithm(name)
    numbers = [[Fraction(n) for n in row] for row in ((2, -3), (5, 7), (11, -1), (1, 4))]
    data = dict(zip(("x", "x_next", "w", "h"), (np.array(row, object) for row in numbers), strict=True))
    reward, gamma, beta, eta = Fraction(13, 3), Fraction(9, 10), result.fixed.get("beta", Fraction(3, 4)), Fraction(5)
    rows = result.at({"rho": rho, "gamma_next": gamma, "beta": beta, "eta": eta, "reward": reward})
    dw, dh = PRINTED[name](*data.values(), reward, rho, gamma, beta)
    for row, expected in (("w", dw), ("h", eta * np.asarray(dh, object))):
        total = sum((c * value(key, data) for key, c in rows.get(row, {}).items()), 0 * data["x"])
        assert list(total) == list(expected)


@pytest.mark.parametrize("expected", OF_THE_PAPER, ids=lambda a: a.name)
@pytest.mark.parametrize("rho", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(7, 2)])
def test_bound_terms_are_the_numeric_ones(expected, rho):
    at = {
        "rho": rho,
        "gamma_next": Fraction(9, 10),
        "beta": Fraction(3, 4),
        "eta": Fraction(2),
        "reward": Fraction(1, 7),
    }
    (way,) = expected.bound(at)
    assert way.conditions == ()
    rows = {row: {key: c.at({}) for key, c in terms.items()} for row, terms in way.rows.items()}
    assert rows == expected.at(at)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("td", {}),
        ("tdc", {"beta": Fraction(0), "eta": ETA}),
        ("gtd2", {"eta": ETA}),
        ("htd", {"eta": ETA}),
        ("vtrace", {}),
        ("tdrc", {"beta": BETA, "eta": ETA}),
        ("tdc++", {"beta": BETA, "eta": ETA}),
        ("td-lambda", {"lam": Fraction(0)}),
        ("tdc-lambda", {"beta": Fraction(0), "eta": ETA, "lam": Fraction(0)}),
        ("td-ridge", {"beta": BETA}),
    ],
)
def test_an_algorithm_takes_the_parameters_that_its_equation_has(name, expected):
    assert find_algorithm(name).parameters(VALUES) == expected


@pytest.mark.parametrize("expected", OF_THE_PAPER, ids=lambda a: a.name)
def test_only_td_and_vtrace_have_no_secondary_weights(expected):
    assert ("h" in expected.stacked) == (expected.name not in ("td", "vtrace"))


@pytest.mark.parametrize("expected", OF_THE_PAPER, ids=lambda a: a.name)
def test_only_vtrace_solves_another_equation_by_design(expected):
    assert expected.own_fixed_points == (expected.name == "vtrace")


def test_secondary_weights_that_appear_only_off_policy_are_seen():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return rho * delta * x + max(rho - 100, 0) * delta_hat * x, 0

    assert algorithm(mine).stacked == ("h", "w")
    assert algorithm(mine).parameters(VALUES) == {"eta": ETA}


def test_beta_is_used_even_where_there_are_no_secondary_weights():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return min(rho, beta) * delta * x, 0

    assert algorithm(mine).stacked == ("w",)
    assert algorithm(mine).parameters(VALUES) == {"beta": BETA}


def test_a_fixed_parameter_is_used_instead_of_the_given_one():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return delta * x, delta_hat * x - beta * h

    assert algorithm(mine, fixed={"beta": 2}).parameters(VALUES) == {"beta": Fraction(2), "eta": ETA}
    assert algorithm(mine, fixed={"eta": Fraction(1, 3)}).parameters(VALUES) == {"beta": BETA, "eta": Fraction(1, 3)}
    assert algorithm(mine, fixed={"eta": 0.1}).fixed == {"eta": Fraction(1, 10)}
    with pytest.raises(TypeError):
        algorithm(mine, fixed={"beta": 2}).fixed["beta"] = Fraction(3)
    with pytest.raises(BadAlgorithm, match=r"mine fixes \['rho'\]; only beta and eta can be fixed"):
        algorithm(mine, fixed={"rho": 1})


def test_a_parameter_with_a_default_of_its_own_works():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta, kappa=0.1, *, floor=2):
        return kappa * delta * x + floor * x, 0

    result = algorithm(mine)
    assert result.parameters({}) == {"kappa": Fraction(1, 10), "floor": Fraction(2)}
    with pytest.raises(BadOption, match="mine has no parameter lam; it has kappa, floor"):
        result.parameters({"lam": Fraction(1)})
    at = {
        "rho": Fraction(1),
        "gamma_next": Fraction(1),
        "reward": Fraction(3),
        **result.parameters({"kappa": Fraction(1, 5)}),
    }
    assert result.at(at)["w"][(), ("x",)] == Fraction(3, 5) + 2


GATED = {
    "only_at_large_gamma": "reg = beta if gamma > 0.9 else 0\n    return rho * delta * x, delta * x - reg * h",
    "only_past_five": "return (1 if beta < 5 else -1) * rho * delta * x, 0",
    "floor": "return rho * delta * x, delta * x - max(beta, 2) * h",
    "h_only_at_large_gamma": "return rho * delta * x, (delta_hat * x if gamma > 0.9 else 0)",
    "divided": "return rho * delta * x / (1 - beta), 0",
    "numpy_number": "return np.float64(0.5) * rho * delta * x, np.int64(0)",
    "unused": "return rho * delta * x, delta * x - h",
}


@pytest.mark.parametrize(
    ("name", "uses_h", "uses_beta"),
    [
        ("only_at_large_gamma", True, True),
        ("only_past_five", False, True),
        ("floor", True, True),
        ("h_only_at_large_gamma", True, False),
        ("divided", False, True),
        ("numpy_number", False, False),
        ("unused", True, False),
    ],
)
def test_what_an_update_uses_is_seen_on_every_way_through_it(name, uses_h, uses_beta):
    space = {"np": np}
    exec(f"def f(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    {GATED[name]}", space)
    result = Algorithm(name, space["f"])
    used = result.parameters({"beta": Fraction(50), "eta": Fraction(3)})
    assert ("h" in result.stacked) is uses_h
    assert used.get("beta") == (50 if uses_beta else None)
    assert used.get("eta") == (3 if uses_h else None)


def test_the_given_beta_decides_and_not_one_that_was_tried():
    def gated(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        kept = beta if gamma > 0.9 else 0
        return rho * (delta * x - gamma * delta_hat * x_next), (rho * delta - delta_hat) * x - kept * h

    table = ExpectationTable(find_problem("two-state"))
    for beta in (Fraction(0), Fraction(1), Fraction(7, 2)):
        expected = expected_update(table, find_algorithm("tdrc"), {"beta": beta, "eta": Fraction(1)})
        result = Algorithm("gated", gated)
        assert expected_update(table, result, result.parameters({"beta": beta, "eta": Fraction(1)})) == expected


def test_algorithms_and_reports_survive_pickling():
    for each in ALGORITHMS:
        again = pickle.loads(pickle.dumps(each))
        assert (again.name, again.fixed, again.direction) == (each.name, each.fixed, each.direction)

import pickle
from fractions import Fraction

import numpy as np
import pytest
import sympy

from tdrc_theory import ExpectationTable, expected_update, find_problem
from tdrc_theory.algorithms import ALGORITHMS, find_algorithm
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.algorithm import Algorithm

BETA, ETA = Fraction(3, 5), Fraction(7, 2)


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
    return min(rho, 1.0) * delta * x, np.zeros_like(x)


def tdrc(x, y, w, h, R, rho, gamma, beta):
    dw, dh = tdc(x, y, w, h, R, rho, gamma, beta)
    return dw, dh - beta * h


def tdcpp(x, y, w, h, R, rho, gamma, beta):
    dw, dh = tdrc(x, y, w, h, R, rho, gamma, beta)
    return dw - beta * h, dh


PRINTED = {"td": td, "tdc": tdc, "gtd2": gtd2, "htd": htd, "vtrace": vtrace, "tdrc": tdrc, "tdc++": tdcpp}


def test_every_built_in_has_its_printed_equation_here():
    assert set(PRINTED) == {a.name for a in ALGORITHMS}


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("rho", [0.0, 0.4, 1.0, 3.5])
def test_a_function_on_floats_is_the_printed_equation_in_vectors(name, rho):
    found = find_algorithm(name)
    rng = np.random.default_rng(11)
    x, y, w, h = rng.standard_normal((4, 5))
    R, gamma, beta = 0.7, 0.9, 0.3
    delta, delta_hat = R + gamma * w @ y - w @ x, h @ x
    used = float(found.fixed.get("beta", beta))
    each = [found.direction(x[i], y[i], h[i], delta, delta_hat, rho, gamma, used) for i in range(5)]
    dw, dh = (np.array(part, dtype=float) for part in zip(*each, strict=True))
    expected_w, expected_h = PRINTED[name](x, y, w, h, R, rho, gamma, beta)
    np.testing.assert_allclose(dw, expected_w, rtol=0, atol=1e-13)
    np.testing.assert_allclose(dh, expected_h, rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("rho", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(7, 2)])
def test_the_terms_add_up_to_the_function(name, rho):
    found = find_algorithm(name)
    components = [Fraction(n) for n in (2, -3, 5, 7, 11)]
    gamma, beta = Fraction(9, 10), Fraction(3, 4)
    for part, expected in zip(
        found.terms(rho, gamma, beta), found.direction(*components, rho, gamma, beta), strict=True
    ):
        total = Fraction(0)
        for key, coefficient in part.items():
            for component, exponent in zip(components, key, strict=True):
                coefficient *= component**exponent
            total += coefficient
        assert total == expected


@pytest.mark.parametrize("found", ALGORITHMS, ids=lambda a: a.name)
@pytest.mark.parametrize("rho", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(7, 2)])
def test_symbolic_terms_become_the_numeric_ones(found, rho):
    gamma, beta = Fraction(9, 10), found.fixed.get("beta", Fraction(3, 4))
    at = {"rho": rho, "gamma": gamma, "beta": beta}

    def number(value):
        value = sympy.sympify(value)
        value = value.subs({s: sympy.Rational(str(at[s.name])) for s in value.free_symbols})
        return value if isinstance(value, sympy.logic.boolalg.BooleanAtom) else Fraction(int(value.p), int(value.q))

    taken = [t for conditions, t in found.symbolic_terms() if all(bool(number(c)) for c in conditions)]
    assert taken
    for terms in taken:
        for symbolic, numeric in zip(terms, found.terms(rho, gamma, beta), strict=True):
            values = {key: number(c) for key, c in symbolic.items()}
            assert {key: c for key, c in values.items() if c} == numeric


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("td", (None, None)),
        ("tdc", (Fraction(0), ETA)),
        ("gtd2", (None, ETA)),
        ("htd", (None, ETA)),
        ("vtrace", (None, None)),
        ("tdrc", (BETA, ETA)),
        ("tdc++", (BETA, ETA)),
    ],
)
def test_an_algorithm_takes_the_parameters_that_its_equation_has(name, expected):
    assert find_algorithm(name).parameters(BETA, ETA) == expected


@pytest.mark.parametrize("found", ALGORITHMS, ids=lambda a: a.name)
def test_only_td_and_vtrace_have_no_secondary_weights(found):
    assert found.has_h == (found.name not in ("td", "vtrace"))


@pytest.mark.parametrize("found", ALGORITHMS, ids=lambda a: a.name)
def test_only_vtrace_solves_another_equation_by_design(found):
    assert found.own_fixed_points == (found.name == "vtrace")


def test_secondary_weights_that_appear_only_off_policy_are_seen():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return rho * delta * x + max(rho - 100, 0) * delta_hat * x, 0

    assert algorithm(mine).has_h
    assert algorithm(mine).parameters(BETA, ETA) == (None, ETA)


def test_beta_is_used_even_where_there_are_no_secondary_weights():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return min(rho, beta) * delta * x, 0

    assert not algorithm(mine).has_h
    assert algorithm(mine).parameters(BETA, ETA) == (BETA, None)


def test_a_fixed_parameter_is_used_instead_of_the_given_one():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return delta * x, delta_hat * x - beta * h

    assert algorithm(mine, fixed={"beta": 2}).parameters(BETA, ETA) == (Fraction(2), ETA)
    assert algorithm(mine, fixed={"eta": Fraction(1, 3)}).parameters(BETA, ETA) == (BETA, Fraction(1, 3))
    assert algorithm(mine, fixed={"eta": 0.1}).fixed == {"eta": Fraction(1, 10)}
    with pytest.raises(TypeError):
        algorithm(mine, fixed={"beta": 2}).fixed["beta"] = Fraction(3)
    with pytest.raises(BadAlgorithm, match=r"mine fixes \['rho'\]; only beta and eta can be fixed"):
        algorithm(mine, fixed={"rho": 1})


def test_a_parameter_with_a_default_of_its_own_works():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta, kappa=0.1, *, floor=2):
        return kappa * delta * x + floor * x, 0

    assert algorithm(mine).terms(Fraction(1), Fraction(1), Fraction(0)).w == {
        (1, 0, 0, 1, 0): Fraction(1, 10),
        (1, 0, 0, 0, 0): Fraction(2),
    }


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
    made = Algorithm(name, space["f"])
    beta, eta = made.parameters({"beta": Fraction(50), "eta": Fraction(3)})
    assert made.has_h is uses_h
    assert beta == (50 if uses_beta else None)
    assert eta == (3 if uses_h else None)


def test_the_given_beta_decides_and_not_one_that_was_tried():
    def gated(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        kept = beta if gamma > 0.9 else 0
        return rho * (delta * x - gamma * delta_hat * x_next), (rho * delta - delta_hat) * x - kept * h

    table = ExpectationTable(find_problem("two-state"))
    for beta in (Fraction(0), Fraction(1), Fraction(7, 2)):
        expected = expected_update(table, find_algorithm("tdrc"), {"beta": beta, "eta": Fraction(1)})
        made = Algorithm("gated", gated)
        assert expected_update(table, made, made.parameters({"beta": beta, "eta": Fraction(1)})) == expected


def test_algorithms_and_reports_survive_pickling():
    for made in ALGORITHMS:
        again = pickle.loads(pickle.dumps(made))
        assert (again.name, again.fixed, again.direction) == (made.name, made.fixed, made.direction)

"""What is no algorithm is refused, with the reason and the place."""

import itertools
import random

import pytest

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadAlgorithm, NotAffine
from tdrc_theory.learner.algorithm import SIGNATURE, Algorithm


def algorithm(direction, **more):
    return Algorithm(name="mine", direction=direction, **more)


def missing(x, x_next, h, delta, delta_hat, rho, gamma):
    return x, h


def swapped(x_next, x, h, delta, delta_hat, rho, gamma, beta):
    return x, h


def without_default(x, x_next, h, delta, delta_hat, rho, gamma, beta, kappa):
    return x, h


def starred(x, x_next, h, delta, delta_hat, rho, gamma, beta, *more):
    return x, h


def test_a_coroutine_is_refused_before_it_is_called():
    async def later(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return rho * delta * x, 0

    with pytest.raises(BadAlgorithm, match="later is a coroutine"):
        Algorithm("later", later)


@pytest.mark.parametrize("direction", [missing, swapped, without_default, starred, lambda *a: a])
def test_another_signature_is_refused_and_the_right_one_is_told(direction):
    with pytest.raises(BadAlgorithm, match=r"an algorithm takes \(x, x_next, h, delta, delta_hat, rho, gamma, beta\)"):
        algorithm(direction)


def remembers(x, x_next, h, delta, delta_hat, rho, gamma, beta, seen=[]):  # noqa: B006 - what is refused
    return delta * x, 0


def named(x, x_next, h, delta, delta_hat, rho, gamma, beta, *, kind="fast"):
    return delta * x, 0


@pytest.mark.parametrize(("direction", "default"), [(remembers, r"seen is \[\]"), (named, "kind is 'fast'")])
def test_a_parameter_of_its_own_that_is_no_number_is_refused(direction, default):
    with pytest.raises(BadAlgorithm, match=f"mine: the default of {default}, not a finite number"):
        algorithm(direction)


def test_a_function_that_counts_its_calls_or_draws_numbers_is_no_equation():
    calls = itertools.count()

    def counts(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return (delta * x, 0) if next(calls) % 2 else (delta * x / 2, 0)

    def draws(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return random.random() * delta * x, 0

    for direction in (counts, draws):
        with pytest.raises(BadAlgorithm, match="mine is no equation: called twice with the same"):
            _ = algorithm(direction).trace


@pytest.mark.parametrize("direction", [5, None, "tdrc"])
def test_what_is_no_function_is_refused(direction):
    with pytest.raises(BadAlgorithm, match=r"mine is not a function of \(x, x_next, "):
        algorithm(direction)


def raises(body, name="mine"):
    """Return the message with which the function of this body is refused."""
    scope = {}
    exec(f"def {name}({', '.join(SIGNATURE)}):\n    {body}", scope)
    with pytest.raises(BadAlgorithm) as caught:
        _ = algorithm(scope[name]).trace
    return caught.type, str(caught.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return delta * delta_hat * x, 0", "mine is not affine in (w, h): dw has the term x*delta*delta_hat"),
        ("return delta * x, rho * h * h", "mine is not affine in (w, h): dh has the term rho*h^2"),
        ("return delta / x, 0", "mine is not affine in (w, h): it divides by x"),
        ("return abs(delta) * x, 0", "mine is not affine in (w, h): it branches on the sign of delta"),
        ("return max(delta_hat, 1) * x, 0", "mine is not affine in (w, h): it branches on the sign of delta_hat - 1"),
    ],
)  # fmt: skip
def test_an_update_that_is_not_affine_is_refused_with_its_term(body, message):
    kind, got = raises(body)
    assert kind is NotAffine
    assert got == message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return x", "mine returns one vector or number; an algorithm returns the two directions (dw, dh)"),
        ("return x, h, x", "mine returns a tuple of 3; an algorithm returns the two directions (dw, dh)"),
        ("return x, None", "mine returns a value of type NoneType as a direction; a direction is a number"),
        ("return x ** 0.5, 0", "mine raises x to the power 0.5; only whole powers are read"),
        ("return x / (rho - rho), 0", "mine divides by 0"),
        ("return round(rho) * x, 0", "mine needs a float where its equation is read"),
        ("return rho ** beta * x, 0", "mine raises rho to the power beta; only whole powers are read"),
        ("return rho ** gamma * x, 0", "mine raises rho to the power gamma; only whole powers are read"),
        ("return x @ h, 0", "mine takes the dot product with x, which is no vector"),
        ("return undefined * x, 0", "mine fails where its equation is read: NameError: name 'undefined'"),
        ("return x + 'a', 0", "mine calculates with 'a', which is no number"),
    ],
)
def test_a_function_that_is_no_equation_is_refused_with_the_reason(body, message):
    kind, got = raises(body)
    assert kind is BadAlgorithm
    assert message in got
    assert "\n" not in got


@pytest.mark.parametrize("fixed", [{"beta": -1}, {"eta": 0}, {"beta": "x"}, {"beta": float("nan")}, {"eta": None}])
def test_a_fixed_parameter_is_in_its_range(fixed):
    with pytest.raises(BadAlgorithm):
        Algorithm("bad", find_algorithm("td").direction, fixed=fixed)


@pytest.mark.parametrize("name", ["", "two\nlines", 5, None])
def test_a_name_is_one_line_of_text(name):
    with pytest.raises(BadAlgorithm, match="one line"):
        Algorithm(name, find_algorithm("td").direction)

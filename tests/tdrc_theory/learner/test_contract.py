"""What a function of vectors may say, and what is refused, with what to write instead."""

from fractions import Fraction

import pytest

from tdrc_theory.algorithms import TDRC
from tdrc_theory.errors import BadAlgorithm, BadOption, NotAffine
from tdrc_theory.learner import Algorithm, Step, dot, learner


def declared(function, **names):
    return learner(**{"weights": "w h", **names})(function)


def test_tdrc_in_vectors_has_the_normal_form_of_tdrc_in_components():
    def mine(x, x_next, w, h, rho, gamma_next, reward, beta=1, eta=1):
        delta = reward + gamma_next * dot(w, x_next) - w @ x
        direction = rho * (delta * x - gamma_next * dot(h, x) * x_next)
        return Step(w=direction, h=eta * ((rho * delta - h @ x) * x - beta * h))

    in_vectors = declared(mine)
    assert in_vectors.stacked == TDRC.stacked
    assert in_vectors.bound({}) == TDRC.bound({})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return Step(w=h * x_next, h=h)", "multiplies two vectors, h and x_next; write dot(a, b)"),
        ("return Step(w=x + rho, h=h)", "adds the vector x and the number rho; a weight or memory that is a number"),
        ("return Step(w=dot(rho, x) * x, h=h)", "takes the dot product with rho, which is no vector"),
        ("return Step(w=x)", "does not return e; its Step has w, h, e"),
        ("return Step(w=x, h=h, e=e, v=x)", "returns v, which it does not declare; its Step has w, h, e"),
        ("return x, h", "returns a tuple of 2; a learner returns Step(w=..., h=..., e=...)"),
        ("return Step(w=rho, h=h, e=e)", "returns w = rho: w is a vector, and this is a number"),
        ("return Step(w=x, h=h, e=h)", "computes its memory e from weights (h); memory is driven by the chain alone"),
        ("return Step(w=dot(w, e) * e, h=h, e=e)", "is not affine in its memory: w has the term dot(e, w)*e"),
    ],
)  # fmt: skip
def test_what_is_no_learner_is_refused_with_what_to_write_instead(body, message):
    scope = {"Step": Step, "dot": dot}
    exec(f"def mine(x, x_next, w, h, e, rho):\n    {body}", scope)
    with pytest.raises(BadAlgorithm) as caught:
        _ = declared(scope["mine"], memory="e").trace
    assert message in str(caught.value)


def test_a_product_of_weights_is_not_affine():
    def mine(x, w, h):
        return Step(w=dot(w, x) * h, h=h)

    with pytest.raises(NotAffine, match=r"mine is not affine in \(w, h\): w has the term h\*dot\(w, x\)"):
        _ = declared(mine).trace


def test_a_trace_that_is_a_default_is_refused_with_the_hint_to_declare_it():
    def traced(x, x_next, h, delta, delta_hat, rho, gamma, beta, z=0, lam=0.5):
        z = rho * (gamma * lam * z + x)
        return delta * z, 0

    with pytest.raises(BadAlgorithm, match=r"assigns to its parameter z, .*declare it as memory"):
        Algorithm("traced", traced)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("x, w, h, ratio", "ratio is not offered; a step offers x, x_next, reward, rho, rho_before, gamma"),
        ("x, w, h, rho=1", "rho is given at each step, so it has no default"),
        ("x, w, h, *more", "more is not offered"),
        ("x, w, h, lam='a'", "the default of lam is 'a', not a finite number"),
        ("x, w, h, lam=float('inf')", "the default of lam is inf, not a finite number"),
        ("x, w, h, lam=float('nan')", "the default of lam is nan, not a finite number"),
    ],
)
def test_an_argument_that_no_step_offers_is_refused_with_those_that_are(arguments, message):
    scope = {}
    exec(f"def mine({arguments}):\n    pass", scope)
    with pytest.raises(BadAlgorithm) as caught:
        declared(scope["mine"])
    assert message in str(caught.value)


@pytest.mark.parametrize("names", [{"weights": "w x"}, {"weights": "w w"}, {"weights": "w", "scalars": "w"}])
def test_names_of_weights_are_their_own(names):
    with pytest.raises(BadAlgorithm):
        declared(lambda x: Step(w=x), **names)


def test_parameters_are_held_to_their_ranges_and_to_those_that_there_are():
    def mine(x, w, h, rho, lam=0, kappa=1):
        return Step(w=lam * kappa * rho * x, h=h)

    result = declared(mine)
    assert result.parameters({"lam": Fraction(1, 2)}) == {"lam": Fraction(1, 2), "kappa": 1}
    with pytest.raises(BadOption, match="--set lam: 2 is not from 0 to 1"):
        result.parameters({"lam": Fraction(2)})
    with pytest.raises(BadOption, match="mine has no parameter mu; it has lam, kappa"):
        result.parameters({"mu": Fraction(2)})


def test_a_parameter_in_an_exponent_is_part_of_the_equation():
    def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta, power=2):
        return rho**power * delta * x, 0

    algorithm = Algorithm("mine", mine)
    assert algorithm.own_parameters == ()
    at = algorithm.at({"rho": Fraction(3), "gamma_next": Fraction(1), "reward": Fraction(1)})
    assert at["w"][(), ("x",)] == 9


def test_comparisons_of_rewards_and_parameters_are_ways_through_the_function():
    def clipped(x, w, h, rho, reward, floor=0):
        return Step(w=rho * max(reward, floor) * x, h=h)

    result = declared(clipped)
    assert len(result.trace.ways) == 2
    for reward, expected in ((-2, Fraction(1, 2)), (3, 3)):
        at = result.at({"rho": Fraction(1), "reward": Fraction(reward), "floor": Fraction(1, 2)})
        assert at["w"] == {((), ("x",)): expected}

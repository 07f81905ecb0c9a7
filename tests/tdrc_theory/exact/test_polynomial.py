from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from tdrc_theory.exact import Polynomial, Surd, sqrt
from tdrc_theory.exact.number import to_arb
from tdrc_theory.exact.polynomial import is_inside_unit_disc

X = sympy.Symbol("x")
rationals = st.fractions(min_value=-5, max_value=5, max_denominator=6)
surds = st.builds(lambda a, b, n: a + b * sqrt(n), rationals, rationals, st.sampled_from([2, 3, 6]))
rational_lists = st.lists(rationals, max_size=6)
number_lists = st.one_of(rational_lists, st.lists(surds, max_size=4))


def as_sympy(value):
    terms = value.terms if isinstance(value, Surd) else {1: value}
    return sum((sympy.Rational(c.numerator, c.denominator) * sympy.sqrt(n) for n, c in terms.items()), sympy.Integer(0))


def expression(coefficients):
    return sum((as_sympy(c) * X**i for i, c in enumerate(coefficients)), sympy.Integer(0))


def times(p, q):
    product = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return product


@given(number_lists, surds)
def test_values_and_derivatives_agree_with_sympy(coefficients, point):
    p = Polynomial(coefficients)
    assert sympy.expand(as_sympy(p(point)) - expression(coefficients).subs(X, as_sympy(point))) == 0
    assert sympy.expand(expression(p.derivative().coefficients) - sympy.diff(expression(coefficients), X)) == 0


@given(number_lists)
def test_leading_zeros_are_dropped_and_the_degree_is_sympys(coefficients):
    p, expected = Polynomial([*coefficients, 0, 0]), sympy.expand(expression(coefficients))
    assert p == Polynomial(coefficients)
    assert hash(p) == hash(Polynomial(coefficients))
    assert p.degree == (-1 if expected == 0 else sympy.degree(expected, X))
    assert (p.rational is None) == any(isinstance(c, Surd) for c in coefficients)


@given(number_lists, st.integers(0, 3))
def test_zero_roots_are_split_off(coefficients, extra):
    assume(any(c != 0 for c in coefficients))
    multiplicity, rest = Polynomial([0] * extra + coefficients).split_zero()
    assert multiplicity >= extra
    assert rest(Fraction(0)) != 0
    assert Polynomial([0] * multiplicity + list(rest.coefficients)) == Polynomial([0] * extra + coefficients)


@given(rational_lists, rational_lists, rational_lists)
def test_the_greatest_common_divisor_is_sympys(a, b, c):
    assume(all(any(each) for each in (a, b, c)))
    p, q = times(a, c), times(b, c)
    result = sympy.Poly(expression(Polynomial(p).gcd(Polynomial(q)).coefficients), X).monic()
    assert result == sympy.gcd(sympy.Poly(expression(p), X), sympy.Poly(expression(q), X)).monic()


@given(st.lists(surds, min_size=1, max_size=2, unique=True), st.lists(st.integers(1, 3), min_size=2, max_size=2))
def test_square_free_keeps_every_root_once(roots, multiplicities):
    coefficients = [Fraction(1)]
    for root, multiplicity in zip(roots, multiplicities, strict=False):
        for _ in range(multiplicity):
            coefficients = times(coefficients, [-root, 1])
    simple = Polynomial(coefficients).square_free()
    assert simple.degree == len(roots)
    assert all(simple(root) == 0 for root in roots)


@given(number_lists, rationals)
def test_the_value_at_a_ball_contains_the_exact_value(coefficients, point):
    p = Polynomial(coefficients)
    ball = p(flint.arb(flint.fmpq(point.numerator, point.denominator)))
    assert ball.overlaps(to_arb(p(point)))


@pytest.mark.parametrize(
    ("coefficients", "text"),
    [
        ([], "0"),
        ([Fraction(1, 2)], "1"),
        ([0, -1], "-x"),
        ([Fraction(1, 2), 0, Fraction(-1, 3)], "-2*x^2 + 3"),
        ([1, 1 + sqrt(2), -sqrt(3)], "-sqrt(3)*x^2 + (1 + sqrt(2))*x + 1"),
    ],
)
def test_text_has_the_highest_power_first_and_no_denominators(coefficients, text):
    assert Polynomial(coefficients).text() == text


@pytest.mark.parametrize("coefficients", [[0.5], [0.5, sqrt(2)], [None], [None, sqrt(2)]])
def test_only_exact_numbers_are_coefficients(coefficients):
    with pytest.raises(TypeError):
        Polynomial(coefficients)


def test_polynomials_compare_by_their_coefficients():
    assert Polynomial([1, 2]) != Polynomial([2, 4])
    assert Polynomial([1]) != 1


def test_a_root_on_the_circle_is_not_inside():
    for coefficients in ([1, 1], [-1, 1], [1, 0, 1], [1, 1, 1]):
        assert not is_inside_unit_disc(Polynomial(coefficients))


def test_it_agrees_with_numpys_roots_where_those_are_clear():
    drawn = np.random.default_rng(0)
    for _ in range(40):
        tail = [Fraction(int(c), 7) for c in drawn.integers(-9, 10, size=4)]
        coefficients = [*tail, Fraction(int(drawn.integers(1, 4)))]
        largest = np.abs(np.roots([float(c) for c in coefficients[::-1]])).max()
        if abs(largest - 1) > 1e-6:
            assert is_inside_unit_disc(Polynomial(coefficients)) == (largest < 1), coefficients

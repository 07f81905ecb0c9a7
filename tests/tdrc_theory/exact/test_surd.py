import math
from fractions import Fraction

import flint
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from tdrc_theory.exact import Surd, sign, sqrt
from tdrc_theory.exact.number import to_arb

RADICANDS = (1, 2, 3, 5, 6, 10, 15, 30)
rationals = st.fractions(min_value=-9, max_value=9, max_denominator=12)


@st.composite
def numbers(draw):
    """Sums c_1 + c_2 sqrt(n_2) + ..., possibly rational, built with the arithmetic under test."""
    chosen = draw(st.lists(st.sampled_from(RADICANDS), max_size=3, unique=True))
    return sum((draw(rationals) * sqrt(n) for n in chosen), Fraction(0))


def terms_of(value):
    return value.terms if isinstance(value, Surd) else {1: value}


def as_sympy(value):
    return sum(
        (sympy.Rational(c.numerator, c.denominator) * sympy.sqrt(n) for n, c in terms_of(value).items()),
        sympy.Integer(0),
    )


def as_mpf(value):
    return sum((mpf(c.numerator) / c.denominator * mp.sqrt(n) for n, c in terms_of(value).items()), mpf(0))


def same(value, expected):
    return sympy.expand(as_sympy(value) - expected) == 0


@given(numbers(), numbers())
def test_sums_differences_and_products_agree_with_sympy(a, b):
    assert same(a + b, as_sympy(a) + as_sympy(b))
    assert same(a - b, as_sympy(a) - as_sympy(b))
    assert same(a * b, as_sympy(a) * as_sympy(b))
    assert same(-a, -as_sympy(a))


@given(numbers(), numbers(), numbers())
def test_numbers_with_square_roots_form_a_field(a, b, c):
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a - a == 0
    if b != 0:
        assert b * (1 / b) == 1
        assert a / b * b == a


@given(numbers(), numbers())
def test_a_surd_is_never_a_rational_in_disguise(a, b):
    results = [a + b, a - b, a * b, (a + b) * (a - b) - a * a + b * b]
    results += [a / b] if b != 0 else []
    for value in results:
        assert isinstance(value, Fraction | Surd)
        if isinstance(value, Surd):
            assert set(value.terms) - {1}
            assert all(value.terms.values())
            assert all(
                flint.fmpz(n).factor() == [] or max(e for _, e in flint.fmpz(n).factor()) == 1 for n in value.terms
            )
    assert results[3] == 0


@given(numbers(), st.integers(min_value=0, max_value=5))
def test_powers_are_repeated_products(a, exponent):
    assert same(a**exponent, as_sympy(a) ** exponent)


@given(numbers(), numbers())
def test_order_agrees_with_high_precision(a, b):
    with mp.workdps(60):
        gap = as_mpf(a) - as_mpf(b)
        expected = 0 if a == b else int(mp.sign(gap))
        assert expected == 0 or abs(gap) > mpf(10) ** -50
    assert sign(a - b) == expected
    assert (a < b, a <= b, a > b, a >= b) == (expected < 0, expected <= 0, expected > 0, expected >= 0)
    assert (a == b) == (expected == 0)


@given(numbers())
def test_the_float_of_a_surd_is_right_to_the_last_place(a):
    with mp.workdps(60):
        assert abs(mpf(float(a)) - as_mpf(a)) <= math.ulp(float(a))


@given(numbers())
def test_a_ball_contains_the_number(a):
    with mp.workdps(60):
        digits = mp.nstr(as_mpf(a), 50)
    assert to_arb(a).overlaps(flint.arb(digits))


@given(st.integers(min_value=1, max_value=200))
def test_the_sign_of_a_number_next_to_zero_is_that_of_the_convergent(n):
    # p/q runs through the convergents of sqrt 2, which lie above it and below it in turn.
    p, q = 1, 1
    for _ in range(n):
        p, q = p + 2 * q, p + q
    side = p * p - 2 * q * q
    assert abs(side) == 1
    assert sign(Fraction(p, q) - sqrt(2)) == side
    assert sign(p - q * sqrt(2)) == side
    assert (float(p - q * sqrt(2)) > 0) == (side > 0)


def test_the_float_of_a_number_next_to_zero_keeps_its_digits():
    p, q = 1, 1
    for _ in range(120):
        p, q = p + 2 * q, p + q
    near = p - q * sqrt(2)
    assert float(near) == pytest.approx(float(Fraction(p * p - 2 * q * q, 2 * p)), rel=1e-15, abs=0)


def test_sums_of_square_roots_that_nearly_tie_are_told_apart():
    assert sqrt(2) + sqrt(3) < sqrt(10)
    assert sqrt(10) - sqrt(2) - sqrt(3) < Fraction(2, 100)
    assert sqrt(10) + sqrt(11) > sqrt(5) + sqrt(18)
    assert sqrt(2) + sqrt(3) != sqrt(10)
    assert (sqrt(2) + sqrt(3)) ** 2 == 5 + 2 * sqrt(6)


@given(st.fractions(min_value=0, max_value=1000, max_denominator=1000))
def test_the_square_root_of_a_rational_squares_to_it(value):
    root = sqrt(value)
    assert root * root == value
    assert sign(root) == (value > 0)
    assert isinstance(root, Fraction) == (
        math.isqrt(value.numerator * value.denominator) ** 2 == value.numerator * value.denominator
    )


def test_the_square_root_of_a_negative_number_is_refused():
    with pytest.raises(ValueError, match="sqrt of -1/2: only nonnegative rationals"):
        sqrt(Fraction(-1, 2))


@pytest.mark.parametrize("operation", [
    lambda a: a + 0.5,
    lambda a: 0.5 + a,
    lambda a: a - 0.5,
    lambda a: 0.5 - a,
    lambda a: a * 0.5,
    lambda a: a / 0.5,
    lambda a: 0.5 / a,
    lambda a: a / "1/2",
    lambda a: a < 0.5,
])  # fmt: skip
def test_a_float_does_not_flow_into_exact_numbers(operation):
    with pytest.raises(TypeError):
        operation(sqrt(2))


def test_division_by_zero_is_refused():
    with pytest.raises(ZeroDivisionError):
        sqrt(2) / 0
    with pytest.raises(ZeroDivisionError):
        sqrt(2) / (sqrt(2) - sqrt(2))


@pytest.mark.parametrize("exponent", [-1, 0.5, Fraction(1, 2)])
def test_only_whole_powers_are_taken(exponent):
    with pytest.raises(TypeError):
        sqrt(2) ** exponent


def test_equal_surds_have_equal_hashes():
    assert len({sqrt(8), 2 * sqrt(2), sqrt(2) + sqrt(2), Fraction(4) / sqrt(2)}) == 1


def test_the_terms_of_a_surd_are_a_copy():
    value = 1 + sqrt(2)
    value.terms[2] = Fraction(5)
    assert value == 1 + sqrt(2)


def test_text_is_written_as_it_is_said():
    assert str(Fraction(1, 2) - sqrt(3) + Fraction(2, 5) * sqrt(2)) == "1/2 + 2/5*sqrt(2) - sqrt(3)"
    assert str(-sqrt(2) / 3) == "-1/3*sqrt(2)"


def test_reading_a_sign_leaves_the_working_precision_alone():
    before = flint.ctx.prec
    p, q = 1, 1
    for _ in range(300):
        p, q = p + 2 * q, p + q
    assert sign(p - q * sqrt(2)) == p * p - 2 * q * q
    assert float(p - q * sqrt(2)) != 0
    assert flint.ctx.prec == before

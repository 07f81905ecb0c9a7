import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import exact, exact_float, parse_number, simplest_between, sqrt


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", Fraction(3)),
        ("-3", Fraction(-3)),
        ("0", Fraction(0)),
        ("-0", Fraction(0)),
        ("007", Fraction(7)),
        ("2/3", Fraction(2, 3)),
        ("-4/6", Fraction(-2, 3)),
        ("0.25", Fraction(1, 4)),
        ("-0.05", Fraction(-1, 20)),
        ("0.1", Fraction(1, 10)),
        ("12.50", Fraction(25, 2)),
        (".5", Fraction(1, 2)),
        ("-.05", Fraction(-1, 20)),
        ("1e3", Fraction(1000)),
        ("1E-3", Fraction(1, 1000)),
        ("-2.5e+2", Fraction(-250)),
        (".5e-1", Fraction(1, 20)),
        ("1_000", Fraction(1000)),
        ("1_0/2_0", Fraction(1, 2)),
        ("1_0.2_5", Fraction(41, 4)),
    ],
)
def test_a_written_number_is_read_as_it_stands(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text",
    ["", " ", "+1", " 1", "1 ", "1\n", "--1", "1.", ".", "e3", ".e3", "1e", "1e1.5", "1_", "_1", "1__0", "1._5", "1,5",
     "0x10", "1/2/3", "1/-2", "1.5/2", "1/2.5", "1e3/2", "nan", "inf", "-inf", "sqrt(2)", "½", "٣", "1j", "True"],
)  # fmt: skip
def test_another_form_is_no_number(text):
    with pytest.raises(BadNumber, match=r"is not a number; a number is written as 3, -3, 2/3, 0\.25 or 1e-3"):
        parse_number(text)


def test_a_zero_denominator_is_refused_by_name():
    with pytest.raises(BadNumber, match="'1/00' has denominator 0"):
        parse_number("1/00")


def test_a_number_too_long_to_read_is_refused_by_its_length():
    assert parse_number("9" * 4000) == 10**4000 - 1
    with pytest.raises(BadNumber, match="a number of 4001 characters; at most 4000 are read"):
        parse_number("9" * 4001)
    assert parse_number("1e4000") == 10**4000
    for text in ("1e4001", "1e-4001", "1e99999999999999999999"):
        with pytest.raises(BadNumber, match=f"'{text}' has too many digits; at most 4000 are read"):
            parse_number(text)


@given(st.fractions())
def test_the_text_of_a_fraction_is_read_back(value):
    assert parse_number(str(value)) == value


@given(st.integers(-(10**9), 10**9), st.integers(1, 9))
def test_a_decimal_means_the_decimal_that_is_written(digits, places):
    text = f"{'-' if digits < 0 else ''}{abs(digits) // 10**places}.{abs(digits) % 10**places:0{places}d}"
    assert parse_number(text) == Fraction(digits, 10**places)


@given(st.integers(-3000, 3000), st.integers(1, 3000))
def test_a_float_that_was_meant_as_a_fraction_comes_back_as_it(p, q):
    assert exact_float(p / q) == Fraction(p, q)


@given(st.integers(-(10**6), 10**6), st.integers(0, 6))
def test_a_float_that_was_meant_as_a_decimal_comes_back_as_it(digits, places):
    assert exact_float(float(f"{digits}e-{places}")) == Fraction(digits, 10**places)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_fraction_as_near_to_a_float_is_simpler(value):
    result, centre, reach = exact_float(value), Fraction(value), 4 * Fraction(math.ulp(value))
    assert abs(result - centre) <= reach
    assert result.denominator <= centre.denominator


@pytest.mark.parametrize("value", [2.0**50 + 1, 1e20, -(2.0**53) - 2, 1e308])
def test_a_whole_float_is_that_whole_number_however_large(value):
    assert exact_float(value) == int(value)


@given(
    st.fractions(min_value=-3, max_value=3, max_denominator=60),
    st.fractions(min_value=0, max_value=2, max_denominator=400),
)
def test_the_simplest_fraction_between_has_the_smallest_denominator(low, width):
    high = low + width
    result = simplest_between(low, high)
    assert low <= result <= high
    fewer = (q for q in range(1, result.denominator) if math.ceil(low * q) <= math.floor(high * q))
    assert next(fewer, None) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, Fraction(3)),
        ("1/3", Fraction(1, 3)),
        (0.1, Fraction(1, 10)),
        (Decimal("0.1"), Fraction(1, 10)),
        (np.int64(-4), Fraction(-4)),
        (np.uint8(200), Fraction(200)),
        (np.float64(0.3), Fraction(3, 10)),
        (Fraction(2, 7), Fraction(2, 7)),
        (sqrt(2), sqrt(2)),
    ],
)
def test_python_and_numpy_numbers_become_exact(value, expected):
    assert exact(value) == expected


@pytest.mark.parametrize(
    "value",
    [True, np.True_, math.nan, math.inf, -math.inf, np.float64("nan"), Decimal("NaN"), Decimal("Infinity"), 1j, None,
     [1], b"1", np.array([1.0, 2.0])],
)  # fmt: skip
def test_what_is_no_number_is_refused(value):
    with pytest.raises(BadNumber, match="is not a number"):
        exact(value)


@given(st.floats(min_value=1e-6, max_value=1e6), st.integers(1, 40))
def test_rounding_errors_of_a_few_operations_are_undone(scale, q):
    # (1 - 1/q) / (1 - 1/q + scale - scale) goes through four roundings of the order of 1.
    assume(q > 1)
    assert exact_float((1 - 1 / q) / 2) == Fraction(q - 1, 2 * q)
    assert exact_float(scale / scale / q) == Fraction(1, q)

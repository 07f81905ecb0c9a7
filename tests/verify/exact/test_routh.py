from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdrc_theory.exact import Polynomial, sqrt
from verify.exact.roots import has_imaginary_root, is_hurwitz, sign_of, table_cost

rationals = st.fractions(min_value=-3, max_value=3, max_denominator=4)
negative = st.fractions(min_value=-3, max_value=Fraction(-1, 50), max_denominator=50)
positive = st.fractions(min_value=Fraction(1, 50), max_value=3, max_denominator=50)
units = st.sampled_from([Fraction(1), Fraction(-2, 3), sqrt(2), 1 - sqrt(3)])
left_real = st.tuples(negative)
left_pair = st.tuples(negative, positive)
left = st.lists(st.one_of(left_real, left_pair), min_size=1, max_size=4)


def times(p, q):
    product = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return product


def with_roots(roots, lead=Fraction(1)):
    """Return the polynomial whose roots are a for (a,) and a +- i b for (a, b)."""
    coefficients = [lead]
    for root in roots:
        factor = [-root[0], 1] if len(root) == 1 else [root[0] ** 2 + root[1] ** 2, -2 * root[0], 1]
        coefficients = times(coefficients, factor)
    return Polynomial(coefficients)


@given(left, units)
def test_roots_in_the_left_half_plane_are_hurwitz_whatever_the_leading_coefficient(roots, lead):
    assert is_hurwitz(with_roots(roots, lead))


@given(left, st.one_of(st.tuples(positive), st.tuples(positive, positive)), units)
def test_one_root_in_the_right_half_plane_is_not_hurwitz(roots, right, lead):
    assert not is_hurwitz(with_roots([*roots, right], lead))


@given(left, st.one_of(st.just((Fraction(0),)), st.tuples(st.just(Fraction(0)), positive)), units)
def test_one_root_on_the_imaginary_axis_is_not_hurwitz(roots, axis, lead):
    assert not is_hurwitz(with_roots([*roots, axis], lead))


@given(st.lists(st.one_of(st.tuples(rationals), st.tuples(rationals, positive)), min_size=1, max_size=5))
def test_the_table_agrees_with_the_roots(roots):
    assert is_hurwitz(with_roots(roots)) == all(root[0] < 0 for root in roots)


@given(st.lists(st.tuples(rationals, rationals, st.sampled_from([2, 3])), min_size=1, max_size=3))
def test_irrational_roots_are_judged_by_their_exact_sign(parts):
    roots = [(a + b * sqrt(n),) for a, b, n in parts]
    assert is_hurwitz(with_roots(roots)) == all(root[0] < 0 for root in roots)


def test_a_root_next_to_the_axis_is_seen_on_its_side():
    p, q = 1, 1
    for _ in range(99):
        p, q = p + 2 * q, p + q
    near = p - q * sqrt(2)
    assert 0 < abs(float(near)) < 1e-37
    assert is_hurwitz(with_roots([(near,), (Fraction(-1),)])) == (near < 0)
    assert is_hurwitz(with_roots([(-near,), (Fraction(-1),)])) == (near > 0)
    tiny = Fraction(1, 10**60)
    assert is_hurwitz(with_roots([(-tiny, Fraction(1)), (Fraction(-1),)]))
    assert not is_hurwitz(with_roots([(tiny, Fraction(1)), (Fraction(-1),)]))


@pytest.mark.parametrize(
    "descending",
    [
        [1, 1, 2, 2, 3],  # a zero heads the third row, its other entry does not vanish
        [1, 1, 1, 1],  # (s + 1)(s^2 + 1): a whole row vanishes
        [1, 2, 3, 2, 2],  # (s^2 + 1)(s^2 + 2 s + 2)
        [1, 0, 2, 0, 1],  # (s^2 + 1)^2
        [1, 1, 1, 1, 1],  # fifth roots of unity
        [1, sqrt(2), 1, sqrt(2)],
    ],
)
def test_a_zero_in_the_first_column_is_not_hurwitz(descending):
    assert not is_hurwitz(Polynomial(descending[::-1]))


@given(left, st.one_of(st.none(), st.tuples(st.just(Fraction(0)), positive)), units)
def test_a_root_on_the_imaginary_axis_is_told_from_one_beside_it(roots, axis, lead):
    mirrored = [(-root[0], *root[1:]) for root in roots]  # so that the even and odd parts share what is not on the axis
    assert has_imaginary_root(with_roots([*roots, *mirrored, *([axis] if axis else [])], lead)) == (axis is not None)


def test_a_nonzero_constant_has_no_root_that_could_be_unstable():
    assert is_hurwitz(Polynomial([-3]))
    assert not is_hurwitz(Polynomial([]))


def test_the_cost_grows_with_the_degree_and_with_the_digits():
    small = table_cost(Polynomial([1, 1]))
    assert table_cost(Polynomial([1] * 5)) == 64 * small
    assert table_cost(Polynomial([2**70, 1])) == 71 * small


@pytest.mark.parametrize("value", [flint.fmpz(-5), Fraction(-1, 3), 1 - sqrt(2), -7])
def test_every_kind_of_exact_number_has_its_sign(value):
    assert sign_of(value) == -1
    assert sign_of(-value) == 1
    assert sign_of(value - value) == 0

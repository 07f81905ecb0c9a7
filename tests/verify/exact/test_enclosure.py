import math
from fractions import Fraction

import flint
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tdrc_theory.exact import Polynomial, sqrt
from tdrc_theory.exact.number import precision, to_arb, to_fmpq
from verify.exact.roots import Enclosure, largest_real_part, real_roots, root_balls, sorted_real_roots

# Binary fractions are balls of radius 0, so that "contains" is meant literally.
dyadic = st.integers(-40, 40).map(lambda n: Fraction(n, 8))
surds = st.builds(lambda a, b, n: a + b * sqrt(n), st.integers(-3, 3), st.integers(1, 2), st.sampled_from([2, 3]))
moduli = st.integers(1, 20).map(lambda n: Fraction(n, 4))


def times(p, q):
    product = [Fraction(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return product


def with_roots(real, pairs=(), lead=Fraction(1)):
    coefficients = [lead]
    for a in real:
        coefficients = times(coefficients, [-a, 1])
    for a, b in pairs:
        coefficients = times(coefficients, [a * a + b * b, -2 * a, 1])
    return Polynomial(coefficients)


def ball(value):
    with precision(2000):
        return to_arb(value)


@given(st.fractions(), st.integers(10, 200))
def test_an_enclosure_is_rounded_outwards(value, bits):
    with precision(bits):
        result = Enclosure.of_ball(flint.arb(to_fmpq(value)))
    assert Fraction(result.lower) <= value <= Fraction(result.upper)
    if value:
        assert Fraction(result.lower) < value < Fraction(result.upper)
    else:
        assert (result.lower, result.upper) == (0.0, 0.0)
    assert result.lower <= result.middle <= result.upper


@given(st.fractions(), st.fractions(min_value=Fraction(1, 10**6), max_value=10))
def test_an_enclosure_contains_the_whole_ball(middle, radius):
    with precision(96):
        wide = flint.arb(to_fmpq(middle), to_fmpq(radius))
        result = Enclosure.of_ball(wide)
    assert Fraction(result.lower) <= middle - radius
    assert Fraction(result.upper) >= middle + radius


@pytest.mark.parametrize("value", [10**400, -(10**400), Fraction(1, 10**400), Fraction(-1, 10**400)])
def test_numbers_beyond_the_floats_are_still_enclosed(value):
    with precision(96):
        result = Enclosure.of_ball(flint.arb(to_fmpq(value)))
    assert result.lower == -math.inf or Fraction(result.lower) < value
    assert result.upper == math.inf or Fraction(result.upper) > value


def test_an_unknown_end_is_null_in_json():
    assert Enclosure(-math.inf, 2.0).to_json() == {"lower": None, "upper": 2.0}


def test_the_working_precision_is_restored_after_an_error():
    before = flint.ctx.prec

    def fail():
        with precision(300):
            assert flint.ctx.prec == 300
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert flint.ctx.prec == before


@given(
    st.lists(dyadic, max_size=3, unique=True),
    st.lists(st.tuples(dyadic, moduli), max_size=2, unique=True),
    st.integers(1, 2),
    st.sampled_from([Fraction(1), Fraction(-3, 7)]),
)
def test_every_ball_contains_one_known_root_and_every_root_is_in_a_ball(real, pairs, multiplicity, lead):
    polynomial = with_roots(real * multiplicity, pairs, lead)
    known = [(a, Fraction(0)) for a in real] + [(a, s * b) for a, b in pairs for s in (1, -1)]
    result = root_balls(polynomial)
    assert len(result) == len(known)
    for a, b in known:
        root = flint.acb(flint.arb(to_fmpq(a)), flint.arb(to_fmpq(b)))
        assert sum(each.contains(root) for each in result) == 1


@given(
    st.lists(dyadic, max_size=3),
    st.lists(st.tuples(dyadic, moduli), max_size=2),
)
def test_the_largest_real_part_is_enclosed(real, pairs):
    result = largest_real_part(with_roots(real, pairs))
    parts = [*real, *(a for a, _ in pairs)]
    if not parts:
        assert result is None
    else:
        assert result.contains(flint.arb(to_fmpq(max(parts))))
        interval = Enclosure.of_ball(result)
        assert interval.lower <= max(parts) <= interval.upper
        assert interval.upper - interval.lower <= 1e-12 * max(1, abs(max(parts)))


@settings(max_examples=30)
@given(st.lists(surds, min_size=1, max_size=2), st.lists(st.tuples(surds, moduli), max_size=1))
def test_the_largest_real_part_of_an_irrational_polynomial_is_enclosed(real, pairs):
    result = largest_real_part(with_roots(real, pairs))
    assert result is not None
    assert result.overlaps(ball(max([*real, *(a for a, _ in pairs)])))
    assert float(result.rad()) < 1e-12


@pytest.mark.parametrize("square", [sqrt(2), Fraction(2)])
def test_roots_on_the_imaginary_axis_have_a_largest_real_part_around_zero(square):
    for extra in ([], [-sqrt(3)], [Fraction(0)]):
        coefficients = [square, 0, 1]
        for root in extra:
            coefficients = times(coefficients, [-root, 1])
        result = largest_real_part(Polynomial(coefficients))
        assert result is not None
        assert result.contains(flint.arb(0))
        assert float(result.rad()) < 1e-20


@given(st.lists(st.one_of(dyadic, surds), min_size=1, max_size=4, unique=True), st.integers(1, 2))
def test_real_roots_come_back_in_order_each_once(roots, multiplicity):
    result = sorted_real_roots(with_roots(roots * multiplicity))
    assert len(result) == len(roots)
    for each, root in zip(result, sorted(roots), strict=True):
        assert each.overlaps(ball(root))
        assert float(each.rad()) < 1e-12


@given(
    st.lists(st.one_of(dyadic, surds), max_size=3, unique=True),
    st.lists(st.tuples(st.one_of(dyadic, surds), moduli), max_size=2),
)
def test_real_roots_are_told_from_the_others(real, pairs):
    result = real_roots(with_roots(real, pairs))
    assert len(result) == len(real)
    assert all(each.overlaps(ball(root)) for each, root in zip(result, sorted(real), strict=True))


@pytest.mark.parametrize("unit", [Fraction(1), sqrt(2)])
def test_real_roots_close_to_each_other_are_separated(unit):
    gap = Fraction(1, 10**40)
    low, high = sorted_real_roots(with_roots([unit, unit + gap]))
    with precision(400):
        assert low < high
        assert (high - low).overlaps(flint.arb(to_fmpq(gap)))


@settings(max_examples=30)
@given(st.lists(dyadic, min_size=1, max_size=3, unique=True), st.integers(50, 400))
def test_more_bits_give_narrower_balls(roots, bits):
    assume(any(roots))
    result = root_balls(with_roots([r + Fraction(1, 3) for r in roots]), bits)
    assert all(each.real.rad() < flint.arb(2) ** (6 - bits) for each in result)


def test_a_constant_has_no_roots():
    assert root_balls(Polynomial([5])) == []
    assert largest_real_part(Polynomial([sqrt(2)])) is None

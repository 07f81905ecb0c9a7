from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from tdrc_theory.form import GENERATORS, Form, every_path

from tdrc_theory.errors import BadAlgorithm, NotAffine

SYMBOLS = sympy.symbols(GENERATORS)
RHO = sympy.Symbol("rho", real=True, nonnegative=True)
rationals = st.fractions(min_value=-4, max_value=4, max_denominator=5)
exponents = st.tuples(*[st.integers(0, 2)] * len(GENERATORS))
forms = st.dictionaries(exponents, rationals, max_size=4).map(Form)


def as_sympy(form):
    total = sympy.Integer(0)
    for key, c in form.terms.items():
        coefficient = sympy.Rational(c.numerator, c.denominator) if isinstance(c, Fraction) else c
        total += coefficient * sympy.prod(s**e for s, e in zip(SYMBOLS, key, strict=True))
    return sympy.expand(total)


def number(value):
    return sympy.Rational(value.numerator, value.denominator)


@settings(deadline=None, max_examples=80)
@given(forms, forms, rationals)
def test_arithmetic_agrees_with_sympys_polynomials(a, b, c):
    p, q, r = as_sympy(a), as_sympy(b), number(c)
    assert as_sympy(a + b) == sympy.expand(p + q)
    assert as_sympy(a - b) == sympy.expand(p - q)
    assert as_sympy(a * b) == sympy.expand(p * q)
    assert as_sympy(-a) == sympy.expand(-p)
    assert as_sympy(+a) == p
    assert as_sympy(a + c) == as_sympy(c + a) == sympy.expand(p + r)
    assert as_sympy(a - c) == sympy.expand(p - r)
    assert as_sympy(c - a) == sympy.expand(r - p)
    assert as_sympy(c * a) == as_sympy(a * c) == sympy.expand(p * r)
    if c:
        assert as_sympy(a / c) == sympy.expand(p / r)


@settings(deadline=None, max_examples=40)
@given(forms, st.integers(0, 3))
def test_powers_are_repeated_products(a, exponent):
    assert as_sympy(a**exponent) == sympy.expand(as_sympy(a) ** exponent)


@settings(deadline=None, max_examples=60)
@given(forms, forms)
def test_no_term_has_coefficient_zero(a, b):
    for form in (a - a, (a + b) * (a - b) - a * a + b * b, a * 0):
        assert form.terms == {}
    assert all((a + b).terms.values())


@settings(deadline=None, max_examples=80)
@given(rationals, rationals)
def test_constants_compare_as_their_numbers(a, b):
    p, q = Form.constant(a), Form.constant(b)
    assert (p < q, p <= q, p > q, p >= q, p == q, p != q) == (a < b, a <= b, a > b, a >= b, a == b, a != b)
    assert (p < b, a < q) == (a < b, a < b)
    assert (Form({}) + min(p, b)).terms == Form.constant(min(a, b)).terms
    assert (Form({}) + max(a, q)).terms == Form.constant(max(a, b)).terms
    assert abs(p).terms == Form.constant(abs(a)).terms
    assert bool(p) == bool(a)


def test_a_float_in_an_equation_means_the_decimal_that_is_written():
    x = Form.generator("x")
    assert list((0.1 * x).terms.values()) == [Fraction(1, 10)]
    assert list((x / 0.3).terms.values()) == [Fraction(10, 3)]
    assert list((x * 1e-3).terms.values()) == [Fraction(1, 1000)]


@pytest.mark.parametrize("value", ["1", None, True, 1j, [1], float("nan"), float("inf")])
def test_what_is_no_number_is_refused_by_its_own_text(value):
    with pytest.raises(BadAlgorithm, match="which is no number"):
        Form.generator("x") + value


def test_dividing_by_a_component_is_refused_and_names_it():
    x, h = Form.generator("x"), Form.generator("h")
    with pytest.raises(NotAffine, match=r"divides by x \+ 2\*h"):
        1 / (x + 2 * h)
    with pytest.raises(BadAlgorithm, match="divides by 0"):
        x / (h - h)


@pytest.mark.parametrize("exponent", [-1, 0.5, Fraction(1, 2)])
def test_only_whole_powers_are_read(exponent):
    with pytest.raises(BadAlgorithm, match="only whole powers are read"):
        Form.generator("x") ** exponent


def test_a_branch_on_a_component_is_refused_and_names_it():
    with pytest.raises(NotAffine, match=r"branches on the sign of 2\*delta"):
        abs(2 * Form.generator("delta"))
    with pytest.raises(NotAffine, match="branches on the sign of x"):
        bool(Form.generator("x"))


def test_turning_a_form_into_a_float_is_refused():
    with pytest.raises(BadAlgorithm, match="needs a float where its equation is read"):
        float(Form.generator("x"))


@pytest.mark.parametrize(
    ("names", "term"),
    [
        (("delta", "delta_hat"), "3*delta*delta_hat"),
        (("h", "h"), "3*h^2"),
        (("x", "delta", "h"), "3*x*h*delta"),
        (("x", "x_next", "delta"), None),
        (("x", "x"), None),
    ],
)
def test_a_term_of_degree_above_one_in_the_weights_is_named(names, term):
    form = Form.constant(Fraction(3))
    for name in names:
        form = form * Form.generator(name)
    assert (Form.generator("x") + form).not_affine_term() == term


def test_text_is_written_like_an_equation():
    x, h = Form.generator("x"), Form.generator("h")
    assert str(x - 2 * h + Fraction(1, 2)) == "x - 2*h + 1/2"
    assert str(x - x) == "0"
    assert str(Form.constant(RHO - 1) * x) == "(rho - 1)*x"


def values_at(paths, rho):
    """Return the results of the ways whose conditions hold at a number."""
    at = sympy.Rational(rho.numerator, rho.denominator)
    taken = [r for conditions, r in paths if all(bool(sympy.sympify(c).subs(RHO, at)) for c in conditions)]
    return [sympy.nsimplify(as_sympy(r).subs(RHO, at)) for r in taken]


BRANCHING = {
    "min": lambda rho: min(rho, 1),
    "max": lambda rho: max(rho, 2),
    "abs": lambda rho: abs(rho - 1),
    "clip": lambda rho: max(Fraction(1, 2), min(rho, 2)),
    "if": lambda rho: rho * rho if rho <= 1 else 2 * rho - 1,
    "equal": lambda rho: 5 + 0 * rho if rho == 1 else rho,
    "no branch": lambda rho: rho / 3 + 1,
    "decided by the sign": lambda rho: max(rho, -1),
    "twice": lambda rho: min(rho, 1) + 2 * min(rho, 1),
    "products": lambda rho: min(rho, 1) * max(rho - 1, 0) + abs(2 - rho),
}


@pytest.mark.parametrize("name", BRANCHING)
@pytest.mark.parametrize("rho", [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(4, 3), Fraction(2), Fraction(9)])
def test_the_ways_through_comparisons_agree_with_the_number(name, rho):
    function = BRANCHING[name]
    paths = list(every_path(lambda: Form.constant(Fraction(0)) + function(Form.constant(RHO))))
    expected = sympy.Rational(str(Fraction(function(rho))))
    numeric = Form.constant(Fraction(0)) + function(Form.constant(rho))
    assert as_sympy(numeric) == expected
    assert values_at(paths, rho)[0] == expected
    assert set(values_at(paths, rho)) == {expected}


def test_a_question_asked_twice_is_not_answered_both_ways():
    rho = Form.constant(RHO)
    assert len(list(every_path(lambda: min(rho, 1) + 2 * min(rho, 1)))) == 2
    assert len(list(every_path(lambda: abs(rho - 1)))) == 2
    assert len(list(every_path(lambda: max(rho, -1)))) == 1


def test_a_symbolic_coefficient_that_cancels_is_no_term():
    rho, h, delta = Form.constant(RHO), Form.generator("h"), Form.generator("delta")
    form = (rho - 1) * (rho + 1) * h * delta - rho * rho * h * delta + h * delta
    assert form.terms == {}
    assert form.not_affine_term() is None


def test_too_many_ways_are_refused():
    def branches(count):
        return lambda: [Form.constant(RHO) < n + 1 for n in range(count)]

    assert len(list(every_path(branches(6)))) == 64
    with pytest.raises(BadAlgorithm, match="branches in more than 64 ways"):
        list(every_path(branches(7)))


def test_a_symbolic_comparison_outside_every_path_is_refused():
    with pytest.raises(BadAlgorithm, match="branches on rho < 1"):
        bool(Form.constant(RHO) < 1)


def test_an_error_inside_a_way_leaves_no_decisions_behind():
    def fails():
        assert Form.constant(RHO) < 1
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(every_path(fails))
    with pytest.raises(BadAlgorithm, match="branches on"):
        bool(Form.constant(RHO) < 1)

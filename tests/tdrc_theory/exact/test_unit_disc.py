from fractions import Fraction

import numpy as np

from tdrc_theory.exact import Polynomial
from tdrc_theory.exact.unit_disc import is_inside_unit_disc


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

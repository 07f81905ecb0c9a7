"""Exact numbers and matrices: the rationals, and square roots of rationals."""

from tdrc_theory.exact.matrix import Matrix
from tdrc_theory.exact.number import Number, Surd, exact, exact_float, parse_number, sign, simplest_between, sqrt
from tdrc_theory.exact.polynomial import Polynomial

__all__ = [
    "Matrix",
    "Number",
    "Polynomial",
    "Surd",
    "exact",
    "exact_float",
    "parse_number",
    "sign",
    "simplest_between",
    "sqrt",
]

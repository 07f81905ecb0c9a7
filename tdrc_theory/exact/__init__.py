"""Exact numbers and matrices: the rationals, and square roots of rationals."""

from tdrc_theory.exact.matrix import Matrix
from tdrc_theory.exact.number import Number, exact, exact_float, parse_number, simplest_between
from tdrc_theory.exact.polynomial import Polynomial
from tdrc_theory.exact.surd import Surd, sign, sqrt

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

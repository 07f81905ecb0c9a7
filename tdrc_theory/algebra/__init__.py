"""A small free algebra: words over named matrices and vectors with commuting scalar coefficients, in normal form."""

from tdrc_theory.algebra.free import Free, Rules
from tdrc_theory.algebra.scalar import Scalar

__all__ = ["Free", "Rules", "Scalar"]

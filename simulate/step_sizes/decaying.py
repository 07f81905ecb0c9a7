"""Step sizes that fall like a power of time: the family of Robbins and Monro."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from simulate.step_sizes.constant import constant
from simulate.step_sizes.step_size import StepSize


def decaying(t: Any, alpha: Any, tau: Any, power: Any) -> Any:
    """alpha_t = alpha / (1 + t / tau)^power."""
    return alpha / (1 + t / tau) ** power


DECAYING = StepSize(
    name="decaying",
    function=constant,
    parameters={"tau": 1000.0, "power": 1.0},
    schedule=decaying,
    source="Theorem 3.1; Robbins and Monro 1951",
)


class RobbinsMonro(NamedTuple):
    """Whether step sizes have an infinite sum and a finite sum of squares (the hypotheses of Theorem 3.1)."""

    sum_is_infinite: bool
    sum_of_squares_is_finite: bool

    @property
    def met(self) -> bool:
        """Return whether both hold."""
        return self.sum_is_infinite and self.sum_of_squares_is_finite


def robbins_monro(power: Fraction) -> RobbinsMonro:
    """Return which of the conditions alpha_t = alpha / (1 + t / tau)^power meets, for any positive alpha and tau.

    The sum of t^-p is infinite exactly where p <= 1; so that of the squares is finite exactly where 2 p > 1. The power
    is exact, so the boundary cases are decided and not rounded. Power 0 is a constant step size.

    >>> robbins_monro(Fraction(1)).met, robbins_monro(Fraction(1, 2)).met, robbins_monro(Fraction(0)).met
    (True, False, False)
    """
    return RobbinsMonro(power <= 1, 2 * power > 1)

"""Step sizes that fall as a power of the time, or stay."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.errors import BadOption
from tdrc_theory.exact.convert import number_text


@dataclass(frozen=True, slots=True)
class StepSizes:
    """alpha_t = scale / (t + 1)^exponent for t = 0, 1, ...; exponent 0 is a constant step size.

    Raises:
        BadOption: the scale is not in (0, 1], or the exponent is negative.
    """

    scale: Fraction = Fraction(1)
    exponent: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not 0 < self.scale <= 1:
            raise BadOption(f"--scale: {number_text(self.scale)} is not in (0, 1], as Theorem 3.1 has it")
        if self.exponent < 0:
            raise BadOption(f"--exponent: {number_text(self.exponent)} is negative")

    @property
    def sum_diverges(self) -> bool:
        """Whether sum alpha_t is infinite: a p-series is for p <= 1."""
        return self.exponent <= 1

    @property
    def square_sum_converges(self) -> bool:
        """Whether sum alpha_t^2 is finite: a p-series is for p > 1."""
        return 2 * self.exponent > 1

    def __str__(self) -> str:
        head = number_text(self.scale)
        return head if not self.exponent else f"{head} / (t + 1)^{number_text(self.exponent)}"

"""How long a region takes, estimated before it is computed, so that nobody waits for hours without knowing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix
from verify.conditions.setting import longest

LONGEST = 36_000.0
"""Seconds beyond which a region is refused."""


@dataclass(frozen=True)
class Duration:
    """An estimate for a G of this size, whose longest number has so many bits: less where G has much structure.

    The resultants have a degree of n^2 / 4 in the parameter, for a G of size n, and coefficients n^2 times as long as
    its numbers. That makes n^6 operations on each of their bits, whose time was measured for n from 6 to 24.
    """

    size: int
    bits: int

    @classmethod
    def of(cls, size: int, coefficients: Iterable[Matrix]) -> Duration:
        """Return the estimate for a G that is a polynomial with these coefficients."""
        return cls(size, max(map(longest, coefficients), default=0))

    @property
    def seconds(self) -> float:
        """Return the estimate."""
        return 4e-9 * self.size**6 * self.bits

    def __str__(self) -> str:
        for unit, length in (("hour", 3600), ("minute", 60)):
            if self.seconds >= 2 * length:
                return counted(round(self.seconds / length), unit)
        return counted(round(self.seconds), "second")

    def check(self, who: str, most: float = LONGEST) -> None:
        """Refuse a region that takes more than `most` seconds; the error begins with `who`.

        Raises:
            BadOption: it does.
        """
        if self.seconds > most:
            estimate = f"G is {self.size} x {self.size} with long numbers, so that a region may take {self}"
            raise BadOption(f"{who}: {estimate}; fewer digits take less")

"""Stretches of step sizes at which a spectral radius is below 1, or at least 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from verify.check import Proof, weakest


@dataclass(frozen=True, slots=True)
class Stretch:
    """Step sizes from low to high, both included (but 0 never), at each of which the radius is below 1, or at none.

    Attributes:
        high: None for infinity.
    """

    low: Fraction
    high: Fraction | None
    stable: bool
    proof: Proof

    def reaches(self, alpha: Fraction) -> bool:
        """Return whether it goes on up to a step size at least."""
        return self.high is None or self.high >= alpha


def joined(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Return stretches in order, those that touch and are alike made one."""
    result: list[Stretch] = []
    for each in sorted(stretches, key=lambda s: (s.low, s.high is None, s.high or 0)):
        last = result[-1] if result else None
        if last is not None and last.stable is each.stable and last.reaches(each.low):
            high = None if last.high is None or each.high is None else max(last.high, each.high)
            result[-1] = replace(last, high=high, proof=weakest((last.proof, each.proof)))
        else:
            result.append(each)
    return result

"""One bound on a parameter: its value, an enclosure, and what it is exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.exact import Polynomial
from tdrc_theory.exact.convert import to_arb
from verify.exact.enclosure import Enclosure, precision, sorted_real_roots


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A bound on a parameter.

    Attributes:
        value: the nearest float; None where there is no bound.
        enclosure: an interval that certainly contains it.
        exact: the number, or the polynomial that it is a root of.
        reason: why there is none, or what to know about it.
        domain: the vectors on which it was taken.
        ball: a tight enclosure, for comparisons.
        polynomial: what the exact value is a root of.
    """

    value: float | None = None
    enclosure: Enclosure | None = None
    exact: str | None = None
    reason: str = ""
    domain: str = ""
    ball: flint.arb | None = None
    polynomial: Polynomial | None = None

    def compare(self, number: Fraction) -> int:
        """Return the sign of number - bound, exactly: a root of the polynomial compares equal."""
        assert self.ball is not None
        assert self.polynomial is not None
        with precision(96):
            if to_arb(number) < self.ball or to_arb(number) > self.ball:
                return 1 if to_arb(number) > self.ball else -1
        if self.polynomial(number) == 0:
            return 0
        roots = sorted_real_roots(self.polynomial, 4096)
        with precision(4096):
            nearest = next(root for root in roots if root.overlaps(self.ball))
            return 1 if to_arb(number) > nearest else -1

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object."""
        ends = self.enclosure.to_json() if self.enclosure else {"lower": None, "upper": None}
        fields: dict[str, Any] = {"value": self.value, **ends, "exact": self.exact}
        if self.reason:
            fields["reason"] = self.reason
        if self.domain:
            fields["domain"] = self.domain
        return fields

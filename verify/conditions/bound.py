"""One bound on a parameter: its value, an enclosure, and what it is exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tdrc_theory.cli.finite import finite
from verify.exact.enclosure import Enclosure


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A bound on a parameter.

    Attributes:
        value: the nearest float, or one inside the enclosure; None where there is no bound, or one that bounds nothing.
        enclosure: an interval that certainly contains what the formula gives.
        exact: that number, or the polynomial that it is a root of; None where it is only enclosed.
        reason: why there is none, or what to know about it.
        domain: the vectors on which it was taken.
        every_value: True where there is no bound because every value of the parameter meets it.
        no_value: True where the formula gives a number that no value of the parameter meets.
    """

    value: float | None = None
    enclosure: Enclosure | None = None
    exact: str | None = None
    reason: str = ""
    domain: str = ""
    every_value: bool = False
    no_value: bool = False

    @property
    def number(self) -> float | None:
        """Return what the formula gives as a float, also where that bounds nothing; None where no float tells it."""
        middle = self.enclosure.middle if self.no_value and self.enclosure else self.value
        return None if middle is None else finite(middle)

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object."""
        ends = self.enclosure.to_json() if self.enclosure else {"lower": None, "upper": None}
        fields: dict[str, Any] = {"value": self.value, **ends, "exact": self.exact}
        if self.reason:
            fields["reason"] = self.reason
        if self.domain:
            fields["domain"] = self.domain
        return fields

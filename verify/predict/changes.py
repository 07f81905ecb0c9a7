"""Where stability is lost and regained, read off what is known of all step sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from verify.check import Proof, weakest
from verify.predict.stability import Stability
from verify.predict.stretches import Stretch

_WIDE = Fraction(101, 100)
"""Ratio of the ends of what is not decided between stability and instability, beyond which there may be more to it."""


@dataclass(frozen=True, slots=True)
class Change:
    """Where stability is lost, or regained, going up.

    Where the radius touches 1 and falls again, a loss and a gain share value and ends, and both ends are stable.

    Attributes:
        value: between both ends.
        lower, upper: proven to be of different stability, but for a touch; None where that is not proven.
        regained: whether moments are bounded above it.
        degree: of a polynomial that has exactly this root; None where none is at hand.
    """

    value: float
    lower: float | None
    upper: float | None
    regained: bool
    proof: Proof
    degree: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return all of it."""
        return {
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "regained": self.regained,
            "proof": self.proof.value,
            "degree": self.degree,
        }


def changes_of(known: Stability) -> Iterator[Change]:
    """Yield the changes of stability, ascending: between stretches that differ, and where floats show one."""
    before: Stretch | None = None
    regained = False
    for after in (*known.stretches, None):
        low = Fraction(0) if before is None else before.high
        inside = [
            (value, degree)
            for value, degree in sorted(known.crossings.items())
            if low is not None and low <= value and (after is None or value <= after.low)
        ]
        if before is None and after is not None and len(inside) % 2 == after.stable:
            regained = True  # floats begin unstable
        if before is not None and after is not None and before.high is not None:
            ends, proof = (float(before.high), float(after.low)), weakest((before.proof, after.proof))
            if before.stable is not after.stable:
                value, degree = inside[0] if inside else (sum(ends) / 2, None)
                yield Change(value, *ends, after.stable, proof, degree)
                regained = not after.stable
            elif before.stable and inside and inside[0][1] is not None:  # it touches 1
                yield Change(inside[0][0], *ends, False, proof, inside[0][1])
                yield Change(inside[0][0], *ends, True, proof, inside[0][1])
            elif len(inside) % 2 == 0 and all(degree is None for _, degree in inside):
                yield from _in_floats(inside, not before.stable)
            # Otherwise one class regains stability about where another loses it, and which comes first is not known.
        else:
            yield from _in_floats(inside, regained if before is None else not before.stable)
            regained = False if after is None else not after.stable
        before = after


def _in_floats(inside: list[tuple[float, int | None]], regained: bool) -> Iterator[Change]:
    for value, _ in inside:
        yield Change(value, None, None, regained, Proof.FLOAT)
        regained = not regained


def is_whole(stretches: Sequence[Stretch]) -> bool:
    """Return whether stretches leave nothing open but narrow places where stability is lost, regained, or touches."""
    if not stretches or stretches[0].low or stretches[-1].high is not None:
        return False
    return all(
        a.high is not None
        and b.low <= a.high * _WIDE
        and (a.stable is not b.stable or (a.stable and a.proof is b.proof is Proof.EXACT))
        for a, b in pairwise(stretches)
    )

"""Whether moments stay bounded at one step size: a candidate from floats, decided in ball arithmetic.

Let T* be the transposed second-moment operator, which maps positive semidefinite blocks to such. If Z - T*(Z) is
positive definite in every mode, then
- if every block of Z is positive definite, the spectral radius of T is below 1;
- if z^T Z_s z < 0 for some mode and z, it is at least 1: otherwise Z, the sum of all T*^j (Z - T*(Z)), were positive.
(Costa, Fragoso and Marques 2005, chapter 3, for the first; the second is one line.) First moments are a special case
(`pencil`; Stein's theorem). Z comes from a linear system in floats and may be wrong: then nothing is proven.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import flint
import numpy as np

from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.exact.precision import precision
from verify.predict.limits.candidate import Candidates, FirstCandidates, SecondCandidates
from verify.predict.limits.pencil import Blocks, FirstPencil, Parts, Pencil, SecondPencil
from verify.predict.limits.positive import has_negative, is_positive
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.ring import BALLS, float_balls

BITS = 128
"""Of balls: more than twice those of a double, so that what is left when floats cancel has the digits of one."""


@dataclass(frozen=True)
class Certifier:
    """Decides at single step sizes whether one operator has spectral radius below 1."""

    pencil: Pencil
    candidates: Candidates

    @classmethod
    def second(cls, reduced: ReducedRecursion) -> Certifier:
        """Return what decides on second moments."""
        return cls(SecondPencil(reduced), SecondCandidates(reduced))

    @classmethod
    def first(cls, reduced: ReducedRecursion) -> Certifier:
        """Return what decides on first moments."""
        return cls(FirstPencil(reduced), FirstCandidates(reduced))

    def bounded(self, alpha: Fraction) -> bool | None:
        """Return whether the operator has spectral radius below 1, None where nothing was proven."""
        if not self.candidates.in_reach:
            return None
        Z = self.candidates.at(float(alpha))
        if Z is None:
            return None
        with precision(BITS):
            a = flint.arb(to_fmpq(alpha))
            blocks = symmetric_balls(Z)
            parts = zip(blocks, *self.parts(blocks), strict=True)
            return decided(blocks, [z - x - y * a - w * (a * a) for z, x, y, w in parts])

    @cached_property
    def parts(self) -> Callable[[Blocks], Parts]:
        """What maps blocks Z to T_0*(Z), T_1*(Z) and T_2*(Z) in balls."""
        with precision(BITS):
            return self.pencil.parts(BALLS)


def symmetric_balls(Z: np.ndarray) -> Blocks:
    """Return floats (modes, n, n) as symmetric blocks of balls of radius 0."""
    return [float_balls((block + block.T) / 2) for block in Z]


def decided(Z: Blocks, residual: Blocks) -> bool | None:
    """Return whether the radius is below 1, given Z and Z - T*(Z); None where nothing is proven."""
    if not all(is_positive(block) for block in residual):
        return None
    if all(is_positive(block) for block in Z):
        return True
    return False if any(has_negative(block) for block in Z) else None

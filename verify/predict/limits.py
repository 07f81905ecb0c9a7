"""The largest constant step sizes with bounded first and second moments, searched in floats, enclosed by proofs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from tdrc_theory.exact import Matrix
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from verify.check import Proof
from verify.predict.averaged import averaged_stability
from verify.predict.certificate import Certifier
from verify.predict.crossings import COARSE, FINE, NotFound, crossings
from verify.predict.moving import Moving
from verify.predict.operator import layout
from verify.predict.prediction import prepared
from verify.predict.spectrum import Spectrum

LARGEST_SEARCHED = 3000
"""Rows of the second-moment operator up to which a search takes seconds; beyond, it may take minutes or hours."""
_SMALL = 200
"""Rows of the second-moment operator up to which a scan is fine, since each look takes little."""
_MEAN_DIGITS, _SQUARE_DIGITS = (7, 5, 3), (9, 7, 5, 3)
"""Decimal digits of the ends that are tried: the narrowest enclosure that can be proven, in short numbers."""

_NEAR = Fraction(999, 1000)
"""Share of a lower end up to which the proof has to reach that no smaller step size is unstable, for it to be moved."""


class Found(Enum):
    """What became of the search for a limit."""

    FOUND = "found"
    NONE = "none"
    NOT_FOUND = "not-found"
    NOT_SEARCHED = "not-searched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A largest constant step size: moments are bounded at `lower`, and not at `upper`.

    Attributes:
        status: whether there is one.
        value: between both; None where there is none.
        lower, upper: None where none was proven.
        proof: how `lower` and `upper`, or that there is none, are known.
        below: how it is known that every smaller step size is stable too; None where there is no value.
        others: further step sizes at which stability is lost or regained, in floats (Markov sampling only).
        reason: one line.
    """

    status: Found
    value: float | None
    lower: float | None
    upper: float | None
    proof: Proof
    below: Proof | None
    others: tuple[float, ...]
    reason: str

    @property
    def weakest(self) -> Proof:
        """Return how it is known that this is the largest: as both ends are, and that all below is stable."""
        return self.proof if self.below is None or self.below is self.proof else Proof.FLOAT

    def to_json(self) -> dict[str, Any]:
        """Return all of it; `proof` is that of the whole, `ends` that of lower and upper alone."""
        return {
            "status": self.status.value,
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "proof": self.weakest.value,
            "ends": self.proof.value,
            "every_smaller_step_size": None if self.below is None else self.below.value,
            "other_crossings": list(self.others),
            "reason": self.reason,
        }

    def __str__(self) -> str:
        """Return the value with its kind of proof, or why there is none."""
        if self.value is None:
            found = self.status.value.replace("-", " ")
            return f"{found} ({self.proof.value}): {self.reason}"
        return f"{self.value:.8g} ({self.weakest.value}): {self.reason}"


@dataclass(frozen=True, slots=True)
class Limits:
    """Both limits."""

    mean: Limit
    mean_square: Limit


def limits(
    problem: Problem | str,
    algorithm: Algorithm | str = "tdrc",
    *,
    sampling: str | None = None,
    beta: Any = 1,
    eta: Any = 1,
) -> Limits:
    """Return the largest step sizes of an algorithm on a problem; arguments as `predict` takes them.

    Raises:
        TheoryError: the problem, the algorithm or a parameter is not valid.
    """
    return step_size_limits(prepared(problem, algorithm, beta=beta, eta=eta, sampling=sampling))


def step_size_limits(made: Moving) -> Limits:
    """Return the largest step sizes with bounded first and second moments, off the directions that never move.

    With independent samples the stable step sizes are an interval from 0: E[G X + X G^T] + alpha E[G_t X G_t^T] < 0
    stays true as alpha shrinks, and |1 + alpha lambda| < 1 does. Under Markov sampling they need not be one: the limit
    is where stability is first lost, going up from 0, on a scan of step sizes, and certificates that hold on whole
    intervals of them then prove that none below is unstable (`cover`), as far as they reach.
    """
    if not made.n:
        nothing = _none(Proof.EXACT, "nothing ever moves")
        return Limits(nothing, nothing)
    if _indifferent(made):
        free = _none(
            Proof.EXACT, "at every step size the radius is at least 1: no update sees some direction that moves"
        )
        return Limits(free, free)
    iid = made.recursion.sampling == "iid"
    stable, proof, why = averaged_stability(made)
    if iid and stable is False:
        never = _none(proof, f"at every step size the radius is at least 1: {why}")
        return Limits(never, never)
    arrays, certifier = layout(made).linear(), Certifier(made)
    spectrum, size = Spectrum(arrays), arrays.scale()
    fine = FINE if operator_size(made) <= _SMALL else COARSE

    def searched(
        radius: Callable[[float], float],
        bounded: Callable[[Fraction], bool | None] | None,
        digits: tuple[int, ...],
        bounded_to: Callable[[Fraction, float], Fraction],
    ) -> Limit:
        try:
            rising = crossings(radius, interval=iid, fine=fine, size=size)
        except NotFound as at:
            return _not_found(f"no eigenvalue was found near {at}")
        if stable is False or not rising or rising[0] < 0:
            return _not_stable_from_zero(stable, proof, why, rising)
        lower, upper = _enclosed(rising[0], bounded, digits)
        if iid or lower is None:
            return _limit(rising, lower, upper, all_below=iid)
        known = bounded_to(Fraction(lower), rising[0])
        near = known if known >= lower else Fraction(_shorter(known, rising[0]))
        reached = near >= _NEAR * Fraction(lower)
        return _limit(rising, float(near) if reached else lower, upper, all_below=reached)

    def mean_bounded_to(end: Fraction, value: float) -> Fraction:
        if square.lower is None or square.below is not Proof.ENCLOSED:
            return Fraction(0)
        known = Fraction(square.lower)  # where second moments are bounded, first moments are
        return end if end <= known else certifier.first_bounded_from(known, end, value)

    square = searched(
        spectrum.second,
        certifier.second_bounded if certifier.second_in_reach else None,
        _SQUARE_DIGITS,
        lambda end, _: certifier.second_bounded_to(end),
    )
    mean = searched(
        spectrum.first,
        certifier.first_bounded if certifier.first_in_reach else None,
        _MEAN_DIGITS,
        mean_bounded_to,
    )
    return Limits(mean, square)


def _shorter(known: Fraction, limit: float) -> float:
    """Return a decimal a little below, with no more digits than tell it from the limit."""
    count = max(1, math.floor(-math.log10(max(1 - known / Fraction(limit), Fraction(1, 10**12)))))
    unit = Fraction(10) ** (math.floor(math.log10(limit)) + 1 - count)
    return float((math.ceil(known / unit) - 1) * unit) if known else 0.0


def _none(proof: Proof, reason: str, others: tuple[float, ...] = ()) -> Limit:
    return Limit(
        status=Found.NONE, value=None, lower=None, upper=None, proof=proof, below=None, others=others, reason=reason
    )


def _not_found(reason: str, others: tuple[float, ...] = ()) -> Limit:
    return replace(_none(Proof.FLOAT, reason, others), status=Found.NOT_FOUND)


def not_searched(made: Moving) -> Limits:
    """Return limits that say that they were not searched."""
    reason = (
        f"the second-moment operator has {operator_size(made)} rows, more than {LARGEST_SEARCHED}; --limits searches"
    )
    limit = replace(_none(Proof.FLOAT, reason), status=Found.NOT_SEARCHED)
    return Limits(limit, limit)


def operator_size(made: Moving) -> int:
    """Return the number of rows of the second-moment operator on symmetric halves."""
    return made.recursion.modes * made.n * (made.n + 1) // 2


def _limit(crossings: list[float], lower: float | None, upper: float | None, all_below: bool) -> Limit:
    proven = lower is not None and upper is not None
    proof = Proof.ENCLOSED if proven else Proof.FLOAT
    others = tuple(abs(c) for c in crossings[1:])
    reason = "spectral radius 1 in floats"
    if proven:
        reason = f"bounded {'up to' if all_below else 'at'} {lower!r}, not at {upper!r}"
    if not all_below:
        reason += " (enclosed)" if proven else ""
        reason += "; below, no step size of a scan is unstable (float)"
    if others:
        reason += f"; stability changes again at {', '.join(f'{v:.6g}' for v in others)} (float)"
    return Limit(
        status=Found.FOUND,
        value=crossings[0],
        lower=lower,
        upper=upper,
        proof=proof,
        below=proof if all_below else Proof.FLOAT,
        others=others,
        reason=reason,
    )


def _not_stable_from_zero(stable: bool | None, proof: Proof, why: str, crossings: list[float]) -> Limit:
    others = tuple(abs(c) for c in crossings)
    islands = (
        f"stable in places above 0, between {', '.join(f'{v:.6g}' for v in others)} (float)"
        if others
        else ("no step size on a scan is stable (float)")
    )
    if stable is False:
        return _none(proof, f"small step sizes are unstable: {why}; {islands}", others)
    known = f"small enough step sizes are stable ({proof.value}), though not seen to be" if stable else why
    return _not_found(f"{known}; {islands}", others)


def _indifferent(made: Moving) -> bool:
    """Return whether some y has G_t y = 0 for every update: then y stays, in the first moments too."""
    rows = {row[: made.n] for row in made.common} | {v[: made.n] for pairs in made.updates for _, v in pairs}
    return Matrix(sorted(rows, key=str)).rank() < made.n


def _enclosed(
    value: float, bounded: Callable[[Fraction], bool | None] | None, digits: tuple[int, ...]
) -> tuple[float | None, float | None]:
    """Return step sizes just below and above a crossing at which boundedness was proven and refuted."""
    if bounded is None:
        return None, None
    ends: list[float | None] = [None, None]
    for count in digits:
        unit = Fraction(10) ** (math.floor(math.log10(value)) + 1 - count)
        below = math.floor(Fraction(value) / unit)
        for end, place in ((0, 0), (0, -1), (1, 1), (1, 2)):
            alpha = float((below + place) * unit)
            if ends[end] is None and alpha > 0 and bounded(Fraction(alpha)) is (end == 0):
                ends[end] = alpha
        if None not in ends:
            break
    return ends[0], ends[1]

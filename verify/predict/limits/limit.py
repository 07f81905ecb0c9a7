"""Where stability is lost and regained as the step size grows, and the limit that this shows, with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import Any

from verify.check import Proof, weakest
from verify.predict.limits.cover import Stretch
from verify.predict.limits.stability import Stability

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
        return asdict(self) | {"proof": self.proof.value}


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


class SearchStatus(Enum):
    """What became of the search for a limit."""

    FOUND = "found"
    NONE = "none"
    NOT_FOUND = "not-found"
    NOT_SEARCHED = "not-searched"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Limit:
    """A largest constant step size: moments are bounded at `lower`, and not at `upper` unless the radius touches 1.

    Attributes:
        status: whether there is one.
        changes: every change of stability that was found, ascending; the first is the limit where there is one.
        proof: how the limit's ends, or that there is none, are known.
        below: how it is known that every smaller step size is stable too; None where there is no value.
        everywhere: how it is known that stability changes nowhere else; None where that is not looked at.
        reason: one line.
        small: whether small enough step sizes are stable; None where that is not known.
    """

    status: SearchStatus
    changes: tuple[Change, ...] = ()
    proof: Proof
    below: Proof | None = None
    everywhere: Proof | None = None
    reason: str
    small: bool | None = None

    @property
    def _first(self) -> Change | None:
        return self.changes[0] if self.status is SearchStatus.FOUND else None

    @property
    def value(self) -> float | None:
        """Return the limit, None where there is none."""
        return None if self._first is None else self._first.value

    @property
    def lower(self) -> float | None:
        """Return a step size just below, None where none was proven."""
        return None if self._first is None else self._first.lower

    @property
    def upper(self) -> float | None:
        """Return a step size just above, None where none was proven."""
        return None if self._first is None else self._first.upper

    @property
    def others(self) -> tuple[float, ...]:
        """Return further step sizes at which stability is lost or regained."""
        return tuple(change.value for change in self.changes[self.status is SearchStatus.FOUND :])

    def bounded_at(self, alpha: Fraction) -> tuple[bool | None, Proof]:
        """Return whether moments are bounded at a step size, and how that is known; None where it is not."""
        if self.small is None or self.status not in (SearchStatus.FOUND, SearchStatus.NONE):
            return None, Proof.FLOAT
        stable = self.small
        for number, change in enumerate(self.changes):
            if change.lower is None or change.upper is None or change.lower < alpha < change.upper:
                if alpha < change.value:
                    return stable, Proof.FLOAT
            elif alpha <= change.lower:
                first = self.weakest if self.status is SearchStatus.FOUND else self.everywhere
                return stable, (first if not number else self.everywhere) or Proof.FLOAT
            stable = change.regained
        return stable, self.everywhere or Proof.FLOAT

    @property
    def weakest(self) -> Proof:
        """Return how it is known that this is the largest: as both ends are, and that all below is stable."""
        return self.proof if self.below is None else weakest((self.proof, self.below))

    def to_json(self) -> dict[str, Any]:
        """Return all of it; `proof` is that of the whole, `ends` that of lower and upper alone."""
        return {
            "status": self.status.value,
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "proof": self.weakest.value,
            "ends": self.proof.value,
            "every_smaller_step_size": self.below and self.below.value,
            "every_step_size": self.everywhere and self.everywhere.value,
            "other_crossings": list(self.others),
            "changes": [change.to_json() for change in self.changes],
            "reason": self.reason,
        }

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        """Return the value with its kind of proof, or why there is none."""
        if self.value is None:
            result = self.status.value.replace("-", " ")
            kind = "" if self.status is SearchStatus.UNDECIDED else f" ({self.proof.value})"
            return f"{result}{kind}: {self.reason}"
        return f"{self.value:.8g} ({self.weakest.value}): {self.reason}"


def no_limit(
    reason: str, proof: Proof = Proof.EXACT, changes: tuple[Change, ...] = (), *, small: bool = False
) -> Limit:
    """Return that there is no limit, and why; `small` is whether small step sizes are stable, and with them all."""
    return Limit(status=SearchStatus.NONE, proof=proof, reason=reason, changes=changes, everywhere=proof, small=small)


def limit_of(known: Stability, small: tuple[bool | None, Proof, str]) -> Limit:
    """Return the limit that stretches and floats show.

    Args:
        small: whether small step sizes are stable, as far as the averaged update shows, how that is known, and why not.
    """
    limit = _limit(known, small)
    if limit.everywhere is Proof.FLOAT and known.left_out:
        return replace(limit, reason=f"{limit.reason}; --limits looks for proofs above")
    return limit


def _limit(known: Stability, small: tuple[bool | None, Proof, str]) -> Limit:
    changes = tuple(changes_of(known))
    whole = is_whole(known.stretches)
    everywhere = weakest(s.proof for s in known.stretches) if whole else Proof.FLOAT
    first = known.stretches[0] if known.stretches else None
    from_zero = first is not None and not first.low
    stable = first.stable if first is not None and from_zero else small[0]
    cause = small[2] if small[0] is False else ""  # else it says why the averaged update does not decide
    if first is not None and whole and not changes:
        if first.stable:
            return no_limit("moments are bounded at every step size", everywhere, small=True)
        return no_limit(": ".join(filter(None, ("at every step size the radius is at least 1", cause))), everywhere)
    islands = f"no step size {'on a scan is' if everywhere is Proof.FLOAT else 'is'} stable ({everywhere.value})"
    if changes:
        islands = f"bounded {_intervals(known, changes)}{_elsewhere(everywhere, '')}"
    if stable is False:
        proof = first.proof if first is not None and from_zero else small[1]
        why = ": ".join(filter(None, ("small step sizes are unstable", cause)))
        limit = no_limit(f"{why}; {islands}", proof, changes)
        return replace(limit, everywhere=everywhere)
    if known.trouble or not changes or changes[0].regained:
        why = f"small enough step sizes are stable ({small[1].value}), though not seen to be" if stable else small[2]
        reason = "; ".join(filter(None, (known.trouble, why, islands)))
        limit = Limit(status=SearchStatus.NOT_FOUND, proof=Proof.FLOAT, reason=reason, changes=changes)
        return replace(limit, everywhere=everywhere)
    proof, below = changes[0].proof, Proof.FLOAT
    if first is not None and from_zero and first.stable and changes[0].lower == first.high:
        below = first.proof
    reason = _found_reason(known, changes, below, everywhere)
    return Limit(
        status=SearchStatus.FOUND,
        changes=changes,
        proof=proof,
        below=below,
        everywhere=everywhere,
        reason=reason,
        small=True,
    )


def _intervals(known: Stability, changes: tuple[Change, ...]) -> str:
    """Return in words where moments are bounded, given changes of which the first is a gain."""
    pairs = list(zip(changes[::2], [*changes[1::2], None], strict=False))
    shown = [f"between {a.value:.6g} and {b.value:.6g}" if b else f"from {a.value:.6g} on" for a, b in pairs]
    proofs = [*(change.proof for change in changes), *(_proof_between(known, *pair) for pair in pairs)]
    return f"{' and '.join(shown)} ({weakest(proofs).value})"


def _proof_between(known: Stability, gain: Change, loss: Change | None) -> Proof:
    """Return how it is known that moments are bounded at all step sizes from a gain to a loss, None for infinity."""
    if gain.upper is None:
        return Proof.FLOAT
    for s in known.stretches:
        if s.stable and s.low <= gain.upper and (s.high is None or (loss and loss.lower and s.high >= loss.lower)):
            return s.proof
    return Proof.FLOAT


def _elsewhere(everywhere: Proof, where: str) -> str:
    return f"; elsewhere{where} no step size of a scan is stable (float)" if everywhere is Proof.FLOAT else ""


def _found_reason(known: Stability, changes: tuple[Change, ...], below: Proof, everywhere: Proof) -> str:
    limit, others = changes[0], changes[1:]
    touches = bool(others) and (others[0].lower, others[0].upper) == (limit.lower, limit.upper)
    if limit.lower is None or limit.upper is None:
        reason = "spectral radius 1 in floats"
    else:
        reason = f"bounded {'at' if below is Proof.FLOAT else 'up to'} {limit.lower!r}, "
        reason += f"radius 1 at one step size before {limit.upper!r}" if touches else f"not at {limit.upper!r}"
    if not others and everywhere is not Proof.FLOAT:
        reason += " or above"
    if limit.degree:
        reason += f"; the root of a polynomial of degree {limit.degree}"
    if below is Proof.FLOAT:
        reason += "" if limit.lower is None else f" ({limit.proof.value})"
        reason += "; below, no step size of a scan is unstable (float)"
    if others:
        reason += f"; bounded again {_intervals(known, others)}{_elsewhere(everywhere, ' above')}"
    elif everywhere is Proof.FLOAT:
        reason += "; above, no step size of a scan is stable (float)"
    return reason

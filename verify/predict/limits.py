"""The largest constant step sizes with bounded first and second moments, and where they are bounded again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import partial, reduce
from operator import and_
from typing import Any

from tdrc_theory.exact import Matrix
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from verify.check import Proof, weakest
from verify.predict.averaged import averaged_stability
from verify.predict.certificate import Certifier
from verify.predict.changes import Change, changes_of, is_whole
from verify.predict.classes import classes
from verify.predict.crossings import COARSE, FINE, crossings
from verify.predict.moving import Moving
from verify.predict.operator import layout
from verify.predict.prediction import prepared
from verify.predict.stability import Stability, enclosed_stability, exact_stability
from verify.predict.stretches import Stretch

LARGEST_SEARCHED = 3000
"""Rows of the second-moment operator up to which a search takes seconds; beyond, it may take minutes or hours."""
_SMALL = 200
"""Rows of the second-moment operator up to which a scan is fine, since each look takes little."""
_MEAN_DIGITS, _SQUARE_DIGITS = (7, 5, 3), (9, 7, 5, 3)
"""Decimal digits of the ends that are tried: the narrowest enclosure that can be proven, in short numbers."""


class Found(Enum):
    """What became of the search for a limit."""

    FOUND = "found"
    NONE = "none"
    NOT_FOUND = "not-found"
    NOT_SEARCHED = "not-searched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A largest constant step size: moments are bounded at `lower`, and not at `upper` unless the radius touches 1.

    Attributes:
        status: whether there is one.
        changes: every change of stability that was found, ascending; the first is the limit where there is one.
        proof: how the limit's ends, or that there is none, are known.
        below: how it is known that every smaller step size is stable too; None where there is no value.
        everywhere: how it is known that stability changes nowhere else; None where that is not looked at.
        reason: one line.
    """

    status: Found
    changes: tuple[Change, ...] = ()
    proof: Proof
    below: Proof | None = None
    everywhere: Proof | None = None
    reason: str

    @property
    def _first(self) -> Change | None:
        return self.changes[0] if self.status is Found.FOUND else None

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
        return tuple(change.value for change in self.changes[self.status is Found.FOUND :])

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
            "every_smaller_step_size": None if self.below is None else self.below.value,
            "every_step_size": None if self.everywhere is None else self.everywhere.value,
            "other_crossings": list(self.others),
            "changes": [change.to_json() for change in self.changes],
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


def not_searched(made: Moving) -> Limits:
    """Return limits that say that they were not searched."""
    reason = (
        f"the second-moment operator has {operator_size(made)} rows, more than {LARGEST_SEARCHED}; --limits searches"
    )
    limit = Limit(status=Found.NOT_SEARCHED, proof=Proof.FLOAT, reason=reason)
    return Limits(limit, limit)


def operator_size(made: Moving) -> int:
    """Return the number of rows of the second-moment operator on symmetric halves."""
    return made.recursion.modes * made.n * (made.n + 1) // 2


def step_size_limits(made: Moving) -> Limits:
    """Return the largest step sizes with bounded first and second moments, off the directions that never move.

    With independent samples the stable step sizes are an interval from 0: E[G X + X G^T] + alpha E[G_t X G_t^T] < 0
    stays true as alpha shrinks, and |1 + alpha lambda| < 1 does. Under Markov sampling they need not be one.
    """
    parts = classes(made)
    if not parts:
        return _both(_none("nothing ever moves" if not made.n else "nothing moves twice"))
    if any(part.recursion.closed and _indifferent(part) for part in parts):
        return _both(_none("at every step size the radius is at least 1: no update sees some direction that moves"))
    small = averaged_stability(made) if len(parts) == 1 and parts[0] is made else (None, Proof.FLOAT, "")
    if made.recursion.sampling == "iid" and small[0] is False:
        return _both(_none(f"at every step size the radius is at least 1: {small[2]}", small[1]))
    known = [_stability(part) for part in parts]
    square, mean = (reduce(and_, each) for each in zip(*known, strict=True))
    return Limits(_limit(mean, small), _limit(square, small))


def _stability(made: Moving) -> tuple[Stability, Stability]:
    """Return what is known of the second and of the first moments of one class."""
    iid = made.recursion.sampling == "iid"
    fine, size = FINE if operator_size(made) <= _SMALL else COARSE, layout(made).linear().scale()

    def on(certifier: Certifier, digits: tuple[int, ...], stable: tuple[Stretch, ...] = ()) -> Stability:
        exact = exact_stability(certifier, digits)
        if exact is not None:
            return exact
        search = partial(crossings, certifier.candidates.excess, interval=iid, fine=fine, size=size)
        return enclosed_stability(certifier, search, digits, stable, interval=iid)

    square = on(Certifier.second(made), _SQUARE_DIGITS)
    # Where second moments are bounded, first moments are.
    stable = tuple(stretch for stretch in square.stretches if stretch.stable)
    mean = on(Certifier.first(made), _MEAN_DIGITS, stable)
    return square, mean


def _both(limit: Limit) -> Limits:
    return Limits(limit, limit)


def _none(reason: str, proof: Proof = Proof.EXACT, changes: tuple[Change, ...] = ()) -> Limit:
    return Limit(status=Found.NONE, proof=proof, reason=reason, changes=changes, everywhere=proof)


def _indifferent(made: Moving) -> bool:
    """Return whether some y has G_t y = 0 for every update: then y stays, in the first moments too."""
    rows = {row[: made.n] for row in made.common} | {v[: made.n] for pairs in made.updates for _, v in pairs}
    return Matrix(sorted(rows, key=str)).rank() < made.n


def _limit(known: Stability, small: tuple[bool | None, Proof, str]) -> Limit:
    """Return the limit that stretches and floats show.

    Args:
        small: whether small step sizes are stable, as far as the averaged update shows, how that is known, and why not.
    """
    changes = tuple(changes_of(known))
    whole = is_whole(known.stretches)
    everywhere = weakest(s.proof for s in known.stretches) if whole else Proof.FLOAT
    first = known.stretches[0] if known.stretches else None
    from_zero = first is not None and not first.low
    stable = first.stable if first is not None and from_zero else small[0]
    cause = small[2] if small[0] is False else ""  # else it says why the averaged update does not decide
    if first is not None and whole and not changes:
        if first.stable:
            return _none("moments are bounded at every step size", everywhere)
        return _none(": ".join(filter(None, ("at every step size the radius is at least 1", cause))), everywhere)
    if stable is False:
        proof = first.proof if first is not None and from_zero else small[1]
        why = ": ".join(filter(None, ("small step sizes are unstable", cause)))
        limit = _none(f"{why}; {_islands(changes, everywhere)}", proof, changes)
        return replace(limit, everywhere=everywhere)
    if known.trouble or not changes or changes[0].regained:
        why = f"small enough step sizes are stable ({small[1].value}), though not seen to be" if stable else small[2]
        reason = "; ".join(filter(None, (known.trouble, why, _islands(changes, everywhere))))
        return Limit(status=Found.NOT_FOUND, proof=Proof.FLOAT, reason=reason, changes=changes, everywhere=everywhere)
    proof, below = changes[0].proof, Proof.FLOAT
    if first is not None and from_zero and first.stable and changes[0].lower == first.high:
        below = first.proof
    reason = _found_reason(changes, below, everywhere)
    return Limit(status=Found.FOUND, changes=changes, proof=proof, below=below, everywhere=everywhere, reason=reason)


def _islands(changes: tuple[Change, ...], everywhere: Proof) -> str:
    """Return in words where moments are bounded though they are not at small step sizes."""
    if not changes:
        return f"no step size {'is' if everywhere is not Proof.FLOAT else 'on a scan is'} stable ({everywhere.value})"
    return f"bounded {_intervals(changes, everywhere)}"


def _intervals(changes: tuple[Change, ...], everywhere: Proof) -> str:
    """Return in words where moments are bounded, given changes of which the first is a gain."""
    shown = []
    for gain, loss in zip(changes[::2], [*changes[1::2], None], strict=False):
        shown.append(f"between {gain.value:.6g} and {loss.value:.6g}" if loss else f"from {gain.value:.6g} on")
    proof = weakest((everywhere, *(change.proof for change in changes)))
    return f"{' and '.join(shown)} ({proof.value})"


def _found_reason(changes: tuple[Change, ...], below: Proof, everywhere: Proof) -> str:
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
        reason += f"; bounded again {_intervals(others, everywhere)}"
    elif everywhere is Proof.FLOAT:
        reason += "; above, no step size of a scan is stable (float)"
    return reason

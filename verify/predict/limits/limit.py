"""The largest constant step sizes with bounded first and second moments, and where they are bounded again.

Where stability is lost and regained as the step size grows shows each limit, with its evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise
from operator import and_
from typing import Any

import numpy as np

from tdrc_theory.errors import BadProblem
from tdrc_theory.exact import Matrix
from tdrc_theory.figures.panel import AREA, Area, Panel, Picture
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.problem.stationary import communicating_classes
from tdrc_theory.tables.shown import Shown, View
from tdrc_theory.tables.table import Table
from verify.check import Proof, weakest
from verify.conditions.setting import digits_of, longest, past_exact_reach
from verify.exact.roots import has_imaginary_root, is_hurwitz
from verify.predict.limits.certificate import Certifier
from verify.predict.limits.cover import Stretch
from verify.predict.limits.stability import (
    COARSE,
    FINE,
    Located,
    Stability,
    crossings,
    enclosed_stability,
    exact_stability,
    located,
    unstable_mean,
)
from verify.predict.operator import layout
from verify.predict.prediction import prepared
from verify.predict.recursion import MOST_MODES, RESTART, Recursion
from verify.predict.reduced_recursion import ReducedRecursion, columns, echelon, in_coordinates

_WIDE = Fraction(101, 100)
"""Ratio of the ends of what is not decided between stability and instability, beyond which there may be more to it."""
LARGEST_SEARCHED = 3000
"""Rows of the second-moment operator up to which a search takes seconds; beyond, it may take minutes or hours."""
MOST_WORK = 3 * 10**8
"""Entries of all updates, times the bits of the longest number in them, up to which exact sums take seconds."""
LARGEST_BEYOND = 500
"""Rows up to which certificates for all step sizes above a limit take seconds at most."""
_SMALL = 200
"""Rows of the second-moment operator up to which a scan is fine, since each look takes little."""
_MEAN_DIGITS, _SQUARE_DIGITS = (7, 5, 3), (9, 7, 5, 3)
"""Decimal digits of the ends that are tried: the narrowest enclosure that can be proven, in short numbers."""
MOST_COORDINATES = 64
"""Coordinates up to which the averaged update is judged by exact arithmetic."""


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


def no_limit(reason: str, proof: Proof = Proof.EXACT, *, small: bool = False) -> Limit:
    """Return that there is no limit, and why; `small` is whether small step sizes are stable, and with them all."""
    return Limit(status=SearchStatus.NONE, proof=proof, reason=reason, everywhere=proof, small=small)


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
    limit = partial(Limit, changes=changes, everywhere=everywhere)
    if stable is False:
        proof = first.proof if first is not None and from_zero else small[1]
        why = ": ".join(filter(None, ("small step sizes are unstable", cause)))
        return limit(status=SearchStatus.NONE, proof=proof, reason=f"{why}; {islands}", small=False)
    if known.trouble or not changes or changes[0].regained:
        why = f"small enough step sizes are stable ({small[1].value}), though not seen to be" if stable else small[2]
        reason = "; ".join(filter(None, (known.trouble, why, islands)))
        return limit(status=SearchStatus.NOT_FOUND, proof=Proof.FLOAT, reason=reason)
    proof, below = changes[0].proof, Proof.FLOAT
    if first is not None and from_zero and first.stable and changes[0].lower == first.high:
        below = first.proof
    reason = _reason_of(known, changes, below, everywhere)
    return limit(status=SearchStatus.FOUND, proof=proof, below=below, reason=reason, small=True)


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


def _reason_of(known: Stability, changes: tuple[Change, ...], below: Proof, everywhere: Proof) -> str:
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


@dataclass(frozen=True, slots=True, repr=False)
class Limits(Shown):
    """Both limits."""

    mean: Limit
    mean_square: Limit

    @property
    def by_name(self) -> dict[str, Limit]:
        """Return both, by the moments that each is of."""
        return {"mean": self.mean, "mean square": self.mean_square}

    def to_json(self) -> dict[str, Any]:
        """Return the values, and beside them all that is known of each."""
        both = {name.replace(" ", "_"): limit for name, limit in self.by_name.items()}
        evidence = {name: limit.to_json() for name, limit in both.items()}
        return {"limits": {name: limit.value for name, limit in both.items()}, "limit_evidence": evidence}


def limits(
    problem: Problem | str,
    algorithm: Algorithm | str = "tdrc",
    *,
    sampling: str | None = None,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
) -> Limits:
    """Return the largest step sizes of an algorithm on a problem; arguments as `predict` takes them.

    Raises:
        TheoryError: the problem, the algorithm or a parameter is not valid.
    """
    return step_size_limits(prepared(problem, algorithm, beta=beta, eta=eta, parameters=parameters, sampling=sampling))


def why_not_searched(reduced: ReducedRecursion) -> str:
    """Return why a search is left out where it is not asked for; empty where it takes seconds."""
    rows = operator_size(reduced)
    if rows > LARGEST_SEARCHED:
        return f"the second-moment operator has {rows} rows, more than {LARGEST_SEARCHED}; --limits searches"
    listed = {*reduced.common, *(row for pairs in set(reduced.updates) for pair in pairs for row in pair)}
    bits = max((longest(Matrix([row])) for row in listed), default=0)
    steps = len(reduced.recursion.steps)
    if steps * reduced.n**2 * bits <= MOST_WORK:
        return ""
    return f"exact sums over {steps} updates with numbers of {digits_of(bits)} digits take minutes; --limits searches"


def not_searched(reduced: ReducedRecursion) -> Limits:
    """Return limits that say that they were not searched."""
    if reduced.recursion.horizon is not None or reduced.recursion.copy is not None:
        return _undecided(reduced.recursion)
    return _both(Limit(status=SearchStatus.NOT_SEARCHED, proof=Proof.FLOAT, reason=why_not_searched(reduced)))


def _undecided(recursion: Recursion) -> Limits:
    """Return limits that say why there is no operator of which they are those."""
    reason = f"with {recursion.copy} a period is decided at one step size at a time"
    if recursion.copy is None:
        memory = f"the memory of {recursion.algorithm.name} leads to more than {MOST_MODES} modes"
        reason = f"{memory}, so no operator has them all"
    return _both(Limit(status=SearchStatus.UNDECIDED, proof=Proof.FLOAT, reason=reason))


def operator_size(reduced: ReducedRecursion) -> int:
    """Return the number of rows of the second-moment operator on symmetric halves."""
    return reduced.recursion.modes * reduced.n * (reduced.n + 1) // 2


def step_size_limits(reduced: ReducedRecursion, *, beyond: bool = True) -> Limits:
    """Return the largest step sizes with bounded first and second moments, off the directions that never move.

    Args:
        beyond: whether certificates are sought above the limits even where they take long and no polynomial decides.

    With independent samples the stable step sizes are an interval from 0: E[G X + X G^T] + alpha E[G_t X G_t^T] < 0
    stays true as alpha shrinks, and |1 + alpha lambda| < 1 does. Under Markov sampling they need not be one.
    """
    if reduced.recursion.horizon is not None or reduced.recursion.copy is not None:
        return _undecided(reduced.recursion)
    parts = classes(reduced)
    if not parts:
        return _both(no_limit("nothing ever moves" if not reduced.n else "nothing moves twice", small=True))
    if any(part.recursion.closed and _indifferent(part) for part in parts):
        return _both(no_limit("at every step size the radius is at least 1: no update sees some direction that moves"))
    small = averaged_stability(reduced) if len(parts) == 1 and parts[0] is reduced else (None, Proof.FLOAT, "")
    if reduced.recursion.sampling == "iid" and small[0] is False:
        return _both(no_limit(f"at every step size the radius is at least 1: {small[2]}", small[1]))
    known = [_stability(part, beyond) for part in parts]
    square, mean = (limit_of(reduce(and_, each), small) for each in zip(*known, strict=True))
    return Limits(mean, square)


def _stability(reduced: ReducedRecursion, beyond: bool) -> tuple[Stability, Stability]:
    """Return what is known of the second and of the first moments of one class.

    Where second moments are bounded, first moments are: |E y|^2 <= E |y|^2, in each mode and from every start. So what
    is stable in mean square is stable in the mean, and what is unstable in the mean is so in mean square.
    """
    iid = reduced.recursion.sampling == "iid"
    fine, size = FINE if operator_size(reduced) <= _SMALL else COARSE, layout(reduced).linear().scale()

    def near(certifier: Certifier, digits: tuple[int, ...]) -> Located:
        search = partial(crossings, certifier.candidates.excess, interval=iid, fine=fine, size=size)
        return located(certifier, search, digits)

    first, second = Certifier.first(reduced), Certifier.second(reduced)
    mean, square = exact_stability(first, _MEAN_DIGITS), exact_stability(second, _SQUARE_DIGITS)
    of_mean = near(first, _MEAN_DIGITS) if mean is None else Located()
    if mean is not None:
        unstable = tuple(stretch for stretch in mean.stretches if not stretch.stable)
    else:
        unstable = () if iid else unstable_mean(first, of_mean)
    if square is None:
        square = enclosed_stability(second, near(second, _SQUARE_DIGITS), unstable, iid, beyond)
    if mean is None:
        stable = tuple(stretch for stretch in square.stretches if stretch.stable)
        mean = enclosed_stability(first, of_mean, (*stable, *unstable), iid, beyond)
    return square, mean


def _both(limit: Limit) -> Limits:
    return Limits(limit, limit)


def _indifferent(reduced: ReducedRecursion) -> bool:
    """Return whether some y has G_t y = 0 for every update: then y stays, in the first moments too."""
    rows = (*reduced.common, *(v for pairs in reduced.distinct[0] for _, v in pairs))
    return Matrix(sorted({row[: reduced.n] for row in rows}, key=str)).rank() < reduced.n


def _line(limits: Limits) -> str:
    values = []
    for name, limit in limits.by_name.items():
        value = limit.status.value.replace("-", " ") if limit.value is None else f"{limit.value:.8g}"
        values.append(f"{name} {value} ({limit.weakest.value})")
    return f"largest step size alpha: {'; '.join(values)}"


def tables(limits: Limits) -> list[Table]:
    """Return a row for the first moments, and one for the second."""
    rows = [
        (name, "-" if limit.value is None else f"{limit.value:.8g}", limit.weakest.value, limit.reason)
        for name, limit in limits.by_name.items()
    ]
    return [Table("limits of the step size", ("moments", "largest alpha", "proof", "why"), rows)]


def picture(limits: Limits) -> Picture:
    """Return for which step sizes each of the moments are bounded, as far as a change of stability is known."""
    ends = [change.value for limit in limits.by_name.values() for change in limit.changes]
    most = 1.25 * max(ends, default=0.8)
    boxes = [
        [(left, row - 0.3), (right, row - 0.3), (right, row + 0.3), (left, row + 0.3)]
        for row, limit in enumerate(limits.by_name.values())
        for left, right in _bounded(limit, most)
    ]
    areas = [Area("moments are bounded", boxes, AREA, filled=True)] if boxes else []
    names = [(float(row), name) for row, name in enumerate(limits.by_name)]
    why = "; ".join(f"{name}: {limit}" for name, limit in limits.by_name.items())
    panel = Panel([], "alpha", "moments", areas=areas, x_ends=(0, most), y_ends=(-0.6, 1.6), y_ticks=names)
    return Picture(_line(limits), why, [panel])


def _bounded(limit: Limit, most: float) -> Iterator[tuple[float, float]]:
    """Yield the stretches of step sizes, up to `most`, in which moments are bounded; none where no change is known."""
    small = not limit.changes[0].regained if limit.changes else limit.small
    low = 0.0 if small else None
    for change in limit.changes:
        if change.regained:
            low = change.value
        elif low is not None:
            yield low, change.value
            low = None
    if low is not None:
        yield low, most


Limits.view = View(_line, tables, picture)


def averaged_stability(reduced: ReducedRecursion) -> tuple[bool | None, Proof, str]:
    """Return whether the update averaged over the samples is stable, off what never moves; None where not known."""
    asked = reduced.recursion
    if asked.sampling == "markov" and asked.problem.state_weights is not None:
        try:
            asked = replace(asked, problem=replace(asked.problem, state_weights=None))
        except BadProblem:
            return None, Proof.FLOAT, "the chain has no unique stationary distribution"
    update = asked.averaged
    if update is None:
        return None, Proof.FLOAT, "the learner's memory has no stationary mean"
    G: Matrix = (update.G @ reduced.basis).select(reduced.pivots, range(reduced.n))
    who = "the averaged update"
    if past_exact_reach(reduced.n, lambda: G, MOST_COORDINATES):
        stable = bool(np.linalg.eigvals(G.to_float()).real.max() < 0)
        return stable, Proof.FLOAT, f"{who} has an eigenvalue without negative real part"
    charpoly = G.charpoly()
    if is_hurwitz(charpoly):
        return True, Proof.EXACT, ""
    zeros, rest = charpoly.split_zero()
    axis = bool(zeros) or has_imaginary_root(rest)
    if axis and asked.sampling == "markov":
        return None, Proof.FLOAT, f"{who} has an eigenvalue on the imaginary axis, of which first order says nothing"
    where = "has the eigenvalue 0" if zeros and is_hurwitz(rest) else "has an eigenvalue without negative real part"
    return False, Proof.EXACT, f"{who} {where} (Routh's table)"


def classes(reduced: ReducedRecursion) -> list[ReducedRecursion]:
    """Return the communicating classes in which something moves that may move again, each with what moves in it, exact.

    Ordered by class the operators on moments are block triangular, so their radii are the largest of the classes' own.
    A class is left for good (transient), or never left (recurrent); no recurrent class leads to another. Within a class
    the weights change only along the span of its own updates. What lies across stays as it was when the class was
    entered: the operators have eigenvalues of modulus 1 there that are semisimple in a recurrent class, and smaller
    ones in a transient one. So moments stay bounded where every class, off the directions that never move in it, has a
    radius below 1.

    Returns:
        The recursion itself where all is one class.
    """
    whole = reduced.recursion
    arrivals: list[set[int]] = [set() for _ in range(whole.modes)]
    starts = [mode for mode, p in enumerate(whole.start) if p]
    for step in whole.steps:
        arrivals[step.source].update(starts if step.target == RESTART else [step.target])
    labels = communicating_classes(arrivals)
    if len(set(labels)) == 1:
        return [reduced] if reduced.n else []
    result = []
    for label in dict.fromkeys(labels):
        inside = _inside(whole, [mode for mode, other in enumerate(labels) if other == label])
        basis, pivots = echelon(whole.dimension, columns(inside)) if inside.steps else (Matrix.zeros(0, 0), ())
        if pivots:
            result.append(in_coordinates(inside, basis, pivots))
    return result


def _inside(recursion: Recursion, modes: list[int]) -> Recursion:
    """Return what a chain does while it stays in some modes."""
    place = {mode: i for i, mode in enumerate(modes)}
    start = tuple(recursion.start[mode] for mode in modes)
    steps = tuple(
        step._replace(source=place[step.source], target=place.get(step.target, RESTART))
        for step in recursion.steps
        if step.source in place and (step.target in place or (step.target == RESTART and any(start)))
    )
    return replace(recursion, states=tuple(recursion.states[mode] for mode in modes), start=start, steps=steps)

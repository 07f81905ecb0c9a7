"""The largest constant step sizes with bounded first and second moments, and where they are bounded again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np

from tdrc_theory.errors import BadProblem
from tdrc_theory.exact import Matrix
from tdrc_theory.figures.panel import AREA, Area, Panel, Picture
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.tables.shown import Shown, View
from tdrc_theory.tables.table import Table
from verify.check import Proof
from verify.conditions.setting import digits_of, longest, past_exact_reach
from verify.exact.roots import has_imaginary_root, is_hurwitz
from verify.predict.limits.certificate import Certifier
from verify.predict.limits.limit import Limit, SearchStatus, limit_of, no_limit
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
    from scipy.sparse.csgraph import connected_components

    whole = reduced.recursion
    edges, starts = np.zeros((whole.modes, whole.modes)), [p > 0 for p in whole.start]
    for step in whole.steps:
        edges[step.source, starts if step.target == RESTART else step.target] = 1
    labels = connected_components(edges, connection="strong")[1].tolist()
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

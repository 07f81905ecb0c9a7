"""Whether the second moments of a learner's memory are finite, by exact arithmetic.

Given its mode, a memory e' = c e + u of the next step has the covariance S' = sum over steps p c^2 S + N, with N >= 0
the spread of its conditional means. So S = K S + N, with K the matrix of p c^2 between modes: nonnegative, and with a
finite solution iff its spectral radius, among the modes that N leads to, is below 1. Where a memory is driven by others
too, the covariances between them are finite if every one's own are, by Cauchy and Schwarz.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tdrc_theory.exact import Matrix, Number
from tdrc_theory.learner.memory import Memory, memory_of
from verify.check import Check, Proof, Status
from verify.conditions.setting import Setting


class _Arrival(NamedTuple):
    """One step, for one memory: between which modes, how probable given its source, its c, and the memory's mean."""

    source: int
    target: int
    probability: Fraction
    decay: Fraction
    mean: tuple[Number, ...]


def trace_variance(setting: Setting) -> Check:
    """Judge whether every memory of a learner has finite variance where the chain is stationary."""
    memory = memory_of(setting.problem, setting.algorithm, setting.parameters)
    known: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for name in setting.algorithm.memory:
        known[_finite(memory, name)].append(name)
    finite, infinite, open_ones = known[True], known[False], known[None]
    if infinite:
        status, reason = Status.FAILS, f"the variance of {', '.join(infinite)} grows without bound"
    elif open_ones:
        status, reason = Status.UNDECIDED, f"not known of {', '.join(open_ones)}, which other memory drives"
    else:
        status, reason = Status.HOLDS, f"the second moments of {', '.join(finite)} are finite"
    return Check(
        claim="trace-variance",
        source="second moments of the memory in each mode",
        status=status,
        proof=Proof.EXACT,
        reason=reason,
        evidence={"finite": finite, "infinite": infinite},
    )


def _finite(memory: Memory, name: str) -> bool | None:
    """Return whether a memory's variance is finite; None where it is not known."""
    arrivals, apart = _arrivals(memory, name)
    n = len(memory.modes.states)
    K = [[Fraction(0)] * n for _ in range(n)]
    spread = [Fraction(0)] * n
    means = memory.means[name].rows
    for each in arrivals:
        # Of covariances weighted by the mode: d(t) S_t = sum p c^2 d(s) S_s + N_t, p given the source s.
        K[each.target][each.source] += each.probability * each.decay**2
        off = [a - b for a, b in zip(each.mean, means[each.target], strict=True)]
        if any(off):
            spread[each.target] = Fraction(1)
    for target, value in _resets(memory, means):
        if value:
            spread[target] = Fraction(1)
    reached = _reached(K, [i for i, value in enumerate(spread) if value])
    if apart:  # what others drive has a covariance of its own, which may lead anywhere
        everywhere = _below_one(K, list(range(n)))
        return True if everywhere else None
    return _below_one(K, reached)


def _resets(memory: Memory, means: tuple[tuple[Number, ...], ...]) -> list[tuple[int, bool]]:
    """Return the modes in which episodes start, each with whether the mean memory there is another than 0."""
    start = memory.problem.start or ()
    ended = any(target is None for target in memory.modes.targets)
    return [(i, any(means[i])) for i, s in enumerate(memory.modes.states) if ended and start and start[s]]


def _arrivals(memory: Memory, name: str) -> tuple[list[_Arrival], bool]:
    """Return what every step makes of a memory, and whether another memory drives it."""
    modes, table, others = memory.modes, memory.table(), set(memory.algorithm.memory) - {name}
    apart, found = False, []
    for step, target in zip(modes.steps, modes.targets, strict=True):
        if target is None:
            continue
        row = memory.rows[step.point][name]
        apart |= any(others & {*key[1], *(n for atom in key[0] for n in atom)} for key in row)
        mean: list[Number] = [Fraction(0)] * memory.means[name].shape[1]
        decay = Fraction(0)
        for key, c in row.items():
            part, factor = table.of_step(key, step, apart=name)
            mean = [a + c * b for a, b in zip(mean, part, strict=True)]
            if (name,) in key[0] or name in key[1]:
                decay += c * factor
        share = step.mass / modes.weights[step.mode]
        found.append(_Arrival(step.mode, target, Fraction(int(share.p), int(share.q)), decay, tuple(mean)))
    return found, apart


def _reached(K: list[list[Fraction]], start: list[int]) -> list[int]:
    """Return the modes that a covariance in any of these leads to, they among them."""
    seen, stack = set(start), list(start)
    while stack:
        source = stack.pop()
        new = {target for target, row in enumerate(K) if row[source]} - seen
        seen |= new
        stack += new
    return sorted(seen)


def _below_one(K: list[list[Fraction]], kept: list[int]) -> bool:
    """Return whether K >= 0, on these modes, has a spectral radius below 1: iff (I - K)^-1 exists and is >= 0."""
    if not kept:
        return True
    identity = Matrix.identity(len(kept))
    inverse = (identity - Matrix(K).select(kept, kept)).solve(identity)
    return inverse is not None and all(value >= 0 for row in inverse.rows for value in row)

"""State weights of a chain: exact, by linear algebra, never by a power of the transition matrix."""

from __future__ import annotations

from fractions import Fraction

import flint

from tdrc_theory.errors import BadProblem, Inconsistent
from tdrc_theory.exact.convert import from_fmpq, to_fmpq

Chain = list[dict[int, Fraction]]
"""{next state: probability} a state; empty for a state that is never in the chain."""


def stationary_weights(chain: Chain) -> tuple[Fraction, ...]:
    """Return the stationary distribution of a chain, exactly.

    Raises:
        BadProblem: the chain has more than one recurrent class, so that it has no unique stationary distribution.
    """
    recurrent = _recurrent_class(chain)
    # d P = d on the recurrent class, with the last (redundant) equation replaced by sum(d) = 1.
    place = {s: i for i, s in enumerate(recurrent)}
    n = len(recurrent)
    system = flint.fmpq_mat(n, n)
    for s, row in enumerate(chain):
        if s in place:
            for t, p in row.items():
                system[place[t], place[s]] = to_fmpq(p)
    for i in range(n):
        system[i, i] = system[i, i] - 1
    for i in range(n):
        system[n - 1, i] = flint.fmpq(1)
    right = flint.fmpq_mat(n, 1)
    right[n - 1, 0] = flint.fmpq(1)
    solved = system.solve(right)
    weights = [Fraction(0)] * len(chain)
    for s, i in place.items():
        weights[s] = from_fmpq(solved[i, 0])
    if sum(weights) != 1:
        raise Inconsistent("the solution is no distribution")
    return tuple(weights)


def _recurrent_class(chain: Chain) -> list[int]:
    """Return the states of the only recurrent class; a reachable set of least size is one."""
    live = [s for s, row in enumerate(chain) if row]
    reachable = [_reachable(s, chain) for s in live]
    smallest = min(reachable, key=len)
    for s, reached in zip(live, reachable, strict=True):
        if not smallest <= reached:
            other = min((r for r in reachable if not smallest & r), key=len)
            raise BadProblem(
                "state_weights: the behaviour chain has no unique stationary distribution: states "
                f"{_few(smallest)} and {_few(other)} never lead to one another (seen from state {s})"
            )
    return sorted(smallest)


def _reachable(state: int, chain: Chain) -> set[int]:
    seen, stack = {state}, [state]
    while stack:
        for t in chain[stack.pop()]:
            if t not in seen:
                seen.add(t)
                stack.append(t)
    return seen


def _few(states: set[int]) -> str:
    listed = sorted(states)
    return ", ".join(map(str, listed[:5])) + (", ..." if len(listed) > 5 else "")

"""State weights of a chain: exact, by linear algebra, never by a power of the transition matrix."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import flint

from tdrc_theory.errors import BadProblem
from tdrc_theory.exact.convert import from_fmpq, to_fmpq

if TYPE_CHECKING:
    from tdrc_theory.problem import Problem


def behaviour_chain(problem: Problem) -> list[dict[int, Fraction]]:
    """Return P_b as {next state: probability} a state, episodes restarting at once; empty for terminal states."""
    chain: list[dict[int, Fraction]] = [{} for _ in range(problem.states)]
    for s, a, s_next, probability, _ in problem.transitions:
        mass = problem.behaviour[s][a] * probability
        if not mass:
            continue
        ended = problem.ends(s_next)
        restart = problem.start if ended else None
        if ended and restart is None:
            raise BadProblem("state_weights: missing; episodes end and start is not given, so the chain has none")
        arrivals = {s_next: Fraction(1)} if restart is None else dict(enumerate(restart))
        for t, share in arrivals.items():
            if share:
                chain[s][t] = chain[s].get(t, Fraction(0)) + mass * share
    return chain


def stationary_weights(problem: Problem) -> tuple[Fraction, ...]:
    """Return the stationary distribution of the behaviour chain with restarts, exactly.

    Raises:
        BadProblem: the chain has more than one recurrent class, so that it has no unique stationary distribution.
    """
    chain = behaviour_chain(problem)
    recurrent = _recurrent_class(problem, chain)
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
    weights = [Fraction(0)] * problem.states
    for s, i in place.items():
        weights[s] = from_fmpq(solved[i, 0])
    assert sum(weights) == 1, "the solution is a distribution"
    return tuple(weights)


def _recurrent_class(problem: Problem, chain: list[dict[int, Fraction]]) -> list[int]:
    """Return the states of the only recurrent class; a reachable set of least size is one."""
    reachable = [_reachable(s, chain) for s in problem.live_states]
    smallest = min(reachable, key=len)
    for s, reached in zip(problem.live_states, reachable, strict=True):
        if not smallest <= reached:
            other = min((r for r in reachable if not smallest & r), key=len)
            raise BadProblem(
                "state_weights: the behaviour chain has no unique stationary distribution: states "
                f"{_few(smallest)} and {_few(other)} never lead to one another (seen from state {s})"
            )
    return sorted(smallest)


def _reachable(state: int, chain: list[dict[int, Fraction]]) -> set[int]:
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

"""State weights of a chain: exact, by linear algebra, never by a power of the transition matrix."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

import flint

from tdrc_theory.errors import BadProblem, Inconsistent
from tdrc_theory.exact.convert import from_fmpq, to_fmpq
from tdrc_theory.problem_parts import END, Row, Table, Transition
from tdrc_theory.reader import few_states

Chain = list[dict[int, Fraction]]
"""{next state: probability} a state; empty for a state that is never in the chain."""


def restarted_chain(
    transitions: Iterable[Transition], behaviour: Table, terminal: Collection[int], start: Row | None
) -> Chain:
    """Return the behaviour chain of a process whose episodes restart at once.

    Raises:
        BadProblem: episodes end, and there is no start.
    """
    chain: Chain = [{} for _ in behaviour]
    for s, a, s_next, probability, *_ in transitions:
        mass = behaviour[s][a] * probability
        if not mass:
            continue
        arrivals = {s_next: Fraction(1)}
        if s_next == END or s_next in terminal:
            if start is None:
                raise BadProblem("state_weights: missing; episodes end and start is not given, so there are none")
            arrivals = dict(enumerate(start))
        for t, share in arrivals.items():
            if share:
                chain[s][t] = chain[s].get(t, Fraction(0)) + mass * share
    return chain


def stationary_weights(chain: Chain, restarting: Collection[int] = ()) -> tuple[Fraction, ...]:
    """Return the stationary distribution of a chain, exactly.

    Args:
        chain: with restarts.
        restarting: the states from which it can restart, which an error does not call absorbing.

    Raises:
        BadProblem: the chain has more than one recurrent class, so that it has no unique stationary distribution.
    """
    recurrent = _recurrent_class(chain, restarting)
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


def weight_warnings(chain: Chain, weights: Sequence[Fraction], restarting: Collection[int]) -> tuple[str, ...]:
    """Return what a reader should know where a chain leaves states for good, so that these have no weight.

    Args:
        chain: with restarts, and a unique stationary distribution.
        weights: that distribution.
        restarting: the states from which the chain can restart.
    """
    left = [s for s, row in enumerate(chain) if row and not weights[s]]
    if not left:
        return ()
    absorbing = _absorbing(chain, restarting)
    if not absorbing:
        have = "has" if len(left) == 1 else "have"
        return (
            f"{few_states(left)} {have} stationary weight 0, since behaviour does not return there: A, b, C and every "
            "MSPBE leave them out; state_weights can give them weight",
        )
    return (
        f"{few_states(absorbing)} is absorbing and has all the stationary weight, {few_states(left)} none: A, b, C and "
        f"every MSPBE are of {few_states(absorbing)} alone; {_remedy(absorbing)}",
    )


def _absorbing(chain: Chain, restarting: Collection[int]) -> list[int]:
    """Return the states that lead to themselves only, and not by restarts."""
    return [s for s, row in enumerate(chain) if set(row) == {s} and s not in restarting]


def _remedy(absorbing: list[int]) -> str:
    """Return what to write where stationary weights are not what is meant."""
    if len(absorbing) > 1:
        which = few_states(absorbing)
        return (
            f"{which} are absorbing: list those that end an episode in terminal and give start, or give state_weights"
        )
    which = few_states(absorbing) if absorbing else "a state"
    return f"if {which} ends an episode, list it in terminal and give start; or give state_weights"


def _recurrent_class(chain: Chain, restarting: Collection[int]) -> list[int]:
    """Return the states of the only recurrent class; a reachable set of least size is one."""
    live = [s for s, row in enumerate(chain) if row]
    reachable = [_reachable(s, chain) for s in live]
    smallest = min(reachable, key=len)
    for s, reached in zip(live, reachable, strict=True):
        if not smallest <= reached:
            other = min((r for r in reachable if not smallest & r), key=len)
            raise BadProblem(
                "state_weights: the behaviour chain has no unique stationary distribution: states "
                f"{_few(smallest)} and {_few(other)} never lead to one another (seen from state {s}); "
                f"{_remedy(_absorbing(chain, restarting))}"
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

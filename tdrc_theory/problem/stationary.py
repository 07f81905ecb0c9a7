"""State weights of a chain: exact, by linear algebra, never by a power of the transition matrix.

Below them: the recurrent classes of a chain, and reachability.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from tdrc_theory.errors import BadProblem
from tdrc_theory.exact.balance import balanced
from tdrc_theory.problem.parts import END, Row, Table, Transition
from tdrc_theory.problem.reader import few_states

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
    ended = [Fraction(0)] * len(behaviour)
    ends = {END, *terminal}
    products: dict[tuple[int, int], Fraction] = {}  # by identity of what transitions and behaviour keep
    for s, a, s_next, probability, *_ in transitions:
        b = behaviour[s][a]
        if not b or not probability:
            continue
        mass = products.get((id(b), id(probability)))
        if mass is None:
            mass = products[id(b), id(probability)] = b * probability
        if s_next in ends:
            ended[s] += mass
        else:
            _add(chain[s], s_next, mass)
    first = [(t, share) for t, share in enumerate(start or ()) if share]
    for s, mass in enumerate(ended):
        if mass and start is None:
            raise BadProblem("state_weights: missing; episodes end and start is not given, so there are none")
        for t, share in first if mass else ():
            _add(chain[s], t, mass * share)
    return chain


def _add(row: dict[int, Fraction], t: int, mass: Fraction) -> None:
    row[t] = row[t] + mass if t in row else mass


def stationary_weights(chain: Chain, restarting: Collection[int] = ()) -> tuple[Fraction, ...]:
    """Return the stationary distribution of a chain with restarts, exactly.

    Raises:
        BadProblem: it has more than one recurrent class, so that there is none that is unique. A state from which it
            can restart (`restarting`) is not called absorbing.
    """
    recurrent = _recurrent_class(chain, restarting)
    place = {s: i for i, s in enumerate(recurrent)}
    within = [{place[t]: p for t, p in chain[s].items()} for s in recurrent]
    weights = [Fraction(0)] * len(chain)
    for s, weight in zip(recurrent, balanced(within), strict=True):
        weights[s] = weight
    return tuple(weights)


def weight_warnings(chain: Chain, weights: Sequence[Fraction], restarting: Collection[int]) -> tuple[str, ...]:
    """Return what to know where a chain leaves states for good, so that its stationary weights of these are 0."""
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


def trajectory_warnings(chain: Chain, weights: Sequence[Fraction]) -> tuple[str, ...]:
    """Return what to know where a trajectory does not keep meeting the states that have weight, any weights."""
    classes = closed_classes(chain)
    recurrent = {s for states in classes for s in states}
    left = [s for s, row in enumerate(chain) if row and s not in recurrent and weights[s]]
    warnings = []
    if left:
        have, them = ("has", "it") if len(left) == 1 else ("have", "them")
        warnings.append(
            f"{few_states(left)} {have} weight in state_weights, but a trajectory of behaviour leaves {them} for good; "
            f"--sampling iid keeps drawing {them}"
        )
    if len(classes) > 1:
        warnings.append(
            f"a trajectory of behaviour stays in one of {len(classes)} sets of states that do not lead to one another, "
            "whatever state_weights weigh; --sampling iid draws from all"
        )
    return tuple(warnings)


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
    """Return the states of the only recurrent class, sorted."""
    classes = closed_classes(chain)
    if len(classes) > 1:
        one, other = classes[:2]
        leading = leading_to(one, chain)
        seen_from = next(s for s, row in enumerate(chain) if row and s not in leading)
        raise BadProblem(
            "state_weights: the behaviour chain has no unique stationary distribution: "
            f"{few_states(one)} and {few_states(other)} never lead to one another (seen from state {seen_from}); "
            f"{_remedy(_absorbing(chain, restarting))}"
        )
    return classes[0]


def closed_classes(chain: Sequence[Collection[int]]) -> list[list[int]]:
    """Return the recurrent classes of a chain: each sorted, the smallest first, of one size by their first state.

    They are the communicating classes that no step leaves.
    """
    component = communicating_classes(chain)
    members: dict[int, list[int]] = {}
    for s, number in enumerate(component):
        members.setdefault(number, []).append(s)
    closed = [
        states
        for number, states in members.items()
        if all(chain[s] and all(component[t] == number for t in chain[s]) for s in states)
    ]
    return sorted(closed, key=lambda states: (len(states), states[0]))


def communicating_classes(chain: Sequence[Collection[int]]) -> list[int]:
    """Return a number for each state, the same for states that lead to one another.

    Strongly connected components by Kosaraju's algorithm: time and memory are linear.
    """
    before, component = _reversed(chain), [-1] * len(chain)
    for number, root in enumerate(reversed(_by_end_of_search(chain))):
        stack = [root] if component[root] < 0 else []
        while stack:
            s = stack.pop()
            if component[s] < 0:
                component[s] = number
                stack += before[s]
    return component


def leading_to(goal: Collection[int], chain: Sequence[Collection[int]]) -> set[int]:
    """Return the states from which some state of the goal is reached, those of the goal among them."""
    before, seen, stack = _reversed(chain), set(goal), list(goal)
    while stack:
        new = set(before[stack.pop()]) - seen
        seen |= new
        stack += new
    return seen


def _reversed(chain: Sequence[Collection[int]]) -> list[list[int]]:
    """Return the states that lead to each state in one step."""
    before: list[list[int]] = [[] for _ in chain]
    for s, arrivals in enumerate(chain):
        for t in arrivals:
            before[t].append(s)
    return before


def _by_end_of_search(chain: Sequence[Collection[int]]) -> list[int]:
    """Return all states in the order in which a depth-first search has done with them."""
    order, seen = [], [False] * len(chain)
    for root in range(len(chain)):
        path = [] if seen[root] else [(root, iter(chain[root]))]
        seen[root] = True
        while path:
            t = next((t for t in path[-1][1] if not seen[t]), None)
            if t is None:
                order.append(path.pop()[0])
            else:
                seen[t] = True
                path.append((t, iter(chain[t])))
    return order

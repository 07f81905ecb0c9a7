"""Strongly connected components of a chain, its recurrent classes, and reachability."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence


def closed_classes(chain: Sequence[Collection[int]]) -> list[list[int]]:
    """Return the recurrent classes of a chain: each sorted, the smallest first, of one size by their first state.

    Args:
        chain: the states that each state leads to in one step; none for a state that is never in the chain.
    """
    components = strong_components(chain)
    place = {s: i for i, component in enumerate(components) for s in component}
    closed = [
        sorted(component)
        for i, component in enumerate(components)
        if all(chain[s] and all(place[t] == i for t in chain[s]) for s in component)
    ]
    return sorted(closed, key=lambda states: (len(states), states[0]))


def leading_to(goal: Collection[int], chain: Sequence[Collection[int]]) -> set[int]:
    """Return the states from which some state of the goal is reached, those of the goal among them."""
    before: list[list[int]] = [[] for _ in chain]
    for s, arrivals in enumerate(chain):
        for t in arrivals:
            before[t].append(s)
    seen, stack = set(goal), list(goal)
    while stack:
        for s in before[stack.pop()]:
            if s not in seen:
                seen.add(s)
                stack.append(s)
    return seen


def strong_components(chain: Sequence[Collection[int]]) -> list[list[int]]:
    """Return the strongly connected components by Tarjan's algorithm, without recursion: time and memory are linear."""
    count, number, low = 0, [-1] * len(chain), [0] * len(chain)
    stack: list[int] = []
    waiting = [False] * len(chain)
    components = []
    for root in range(len(chain)):
        if number[root] >= 0:
            continue
        path: list[tuple[int, Iterator[int]]] = [(root, iter(chain[root]))]
        while path:
            s, arrivals = path[-1]
            if number[s] < 0:
                number[s] = low[s] = count
                count += 1
                stack.append(s)
                waiting[s] = True
            for t in arrivals:
                if number[t] < 0:
                    path.append((t, iter(chain[t])))
                    break
                if waiting[t]:
                    low[s] = min(low[s], number[t])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[s])
                if low[s] == number[s]:
                    component: list[int] = []
                    while not component or component[-1] != s:
                        component.append(stack.pop())
                        waiting[component[-1]] = False
                    components.append(component)
    return components

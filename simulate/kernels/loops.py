"""The loops over components and over lanes that calculate what a plan asks for, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from textwrap import indent

from simulate.compiling.statements import Body
from simulate.kernels.layout import Layout
from simulate.kernels.plan import Moves
from tdrc_theory.learner.record import LEAF, NUMBER, SUM, Node, Rate, reached

_CHEAP = ("+", "-", "*", "neg", "abs", "<", "<=", "==")
_MOST_REPEATED = 2
"""Cheap operations of a lane that are done again for every component; what takes more is stored."""


def stored(targets: Iterable[Node]) -> list[Node]:
    """Return the numbers of a lane that are worth storing, each after those that it is calculated from.

    These change less often than what they are used for, or a component needs them and they take some time.
    """
    order = list(reached(targets))
    users: dict[Node, list[Node]] = {node: [] for node in order}
    for node in order:
        for operand in node.operands:
            users[operand].append(node)
    cost: dict[Node, int] = {}
    nodes: dict[Node, None] = {}
    for node in order:
        if node.component or not node.lane or node.operation in (LEAF, NUMBER, SUM):
            continue
        own = 1 if node.operation in _CHEAP else _MOST_REPEATED + 1
        cost[node] = own + sum(cost.get(operand, 0) for operand in node.operands if operand not in nodes)
        for_components = any(user.component for user in users[node])
        slow = node.rate < Rate.SAMPLE and (for_components or any(user.rate > node.rate for user in users[node]))
        if slow or (for_components and cost[node] > _MOST_REPEATED):
            nodes[node] = None
    return list(nodes)


class Loops:
    """Writes loops; what they store is known to those that follow.

    Args:
        layout: where numbers are.
        numbers: the text of numbers that do not differ between lanes, by name.
        vectors: the text of component i of vectors that do not differ between lanes, by name.
    """

    def __init__(self, layout: Layout, numbers: Mapping[str, str], vectors: Mapping[str, str]) -> None:
        self.places = layout.places
        self._layout, self._named, self._vectors = layout, {**numbers, **vectors}, vectors
        self._count = count()
        self._scalars = Body({}, "n", self._count)

    def lanes(self, moves: Mapping[Node, Node]) -> str:
        """Return a loop over lanes that calculates numbers, and then stores each in the place of another."""
        return self._flushed(self._lane_loop([(self.places[leaf], node) for leaf, node in moves.items()]))

    def store(self, nodes: Sequence[Node]) -> str:
        """Return a loop over lanes that calculates numbers, each of which may need those before, and stores them."""
        text = ""
        for node in nodes:
            place = self._layout.new()
            text += self._lane_loop([(place, node)])
            self.places[node] = place
        return self._flushed(text)

    def sums(self, wanted: Sequence[Node], moves: Moves) -> str:
        """Return a loop over components that calculates sums, and stores what moves besides."""
        self._name_leaves(wanted)
        of_lanes = [node for node in wanted if node.lane]
        for node in of_lanes:
            self.places.setdefault(node, self._layout.new())
        starts = self._lane_loop([(self.places[node], node.operands[0]) for node in of_lanes])
        terms = {}
        for node in wanted:
            if not node.lane:
                terms[node] = self._scalars.fresh(node, node.operands[0])
        of_components, inner = self._bodies([*(node.operands[1] for node in wanted), *moves.values()])
        added = [f"{self.places[n]} += {inner.value(n.operands[1])}" for n in of_lanes]
        outside = [f"{name} += {of_components.value(node.operands[1])}" for node, name in terms.items()]
        added += self._stores(inner, [(self.places[leaf], node) for leaf, node in moves.items()])
        return self._flushed(starts + _component_loop(of_components, outside, inner, added))

    def components(self, moves: Moves) -> str:
        """Return a loop over components that calculates what moves and then moves it."""
        if not moves:
            return ""
        of_components, inner = self._bodies(moves.values())
        stores = self._stores(inner, [(self.places[leaf], node) for leaf, node in moves.items()])
        return self._flushed(_component_loop(of_components, [], inner, stores))

    def _bodies(self, targets: Iterable[Node]) -> tuple[Body, Body]:
        self._name_leaves(targets := list(targets))
        vectors = {n: t for n, t in self._scalars.places.items() if n.component}
        of_components = Body(vectors, "c", self._count, self._scalars, lambda node: node.component)
        inner = Body(self.places, "v", self._count, of_components, lambda node: node.lane)
        inner.count_uses(targets)
        return of_components, inner

    def _lane_loop(self, assigned: Sequence[tuple[str, Node]]) -> str:
        if not assigned:
            return ""
        self._name_leaves(targets := [node for _, node in assigned])
        inner = Body(self.places, "v", self._count, self._scalars, lambda node: node.lane)
        inner.count_uses(targets)
        lines = [*self._stores(inner, assigned)]
        return "for l in range(width):\n" + indent("\n".join([*inner.lines, *lines]), "    ") + "\n"

    def _stores(self, inner: Body, assigned: Sequence[tuple[str, Node]]) -> list[str]:
        """Return what stores numbers after all of them are calculated: one may be needed for another."""
        several = len(assigned) > 1
        values = [inner.value(node, variable=several) for _, node in assigned]
        return [f"{place} = {value}" for (place, _), value in zip(assigned, values, strict=True)]

    def _name_leaves(self, targets: Iterable[Node]) -> None:
        for node in reached(targets):
            if node.operation == LEAF and node.value in self._named and node not in self.places:
                self._scalars.places.setdefault(node, self._named[node.value])

    def _flushed(self, text: str) -> str:
        """Return text after the statements outside of all loops that it needs."""
        lines, self._scalars.lines[:] = list(self._scalars.lines), []
        return "".join(f"{line}\n" for line in lines) + text


def _component_loop(of_components: Body, outside: list[str], inner: Body, stores: list[str]) -> str:
    lines = [*of_components.lines, *outside]
    if inner.lines or stores:
        lines += ["for l in range(width):", *(f"    {line}" for line in (*inner.lines, *stores))]
    return "for i in range(k):\n" + indent("\n".join(lines), "    ") + "\n"

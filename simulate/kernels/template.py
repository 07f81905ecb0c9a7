"""The text of a kernel: the loop over updates, and in it those over components and lanes that a plan asks for."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import count
from textwrap import indent
from typing import Any

from simulate.compiling.cache import source_text
from simulate.compiling.statements import Body
from simulate.environment import SecondSampler
from simulate.kernels.kernel_residual_gradient import Smoothing
from simulate.kernels.layout import TOGETHER, Layout
from simulate.kernels.plan import Moves, Plan
from tdrc_theory.learner.record import LEAF, NUMBER, SUM, Node, Rate, reached
from tdrc_theory.learner.step_data import AGAIN, NUMBERS, VECTORS

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

    Numbers, and component i of vectors, that do not differ between lanes are given as text by name.
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


_F1, _F2, _I1 = "float[:]", "float[:, :]", "int[:]"
ARGUMENTS = (
    *(_F2, _F2, _F1, _F2, _F2, _F1, _F2, _I1, _I1, _F1, _F1, "int", "int", "int", _I1, "int"),
    *(_F1, _F2, _F2, _F2, _F2, _F2, _I1),
)
"""The types of a kernel's arguments."""
SECOND_ROW = "row of the second x_next"
"""A number of a sample, beside those that a learner knows: where the second transition leads."""

_MODULE = '''
def note_divergence(room, lane, n, diverged):
    """Record update n for the lanes whose weights have left the finite range, if none is recorded."""
    for l in range(len(diverged)):
        if diverged[l] < 0:
            if not ({finite_numbers}):
                diverged[l] = n
            for i in range(room.shape[0]):
                if not ({finite_components}):
                    diverged[l] = n


def any_doubt(lane, diverged):
    """Whether what is calculated of all weights is not finite in a lane for which no divergence is recorded."""
    doubts = 0
    for l in range(len(diverged)):
        doubts += not ({sizes} < math.inf) and diverged[l] < 0
    return doubts > 0


def run(
    features, expected, constants, varying, residual, offset, similarity, s, s_next, rhos, rewards, batch, period,
    steps, points, at, lane, room, kept, sums, deltas, errors, lost,
):
    """Run one block of lanes: `room` and `lost` are changed in place, columns of `errors` are filled.

    It has as many lanes as `lost`; loops of constant length would be unrolled before they could be vectorised.
    """
    k, width, ended = features.shape[1], len(lost), features.shape[0] - 1
    rest, squares = sums[0], sums[1]
{constants}
{of_run}
    point = waiting = 0  # errors that are read, and that are to be read
    for t in range(steps + 1):
        if t > 0:
{update}
        if point + waiting < len(points) and t == points[point + waiting]:
            keep(room, kept, waiting, width)
            waiting += 1
        if waiting == TOGETHER or t == steps:
            read_errors(kept, residual, offset, rest, squares, waiting, width, errors, point, at)
            point += waiting
            waiting = 0
    note_divergence(room, lane, steps, lost)
'''

_NOTE = "if any_doubt(lane, lost):\n    note_divergence(room, lane, t - 1, lost)\n"
_SAMPLES = "for sample in range((t - 1) * batch, t * batch):\n"
_REMEMBER = """
for l in range(width):
    deltas[sample % batch, l] = {delta}
"""
_ESTIMATE = """
for l in range(width):
    {delta} = deltas[sample % batch, l]
    {delta_hat} = 0.0
for other in range((t - 1) * batch, t * batch):
    if {counts}:
        weight = similarity[s[other], s[sample]] * rhos[other] / {pairs}
        for l in range(width):
            {delta_hat} += weight * deltas[other % batch, l]
"""


class KernelText:
    """The module of a plan, and where it keeps its numbers; an algorithm whose TD errors are smoothed has no h.

    Attributes:
        text: the functions, of which `run` is called with arguments of the types `ARGUMENTS`.
        layout: of its arrays.
        constants, varying: the numbers that it is to be given, besides rho and reward, in that order; what varies
            differs between samples.
    """

    def __init__(
        self, plan: Plan, *, batched: bool, varying: Container[str] = (), smoothing: Smoothing | None = None
    ) -> None:
        self._plan, self.layout = plan, Layout(plan)
        read = [name for name in NUMBERS if name in plan.step.names and name not in ("rho", "reward")]
        self.varying = tuple(name for name in read if name in varying)
        self.constants = tuple(name for name in read if name not in varying)
        twice = plan.step.names & AGAIN.keys()
        if not twice.isdisjoint(VECTORS):
            self.varying = (*self.varying, SECOND_ROW)
        self._sample = "sample" if batched else "t - 1"
        targets = [*plan.of_sample.values(), *plan.of_update.values()]
        self._slow = {rate: [n for n in stored(targets) if n.rate is rate] for rate in Rate}
        self._doubts: list[str] = []
        of_run = self._loops().store(self._slow[Rate.RUN]) + self._moved(self._loops(), plan.copied)
        of_update = self._loops().store(self._slow[Rate.UPDATE])
        samples = self._smoothed(smoothing) if smoothing else self._experience(plan.of_sample)
        if batched:
            samples = samples if smoothing else _SAMPLES + indent(samples, "    ")
            sums = self._emptied(leaf for leaf in plan.of_sample if leaf not in plan.step.memory.values())
            samples = sums + samples + self._moved(self._loops(), plan.of_update)
        update = of_update + samples
        if plan.copied:
            update += "if t % period == 0:\n" + indent(self._moved(self._loops(), plan.copied), "    ")
        places = self.layout.places
        weights = plan.step.weights.values()
        self.text = _MODULE.format(
            finite_numbers=_all_finite(places[w] for w in weights if not w.component),
            finite_components=_all_finite(places[w] for w in weights if w.component),
            sizes=" + ".join(f"abs({place})" for place in self._doubts),
            constants="\n".join(f"    {name} = constants[{row}]" for row, name in enumerate(self.constants)),
            of_run=indent(of_run, " " * 4),
            update=indent(update, " " * 12),
        ).lstrip() + _remembered(smoothing, twice=bool(twice))

    def _loops(self) -> Loops:
        numbers = {name: name for name in (*self.constants, "t", "batch")}
        numbers |= {name: f"varying[{row}, {self._sample}]" for row, name in enumerate(self.varying)}
        numbers |= {"rho": f"rhos[{self._sample}]", "reward": f"rewards[{self._sample}]"}
        rows = {"x": f"features[s[{self._sample}], i]", "x_next": f"features[s_next[{self._sample}], i]"}
        rows |= {"x_bar": f"expected[s_next[{self._sample}], i]"}
        if SECOND_ROW in self.varying:
            row = f"int64({numbers[SECOND_ROW]})"
            rows |= {"x_next_2": f"features[{row}, i]", "x_bar_2": f"expected[{row}, i]"}
        return Loops(self.layout, numbers, rows)

    def _experience(self, moves: Moves) -> str:
        """Return the statements of one sample: what is summed first, then what moves."""
        loops, text, memory = self._loops(), "", self._plan.step.memory.values()
        if memory:  # it begins anew where an episode does
            text = f"if {self._sample} == 0 or s_next[{self._sample} - 1] == ended:\n"
            text += indent(self._emptied(memory), "    ")
        levels, left = self._sums(moves), dict(moves)
        for depth, sums in enumerate(levels):
            text += loops.store([n for n in self._slow[Rate.SAMPLE] if n.depth == depth])
            early = self._early(sums, left, depth + 1)
            text += loops.sums(sums, early)
            for leaf, node in early.items():  # from here on its place has its new value
                loops.places[node] = loops.places.pop(leaf)
                del left[leaf]
        every, weights = [node for sums in levels for node in sums], self._plan.step.weights.values()
        shown = [next(n for n in every if _shows(n, w)) if w.component else w for w in weights]
        self._doubts = [self.layout.places[node] for node in shown]  # they are not finite where weights are not
        text += _NOTE + loops.store([n for n in self._slow[Rate.SAMPLE] if n.depth == len(levels)])
        text += self._moved(loops, left)
        for leaf in moves.keys() - left.keys():
            loops.places[leaf] = loops.places.pop(moves[leaf])
        return text

    def _sums(self, moves: Moves) -> list[list[Node]]:
        """Return what is summed over components, by depth; with the first, what shows whether weights are finite."""
        sums = [node for node in reached(moves.values()) if node.operation == SUM]
        record = self._plan.step.record
        for weight in self._plan.step.weights.values():
            if weight.component and not any(_shows(node, weight) for node in sums):
                term = record.node("*", weight, record.number(0.0))
                sums.append(record.node(SUM, record.number(0.0), term))
        return [[n for n in sums if n.depth == depth] for depth in range(1, max(n.depth for n in sums) + 1)]

    def _early(self, sums: list[Node], left: Moves, depth: int) -> Moves:
        """Return what may move with the sums, since they need its new value, and nothing later its old one."""
        terms = set(reached(node.operands[1] for node in sums))
        summed = [n for n in reached(left.values()) if n.operation == SUM and n.depth <= depth]
        return {
            leaf: node
            for leaf, node in left.items()
            if leaf in self._plan.step.memory.values() and leaf.component and node.lane and node in terms
            if leaf not in set(reached(left.values(), [node, *summed]))
        }

    def _moved(self, loops: Loops, moves: Moves) -> str:
        text = loops.components({leaf: node for leaf, node in moves.items() if leaf.component})
        return text + loops.lanes({leaf: node for leaf, node in moves.items() if not leaf.component})

    def _emptied(self, leaves: Iterable[Node]) -> str:
        zero = self._plan.step.record.number(0.0)
        return self._moved(self._loops(), dict.fromkeys(leaves, zero))

    def _smoothed(self, smoothing: Smoothing) -> str:
        """Return the samples of an update whose delta_hat is a mean over the batch: all TD errors come first."""
        step = self._plan.step
        places = {name: self.layout.new() for name in step.errors}
        self.layout.places |= {step.record.leaf(name, lane=True): place for name, place in places.items()}
        first, delta = self._loops(), step.errors["delta"]
        summed = first.sums([delta], {}) + _NOTE + _REMEMBER.format(delta=first.places[delta])
        self._doubts = [first.places[delta]]
        pairs = {"counts": "other != sample", "pairs": "(batch - 1)"} if smoothing.distinct else {}
        estimate = _ESTIMATE.format(**{"counts": "True", "pairs": "batch", **places, **pairs})
        moved = estimate + self._moved(self._loops(), self._plan.of_sample)
        return _SAMPLES + indent(summed, "    ") + _SAMPLES + indent(moved, "    ")


def _shows(node: Node, weight: Node) -> bool:
    """Return whether a sum is not finite where some component of a weight is not."""
    term = node.operands[1]
    return term.operation == "*" and weight in term.operands


def _all_finite(places: Iterable[str]) -> str:
    return " and ".join(f"math.isfinite({place})" for place in places) or "True"


def _remembered(smoothing: Smoothing | None, twice: bool) -> str:
    """Return, as a comment, the source of what is computed outside, so that the text decides every bit all the same."""
    text = source_text(smoothing.similarity) if smoothing else ""
    text += source_text(SecondSampler) if twice else ""
    return "".join(f"# {line}\n" for line in text.splitlines())


def keep(room: Any, kept: Any, place: Any, width: Any) -> None:
    """Copy w into the columns of one place."""
    for i in range(room.shape[0]):
        to = kept[i, place * width : (place + 1) * width]
        for lane in range(width):
            to[lane] = room[i, lane]


def scaled_error(kept: Any, residual: Any, offset: Any, lane: Any) -> Any:
    """Return |offset - residual w| of finite weights where its square is past the range of floats."""
    largest = size = 0.0
    for again in range(2):
        for j in range(residual.shape[0]):
            rest = offset[j]
            for i in range(j, residual.shape[1]):
                rest -= residual[j, i] * kept[i, lane]
            if again:
                size += (rest / largest) ** 2
            else:
                largest = max(largest, abs(rest))
        if not 0.0 < largest < math.inf:
            return largest
    return largest * math.sqrt(size)


def read_errors(
    kept: Any,
    residual: Any,
    offset: Any,
    rest: Any,
    squares: Any,
    places: Any,
    width: Any,
    errors: Any,
    point: Any,
    at: Any,
) -> None:
    """Fill rows of `errors` with |offset - residual w|, w a column of `kept`; residual is upper triangular.

    It is inf where weights have left the range of floats.
    """
    rows, k = residual.shape
    columns = TOGETHER * width
    for lane in range(columns):
        squares[lane] = 0.0
    # Two columns at a time, and the last ones together with the square: loops wait for memory, not for arithmetic.
    for j in range(rows):
        start = offset[j]
        if k - j > 2:
            left, right = residual[j, j], residual[j, j + 1]
            for lane in range(columns):
                rest[lane] = start - left * kept[j, lane] - right * kept[j + 1, lane]
            for i in range(j + 2, k - 2, 2):
                left, right = residual[j, i], residual[j, i + 1]
                for lane in range(columns):
                    rest[lane] = rest[lane] - left * kept[i, lane] - right * kept[i + 1, lane]
            if (k - j) % 2:
                last = residual[j, k - 1]
                for lane in range(columns):
                    squares[lane] += (rest[lane] - last * kept[k - 1, lane]) ** 2
            else:
                left, right = residual[j, k - 2], residual[j, k - 1]
                for lane in range(columns):
                    squares[lane] += (rest[lane] - left * kept[k - 2, lane] - right * kept[k - 1, lane]) ** 2
        elif k - j == 2:
            left, right = residual[j, j], residual[j, j + 1]
            for lane in range(columns):
                squares[lane] += (start - left * kept[j, lane] - right * kept[j + 1, lane]) ** 2
        elif k - j == 1:
            last = residual[j, j]
            for lane in range(columns):
                squares[lane] += (start - last * kept[j, lane]) ** 2
        else:
            for lane in range(columns):
                squares[lane] += start * start
    doubts = 0
    for lane in range(columns):
        doubts += not squares[lane] < math.inf
        squares[lane] = math.sqrt(squares[lane])
    if doubts:
        for lane in range(columns):
            rest[lane] = 0.0
        for i in range(k):
            for lane in range(columns):
                rest[lane] += abs(kept[i, lane])
        for lane in range(columns):
            if not squares[lane] < math.inf:
                squares[lane] = scaled_error(kept, residual, offset, lane) if rest[lane] < math.inf else math.inf
    for place in range(places):
        for lane in range(width):
            errors[point + place, at + lane] = squares[place * width + lane]


READING = "\n\n".join([f"TOGETHER = {TOGETHER}\n", *(source_text(of) for of in (keep, scaled_error, read_errors))])
"""How errors are read: plain loops, which become part of every kernel from their own source."""

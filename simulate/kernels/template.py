"""The text of a kernel: the loop over updates, around what is generated of a learner and a step-size rule."""

from __future__ import annotations

import inspect
from collections.abc import Container, Iterable
from textwrap import indent

from simulate.kernels.kernel_residual_gradient import Smoothing
from simulate.kernels.layout import Layout
from simulate.kernels.loops import Loops, stored
from simulate.kernels.plan import Moves, Plan
from simulate.sampling import SecondSampler
from tdrc_theory.learner.record import SUM, Node, Rate, reached
from tdrc_theory.learner.step_data import AGAIN, NUMBERS, VECTORS

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
    """The module of a plan, and where it keeps its numbers.

    Args:
        plan: what is run.
        batched: whether an update averages several samples.
        varying: numbers of a sample that differ between samples; others are constants.
        smoothing: where delta_hat comes from, if not from h; such an algorithm has no h and is batched.

    Attributes:
        text: the functions, of which `run` is called with arguments of the types `ARGUMENTS`.
        layout: of its arrays.
        constants, varying: the numbers of a sample that it is to be given, besides rho and reward, in that order.
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
        update = of_update + (self._smoothed(smoothing) if smoothing else self._update(batched))
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

    def _update(self, batched: bool) -> str:
        """Return the statements of one update."""
        of_sample = self._experience(self._plan.of_sample)
        if not batched:
            return of_sample
        return self._cleared() + _SAMPLES + indent(of_sample, "    ") + self._moved(self._loops(), self._plan.of_update)

    def _experience(self, moves: Moves) -> str:
        """Return the statements of one sample: what is summed first, then what moves."""
        loops, text = self._loops(), self._begin()
        levels, left = self._sums(moves), dict(moves)
        for depth, sums in enumerate(levels):
            text += loops.store([n for n in self._slow[Rate.SAMPLE] if n.depth == depth])
            early = self._early(sums, left, depth + 1)
            text += loops.sums(sums, early)
            for leaf, node in early.items():  # from here on its place has its new value
                loops.places[node] = loops.places.pop(leaf)
                del left[leaf]
        self._doubts = self._doubtful([node for sums in levels for node in sums])
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

    def _doubtful(self, sums: list[Node]) -> list[str]:
        """Return places of numbers that are not finite where weights are not."""
        places = self.layout.places
        return [
            places[next(n for n in sums if _shows(n, weight)) if weight.component else weight]
            for weight in self._plan.step.weights.values()
        ]

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

    def _begin(self) -> str:
        """Return what is done where an episode begins."""
        if not self._plan.step.memory:
            return ""
        begins = f"if {self._sample} == 0 or s_next[{self._sample} - 1] == ended:\n"
        return begins + indent(self._emptied(self._plan.step.memory.values()), "    ")

    def _cleared(self) -> str:
        """Return what empties the sums over a batch."""
        return self._emptied(leaf for leaf in self._plan.of_sample if leaf not in self._plan.step.memory.values())

    def _emptied(self, leaves: Iterable[Node]) -> str:
        zero = self._plan.step.record.number(0.0)
        return self._moved(self._loops(), dict.fromkeys(leaves, zero))

    def _smoothed(self, smoothing: Smoothing) -> str:
        """Return an update whose delta_hat is a mean over the batch, so that all TD errors come first."""
        step = self._plan.step
        places = {name: self.layout.new() for name in step.errors}
        self.layout.places |= {step.record.leaf(name, lane=True): place for name, place in places.items()}
        first, delta = self._loops(), step.errors["delta"]
        summed = first.sums([delta], {}) + _NOTE + _REMEMBER.format(delta=first.places[delta])
        self._doubts = [first.places[delta]]
        pairs = {"counts": "other != sample", "pairs": "(batch - 1)"} if smoothing.distinct else {}
        estimate = _ESTIMATE.format(**{"counts": "True", "pairs": "batch", **places, **pairs})
        moved = estimate + self._moved(self._loops(), self._plan.of_sample)
        samples = _SAMPLES + indent(summed, "    ") + _SAMPLES + indent(moved, "    ")
        return self._cleared() + samples + self._moved(self._loops(), self._plan.of_update)


def _shows(node: Node, weight: Node) -> bool:
    """Return whether a sum is not finite where some component of a weight is not."""
    term = node.operands[1]
    return term.operation == "*" and weight in term.operands


def _all_finite(places: Iterable[str]) -> str:
    return " and ".join(f"math.isfinite({place})" for place in places) or "True"


def _remembered(smoothing: Smoothing | None, twice: bool) -> str:
    """Return, as a comment, the source of what is computed outside, so that the text decides every bit all the same."""
    source = inspect.getsource(smoothing.similarity) if smoothing else ""
    source += inspect.getsource(SecondSampler) if twice else ""
    return "".join(f"# {line}\n" for line in source.splitlines())

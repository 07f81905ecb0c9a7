"""One step of a learner, recorded: what its function calculates from a sample, its weights and its memory."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from simulate.compiling.record import LEAF, NUMBER, SUM, Node, Rate, Record, reached
from simulate.compiling.recording import recorded
from simulate.compiling.symbol import Kind, Symbol
from simulate.kernels.kernel_residual_gradient import smoothing_of
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.trace import Step

NUMBERS = ("reward", "rho", "rho_before", "gamma", "gamma_next", "interest", "pi", "rho_next")
"""The numbers of a sample."""
VECTORS = ("x", "x_next", "x_bar")
"""The vectors of a sample."""
OF_ACTION_VALUES = ("x_bar", "rho_next")
"""What only features by state and action offer."""


@dataclass(frozen=True, eq=False)
class RecordedStep:
    """What is recorded of a learner's function.

    Attributes:
        record: where.
        weights, memory: the leaves that are moved, by name, the value estimate first.
        directions: of the weights, by name; w moves by alpha times that.
        becomes: of the memory, its value after the step, by name.
        parameters: the leaves that are parameters, by name.
        scale: of alpha where a weight has a step size of its own, by name.
        delta: the TD error, where the directions have it and its estimate as leaves (see `smoothing_of`), else None.
    """

    record: Record
    weights: dict[str, Node]
    memory: dict[str, Node]
    directions: dict[str, Node]
    becomes: dict[str, Node]
    parameters: dict[str, Node]
    scale: dict[str, Node]
    delta: Node | None = None

    @property
    def outputs(self) -> list[Node]:
        """Return all that is calculated."""
        return [*self.directions.values(), *self.becomes.values()]

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """Return the names that it depends on."""
        return frozenset(str(node) for node in _leaves(self.outputs)) | {str(node) for node in self.scale.values()}


def needs_chain(algorithm: Algorithm) -> bool:
    """Return whether a learner has memory, or reads the ratio of the step before."""
    return bool(algorithm.memory) or "rho_before" in algorithm.arguments


@functools.lru_cache(maxsize=256)
def recorded_step(algorithm: Algorithm) -> RecordedStep:
    """Return the record of a learner's step.

    Raises:
        BadAlgorithm: its function does what is not recorded, or is no learner's.
    """
    return _of_vectors(algorithm) if algorithm.weights else _of_components(algorithm)


def _of_components(algorithm: Algorithm) -> RecordedStep:
    """Return the record of a function of one component, which returns (dw, dh); its gamma is that of the transition."""
    record = Record()
    x, x_next = (record.leaf(name, component=True) for name in ("x", "x_next"))
    w, h = (record.leaf(name, lane=True, component=True) for name in ("w", "h"))
    numbers = {"reward": record.leaf("reward"), "rho": record.leaf("rho"), "gamma": record.leaf("gamma_next")}
    parameters = {n: record.leaf(n, lane=True, rate=Rate.RUN) for n in ("beta", "eta", *algorithm.defaults)}
    moved = record.node("-", record.node("*", numbers["gamma"], x_next), x)
    delta = record.node(SUM, numbers["reward"], record.node("*", moved, w))
    estimate = record.node(SUM, record.number(0.0), record.node("*", x, h))
    smoothed = smoothing_of(algorithm) is not None
    if smoothed:
        errors = {name: record.leaf(name, lane=True) for name in ("delta", "delta_hat")}
    else:
        errors = {"delta": delta, "delta_hat": estimate}
    components = {"x": x, "x_next": x_next, "h": h}
    symbols = {name: Symbol(record, node, Kind.COMPONENT) for name, node in components.items()}
    plain = {**numbers, **parameters, **errors}
    symbols |= {n: Symbol(record, plain[n], Kind.NUMBER) for n in algorithm.arguments if n not in symbols}

    def read(returned: Any) -> dict[str, Node]:
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise BadAlgorithm(f"returns {_kind(returned)}; an algorithm returns the two directions (dw, dh)")
        return {name: _node(record, part) for name, part in zip(("w", "h"), returned, strict=True)}

    directions = recorded(record, algorithm.direction, symbols, read, algorithm.name)
    weights = {"w": w, "h": h}
    if _is_zero(directions["h"]) and h not in _leaves([directions["w"]]):  # it stays 0 and costs nothing
        del weights["h"], directions["h"]
    scale = {"h": parameters["eta"]} if "h" in weights else {}
    used = _used(parameters, directions.values(), scale)
    return RecordedStep(record, weights, {}, directions, {}, used, scale, delta if smoothed else None)


def _of_vectors(algorithm: Algorithm) -> RecordedStep:
    """Return the record of a function of vectors and numbers, which returns a Step."""
    record = Record()

    def moving(names: Iterable[str]) -> dict[str, Node]:
        return {n: record.leaf(n, lane=True, component=n not in algorithm.scalars) for n in names}

    weights, memory = moving(algorithm.weights), moving(algorithm.memory)
    parameters = {name: record.leaf(name, lane=True, rate=Rate.RUN) for name in algorithm.defaults}
    known = {**{n: record.leaf(n, component=True) for n in VECTORS}, **{n: record.leaf(n) for n in NUMBERS}}
    nodes = {**known, **weights, **memory, **parameters}
    if unknown := sorted(set(algorithm.arguments) - nodes.keys()):
        raise BadAlgorithm(f"{algorithm.name}: no run offers {unknown[0]}")
    symbols = {
        name: Symbol(record, nodes[name], Kind.VECTOR if nodes[name].component else Kind.NUMBER)
        for name in algorithm.arguments
    }

    def read(returned: Any) -> dict[str, Node]:
        _check_step(algorithm, returned)
        return {name: _part(record, algorithm, name, returned[name]) for name in algorithm.moves}

    outputs = recorded(record, algorithm.direction, symbols, read, algorithm.name)
    directions, becomes = ({name: outputs[name] for name in names} for names in (weights, memory))
    for name, node in becomes.items():
        if driving := sorted(str(leaf) for leaf in _leaves([node]) & set(weights.values())):
            raise BadAlgorithm(
                f"{algorithm.name} computes its memory {name} from weights ({driving[0]}); memory is driven by the "
                "chain alone: declare it among the weights"
            )
    return RecordedStep(record, weights, memory, directions, becomes, _used(parameters, outputs.values(), {}), {})


def _check_step(algorithm: Algorithm, returned: Any) -> None:
    if not isinstance(returned, Step):
        moves = ", ".join(f"{name}=..." for name in algorithm.moves)
        raise BadAlgorithm(f"returns {_kind(returned)}; a learner returns Step({moves})")
    unknown, missing = set(returned) - set(algorithm.moves), set(algorithm.moves) - set(returned)
    if unknown or missing:
        wrong = f"returns {min(unknown)}, which it does not declare" if unknown else f"does not return {min(missing)}"
        raise BadAlgorithm(f"{wrong}; its Step has {', '.join(algorithm.moves)}")


def _part(record: Record, algorithm: Algorithm, name: str, value: Any) -> Node:
    node = _node(record, value)
    if node.component is (name in algorithm.scalars) and not _is_zero(node):
        kinds = ("a number", "a vector") if name in algorithm.scalars else ("a vector", "a number")
        raise BadAlgorithm(f"returns {name} = {node}: {name} is {kinds[0]}, and this is {kinds[1]}")
    return node


def _node(record: Record, value: Any) -> Node:
    if isinstance(value, Symbol):
        return value.node
    try:
        return record.number(value)
    except BadAlgorithm:
        raise BadAlgorithm(f"returns {_kind(value)} as a direction; a direction is a number") from None


def _leaves(nodes: Iterable[Node]) -> set[Node]:
    return {node for node in reached(nodes) if node.operation == LEAF}


def _used(parameters: dict[str, Node], outputs: Iterable[Node], scale: dict[str, Node]) -> dict[str, Node]:
    leaves = _leaves([*outputs, *scale.values()])
    return {name: node for name, node in parameters.items() if node in leaves}


def _is_zero(node: Node) -> bool:
    return node.operation == NUMBER and node.value == 0


def _kind(value: Any) -> str:
    if isinstance(value, Symbol):
        return "one vector or number"
    return f"a tuple of {len(value)}" if isinstance(value, tuple) else f"a value of type {type(value).__name__}"

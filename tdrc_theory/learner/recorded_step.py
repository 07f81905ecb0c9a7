"""The record of one step of a learner: the calculation of its function from a sample, weights and memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.declaration import Declaration
from tdrc_theory.learner.place import place_of_assignment
from tdrc_theory.learner.quantity import is_zero, names_of, on_first_way, term_text, text
from tdrc_theory.learner.record import NUMBER, SUM, Node, Rate, Record, leaves
from tdrc_theory.learner.recording import recorded
from tdrc_theory.learner.step_data import NUMBERS, VECTORS
from tdrc_theory.learner.symbol import Symbol, node_of


class Step(dict[str, Any]):
    """What a step moves: `Step(w=..., e=...)`, directions of weights and new values of memory, by name."""


@dataclass(frozen=True, eq=False)
class RecordedStep:
    """What is recorded of a learner's function.

    Attributes:
        record: where.
        weights, memory: the leaves that are moved, by name, the value estimate first.
        directions: of the weights, by name; w moves by alpha times that.
        becomes: of the memory, its value after the step, by name.
        parameters: the leaves that are parameters, by name; those that it depends on.
        scale: of alpha where a weight has a step size of its own, by name.
        errors: of a function of components, the nodes of the TD error and of its estimate, by name.
    """

    record: Record
    weights: dict[str, Node]
    memory: dict[str, Node]
    directions: dict[str, Node]
    becomes: dict[str, Node]
    parameters: dict[str, Node]
    scale: dict[str, Node] = field(default_factory=dict)
    errors: dict[str, Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Keep the parameters that are used."""
        used = {name: node for name, node in self.parameters.items() if name in self.names}
        object.__setattr__(self, "parameters", used)

    @property
    def outputs(self) -> dict[str, Node]:
        """Return all that is calculated, by name."""
        return {**self.directions, **self.becomes}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names that it depends on."""
        return frozenset(str(node) for node in leaves([*self.outputs.values(), *self.scale.values()]))


def step_of_components(declared: Declaration, *, errors_apart: bool = False) -> RecordedStep:
    """Return the record of a function of one component, which returns (dw, dh); its gamma is that of the transition.

    Args:
        declared: the learner.
        errors_apart: whether delta and delta_hat are leaves, whose values come from elsewhere.

    Raises:
        BadAlgorithm: the function does what is not recorded, or is no learner's.
    """
    record = Record()
    weights = {n: record.leaf(n, lane=True, component=True) for n in ("w", "h")}
    parameters = _parameters(record, ("beta", "eta", *declared.defaults))
    nodes = {**_offered(record), **weights, **parameters}
    nodes["gamma"] = nodes["gamma_next"]
    moved = record.node("-", record.node("*", nodes["gamma"], nodes["x_next"]), nodes["x"])
    errors = {
        "delta": record.node(SUM, nodes["reward"], record.node("*", moved, weights["w"])),
        "delta_hat": record.node(SUM, record.number(0.0), record.node("*", nodes["x"], weights["h"])),
    }
    nodes |= {n: record.leaf(n, lane=True) for n in errors} if errors_apart else errors

    def directions_of(returned: Any) -> dict[str, Node]:
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise BadAlgorithm(f"returns {_kind(returned)}; an algorithm returns the two directions (dw, dh)")
        return {n: _node(record, part) for n, part in zip(weights, returned, strict=True)}

    symbols = {n: Symbol(record, nodes[n]) for n in declared.arguments}
    directions = recorded(record, declared.direction, symbols, directions_of, declared.name)
    resting = directions["h"].operation == NUMBER and directions["h"].value == 0
    if resting and weights["h"] not in leaves([directions["w"]]):  # it stays 0 and costs nothing
        del weights["h"], directions["h"]
    scale = {"h": parameters["eta"]} if "h" in weights else {}
    return RecordedStep(record, weights, {}, directions, {}, parameters, scale, errors)


def step_of_vectors(declared: Declaration) -> RecordedStep:
    """Return the record of a function of vectors and numbers, which returns a Step.

    Raises:
        BadAlgorithm: the function does what is not recorded, or is no learner's.
    """
    name, function, scalars = declared.name, declared.direction, declared.scalars
    record = Record()
    moving, kept = (
        {n: record.leaf(n, lane=True, component=n not in scalars) for n in names}
        for names in (declared.weights, declared.memory)
    )
    parameters = _parameters(record, declared.defaults)
    nodes = {**_offered(record), **moving, **kept, **parameters}
    symbols = {n: Symbol(record, nodes[n], of_vectors=True) for n in declared.arguments}
    moves = (*moving, *kept)

    def outputs_of(returned: Any) -> dict[str, Node]:
        _check_names(moves, returned)
        return {n: _part(record, n, returned[n], n in scalars) for n in moves}

    outputs = recorded(record, function, symbols, outputs_of, name)
    for n in kept:
        if driving := leaves([outputs[n]]) & set(moving.values()):
            raise BadAlgorithm(
                f"{place_of_assignment(function, n)}{name} computes its memory {n} from weights "
                f"({_term_with(outputs[n], {str(weight) for weight in driving})}); memory is driven by the chain "
                "alone: declare it among the weights"
            )
    directions, becomes = ({n: outputs[n] for n in names} for names in (moving, kept))
    return RecordedStep(record, moving, kept, directions, becomes, parameters)


def _offered(record: Record) -> dict[str, Node]:
    return {**{n: record.leaf(n, component=True) for n in VECTORS}, **{n: record.leaf(n) for n in NUMBERS}}


def _parameters(record: Record, names: Iterable[str]) -> dict[str, Node]:
    return {n: record.leaf(n, lane=True, rate=Rate.RUN) for n in names}


def _check_names(moves: tuple[str, ...], returned: Any) -> None:
    if not isinstance(returned, Step):
        raise BadAlgorithm(f"returns {_kind(returned)}; a learner returns Step({', '.join(f'{n}=...' for n in moves)})")
    unknown, missing = set(returned) - set(moves), set(moves) - set(returned)
    if unknown or missing:
        wrong = f"returns {min(unknown)}, which it does not declare" if unknown else f"does not return {min(missing)}"
        raise BadAlgorithm(f"{wrong}; its Step has {', '.join(moves)}")


def _part(record: Record, name: str, value: Any, scalar: bool) -> Node:
    node = _node(record, value)
    if node.component is scalar and not is_zero(node):
        kinds = ("a number", "a vector") if scalar else ("a vector", "a number")
        raise BadAlgorithm(f"returns {name} = {text(node)}: {name} is {kinds[0]}, and this is {kinds[1]}")
    return node


def _node(record: Record, value: Any) -> Node:
    try:
        return node_of(record, value)
    except BadAlgorithm:
        raise BadAlgorithm(f"returns {_kind(value)} as a direction; a direction is a number") from None


def _term_with(node: Node, weights: set[str]) -> str:
    """Return the term of a node that has weights, or one of their names where there are no terms."""
    terms = (on_first_way(node) or {}).items()
    return next((term_text(key, c) for key, c in terms if weights.intersection(names_of(key))), min(weights))


def _kind(value: Any) -> str:
    if isinstance(value, Symbol):
        return "one vector or number"
    return f"a tuple of {len(value)}" if isinstance(value, tuple) else f"a value of type {type(value).__name__}"

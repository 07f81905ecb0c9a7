"""One step of a learner, recorded: what its function calculates from a sample, its weights and its memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.place import place_of_assignment
from tdrc_theory.learner.quantity import is_zero, on_first_way, term_text, text
from tdrc_theory.learner.record import NUMBER, SUM, Node, Rate, Record, leaves
from tdrc_theory.learner.recording import recorded
from tdrc_theory.learner.symbol import Kind, Symbol

ONCE = ("x", "x_next", "reward", "rho", "rho_before", "gamma", "gamma_next", "interest", "pi", "x_bar", "rho_next")
"""What a step offers by name to a function of vectors; x_bar and rho_next are for action values."""
AGAIN = {f"{name}_2": name for name in ("x_next", "reward", "rho", "gamma_next", "pi", "x_bar", "rho_next")}
"""What it offers of a second, independent transition from the same place, and what that is of the first."""
OFFERED = (*ONCE, *AGAIN)
"""All that it offers."""
VECTORS = ("x", "x_next", "x_bar", "x_next_2", "x_bar_2")
"""The vectors among these."""
NUMBERS = tuple(name for name in OFFERED if name not in VECTORS)
"""The numbers among these."""
OF_ACTION_VALUES = ("x_bar", "rho_next", "x_bar_2", "rho_next_2")
"""What only features by state and action offer."""


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
        parameters: the leaves that are parameters, by name.
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

    @property
    def outputs(self) -> dict[str, Node]:
        """Return all that is calculated, by name."""
        return {**self.directions, **self.becomes}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names that it depends on."""
        return frozenset(str(node) for node in leaves([*self.outputs.values(), *self.scale.values()]))


def step_of_components(
    name: str,
    function: Callable[..., Any],
    arguments: Iterable[str],
    defaults: Mapping[str, Fraction],
    *,
    errors_apart: bool = False,
) -> RecordedStep:
    """Return the record of a function of one component, which returns (dw, dh); its gamma is that of the transition.

    Args:
        name, function, arguments, defaults: of the learner.
        errors_apart: whether delta and delta_hat are leaves, whose values come from elsewhere.

    Raises:
        BadAlgorithm: the function does what is not recorded, or is no learner's.
    """
    record = Record()
    x, x_next = (record.leaf(n, component=True) for n in ("x", "x_next"))
    w, h = (record.leaf(n, lane=True, component=True) for n in ("w", "h"))
    numbers = {"reward": record.leaf("reward"), "rho": record.leaf("rho"), "gamma": record.leaf("gamma_next")}
    parameters = {n: record.leaf(n, lane=True, rate=Rate.RUN) for n in ("beta", "eta", *defaults)}
    moved = record.node("-", record.node("*", numbers["gamma"], x_next), x)
    errors = {
        "delta": record.node(SUM, numbers["reward"], record.node("*", moved, w)),
        "delta_hat": record.node(SUM, record.number(0.0), record.node("*", x, h)),
    }
    read = {n: record.leaf(n, lane=True) for n in errors} if errors_apart else errors
    components = {"x": x, "x_next": x_next, "h": h}
    symbols = {n: Symbol(record, node, Kind.COMPONENT) for n, node in components.items()}
    plain = {**numbers, **parameters, **read}
    symbols |= {n: Symbol(record, plain[n], Kind.NUMBER) for n in arguments if n not in symbols}

    def directions_of(returned: Any) -> dict[str, Node]:
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise BadAlgorithm(f"returns {_kind(returned)}; an algorithm returns the two directions (dw, dh)")
        return {n: _node(record, part) for n, part in zip(("w", "h"), returned, strict=True)}

    directions = recorded(record, function, symbols, directions_of, name)
    weights = {"w": w, "h": h}
    resting = directions["h"].operation == NUMBER and directions["h"].value == 0
    if resting and h not in leaves([directions["w"]]):  # it stays 0 and costs nothing
        del weights["h"], directions["h"]
    scale = {"h": parameters["eta"]} if "h" in weights else {}
    used = _used(parameters, [*directions.values(), *scale.values()])
    return RecordedStep(record, weights, {}, directions, {}, used, scale, errors)


def step_of_vectors(
    name: str,
    function: Callable[..., Any],
    arguments: Iterable[str],
    defaults: Mapping[str, Fraction],
    *,
    weights: Iterable[str],
    memory: Iterable[str],
    scalars: frozenset[str],
) -> RecordedStep:
    """Return the record of a function of vectors and numbers, which returns a Step.

    Raises:
        BadAlgorithm: the function does what is not recorded, or is no learner's.
    """
    record = Record()
    moving, kept = ({n: record.leaf(n, lane=True, component=n not in scalars) for n in ns} for ns in (weights, memory))
    parameters = {n: record.leaf(n, lane=True, rate=Rate.RUN) for n in defaults}
    offered = {**{n: record.leaf(n, component=True) for n in VECTORS}, **{n: record.leaf(n) for n in NUMBERS}}
    nodes = {**offered, **moving, **kept, **parameters}
    symbols = {n: Symbol(record, nodes[n], Kind.VECTOR if nodes[n].component else Kind.NUMBER) for n in arguments}
    moves = (*moving, *kept)

    def moved(returned: Any) -> dict[str, Node]:
        _check_names(moves, returned)
        return {n: _part(record, n, returned[n], n in scalars) for n in moves}

    outputs = recorded(record, function, symbols, moved, name)
    for n in kept:
        if driving := leaves([outputs[n]]) & set(moving.values()):
            raise BadAlgorithm(
                f"{place_of_assignment(function, n)}{name} computes its memory {n} from weights "
                f"({_term_with(outputs[n], driving)}); memory is driven by the chain alone: declare it among the "
                "weights"
            )
    directions, becomes = ({n: outputs[n] for n in names} for names in (moving, kept))
    return RecordedStep(record, moving, kept, directions, becomes, _used(parameters, outputs.values()))


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
    if isinstance(value, Symbol):
        return value.node
    try:
        return record.number(value)
    except BadAlgorithm:
        raise BadAlgorithm(f"returns {_kind(value)} as a direction; a direction is a number") from None


def _term_with(node: Node, weights: set[Node]) -> str:
    """Return the term of a node that has weights, or one of their names where there are no terms."""
    names = {str(weight) for weight in weights}
    for key, c in (on_first_way(node) or {}).items():
        if names.intersection([*key[1], *(n for atom in key[0] for n in atom)]):
            return term_text(key, c)
    return min(names)


def _used(parameters: dict[str, Node], nodes: Iterable[Node]) -> dict[str, Node]:
    used = leaves(nodes)
    return {name: node for name, node in parameters.items() if node in used}


def _kind(value: Any) -> str:
    if isinstance(value, Symbol):
        return "one vector or number"
    return f"a tuple of {len(value)}" if isinstance(value, tuple) else f"a value of type {type(value).__name__}"

"""The plan of an update: a learner's recorded step, and what becomes of every number that a kernel keeps."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from simulate.kernels.kernel_residual_gradient import smoothing_of
from simulate.step_sizes import StepSize
from simulate.step_sizes.step_size import arguments
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import check_offered
from tdrc_theory.learner.record import Node, Rate, Record
from tdrc_theory.learner.recording import RecordedStep, recorded, step_of_components
from tdrc_theory.learner.symbol import Symbol, node_of
from tdrc_theory.problem import Problem


def needs_chain(algorithm: Algorithm) -> bool:
    """Return whether a learner has memory, or reads the ratio of the step before."""
    return bool(algorithm.memory) or "rho_before" in algorithm.arguments


@functools.lru_cache(maxsize=256)
def recorded_step(algorithm: Algorithm) -> RecordedStep:
    """Return the record of a learner's step; TD errors are leaves where they come from a batch.

    Raises:
        BadAlgorithm: its function does what is not recorded, or is no learner's.
    """
    if smoothing_of(algorithm) is None:
        return algorithm.recorded
    return step_of_components(
        algorithm.name, algorithm.direction, algorithm.arguments, algorithm.defaults, errors_apart=True
    )


def used_parameters(algorithm: Algorithm, asked: Mapping[str, Any]) -> dict[str, Fraction]:
    """Return {name: value} of the parameters that are used: as it fixes them, else as asked for, else default.

    Of an update that is affine its equation says what it uses; of others, the record of its function.

    Raises:
        BadOption: a name that it lacks, or a value out of range.
        BadAlgorithm: its function does what is not recorded.
    """
    if smoothing_of(algorithm):
        return {}
    try:
        own = algorithm.own_parameters
    except BadAlgorithm:
        own = tuple(recorded_step(algorithm).parameters)
    return dict(algorithm.parameters(asked, own))


def check_reads(problem: Problem, algorithm: Algorithm) -> None:
    """Refuse a learner that is not for problems of this kind, as far as its equation can be read.

    Raises:
        BadOption: see `check_offered`.
    """
    with contextlib.suppress(BadAlgorithm):
        check_offered(problem, algorithm)


Moves = dict[Node, Node]
"""What a leaf that is kept becomes."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What a kernel does.

    Attributes:
        step: the learner's.
        settings: leaves of a lane's configuration: the step size, the learner's parameters, and the rule's.
        kept: every other leaf that is kept from one update to the next, weights first, with its first value.
        of_sample: what a sample moves.
        of_update: what an update moves after its samples; empty where a sample is an update.
        copied: weights that become others at the start and after every period.
    """

    step: RecordedStep
    settings: tuple[Node, ...]
    kept: dict[Node, float]
    of_sample: Moves
    of_update: Moves
    copied: Moves


def planned(step: RecordedStep, rule: StepSize, batched: bool, copy: tuple[str, str] | None = None) -> Plan:
    """Return the plan of a learner under a rule; where updates are batched, they average several samples.

    Of `copy`, weights of the first name are copied from those of the second, and do not move by themselves.

    Raises:
        BadAlgorithm: the rule's functions do what is not recorded.
    """
    record = step.record
    alpha = record.leaf("step size", lane=True, rate=Rate.RUN)
    own = {name: record.leaf(f"rule's {name}", lane=True, rate=Rate.RUN) for name in rule.parameters}
    known = {"t": record.leaf("t", rate=Rate.UPDATE), "alpha": alpha, **own}
    if rule.schedule is not None:
        known["alpha"] = _called(record, rule.schedule, known, rule.name)[0]
    samples = record.leaf("batch", rate=Rate.RUN)
    kept = dict.fromkeys(step.weights.values(), 0.0) | dict.fromkeys(step.memory.values(), 0.0)
    moves = {leaf: step.becomes[name] for name, leaf in step.memory.items()}
    moved: Moves = {}
    copied = {} if copy is None else {step.weights[copy[0]]: step.weights[copy[1]]}
    for name, weight in step.weights.items():
        if weight in copied:
            continue
        direction = step.directions[name]
        if batched:
            total = _beside(record, weight, "sum")
            kept[total] = 0.0
            moves[total] = record.node("+", total, direction)
            direction = record.node("/", total, samples)
        states = {n: _beside(record, weight, n) for n in rule.state}
        kept |= {states[n]: first for n, first in rule.state.items()}
        scale = step.scale.get(name)
        size = known["alpha"] if scale is None else record.node("*", scale, known["alpha"])
        by_rule = _called(record, rule.function, {**known, **states, "alpha": size, "g": direction}, rule.name)
        if len(by_rule) != 1 + len(states):
            raise BadAlgorithm(f"{rule.name} returns {len(by_rule)} values; a rule returns a step and its accumulators")
        moved[weight] = record.node("+", weight, by_rule[0])
        moved |= dict(zip(states.values(), by_rule[1:], strict=True))
    settings = (alpha, *step.parameters.values(), *own.values())
    if batched:
        return Plan(step, settings, kept, moves, moved, copied)
    return Plan(step, settings, kept, {**moved, **moves}, {}, copied)


def _beside(record: Record, weight: Node, name: str) -> Node:
    return record.leaf(f"{name} of {weight}", lane=True, component=weight.component)


def _called(record: Record, function: Callable[..., Any], known: Mapping[str, Node], owner: str) -> tuple[Node, ...]:
    """Return what a rule's function calculates."""
    symbols = {name: Symbol(record, known[name]) for name in arguments(function)}

    def read(returned: Any) -> dict[str, Node]:
        parts = returned if isinstance(returned, tuple) else (returned,)
        return {str(i): node_of(record, part) for i, part in enumerate(parts)}

    return tuple(recorded(record, function, symbols, read, owner).values())

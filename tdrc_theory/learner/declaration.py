"""What a function has to take to be a learner's, checked where it is declared."""

from __future__ import annotations

import inspect
import math
import numbers
import reprlib
from collections.abc import Sequence
from typing import Any

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.place import assignments, place_of_assignment, place_of_definition
from tdrc_theory.learner.step_data import OFFERED

SIGNATURE = ("x", "x_next", "h", "delta", "delta_hat", "rho", "gamma", "beta")
"""The arguments of a function of one component, which returns (dw, dh)."""


def check_signature(name: str, parameters: Sequence[inspect.Parameter]) -> None:
    """Refuse a function of components that does not take SIGNATURE."""
    names = tuple(p.name for p in parameters[: len(SIGNATURE)])
    if names != SIGNATURE or any(p.default is p.empty for p in parameters[len(SIGNATURE) :]):
        got = ", ".join(p.name for p in parameters)
        raise BadAlgorithm(
            f"{name} takes ({got}); an algorithm takes ({', '.join(SIGNATURE)}), "
            "then at most parameters with defaults; one of vectors is declared with @learner"
        )


def check_names(
    name: str,
    parameters: Sequence[inspect.Parameter],
    weights: tuple[str, ...],
    memory: tuple[str, ...],
    scalars: frozenset[str],
) -> None:
    """Refuse names that weights and memory cannot have, and arguments that no step offers."""
    moves = (*weights, *memory)
    for moved in moves:
        if not moved.isidentifier() or moved in OFFERED or moves.count(moved) > 1:
            raise BadAlgorithm(f"{name} declares {moved!r}; weights and memory have names of their own")
    if wrong := sorted(scalars - set(moves[1:])):
        allowed = f"are among {', '.join(moves[1:])}" if moves[1:] else "are weights beside the first, or memory"
        raise BadAlgorithm(f"{name}: scalars {allowed}, not {', '.join(wrong)}")
    for p in parameters:
        known = p.name in OFFERED or p.name in moves
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) or known is (p.default is not p.empty):
            allowed = ", ".join((*OFFERED, *moves))
            why = "is given at each step, so it has no default" if known else "is not offered"
            raise BadAlgorithm(f"{name}: {p.name} {why}; a step offers {allowed}; parameters have defaults")


def check_defaults(name: str, parameters: Sequence[inspect.Parameter], function: Any) -> None:
    """Refuse defaults that are no numbers, and parameters that the function assigns to: what is kept is memory."""
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    for parameter, default in defaults.items():
        exact = isinstance(default, numbers.Rational)  # math.isfinite fails for one that no float holds
        if not exact and not (isinstance(default, numbers.Real) and math.isfinite(default)):
            shown = reprlib.repr(default)
            raise BadAlgorithm(
                f"{place_of_definition(function)}{name}: the default of {parameter} is {shown}, not a finite number"
            )
    for parameter in sorted(assignments(function).keys() & defaults.keys()):
        raise BadAlgorithm(
            f"{place_of_assignment(function, parameter)}{name} assigns to its parameter {parameter}, which keeps its "
            f'default at every step: declare it as memory (@learner(weights="w", memory="{parameter}")), or '
            "give what is assigned another name"
        )

"""The declaration of a learner: its function and the names of its weights and memory, checked on construction."""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.place import assignments, place_of_assignment, place_of_definition
from tdrc_theory.learner.step_data import OFFERED

SIGNATURE = ("x", "x_next", "h", "delta", "delta_hat", "rho", "gamma", "beta")
"""The arguments of a function of one component, which returns (dw, dh)."""

Direction = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Declaration:
    """A learner's function and names.

    Attributes:
        name: what it is called in options and reports.
        direction: its function. With `weights` it is one of vectors and numbers, whose arguments are any of OFFERED,
            of its weights and memory, and parameters with defaults, and which returns a `Step`: w moves by alpha times
            what is returned for it, memory becomes it. Without, it is one of components, with SIGNATURE, and returns
            (dw, dh); gamma is the discount of this transition, delta = R + gamma w.x_next - w.x, delta_hat = h.x, and
            h moves by eta alpha dh. It is plain arithmetic, with min, max, abs and comparisons of numbers of the step
            and parameters.
        weights: names of what is learned, that of the value estimate first; empty for a function of components.
        memory: names of what is kept from step to step and driven by the chain alone: traces, the follow-on.
        scalars: those among weights and memory that are numbers.
    """

    name: str
    direction: Direction
    weights: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    scalars: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Check the names, and the function's arguments."""
        if not isinstance(self.name, str) or self.name.splitlines() != [self.name] or not self.name.strip():
            raise BadAlgorithm(f"an algorithm's name is one line of text, not {self.name!r}")
        try:
            parameters = self._parameters
        except (TypeError, ValueError):
            raise BadAlgorithm(f"{self.name} is not a function of ({', '.join(SIGNATURE)})") from None
        owner = f"{place_of_definition(self.direction)}{self.name}"
        if inspect.iscoroutinefunction(self.direction):
            raise BadAlgorithm(f"{owner} is a coroutine; an algorithm is a plain function")
        if self.weights:
            self._check_names(owner)
        elif self.arguments[: len(SIGNATURE)] != SIGNATURE or any(
            p.default is p.empty for p in list(parameters.values())[len(SIGNATURE) :]
        ):
            raise BadAlgorithm(
                f"{owner} takes ({', '.join(parameters)}); an algorithm takes ({', '.join(SIGNATURE)}), "
                "then at most parameters with defaults; one of vectors is declared with @learner"
            )
        self._check_defaults(owner)

    @functools.cached_property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.direction).parameters

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the function's arguments."""
        return tuple(self._parameters)

    @functools.cached_property
    def defaults(self) -> dict[str, Fraction]:
        """The parameters that its function has, with their defaults; a float means the decimal that is written."""
        defaults = {name: p.default for name, p in self._parameters.items() if p.default is not p.empty}
        return {name: Fraction(repr(float(v)) if isinstance(v, float) else v) for name, v in defaults.items()}

    def _check_names(self, owner: str) -> None:
        """Refuse names that weights and memory cannot have, and arguments that no step offers."""
        moves = (*self.weights, *self.memory)
        for moved in moves:
            if not moved.isidentifier() or moved in OFFERED or moves.count(moved) > 1:
                raise BadAlgorithm(f"{owner} declares {moved!r}; weights and memory have names of their own")
        if wrong := sorted(self.scalars - set(moves[1:])):
            allowed = f"are among {', '.join(moves[1:])}" if moves[1:] else "are weights beside the first, or memory"
            raise BadAlgorithm(f"{owner}: scalars {allowed}, not {', '.join(wrong)}")
        for p in self._parameters.values():
            known = p.name in OFFERED or p.name in moves
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) or known is (p.default is not p.empty):
                allowed = ", ".join((*OFFERED, *moves))
                why = "is given at each step, so it has no default" if known else "is not offered"
                raise BadAlgorithm(f"{owner}: {p.name} {why}; a step offers {allowed}; parameters have defaults")

    def _check_defaults(self, owner: str) -> None:
        """Refuse defaults that are no numbers, and parameters that the function assigns to: what is kept is memory."""
        defaults = {p.name: p.default for p in self._parameters.values() if p.default is not p.empty}
        for name, default in defaults.items():
            exact = isinstance(default, numbers.Rational)  # math.isfinite fails for one that no float holds
            if not exact and not (isinstance(default, numbers.Real) and math.isfinite(default)):
                raise BadAlgorithm(f"{owner}: the default of {name} is {reprlib.repr(default)}, not a finite number")
        for name in sorted(assignments(self.direction).keys() & defaults.keys()):
            raise BadAlgorithm(
                f"{place_of_assignment(self.direction, name)}{self.name} assigns to its parameter {name}, which keeps "
                f'its default at every step: declare it as memory (@learner(weights="w", memory="{name}")), or '
                "give what is assigned another name"
            )

"""A step-size rule: elementwise functions that turn one component's direction into its step, plus data."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tdrc_theory.frozen import Frozen

StepFunction = Callable[..., tuple[Any, ...]]


@dataclass(frozen=True, eq=False)
class StepSize:
    """A step-size rule.

    w and h are moved by the same rule with accumulators of their own, w with step size alpha and h with eta alpha.

    Attributes:
        name: what it is called in options and reports.
        function: `(g, t, alpha, *state, *parameters) -> (step, *state)` for one component: g is its direction, with
            all that belongs to it (-beta h), and t counts updates from 1. Its arguments are found by their names.
        state: the accumulators of one component with their first values.
        parameters: numbers that may be chosen, with their defaults; positive.
        schedule: `(t, alpha, *parameters) -> alpha_t`, the step size that `function` is given at update t; None where
            that is alpha itself.
        source: where the rule stands.
    """

    name: str
    function: StepFunction
    state: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, float] = field(default_factory=dict)
    schedule: Callable[..., Any] | None = None
    source: str = ""

    def __post_init__(self) -> None:
        """Freeze the data and check that the functions' arguments are among them."""
        object.__setattr__(self, "state", Frozen(self.state))
        object.__setattr__(self, "parameters", Frozen(self.parameters))
        known = {"g", "t", "alpha", *self.state, *self.parameters}
        assert set(arguments(self.function)) <= known, self.name
        assert self.schedule is None or set(arguments(self.schedule)) <= known - {"g", *self.state}, self.name

    def __repr__(self) -> str:
        return f"StepSize({self.name!r})"


def arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's arguments, in order."""
    return tuple(inspect.signature(function).parameters)

"""A step-size rule: elementwise functions that turn one component's direction into its step, plus data."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from tdrc_theory.errors import BadOption
from tdrc_theory.frozen import Frozen
from tdrc_theory.parameters import parameter

StepFunction = Callable[..., tuple[Any, ...]]


class RobbinsMonro(NamedTuple):
    """Whether step sizes have an infinite sum and a finite sum of squares (the hypotheses of Theorem 3.1)."""

    sum_is_infinite: bool
    sum_of_squares_is_finite: bool


@dataclass(frozen=True, eq=False)
class StepSize:
    """A step-size rule.

    w and h are moved by the same rule with accumulators of their own, w with step size alpha and h with eta alpha.

    Attributes:
        name: what it is called in options and reports.
        function: `(g, t, alpha, *state, *parameters) -> (step, *state)` for one component: g is its direction, with
            all that belongs to it (-beta h), and t counts updates from 1. Its arguments are found by their names.
        state: the accumulators of one component with their first values.
        parameters: numbers that may be chosen, with their defaults.
        schedule: `(t, alpha, *parameters) -> alpha_t`, the step size that `function` is given at update t; None where
            that is alpha itself.
        rates: those of the parameters that are in [0, 1); the others are above 0.
        power: the p of step sizes that fall like t^-p, or the parameter that is p; None where they depend on the data.
    """

    name: str
    function: StepFunction
    state: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, float] = field(default_factory=dict)
    schedule: Callable[..., Any] | None = None
    rates: tuple[str, ...] = ()
    power: int | str | None = None

    def __post_init__(self) -> None:
        """Freeze the data and check that the functions' arguments are among them."""
        object.__setattr__(self, "state", Frozen(self.state))
        object.__setattr__(self, "parameters", Frozen(self.parameters))
        known = {"g", "t", "alpha", *self.state, *self.parameters}
        assert set(arguments(self.function)) <= known, self.name
        assert self.schedule is None or set(arguments(self.schedule)) <= known - {"g", *self.state}, self.name

    def chosen(self, asked: Mapping[str, Any]) -> dict[str, Fraction]:
        """Return all parameters, exact: those that are asked for, and the defaults of the others.

        Raises:
            BadOption: there is no parameter of that name, or the number is out of range.
        """
        for name in asked.keys() - self.parameters.keys():
            allowed = ", ".join(self.parameters) or "none"
            raise BadOption(f"--parameter: {self.name} has no parameter {name}; it has {allowed}")
        checked = {name: parameter(name, asked.get(name, default)) for name, default in self.parameters.items()}
        for name, value in checked.items():
            if not self.allows(name, value):
                raise BadOption(f"--parameter: {name} is {value}; it is {self.allowed(name)}")
        return checked

    def allows(self, name: str, value: Fraction) -> bool:
        """Return whether a parameter may have a value."""
        return 0 <= value < 1 if name in self.rates else value > 0

    def allowed(self, name: str) -> str:
        """Return in words what a parameter may be."""
        return "at least 0 and below 1" if name in self.rates else "above 0"

    def robbins_monro(self, parameters: Mapping[str, Fraction]) -> RobbinsMonro | None:
        """Return which of the theorem's conditions on step sizes hold; None where these depend on the data.

        Of alpha_t = alpha / (1 + t / tau)^p, the sum is infinite exactly where p <= 1, for any positive alpha and tau;
        so that of the squares is finite exactly where 2 p > 1. p is exact, so the boundary cases are decided.
        """
        if self.power is None:
            return None
        power = parameters[self.power] if isinstance(self.power, str) else Fraction(self.power)
        return RobbinsMonro(power <= 1, 2 * power > 1)

    def __repr__(self) -> str:
        return f"StepSize({self.name!r})"


def arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's arguments, in order."""
    return tuple(inspect.signature(function).parameters)

"""The contract: one function, as a paper prints the update, and the names of what it moves. All else is derived."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import numbers
import reprlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadAlgorithm, BadOption, errors_at
from tdrc_theory.exact.number import exact, from_fmpq, to_fmpq
from tdrc_theory.frozen import Frozen
from tdrc_theory.learner.quantity import Key
from tdrc_theory.learner.recording import (
    RecordedStep,
    Step,
    assignments,
    place,
    place_of_assignment,
    place_of_return,
    step_of_components,
    step_of_vectors,
)
from tdrc_theory.learner.step_data import AGAIN, OF_ACTION_VALUES, OFFERED
from tdrc_theory.learner.trace import Trace, Way, trace
from tdrc_theory.parameters import RANGES, out_of_range, parameter

__all__ = ["Algorithm", "Step", "learner"]

SIGNATURE = ("x", "x_next", "h", "delta", "delta_hat", "rho", "gamma", "beta")
"""The arguments of a function of one component, which returns (dw, dh)."""

Direction = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Algorithm:
    """A linear learner: what is declared of it, and all that its function says.

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
        fixed: parameters that the algorithm sets itself (TDC is TDRC with beta = 0).
        source: where its equation stands.
        own_fixed_points: True where the algorithm by design solves another equation than A w = b (V-trace).
        solves: the learner whose fixed points it is designed to have; None for those of TD, A w = b.
    """

    name: str
    direction: Direction
    weights: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    scalars: frozenset[str] = frozenset()
    fixed: Mapping[str, Fraction] = field(default_factory=dict)
    source: str = ""
    own_fixed_points: bool = False
    solves: Algorithm | None = None

    def __post_init__(self) -> None:
        """Check what is declared, and the parameters that it fixes."""
        if not isinstance(self.name, str) or self.name.splitlines() != [self.name] or not self.name.strip():
            raise BadAlgorithm(f"an algorithm's name is one line of text, not {self.name!r}")
        try:
            parameters = self._parameters
        except (TypeError, ValueError):
            raise BadAlgorithm(f"{self.name} is not a function of ({', '.join(SIGNATURE)})") from None
        owner = f"{place(self.direction)}{self.name}"
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
        known = {*self.defaults, *(() if self.weights else ("beta", "eta"))}
        if unknown := sorted(set(self.fixed) - known):
            raise BadAlgorithm(f"{self.name} fixes {unknown}; only {' and '.join(sorted(known))} can be fixed")
        object.__setattr__(self, "fixed", Frozen({k: self._fixed(k, v) for k, v in self.fixed.items()}))

    def _fixed(self, key: str, value: Any) -> Fraction:
        with errors_at(BadAlgorithm, f"{self.name} fixes {key}"):
            number = exact(value)
        if not isinstance(number, Fraction) or out_of_range(key, number):
            allowed = f" {RANGES[key].allowed}" if key in RANGES else ""
            raise BadAlgorithm(f"{self.name} fixes {key} at {number}; {key} is a fraction{allowed}")
        return number

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

    @functools.cached_property
    def recorded(self) -> RecordedStep:
        """The record of its function, from which all that is known of it is read.

        Raises:
            BadAlgorithm: the function does what is not recorded, or remembers something between its calls.
        """
        function = self.name, self.direction, self.arguments, self.defaults
        return (
            step_of_vectors(*function, self.weights, self.memory, self.scalars)
            if self.weights
            else step_of_components(*function)
        )

    @functools.cached_property
    def trace(self) -> Trace:
        """The normal form of its function.

        Raises:
            NotAffine: the update is not affine in the weights; the message has the offending term.
            BadAlgorithm: the function is not arithmetic on its arguments.
        """
        return trace(self.placed_name, self.recorded, self.defaults)

    @property
    def placed_name(self) -> str:
        """Its name after the place where its function returns, as messages about what it returns begin."""
        return f"{place_of_return(self.direction)}{self.name}"

    @functools.cached_property
    def for_action_values(self) -> bool:
        """Whether it reads what only a problem with features by state and action offers."""
        return any(self.trace.reads(name) for name in OF_ACTION_VALUES)

    @functools.cached_property
    def second(self) -> tuple[str, ...]:
        """What it reads of a second transition from the same place, in the order of AGAIN."""
        return tuple(name for name in AGAIN if name in self.recorded.names)

    @property
    def remembers(self) -> bool:
        """Whether it depends on earlier steps: it has memory, or reads the importance ratio of the step before."""
        return bool(self.memory) or "rho_before" in self.trace.names

    @property
    def stacked(self) -> tuple[str, ...]:
        """The names of varrho's parts, that of the value estimate last."""
        return self.trace.weights

    def size(self, k: int) -> int:
        """Return the number of weights with k features."""
        return sum(1 if name in self.scalars else k for name in self.stacked)

    def at(self, values: Mapping[str, Fraction]) -> dict[str, dict[Key, Fraction]]:
        """Return the normal form where every number that it depends on is known: {row: {factors: number}}.

        Raises:
            BadAlgorithm: it divides by 0 there.
        """
        way = next(way for way in self.trace.ways if way.is_open(values))  # one always is
        point = {name: to_fmpq(values[name]) for name in self.trace.names if name in values}
        with self.placed_errors():
            return {
                row: {key: from_fmpq(value) for key, c in terms.items() if (value := c.at_point(point))}
                for row, terms in way.rows.items()
            }

    def bound(self, values: Mapping[str, Fraction]) -> tuple[Way, ...]:
        """Return the normal form with numbers for some names; BadAlgorithm where it divides by 0 there."""
        ways = self.trace.ways
        with self.placed_errors():
            return tuple(bound for way in ways if (bound := way.bound(values)) is not None)

    @contextlib.contextmanager
    def placed_errors(self) -> Iterator[None]:
        """Begin what is refused of the function's equation, which is read already, with `placed_name`."""
        try:
            yield
        except BadAlgorithm as error:
            raise BadAlgorithm(f"{self.placed_name} {error}") from None

    @functools.cached_property
    def own_parameters(self) -> tuple[str, ...]:
        """The names of the parameters that the update depends on; eta wherever a function of components has h."""
        if self.weights:
            return tuple(name for name in self.defaults if name in self.trace.names)
        used = self.trace.names | ({"eta"} if "h" in self.stacked else set())
        return tuple(name for name in ("beta", "eta", *self.defaults) if name in used)

    def parameters(self, asked: Mapping[str, Any], own: Collection[str] | None = None) -> Frozen:
        """Return {name: value} of the parameters that are used: as it fixes them, else as asked for, else default.

        beta and eta may be asked of a learner that has none.

        Args:
            asked: numbers by name, as `parameter` reads them; None is not asked.
            own: the names of those that are used; default: `own_parameters`.

        Raises:
            BadOption: a name that it lacks, or a value that is no fraction, too long a one, or out of range.
        """
        values = {name: parameter(name, value) for name, value in asked.items() if value is not None}
        own = self.own_parameters if own is None else own
        if unknown := sorted(set(values) - {"beta", "eta", *own, *self.fixed}):
            have = f"it has {', '.join(own)}" if own else "it has none"
            raise BadOption(f"--set: {self.name} has no parameter {unknown[0]}; {have}")
        return Frozen({n: self.fixed.get(n, values.get(n, self.defaults.get(n, Fraction(1)))) for n in own})

    def with_(self, *, name: str, source: str | None = None, **fixed: Any) -> Algorithm:
        """Return it under another name, with some of its parameters fixed."""
        return replace(self, name=name, fixed={**self.fixed, **fixed}, source=self.source if source is None else source)

    def __reduce__(self) -> tuple[Any, ...]:
        return Algorithm, tuple(getattr(self, each.name) for each in fields(self))

    def __repr__(self) -> str:
        return f"Algorithm({self.name!r}, source={self.source!r})"


def learner(
    *,
    weights: str,
    memory: str = "",
    scalars: str = "",
    name: str | None = None,
    source: str = "",
    own_fixed_points: bool = False,
    solves: Algorithm | None = None,
) -> Callable[[Direction], Algorithm]:
    """Return a decorator that makes a learner of a function of vectors and numbers.

    Args:
        weights: names of what is learned, separated by spaces, that of the value estimate first.
        memory: names of what is kept from step to step: traces, the follow-on.
        scalars: those of them that are numbers; the others are vectors like x.
        name: what it is called; default: the function's name, with hyphens.
        source, own_fixed_points, solves: see `Algorithm`.

    >>> from tdrc_theory.learner import dot
    >>> @learner(weights="w", memory="e")
    ... def accumulating(x, x_next, w, e, rho, gamma, reward, lam=0):
    ...     e = rho * (gamma * lam * e + x)
    ...     return Step(w=(reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e)
    >>> accumulating.own_parameters
    ('lam',)
    """

    def declare(function: Direction) -> Algorithm:
        if inspect.isfunction(function):  # the algorithm takes its name, by which pickle would look for it
            function.__qualname__ += ".direction"
        return Algorithm(
            name=name or getattr(function, "__name__", "").replace("_", "-"),
            direction=function,
            source=source,
            own_fixed_points=own_fixed_points,
            weights=tuple(weights.split()),
            memory=tuple(memory.split()),
            scalars=frozenset(scalars.split()),
            solves=solves,
        )

    return declare

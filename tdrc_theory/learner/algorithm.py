"""The contract: one function, as a paper prints the update, and the names of what it moves. All else is derived."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadAlgorithm, BadNumber, BadOption
from tdrc_theory.exact.number import exact, from_fmpq, to_fmpq
from tdrc_theory.frozen import Frozen
from tdrc_theory.learner.declaration import Declaration, Direction
from tdrc_theory.learner.place import place_of_return
from tdrc_theory.learner.quantity import Key
from tdrc_theory.learner.recording import RecordedStep, Step, step_of_components, step_of_vectors
from tdrc_theory.learner.step_data import AGAIN, OF_ACTION_VALUES
from tdrc_theory.learner.trace import Trace, Way, trace
from tdrc_theory.parameters import RANGES, out_of_range, parameter

__all__ = ["Algorithm", "Step", "learner"]


@dataclass(frozen=True, eq=False)
class Algorithm(Declaration):
    """A linear learner: what is declared of it, and all that its function says.

    Attributes:
        fixed: parameters that the algorithm sets itself (TDC is TDRC with beta = 0).
        source: where its equation stands.
        own_fixed_points: True where the algorithm by design solves another equation than A w = b (V-trace).
        solves: the learner whose fixed points it is designed to have; None for those of TD, A w = b.
    """

    fixed: Mapping[str, Fraction] = field(default_factory=dict)
    source: str = ""
    own_fixed_points: bool = False
    solves: Algorithm | None = None

    def __post_init__(self) -> None:
        """Check what is declared, and the parameters that it fixes."""
        super().__post_init__()
        known = {*self.defaults, *(() if self.weights else ("beta", "eta"))}
        if unknown := sorted(set(self.fixed) - known):
            raise BadAlgorithm(f"{self.name} fixes {unknown}; only {' and '.join(sorted(known))} can be fixed")
        object.__setattr__(self, "fixed", Frozen({k: self._fixed(k, v) for k, v in self.fixed.items()}))

    def _fixed(self, key: str, value: Any) -> Fraction:
        try:
            number = exact(value)
        except BadNumber as error:
            raise BadAlgorithm(f"{self.name} fixes {key}: {error}") from None
        if not isinstance(number, Fraction) or out_of_range(key, number):
            allowed = f" {RANGES[key].allowed}" if key in RANGES else ""
            raise BadAlgorithm(f"{self.name} fixes {key} at {number}; {key} is a fraction{allowed}")
        return number

    @functools.cached_property
    def recorded(self) -> RecordedStep:
        """The record of its function, from which all that is known of it is read.

        Raises:
            BadAlgorithm: the function does what is not recorded, or remembers something between its calls.
        """
        return step_of_vectors(self) if self.weights else step_of_components(self)

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
        with self.placed_errors():
            rows = way.at_point({name: to_fmpq(values[name]) for name in self.trace.names if name in values})
        return {row: {key: from_fmpq(value) for key, value in terms.items()} for row, terms in rows.items()}

    def bound(self, values: Mapping[str, Fraction]) -> tuple[Way, ...]:
        """Return the normal form with numbers for some names.

        Raises:
            BadAlgorithm: it divides by 0 there.
        """
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
        values = {each.name: getattr(self, each.name) for each in fields(self)} | {"fixed": dict(self.fixed)}
        return Algorithm, tuple(values.values())

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

"""The values at which a formula is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tdrc_theory.formula.expression import Expr
from verify.refute.rows import Rows


@dataclass(frozen=True)
class Instance:
    """Values at which a formula is looked at.

    Attributes:
        dimension: d.
        values: rows of numbers for each symbol; scalars are 1 x 1.
        transitions: each a probability and the values of rho, R, x and x' there; what E ranges over.
        origin, changed: the instance that this one differs from in one symbol, and that symbol.
        computed: the values of costly parts of formulas here.
    """

    dimension: int
    values: Mapping[str, Rows]
    transitions: tuple[tuple[Any, Mapping[str, Rows]], ...] = field(default=())
    origin: Instance | None = field(default=None, repr=False, compare=False)
    changed: str = field(default="", repr=False, compare=False)
    computed: dict[Expr, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def with_value(self, name: str, rows: Rows) -> Instance:
        """Return the instance with another value of a symbol."""
        return Instance(self.dimension, {**self.values, name: rows}, self.transitions, self, name)

"""One way through the comparisons of a learner's function, and what the function returns on it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from tdrc_theory.learner.coefficient import Coefficient
from tdrc_theory.learner.fork import Condition
from tdrc_theory.learner.quantity import REWARD, Key

Terms = dict[Key, Coefficient]


class Way(NamedTuple):
    """One way through the function's comparisons.

    Attributes:
        conditions: what the numbers of the step have to satisfy.
        rows: {weights: direction, memory: value after the step}, each {factors: coefficient}.
    """

    conditions: tuple[Condition, ...]
    rows: dict[str, Terms]

    def is_open(self, values: Mapping[str, Fraction]) -> bool:
        """Return whether its conditions hold at these values."""
        return all(condition.holds(values) for condition in self.conditions)

    def bound(self, values: Mapping[str, Fraction]) -> Way | None:
        """Return it with numbers for some names; None where its conditions do not hold there."""
        conditions = [condition.bound(values) for condition in self.conditions]
        if any(condition.decided() is False for condition in conditions):
            return None
        rows = {row: {key: c.bound(values) for key, c in terms.items()} for row, terms in self.rows.items()}
        rows = {row: {key: c for key, c in terms.items() if c} for row, terms in rows.items()}
        return Way(tuple(c for c in conditions if c.decided() is None), rows)

    def with_reward_apart(self) -> Way | None:
        """Return it with the reward among the factors, not in coefficients; None where it is not affine in it."""
        if any("reward" in condition.names for condition in self.conditions):
            return None
        rows: dict[str, Terms] = {}
        for row, terms in self.rows.items():
            found: Terms = {}
            for (atoms, vectors), c in terms.items():
                parts = c.split("reward")
                if parts is None:
                    return None
                for key, part in zip(
                    ((atoms, vectors), (tuple(sorted((*atoms, REWARD))), vectors)), parts, strict=True
                ):
                    if part:
                        found[key] = part
            rows[row] = found
        return Way(self.conditions, rows)

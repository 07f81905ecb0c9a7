"""A learner as a row of a table: its weights, its memory, its parameters, and the source of its equation."""

from __future__ import annotations

from typing import NamedTuple

from tdrc_theory.exact.number import number_text
from tdrc_theory.learner.algorithm import Algorithm


class Listed(NamedTuple):
    """A learner in words.

    Attributes:
        name: as options take it.
        weights: what it learns, the value estimate first.
        memory: what it keeps from step to step; "-" for nothing.
        parameters: with their defaults, or the values that it fixes; "-" for none.
        source: where its equation stands.
    """

    name: str
    weights: str
    memory: str
    parameters: str
    source: str


def listed(algorithm: Algorithm) -> Listed:
    """Return a learner in words.

    >>> from tdrc_theory.algorithms import TDC
    >>> listed(TDC).parameters
    'beta = 0 fixed, eta = 1'
    """
    values = [
        f"{name} = {number_text(value)}{' fixed' if name in algorithm.fixed else ''}"
        for name, value in algorithm.parameters({}).items()
    ]
    weights = (algorithm.stacked[-1], *algorithm.stacked[:-1])
    return Listed(
        algorithm.name,
        _names(weights, algorithm),
        _names(algorithm.memory, algorithm) or "-",
        ", ".join(values) or "-",
        algorithm.source,
    )


def _names(names: tuple[str, ...], algorithm: Algorithm) -> str:
    return ", ".join(f"{name} (number)" if name in algorithm.scalars else name for name in names)

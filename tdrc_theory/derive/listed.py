"""A learner as a row of a table: its weights, its memory, its parameters, and the source of its equation."""

from __future__ import annotations

from typing import NamedTuple

from tdrc_theory.exact.number import number_text
from tdrc_theory.learner.algorithm import Algorithm


class Listed(NamedTuple):
    """A learner in words: weights, the value estimate first, memory, and parameters as they are used; "-" for none."""

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
    weights, memory = (
        ", ".join(f"{name} (number)" if name in algorithm.scalars else name for name in names)
        for names in ((algorithm.stacked[-1], *algorithm.stacked[:-1]), algorithm.memory)
    )
    return Listed(algorithm.name, weights, memory or "-", ", ".join(values) or "-", algorithm.source)

"""Weights that are copied from others after every so many updates, as a target network's are in deep learning."""

from __future__ import annotations

from dataclasses import dataclass

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm

LONGEST = 10**6
"""Updates of a period."""


@dataclass(frozen=True, slots=True)
class Copy:
    """`target` becomes `source` at the start and after every `period` updates, and does not move in between.

    What the learner's function returns for `target` is left aside.
    """

    target: str
    source: str
    period: int

    def __str__(self) -> str:
        return f"{self.target} <- {self.source} every {self.period} updates"


def copy_of(algorithm: Algorithm, written: str | None, period: int | None) -> Copy | None:
    """Return the copy that `--copy TARGET=SOURCE` and `--period N` name, None where there is none.

    Raises:
        BadOption: one of them is missing, no such weights, weights of another kind, or a period out of range.
    """
    if written is None and period is None:
        return None
    if written is None or period is None:
        missing, there = ("period", "copy") if period is None else ("copy", "period")
        raise BadOption(f"--{there}: --{missing} is missing; both say what is copied, and after how many updates")
    target, equals, source = written.partition("=")
    weights = algorithm.stacked
    if not equals or target not in weights or source not in weights or target == source:
        raise BadOption(
            f"--copy: {written!r} is not TARGET=SOURCE, two of the weights of {algorithm.name}: {', '.join(weights)}"
        )
    if (target in algorithm.scalars) is not (source in algorithm.scalars):
        raise BadOption(f"--copy: {target} and {source} are not both vectors, nor both numbers")
    if not 1 <= period <= LONGEST:
        raise BadOption(f"--period: {period} is not from 1 to {LONGEST}")
    return Copy(target, source, period)

"""What is asked of a page, and what is found of one of its subjects, in short."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from verify.conditions.fixed_points import Bias


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for, the same for all subjects of a page.

    Attributes:
        command: the arguments that make the page again.
        prove: whether the proof assistant is asked, which takes up to a minute.
        simulate: whether sections may run learners, which takes a while.
        alpha, steps, sampling, runs, every, seed, workers: of the learning curves, as the options of that name; None
            leaves alpha to the problem.
        store: a file in which runs are kept; None keeps none.
        control: files that `simulate.control --json` wrote.
        place_and_time: whether the page says when and where it was made, which no two builds share.
    """

    command: tuple[str, ...] = ()
    prove: bool = False
    simulate: bool = False
    alpha: Fraction | None = None
    steps: int = 1000
    sampling: str | None = None
    runs: int = 1000
    every: int | None = None
    seed: int = 0
    workers: int | None = None
    store: Path | None = None
    control: tuple[Path, ...] = ()
    place_and_time: bool = True


@dataclass(frozen=True, slots=True)
class Headline:
    """What is found of a subject, in short.

    Attributes:
        reason: a sentence.
        status, proof: the verdict and its kind of evidence; "" for what has no verdict.
        bias: what stands beside the verdict.
    """

    reason: str
    status: str = ""
    proof: str = ""
    bias: Bias | None = None

    def __str__(self) -> str:
        """Return it as plain text."""
        if not self.status:
            return self.reason
        bias = "" if self.bias is None else f"; {self.bias}"
        return f"{self.status} ({self.proof}){bias}. {self.reason}"

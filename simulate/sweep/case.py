"""What every experiment has, of prediction and of control: configurations, what is measured of them, and a figure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from simulate.work import Work
from tdrc_theory.errors import BadExperiment
from tdrc_theory.problem.reader import shown

Place = Mapping[str, Any]
"""What a problem is run with, by name, such as steps; shown where it differs."""


class Configuration(NamedTuple):
    """One configuration of an algorithm and a rule; `parameters` are those of both, by name, with their values."""

    alpha: Fraction
    parameters: tuple[tuple[str, Fraction], ...]

    def value(self, name: str) -> Fraction | None:
        """Return alpha or a parameter; None where there is none of that name."""
        return self.alpha if name == "alpha" else dict(self.parameters).get(name)


class Measure(NamedTuple):
    """What is measured of a run.

    Attributes:
        name: shown.
        column: in tables.
        axis: of a figure, of its average over a run.
        larger_is_better: whether the best configuration is that with the largest average.
        log: base of the axis, None for a linear one.
    """

    name: str
    column: str
    axis: str
    larger_is_better: bool
    log: int | None = None


class Case(NamedTuple):
    """One problem with one algorithm and rule in all of their configurations.

    Attributes:
        problem, place: what is learnt.
        algorithm, step_size: names.
        configurations: the configurations, a lane of the piece each.
        piece: what is computed.
        measure: what is measured.
        counted: what the points of a learning curve count, such as updates.
        points: of the learning curve.
        extends: whether the grid of alpha goes on until the best is inside it, see `simulate.sweep.study`.
        along: a parameter of which the best at each value is to be inside; None where only the best of all is.
    """

    problem: str
    place: Place
    algorithm: str
    step_size: str
    configurations: list[Configuration]
    piece: Work
    measure: Measure
    counted: str
    points: range
    extends: bool = False
    along: str | None = None


class FigureAxes(NamedTuple):
    """What the figure shows.

    Attributes:
        along: the horizontal axis; at each of its values the best of the other parameters counts.
        by: a parameter with a curve of its own for each value; None for a curve an algorithm and rule.
        baseline: name of the algorithm from which deviations are shown instead of areas; None for areas.
    """

    along: str
    by: str | None
    baseline: str | None

    def check_axes(self, axes: Sequence[str]) -> None:
        """Return if it is drawn along axes that there are.

        Raises:
            BadExperiment: one is not there.
        """
        for key, value in (("along", self.along), ("by", self.by)):
            if value is not None and value not in axes:
                raise BadExperiment(f"figure.{key}: {shown(value)} is none; allowed: {', '.join(axes)}")


@dataclass(frozen=True, eq=False, kw_only=True)
class Experiment(ABC):
    """A parameter study; everything that its numbers depend on is in it.

    Attributes:
        name: one line.
        runs, seed: run i of a seed has the same random numbers in every configuration.
        figure: what it shows.
    """

    name: str
    runs: int
    seed: int
    figure: FigureAxes

    @property
    def remarks(self) -> list[str]:
        """Return what a reader should know of what is learnt, one a line."""
        return []

    @property
    def how(self) -> list[str]:
        """Return how it is run, in a few words each."""
        return []

    @property
    @abstractmethod
    def averaged(self) -> str:
        """Return over what the measure is averaged in a run."""

    @property
    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Return how it is run, as JSON types."""

    @abstractmethod
    def cases(self) -> Iterator[Case]:
        """Yield what is run, each configuration once even where grids overlap."""

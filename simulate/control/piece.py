"""A piece of a study in control: configurations of networks or of linear agents over some runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace
from importlib import metadata
from pathlib import Path
from typing import ClassVar

import numpy as np

from simulate.control.device import find_device
from simulate.control.history import AgentSettings, History, diverged, measured, summaries
from simulate.control.linear.learner import agent_text, learn
from simulate.control.settings import Settings
from simulate.work import NEVER, RUNS, RunOutcome, Work, finite_or_inf, versions
from tdrc_theory.cli.cache_folder import source_hash
from tdrc_theory.cli.extras import missing
from tdrc_theory.exact.number import number_text

CURVE = 100
"""Points of a learning curve, at most."""

GAMES, RUNS_OF_A_GAME = "minatar:", 5
"""Runs of a game that are one block: as fast as more together, and half a day of a core at the paper's length."""


@dataclass(frozen=True, eq=False)
class ControlPiece(Work):
    """Some runs of several configurations of one agent; the runs of one configuration learn together.

    Attributes:
        environment: its name.
        configurations: settings of networks, or of linear agents.
        seed: with the number of a run it determines everything.
    """

    environment: str
    configurations: tuple[AgentSettings, ...]
    seed: int

    together: ClassVar[int] = 1

    @property
    def processes(self) -> bool:
        """Return whether networks learn: Python runs between their operations, one thread at a time."""
        return isinstance(self.configurations[0], Settings)

    @property
    def width(self) -> int:
        """Return the number of configurations."""
        return len(self.configurations)

    @property
    def updates(self) -> int:
        """Return how many updates it takes, at most; an episode that nothing cuts off counts as 1000 steps."""
        steps = (
            (one.steps or (one.episodes or 0) * (one.cutoff or 1000)) * getattr(one, "updates_per_step", 1)
            for one in self.configurations
        )
        return sum(steps) * len(self.runs)

    @property
    def points(self) -> range:
        """Return the episodes, or the steps in the environment, at which the learning curve is given."""
        first = self.configurations[0]
        length = first.episodes or first.steps
        assert length is not None, "one of them says how long a run is"
        every = -(-length // CURVE)
        return range(every, length + 1, every)

    @property
    def block(self) -> int:
        """Return how many runs learn together, at most."""
        return RUNS_OF_A_GAME if self.environment.startswith(GAMES) else RUNS

    def of_lanes(self, chosen: list[int]) -> ControlPiece:
        """Return the piece with these of its configurations only."""
        return replace(self, configurations=tuple(self.configurations[lane] for lane in chosen))

    def keys(self) -> list[bytes]:
        """Return a key for each configuration: a hash of everything that its outcome depends on.

        Raises:
            MissingExtra: what it is computed with is not installed.
        """
        shared = (self.environment, self.seed, self.runs.start, self.runs.stop, sources(), self._versions())
        keys = []
        for one in self.configurations:
            written = {field.name: str(getattr(one, field.name)) for field in fields(one)}
            if not isinstance(one, Settings):
                written |= {"agent": one.agent.name, "loop": agent_text(one.agent)}
            keys.append(hashlib.sha256(repr((shared, sorted(written.items()))).encode()).digest())
        return keys

    def descriptions(self) -> list[str]:
        """Return a line for each configuration that says what it is."""
        runs, lines = f"runs {self.runs.start} to {self.runs.stop - 1}", []
        for one in self.configurations:
            names = ("alpha", "eta", "beta", "target_every", "updates_per_step")
            values = [(name, value) for name in names if (value := getattr(one, name, None)) is not None]
            differs = (f"{name} {value if isinstance(value, int) else number_text(value)}" for name, value in values)
            lines.append(", ".join([self.environment, one.algorithm, *differs, runs]))
        return lines

    def compute(self) -> RunOutcome:
        """Run every configuration to the end; the curve has some of the times, the area is over all."""
        by_episode = self.configurations[0].episodes
        places = np.array(self.points) - 1 if by_episode else np.arange(len(self.points))
        columns = []
        for one in self.configurations:
            history = self.history(one)
            lost = diverged(history)
            whole = np.where(lost[:, None] < 0, measured(history, self.points), np.inf)
            kept = whole[:, places]
            with np.errstate(invalid="ignore"):
                mean = kept.mean(axis=0)
                m2 = ((kept - mean) ** 2).sum(axis=0)
            columns.append((finite_or_inf(mean), finite_or_inf(m2), finite_or_inf(whole.mean(axis=1)), lost))
        return RunOutcome(*(np.stack(arrays, axis=1) for arrays in zip(*columns, strict=True)))

    def history(self, one: AgentSettings) -> History:
        """Run one configuration to the end.

        Raises:
            MissingExtra: it has networks, and torch cannot be imported.
        """
        if not isinstance(one, Settings):
            return learn(one, self.runs, seed=self.seed, workers=1)
        find_device("cpu")
        from simulate.control.training import train

        return train(one, self.runs, seed=self.seed)

    @property
    def version(self) -> str:
        """Return by what it is computed."""
        return ", ".join([f"control {sources()[:16]}", *self._versions()])

    def _versions(self) -> list[str]:
        packages = ["torch"] if self.processes else ["llvmlite"]
        packages += [name for name in ("gymnasium", "minatar") if self.environment.startswith(f"{name}:")]
        try:
            return versions("numpy", *packages)
        except metadata.PackageNotFoundError as error:
            extra = "minatar" if error.name == "minatar" else "control"
            raise missing("networks need", error.name, extra) from None


def sources() -> str:
    """Return a hash of the source of everything in this package: a change of any of it makes other keys."""
    return source_hash(Path(__file__).parent)


@dataclass(frozen=True, eq=False)
class SummaryPiece(ControlPiece):
    """Some runs of one configuration, of which each summary is a lane: its number for each run is the area.

    Attributes:
        names: of the summaries.
    """

    names: tuple[str, ...]

    together: ClassVar[int] = 10**6

    @property
    def width(self) -> int:
        """Return the number of summaries."""
        return len(self.names)

    def of_lanes(self, chosen: list[int]) -> SummaryPiece:
        """Return the piece with these of its summaries only."""
        return replace(self, names=tuple(self.names[lane] for lane in chosen))

    def keys(self) -> list[bytes]:
        """Return a key for each summary: a hash of everything that it depends on; see `ControlPiece.keys`."""
        (shared,) = super().keys()
        return [hashlib.sha256(shared + name.encode()).digest() for name in self.names]

    def descriptions(self) -> list[str]:
        """Return a line for each summary that says what it is."""
        (whole,) = super().descriptions()
        return [f"{whole}, {name}" for name in self.names]

    def compute(self) -> RunOutcome:
        """Run the configuration to the end."""
        numbers = summaries(self.history(*self.configurations))
        area = np.stack([numbers[name] for name in self.names], axis=1)
        nothing = np.empty((0, self.width))
        return RunOutcome(nothing, nothing, area, np.full(area.shape, NEVER))

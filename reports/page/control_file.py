"""What `simulate.control --json` wrote, read again: somebody's file, so every part of it is looked at."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tdrc_theory.errors import BadOption
from tdrc_theory.figures.panel import Curve

LARGEST = 1 << 28
"""Bytes of a file that is read."""
_FARTHEST = 1e300
"""What is beyond counts as not known: no axis reaches there."""
RECORDS = {
    "h_norm": "norm of h",
    "error_norm": "norm of the error's part",
    "correction_norm": "norm of the correction",
    "largest_value": "largest action value",
    "peak_value": "its peak since the point before",
}
"""What is recorded beside episodes, as a reader knows it."""

Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ControlRuns:
    """Runs of one learner in one environment.

    Attributes:
        file: where they were read.
        environment, settings: what was run, as text.
        runs, seed: how many, and what determines them.
        measure: what an episode is measured by.
        by_episode: whether the learning curve is by episodes, rather than by steps.
        interval: what an interval is.
        learning: the learning curve, a mean over runs with its interval at each point; nan where it is not known.
        records: by name, what was recorded besides, after updates, likewise.
        mean, late: (value, lower, upper) of all episodes, and of the last ones.
        stuck, diverged: numbers of runs; None where it is not known.
    """

    file: str
    environment: str
    settings: Mapping[str, str]
    runs: int
    seed: int
    measure: str
    by_episode: bool
    interval: str
    learning: Curve
    records: Mapping[str, Curve]
    mean: Numbers
    late: Numbers
    stuck: int | None
    diverged: int | None


def read_control(path: Path) -> ControlRuns:
    """Return the runs of a file.

    Raises:
        BadOption: it cannot be read, or is not what `simulate.control --json` writes; the message names file and key.
    """
    where = " ".join(str(path).splitlines())
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise BadOption(f"--with-control: {where}: more than {LARGEST} bytes")
        data = json.loads(content, parse_constant=_refused)
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, BadOption):
            raise
        reason = error.strerror or error if isinstance(error, OSError) else "it is not a JSON document"
        raise BadOption(f"--with-control: {where}: cannot be read: {reason}") from None
    return _Reader(where, data).runs()


def _refused(constant: str) -> Any:
    raise ValueError(constant)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Takes values out of a document, each of the kind that it must be."""

    where: str
    data: Any

    def runs(self) -> ControlRuns:
        settings = self.of("settings", dict)
        level = self.of("interval.level", float)
        if not 0 < level < 1:
            raise BadOption(f"--with-control: {self.where}: interval.level: {level} is not between 0 and 1")
        return ControlRuns(
            file=self.where,
            environment=self.of("environment", str),
            settings={str(name): _text(value) for name, value in settings.items() if value is not None},
            runs=self.of("runs", int),
            seed=self.of("seed", int),
            measure=self.of("measure", str),
            by_episode=settings.get("episodes") is not None,
            interval=f"{level:.0%} {self.of('interval.kind', str)}",
            learning=self.curve("learning.at", "learning", ""),
            records={
                name: self.curve("records.updates", f"records.{name}", label)
                for name, label in RECORDS.items()
                if self._at(f"records.{name}") is not None
            },
            mean=self.estimate("mean"),
            late=self.estimate("late"),
            stuck=self.count("stuck_runs"),
            diverged=self.count("diverged"),
        )

    def of(self, key: str, kind: Any) -> Any:
        """Return what is at a key, which must be of a kind."""
        value = self._at(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise BadOption(
                f"--with-control: {self.where}: {key}: missing, or not as simulate.control --json writes it"
            )
        return value

    def numbers(self, key: str) -> Numbers:
        """Return a list of numbers; null is nan."""
        values = self.of(key, list)
        if not all(value is None or _is_number(value) for value in values):
            raise BadOption(f"--with-control: {self.where}: {key}: not a list of numbers")
        return tuple(map(_known, values))

    def curve(self, at: str, key: str, label: str) -> Curve:
        """Return a curve, whose parts must be equally long."""
        x, (y, lower, upper) = self.numbers(at), (self.numbers(f"{key}.{part}") for part in ("mean", "lower", "upper"))
        if not len(x) == len(y) == len(lower) == len(upper):
            raise BadOption(f"--with-control: {self.where}: {key}: its lists differ in length from {at}")
        return Curve(label, x, y, lower, upper)

    def estimate(self, key: str) -> Numbers:
        """Return a value with its interval."""
        parts = self.of(key, dict)
        return tuple(_known(parts.get(part)) for part in ("value", "lower", "upper"))

    def count(self, key: str) -> int | None:
        """Return how long a list is, None where there is none."""
        value = self._at(key)
        return len(value) if isinstance(value, list) else None

    def _at(self, key: str) -> Any:
        value = self.data
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _known(value: Any) -> float:
    return float(value) if _is_number(value) and abs(value) <= _FARTHEST else math.nan


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)

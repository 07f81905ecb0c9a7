"""A number for each run: what episodes come to, and what is recorded, over a run or parts of it; as a piece of work."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from simulate.control.history import AgentSettings, History
from simulate.control.linear.learner import Learned
from simulate.control.piece import ControlPiece
from simulate.control.settings import Settings
from simulate.control.summary import COUNTS_STEPS, diverged, late, overall, steps_to_goal, stuck
from simulate.work import NEVER, Array, RunOutcome

PARTS = ("whole", "early", "late", "first", "last")
"""Of a run: all of it, its first and its last fifth, and the first and the last of its records."""
RECORDS = {"h": "h_norm", "correction": "correction_norm", "error": "error_norm", "direction": "direction_norm"}
"""What is recorded as a run goes on; "direction" of linear agents alone."""


def summary_names(configuration: AgentSettings) -> tuple[str, ...]:
    """Return what `summaries` has of runs of a configuration."""
    if isinstance(configuration, Settings):
        what = "steps" if configuration.environment in COUNTS_STEPS else "return"
        recorded = [f"{part} {record}" for part in PARTS for record in RECORDS if record != "direction"]
        return (f"whole {what}", f"late {what}", *recorded, "episodes", "stuck")
    return (*(f"{part} {record}" for part in PARTS for record in ("steps", *RECORDS)), "episodes")


def summaries(history: History) -> dict[str, Array]:
    """Return (runs,) numbers by name: "late steps", "first h", ..., "episodes", and, of networks, "stuck" (0 or 1).

    A run that diverged ends at inf, whatever was recorded; a game's return is 0 where no episode ended.
    """
    numbers = {"episodes": np.array([len(steps) for steps in history.steps], np.float64)}
    for record, name in RECORDS.items():
        if hasattr(history, name):
            numbers |= _parts(history, record, getattr(history, name))
    if isinstance(history, Learned):
        return numbers | _parts(history, "steps", steps_to_goal(history))
    counts_steps = history.settings.environment in COUNTS_STEPS
    what, whole = "steps" if counts_steps else "return", overall(history)
    caught = stuck(history)
    numbers["stuck"] = np.full(len(whole), np.nan) if caught is None else caught.astype(np.float64)
    return numbers | {f"whole {what}": whole if counts_steps else np.nan_to_num(whole), f"late {what}": late(history)}


def _parts(history: History, record: str, rows: Array) -> dict[str, Array]:
    if not rows.shape[1]:  # runs that ended before anything was recorded
        rows = np.full((len(rows), 1), np.nan)
    fifth = rows.shape[1] // 5
    values = (
        rows.mean(axis=1),
        rows[:, :fifth].mean(axis=1) if fifth else rows[:, 0],
        rows[:, -fifth:].mean(axis=1) if fifth else rows[:, -1],
        rows[:, 0],
        _last(history, rows),
    )
    return {f"{part} {record}": np.asarray(of_part) for part, of_part in zip(PARTS, values, strict=True)}


def _last(history: History, rows: Array) -> Array:
    """Return (runs,), the last number of each run; inf of a run that diverged, which has grown whatever it was."""
    lost = diverged(history) >= 0
    last = np.full(len(rows), np.inf)
    last[~lost] = [run[np.isfinite(run)][-1] if np.isfinite(run).any() else np.nan for run in rows[~lost]]
    return last


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

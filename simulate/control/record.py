"""What is written down while runs go on: their episodes, and at intervals the size of what is learnt."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
import torch

from simulate.control.agent import Agents, Directions
from simulate.control.history import RECORDS, History
from simulate.control.settings import Settings

_EPISODE = ("run", "end", "steps", "return")


class Record:
    """The record of runs that are under way.

    Attributes:
        finished: (runs,) episodes that have ended.
        active: (runs,) bool, the run has episodes, or steps, before it.
    """

    def __init__(self, settings: Settings, runs: int, device: torch.device) -> None:
        self.settings = settings
        self.finished = np.zeros(runs, dtype=np.int64)
        self.active = np.ones(runs, dtype=bool)
        self._steps = np.zeros(runs, dtype=np.int64)
        self._return = np.zeros(runs)
        # One buffer each: thousands of small arrays between the tensors of an update would keep glibc from using what
        # those leave free, and a long run would grow by gigabytes.
        self._episodes, self._records = array("d"), array("d")
        self._updates: list[int] = []
        self._seen = 0
        self._sum = torch.zeros(runs, dtype=torch.float64, device=device)
        self._peak = torch.zeros(runs, device=device)

    def see(self, values: torch.Tensor) -> None:
        """Take in the action values (runs, actions) of the states that are acted in."""
        largest = values.abs().amax(dim=1)
        self._seen += 1
        self._sum += largest
        self._peak = torch.maximum(self._peak, largest)

    def count(self, rewards: np.ndarray, ended: np.ndarray, step: int) -> None:
        """Take in a step: the rewards (runs,), and in which runs an episode ended with it."""
        self._steps += 1
        self._return += rewards
        if ended.any():
            (which,) = np.nonzero(ended & self.active)
            rows = (which, np.full_like(which, step), self._steps[which], self._return[which])
            self._episodes.frombytes(np.stack(rows, axis=1).astype(np.float64).tobytes())
            self._steps[ended] = 0
            self._return[ended] = 0
            self.finished[which] += 1
            if self.settings.episodes is not None:
                self.active = self.finished < self.settings.episodes

    def note(self, agents: Agents, directions: Directions) -> None:
        """Write down sizes after an update, and begin a new interval."""
        h = norm([agents.h])
        of_values = [self._sum.cpu().numpy() / self._seen, self._peak.double().cpu().numpy()]
        rows = np.stack([h, norm(directions.error), norm(directions.correction), *of_values])
        self._updates.append(agents.updates)
        self._records.frombytes(np.where(self.active, rows, np.nan).tobytes())
        self._seen = 0
        self._sum.zero_()
        self._peak.zero_()

    def state(self) -> dict[str, np.ndarray]:
        """Return all of it, as arrays."""
        return {
            "finished": self.finished,
            "active": self.active,
            "steps": self._steps,
            "return": self._return,
            "episodes": self._all_episodes(),
            "updates": np.array(self._updates, dtype=np.int64),
            "records": self._all_records(),
            "seen": np.array(self._seen),
            "sum": self._sum.cpu().numpy(),
            "peak": self._peak.cpu().numpy(),
        }

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go back to where `state` was taken."""
        self.finished, self.active = state["finished"].copy(), state["active"].copy()
        self._steps, self._return = state["steps"].copy(), state["return"].copy()
        self._updates = state["updates"].tolist()
        self._episodes, self._records = (
            array("d", state[name].astype(np.float64).tobytes()) for name in ("episodes", "records")
        )
        self._seen = int(state["seen"])
        self._sum.copy_(torch.from_numpy(state["sum"]))
        self._peak.copy_(torch.from_numpy(state["peak"]))

    def _all_episodes(self) -> np.ndarray:
        return np.array(self._episodes).reshape(-1, len(_EPISODE))

    def _all_records(self) -> np.ndarray:
        return np.array(self._records).reshape(-1, len(RECORDS), len(self.finished))

    def history(self, runs: range, seed: int, seed_updates: int, seconds: float) -> History:
        """Return what has been written down."""
        episodes = self._all_episodes()
        per_run = [episodes[episodes[:, 0] == run] for run in range(len(runs))]
        return History(
            settings=self.settings,
            seed=seed,
            runs=runs,
            steps=tuple(row[:, 2].astype(np.int64) for row in per_run),
            returns=tuple(row[:, 3] for row in per_run),
            ends=tuple(row[:, 1].astype(np.int64) for row in per_run),
            last_steps=np.where(self.active, self._steps, 0),
            last_returns=np.where(self.active, self._return, 0.0),
            updates=np.array(self._updates, dtype=np.int64),
            **dict(zip(RECORDS, self._all_records().transpose(1, 2, 0), strict=True)),
            seed_updates=seed_updates,
            seconds=seconds,
        )


def norm(parts: Sequence[torch.Tensor]) -> np.ndarray:
    """Return each run's Euclidean norm, (runs,) float64, of tensors (runs, ...) taken together."""
    squares = [part.detach().cpu().numpy().astype(np.float64) ** 2 for part in parts]
    return np.sqrt(sum(square.reshape(len(square), -1).sum(axis=1) for square in squares))

"""Runs of one configuration, all of them together: act, store, sample, update."""

from __future__ import annotations

import ctypes
import math
import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from simulate.control.agent import Agents, Directions
from simulate.control.checkpoint import Checkpoint, State
from simulate.control.device import find_device, one_thread
from simulate.control.environments import environments
from simulate.control.environments.environment import Streams
from simulate.control.history import RECORDS, History
from simulate.control.network import Convolutional, Layered, check_memory
from simulate.control.replay import Replay
from simulate.control.settings import Settings
from tdrc_theory.cli.workers import worker_count
from tdrc_theory.errors import BadOption, TheoryError


def train(
    settings: Settings,
    runs: range,
    *,
    seed: int = 0,
    device: str = "cpu",
    workers: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> History:
    """Run them to the end, and return what came out.

    Args:
        settings: what, and how long.
        runs: numbers of the runs; each has a stream of its own, so that on a CPU it is the same, to the bit, beside any
            others.
        seed: with the number of a run it determines everything.
        device: cpu or cuda.
        workers: threads on a CPU, default one a core, of which small networks take one; they change no bit.
        checkpoint: a file that keeps where the runs are, written whole once a minute and at the end; where it is there,
            they go on from it, and come to what they would have come to without a break.
        progress: called with the number of steps in the environment, or of episodes of all runs together, done.

    Raises:
        BadOption: the checkpoint is of other runs, or cannot be read or written; the device is not there; or workers is
            out of range.
    """
    training = Training(settings, runs, seed, device, worker_count(workers))
    kept = None if checkpoint is None else Checkpoint(checkpoint, settings, runs, seed)
    stored = None if kept is None else kept.read()
    if stored is not None:
        try:
            training.restore(stored)
        except BadOption as error:
            raise BadOption(f"{checkpoint}: {error}") from None
    with one_thread():
        while not training.done:
            training.step()
            progress(training.progress)
            if kept is not None and (kept.is_due() or training.done):
                kept.write(training.state())
    return training.history()


_GROW = {("environment", "taken"), *(("record", name) for name in ("episodes", "updates", "records"))}
"""What is as long as runs are."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT, _LARGEST = 1 << 28, 1 << 25
"""Parameters of glibc's `mallopt`, and their values in bytes: of all that is kept, and of one block that may be."""


class Training:
    """Runs that are under way, with everything that decides how they go on."""

    def __init__(self, settings: Settings, runs: range, seed: int, device: str, workers: int = 1) -> None:
        self.settings, self.runs, self.seed = settings, runs, seed
        self.device = find_device(device)
        _keep_freed_memory()
        begin = [np.random.SeedSequence(seed, spawn_key=(run,)).spawn(4) for run in runs]
        of_environment, of_weights, of_acting, of_sampling = zip(*begin, strict=True)
        self.environment = environments(settings.environment, of_environment, settings.cutoff)
        shape, dtype = self.environment.observation_shape, self.environment.observation_dtype
        after = (*settings.hidden, self.environment.actions)  # pictures go through convolutions first
        network = Convolutional(shape, *after) if len(shape) == 3 else Layered(math.prod(shape), *after)
        check_memory(network, len(runs), settings.batch)
        self.agents = Agents(settings, network, of_weights, self.device, workers)
        kept = torch.from_numpy(np.zeros(0, dtype)).dtype
        self.replay = Replay(
            len(runs), settings.buffer, shape, kept, prioritized=settings.prioritized, device=self.device
        )
        self._acting, self._sampling = Streams(of_acting), Streams(of_sampling)
        self.record = Record(settings, len(runs), self.device)
        self.steps = 0
        self._observations = self.environment.observe()
        self._began = time.perf_counter()
        self._updates_before = 0

    @property
    def done(self) -> bool:
        """Return whether every run has what was asked for."""
        if self.settings.steps is not None:
            return self.steps >= self.settings.steps
        return not self.record.active.any()

    @property
    def progress(self) -> int:
        """Return the steps that are done, or the episodes of all runs together."""
        return self.steps if self.settings.steps is not None else int(self.record.finished.sum())

    def step(self) -> None:
        """Take one step in every run's environment, and the updates that follow it."""
        values = self.agents.values(torch.from_numpy(self._observations).to(self.device))
        self.record.see(values)
        explores = self._acting.uniform() < self.settings.exploration(self.steps)
        random = (self._acting.uniform() * self.environment.actions).astype(np.int64)
        actions = np.where(explores, random, values.argmax(dim=1).cpu().numpy())
        before = self._observations
        taken = self.environment.step(actions)
        rewards = taken.rewards * np.float32(self.settings.reward_scale)
        goes_on = (~taken.terminated).astype(np.float32)
        self.replay.add(before, actions, rewards, taken.observations, goes_on)
        self.steps += 1
        if self.replay.added >= self.settings.warm_up:
            for _ in range(self.settings.updates_per_step):
                self._update()
        ended = taken.terminated | taken.truncated
        self.record.count(taken.rewards, ended, self.steps)
        self._observations = taken.observations
        if ended.any():
            self.environment.reset(ended)
            self._observations = self.environment.observe()

    def _update(self) -> None:
        words = (self._sampling.table(self.settings.batch) >> np.uint64(33)).astype(np.int64)
        batch, slots = self.replay.draw(torch.from_numpy(words).to(self.device))
        directions = self.agents.learn(batch)
        self.replay.learn_priorities(slots, directions.delta)
        if self.agents.updates % self.settings.every == 0:
            self.record.note(self.agents, directions)

    def state(self) -> State:
        """Return everything that decides what happens next, and what has come out so far, as arrays."""
        return {
            "agents": self.agents.state(),
            "replay": self.replay.state(),
            "environment": self.environment.state(),
            "record": self.record.state(),
            "streams": {"acting": self._acting.position, "sampling": self._sampling.position},
            "place": {"steps": np.array(self.steps)},
        }

    def restore(self, state: State) -> None:
        """Go back to where `state` was taken.

        Raises:
            BadOption: it does not fit these settings.
            BadProblem: the environment cannot go on from it.
        """
        try:
            self._check(state)
            for name in ("agents", "replay", "environment", "record"):
                getattr(self, name).restore(state[name])
            self._acting.position = state["streams"]["acting"].copy()
            self._sampling.position = state["streams"]["sampling"].copy()
            self.steps = int(state["place"]["steps"])
        except TheoryError:
            raise
        except (KeyError, IndexError, RuntimeError, TypeError, ValueError):  # a file may hold anything
            raise BadOption("what it keeps does not fit the settings that it names") from None
        self._observations = self.environment.observe()
        self._updates_before = self.agents.updates

    def _check(self, state: State) -> None:
        """Raise ValueError where an array has another shape or type: tensors would repeat it, or cast it, to fit."""
        for part, arrays in self.state().items():
            for name, fresh in arrays.items():
                stored, grows = state[part][name], (part, name) in _GROW
                if not grows and stored.dtype != fresh.dtype:
                    raise ValueError
                if not grows and part in ("agents", "environment", "record", "streams") and stored.shape != fresh.shape:
                    raise ValueError

    def history(self) -> History:
        """Return what has come out so far."""
        updates = (self.agents.updates - self._updates_before) * len(self.runs)
        return self.record.history(self.runs, self.seed, updates, time.perf_counter() - self._began)


def _keep_freed_memory() -> None:
    """Ask the C library to keep freed memory for what is allocated next; where it is not glibc, nothing happens.

    Every update frees and allocates the same few tensors of some hundred kilobytes each. glibc gives such back to the
    system at once, and then up to a third of the time goes into getting it again, page by page. What is kept from one
    update to the next is in few buffers that grow (`Record`): many small pieces between the tensors would split what
    is freed, until nothing of it could be used again.
    """
    try:
        choose = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # TypeError: Windows has no library without a name
        return
    choose(_MMAP_THRESHOLD, _LARGEST)
    choose(_TRIM_THRESHOLD, _KEPT)


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

"""Runs of one configuration, all of them together: act, store, sample, update."""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from simulate.control.agent import Agents
from simulate.control.checkpoint import Checkpoint, State
from simulate.control.device import find_device, one_thread
from simulate.control.environments import environments
from simulate.control.environments.environment import Streams
from simulate.control.history import History
from simulate.control.network import Convolutional, Layered, Network, check_memory
from simulate.control.record import Record
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
        network = _network(shape, settings.hidden, self.environment.actions)
        check_memory(network, len(runs), settings.batch)
        self.agents = Agents(settings, network, of_weights, self.device, workers)
        self.replay = Replay(
            len(runs),
            settings.buffer,
            shape,
            torch.from_numpy(np.zeros(0, dtype)).dtype,
            prioritized=settings.prioritized,
            device=self.device,
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
        actions = self._choose(values.argmax(dim=1).cpu().numpy())
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

    def _choose(self, greedy: np.ndarray) -> np.ndarray:
        explores = self._acting.uniform() < self.settings.exploration(self.steps)
        random = (self._acting.uniform() * self.environment.actions).astype(np.int64)
        return np.where(explores, random, greedy)

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
        fresh = self.state()
        kinds = ((part, name, array.dtype) for part, arrays in fresh.items() for name, array in arrays.items())
        if any(state[part][name].dtype != dtype for part, name, dtype in kinds if (part, name) not in _GROW):
            raise ValueError
        for part in ("agents", "environment", "record", "streams"):
            for name, array in fresh[part].items():
                if (part, name) not in _GROW and np.shape(state[part][name]) != array.shape:
                    raise ValueError

    def history(self) -> History:
        """Return what has come out so far."""
        updates = (self.agents.updates - self._updates_before) * len(self.runs)
        return self.record.history(self.runs, self.seed, updates, time.perf_counter() - self._began)


def _network(shape: tuple[int, ...], hidden: tuple[int, ...], actions: int) -> Network:
    """Return the network for observations of this shape; pictures go through convolutions first."""
    return Convolutional(shape, *hidden, actions) if len(shape) == 3 else Layered(math.prod(shape), *hidden, actions)


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

"""Each run's last transitions, from which its batches are drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch

from simulate.control.agent import Batch
from tdrc_theory.errors import BadOption

MOST_BYTES = 1 << 33
"""Of all buffers together."""
_LEAST = 1e-12
"""Priority of a transition without error; it is hardly drawn, and a run that has only such can still draw."""


class Replay:
    """A circular buffer for each run, all of them filled in step.

    Args:
        capacity: transitions that a run keeps.
        shape, dtype: of an observation; dtype holds it exactly.
        prioritized: draw in proportion to the squared TD error when the transition was last drawn; a new one counts as
            the largest so far (Schaul et al., 2016, without their weights, which the paper does not mention).

    Raises:
        BadOption: it would be too large.
    """

    def __init__(
        self,
        runs: int,
        capacity: int,
        shape: Sequence[int],
        dtype: torch.dtype,
        *,
        prioritized: bool,
        device: torch.device,
    ) -> None:
        size = 2 * math.prod(shape) * torch.empty(0, dtype=dtype).element_size() + 16
        if runs * capacity * size > MOST_BYTES:
            raise BadOption(f"--buffer: {runs} runs of {capacity} transitions take more than {MOST_BYTES >> 30} GiB")
        self.runs, self.capacity = runs, capacity
        self.added = 0
        slots = (capacity, runs)
        self.columns = Batch(
            torch.zeros(*slots, *shape, dtype=dtype, device=device),
            torch.zeros(slots, dtype=torch.int64, device=device),
            torch.zeros(slots, device=device),
            torch.zeros(*slots, *shape, dtype=dtype, device=device),
            torch.zeros(slots, device=device),
        )
        self.priorities = None
        if prioritized:
            self.priorities = torch.zeros(runs, capacity, dtype=torch.float64, device=device)
            self._largest = torch.ones(runs, dtype=torch.float64, device=device)
        self._run = torch.arange(runs, device=device).unsqueeze(1)

    @property
    def size(self) -> int:
        """Return how many transitions each run has."""
        return min(self.added, self.capacity)

    def add(self, *transition: np.ndarray) -> None:
        """Add one transition a run, the fields of a Batch with (runs, ...) each; the oldest is overwritten."""
        slot = self.added % self.capacity
        for column, value in zip(self.columns, transition, strict=True):
            column[slot] = torch.from_numpy(value)
        if self.priorities is not None:
            self.priorities[:, slot] = self._largest
        self.added += 1

    def draw(self, words: torch.Tensor) -> tuple[Batch, torch.Tensor]:
        """Return a batch drawn with replacement by words, (runs, batch) uniform on 0, ..., 2^31 - 1, and its slots."""
        if self.priorities is None:
            slots = (words * self.size) >> 31
        else:
            below = self.priorities[:, : self.size].cumsum(dim=1)
            aim = words.double() / 2**31 * below[:, -1:]
            # A run that has diverged has no order left; its slots need only exist.
            slots = torch.searchsorted(below, aim, right=True).clamp_(max=self.size - 1)
        rows = (slots * self.runs + self._run).flatten()
        drawn = (column.flatten(0, 1).index_select(0, rows).unflatten(0, words.shape) for column in self.columns)
        observations, actions, rewards, next_observations, goes_on = drawn
        return Batch(observations.float(), actions, rewards, next_observations.float(), goes_on), slots

    def learn_priorities(self, slots: torch.Tensor, delta: torch.Tensor) -> None:
        """Tell what TD errors (runs, batch) the transitions in these slots had."""
        if self.priorities is not None:
            squares = delta.double().square().clamp(min=_LEAST)
            self.priorities.scatter_(1, slots, squares)
            self._largest = torch.maximum(self._largest, squares.amax(dim=1))

    def state(self) -> dict[str, np.ndarray]:
        """Return what is kept, as arrays."""
        kept = {name: column[: self.size].cpu().numpy() for name, column in self.columns._asdict().items()}
        # Eight truths a byte: a picture game's buffer is 80 MB a run otherwise.
        packed = {name: np.packbits(values) if values.dtype == bool else values for name, values in kept.items()}
        packed["added"] = np.array(self.added)
        if self.priorities is not None:
            packed["priorities"] = self.priorities.cpu().numpy()
            packed["largest_priority"] = self._largest.cpu().numpy()
        return packed

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go back to where `state` was taken.

        Raises:
            ValueError: an array has another shape.
        """
        self.added = int(state["added"])
        for name, column in self.columns._asdict().items():
            into, values = column[: self.size], state[name]
            packed = column.dtype == torch.bool
            if values.shape != ((-(-into.numel() // 8),) if packed else into.shape):
                raise ValueError
            if packed:
                values = np.unpackbits(values, count=into.numel()).view(bool).reshape(into.shape)
            into.copy_(torch.from_numpy(values))
        if self.priorities is not None:
            if state["priorities"].shape != self.priorities.shape or state["largest_priority"].shape != (self.runs,):
                raise ValueError
            self.priorities.copy_(torch.from_numpy(state["priorities"]))
            self._largest.copy_(torch.from_numpy(state["largest_priority"]))

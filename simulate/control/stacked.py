"""The weights of many networks in one flat buffer, so that an optimiser moves all of them in a few operations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

ALIGNED = 16
"""Floats, 64 bytes: on such a boundary a matrix product gives the same bits wherever in the buffer it reads."""


def stacked(
    shapes: Sequence[tuple[int, ...]], runs: int, device: torch.device
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return a flat buffer of zeros, and for each shape a contiguous view (runs, *shape) into it."""
    sizes = [runs * math.prod(shape) for shape in shapes]
    padded = [-(-size // ALIGNED) * ALIGNED for size in sizes]
    buffer = torch.zeros(sum(padded), device=device)
    parts = buffer.split(padded)
    return buffer, [part[:size].view(runs, *shape) for part, size, shape in zip(parts, sizes, shapes, strict=True)]

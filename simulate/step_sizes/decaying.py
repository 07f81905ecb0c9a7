"""Step sizes that fall like a power of time: the family of Robbins and Monro (1951), and of Theorem 3.1."""

from __future__ import annotations

from typing import Any

from simulate.step_sizes.constant import constant
from simulate.step_sizes.step_size import StepSize


def decaying(t: Any, alpha: Any, tau: Any, power: Any) -> Any:
    """alpha_t = alpha / (1 + t / tau)^power."""
    return alpha / (1 + t / tau) ** power


DECAYING = StepSize(
    name="decaying",
    function=constant,
    parameters={"tau": 1000.0, "power": 1.0},
    schedule=decaying,
    power="power",
)

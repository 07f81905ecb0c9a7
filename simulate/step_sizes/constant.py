"""The same step size at every update (eqs. 5 and 6)."""

from typing import Any

from simulate.step_sizes.step_size import StepSize


def constant(g: Any, alpha: Any) -> tuple[Any, ...]:
    """step = alpha g."""
    return (alpha * g,)


CONSTANT = StepSize(name="constant", function=constant, power=0)

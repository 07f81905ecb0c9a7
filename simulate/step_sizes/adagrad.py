"""Adagrad: the step shrinks with the root of the summed squares of the component's directions."""

import math
from typing import Any

from simulate.step_sizes.step_size import StepSize


def adagrad(g: Any, alpha: Any, total: Any) -> tuple[Any, ...]:
    """total += g^2,  step = alpha g / (sqrt(total) + 1e-8)."""
    total = total + g * g
    return alpha * g / (math.sqrt(total) + 1e-8), total


ADAGRAD = StepSize(name="adagrad", function=adagrad, state={"total": 0.0}, source="Duchi, Hazan and Singer 2011")

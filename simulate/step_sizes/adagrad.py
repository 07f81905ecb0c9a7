"""Adagrad (Duchi, Hazan and Singer 2011): steps shrink with the root of the component's summed squared directions."""

import math
from typing import Any

from simulate.step_sizes.step_size import StepSize


def adagrad(g: Any, alpha: Any, total: Any) -> tuple[Any, ...]:
    """total += g^2,  step = alpha g / (sqrt(total) + 1e-8)."""
    total = total + g * g
    return alpha * g / (math.sqrt(total) + 1e-8), total


ADAGRAD = StepSize(name="adagrad", function=adagrad, state={"total": 0.0})

"""AMSGrad without bias correction (Reddi, Kale and Kumar 2018): what the paper calls Adam in its experiments."""

import math
from typing import Any

from simulate.step_sizes.step_size import StepSize


def amsgrad(g: Any, alpha: Any, m: Any, s: Any, v: Any, b1: Any, b2: Any) -> tuple[Any, ...]:
    """m and s average g and g^2 with rates 1 - b1 and 1 - b2,  v = max(v, s),  step = alpha m / sqrt(v)."""
    m = b1 * m + (1 - b1) * g
    s = b2 * s + (1 - b2) * (g * g)
    v = max(v, s)
    return alpha * m / math.sqrt(v), m, s, v


AMSGRAD = StepSize(
    name="amsgrad",
    function=amsgrad,
    state={"m": 0.0, "s": 0.0, "v": 1e-8},
    parameters={"b1": 0.9, "b2": 0.999},
    rates=("b1", "b2"),
)

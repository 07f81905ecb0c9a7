"""Adam, with its bias correction (Kingma and Ba 2015)."""

import math
from typing import Any

from simulate.step_sizes.step_size import StepSize


def adam(g: Any, alpha: Any, m: Any, v: Any, p1: Any, p2: Any, b1: Any, b2: Any) -> tuple[Any, ...]:
    """m and v average g and g^2;  step = alpha m / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + 1e-8).

    p1 and p2 are b1^t and b2^t, kept as products: a power for every component would cost more than all the rest.
    """
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * (g * g)
    p1 = p1 * b1
    p2 = p2 * b2
    return alpha * (m / (1 - p1)) / (math.sqrt(v / (1 - p2)) + 1e-8), m, v, p1, p2


ADAM = StepSize(
    name="adam",
    function=adam,
    state={"m": 0.0, "v": 0.0, "p1": 1.0, "p2": 1.0},
    parameters={"b1": 0.9, "b2": 0.999},
    rates=("b1", "b2"),
)

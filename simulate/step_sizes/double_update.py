"""The rule under which TDRC's cells of the paper's Adam table came about: every direction was used twice."""

from typing import Any

from simulate.step_sizes.amsgrad import AMSGRAD, amsgrad
from simulate.step_sizes.step_size import StepSize


def double_update(g: Any, alpha: Any, m: Any, s: Any, v: Any, b1: Any, b2: Any) -> tuple[Any, ...]:
    """A plain step and AMSGrad's step with the same direction: step = alpha g + alpha m / sqrt(v)."""
    step, m, s, v = amsgrad(g, alpha, m, s, v, b1, b2)
    return alpha * g + step, m, s, v


DOUBLE_UPDATE = StepSize(
    name="double-update",
    function=double_update,
    state=AMSGRAD.state,
    parameters=AMSGRAD.parameters,
)

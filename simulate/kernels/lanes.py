"""Lanes: configurations that are run in lockstep on one trajectory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simulate.step_sizes import StepSize
from tdrc_theory.errors import BadOption


class Lanes(NamedTuple):
    """Configurations side by side, float64.

    Attributes:
        alpha, eta, beta: (L,), step size of w, that of h over it, and the regulariser of h.
        parameters: (P, L), the rule's parameters in the order of `StepSize.parameters`.
    """

    alpha: np.ndarray
    eta: np.ndarray
    beta: np.ndarray
    parameters: np.ndarray


def lanes(rule: StepSize, alpha: Any, *, eta: Any = 1.0, beta: Any = 1.0, **parameters: Any) -> Lanes:
    """Return lanes from numbers or sequences, which are broadcast against each other; exact numbers become floats.

    >>> from simulate.step_sizes import AMSGRAD
    >>> lanes(AMSGRAD, [0.5, 0.25], b1=0.99).parameters
    array([[0.99 , 0.99 ],
           [0.999, 0.999]])

    Raises:
        BadOption: the rule has no such parameter.
    """
    for name in parameters.keys() - rule.parameters.keys():
        allowed = ", ".join(rule.parameters) or "none"
        raise BadOption(f"{rule.name} has no parameter {name}; it has {allowed}")
    chosen = [parameters.get(name, default) for name, default in rule.parameters.items()]
    rows = [np.atleast_1d(np.asarray(value, dtype=np.float64)) for value in (alpha, eta, beta, *chosen)]
    table = np.array(np.broadcast_arrays(*rows))
    return Lanes(table[0], table[1], table[2], table[3:])

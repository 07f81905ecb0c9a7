"""Lanes: configurations that are run in lockstep on one trajectory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from simulate.step_sizes import StepSize


class Lanes(NamedTuple):
    """Configurations side by side, float64.

    Attributes:
        alpha: (L,), step size.
        learner: parameters of the learner by name, (L,) each; a default counts where one is missing.
        rule: parameters of the step-size rule by name, (L,) each.
    """

    alpha: np.ndarray
    learner: Mapping[str, np.ndarray]
    rule: Mapping[str, np.ndarray]

    @property
    def width(self) -> int:
        """Return the number of configurations."""
        return len(self.alpha)

    def of(self, chosen: list[int]) -> Lanes:
        """Return some of the configurations."""
        learner, rule = ({n: column[chosen] for n, column in part.items()} for part in (self.learner, self.rule))
        return Lanes(self.alpha[chosen], learner, rule)


def lanes(rule: StepSize, alpha: Any, *, learner: Mapping[str, Any] | None = None, **parameters: Any) -> Lanes:
    """Return lanes from numbers or sequences, which are broadcast against each other; exact numbers become floats.

    Args:
        rule: the step-size rule.
        alpha: step size.
        learner: parameters of the learner.
        parameters: those of the rule, which has defaults, and of the learner, where the rule has none of that name.

    >>> from simulate.step_sizes import AMSGRAD
    >>> lanes(AMSGRAD, [0.5, 0.25], b1=0.99, eta=2).rule
    {'b1': array([0.99, 0.99]), 'b2': array([0.999, 0.999])}
    """
    of_rule = {name: parameters.pop(name, default) for name, default in rule.parameters.items()}
    of_learner = {**parameters, **(learner or {})}
    values = (alpha, *of_learner.values(), *of_rule.values())
    columns = np.broadcast_arrays(*(np.atleast_1d(np.asarray(value, np.float64)) for value in values))
    column = map(np.array, columns)
    return Lanes(next(column), {name: next(column) for name in of_learner}, {name: next(column) for name in of_rule})

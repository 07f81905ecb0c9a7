"""What a run of a linear agent depends on besides its random numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from simulate.control.linear.agent import LinearAgent
from tdrc_theory.errors import BadOption
from tdrc_theory.parameters import check_ranges

MOST_STEPS = 10**8
"""Of one run."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One configuration.

    Attributes:
        agent: who learns.
        alpha: step size of w and of the policy, before it is divided by the number of active features.
        eta: step size of h over that; an algorithm that fixes it or beta does not read it here.
        beta: regulariser of h.
        gamma: discount.
        epsilon: probability of a random action, where the agent has no policy of its own.
        parameters: of the agent's step-size rule, by name; its defaults where they are missing.
        episodes, steps: how long a run is: one of them, the other None.
        cutoff: steps after which an episode is cut off, which is no termination; None for never.
        every: steps over which what is recorded is averaged.
    """

    agent: LinearAgent
    alpha: Fraction
    eta: Fraction = Fraction(1)
    beta: Fraction = Fraction(1)
    gamma: Fraction = Fraction(99, 100)
    epsilon: Fraction = Fraction(1, 10)
    parameters: Mapping[str, float] = field(default_factory=dict)
    episodes: int | None = None
    steps: int | None = None
    cutoff: int | None = 1000
    every: int = 500

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        check_ranges(self.beta, self.eta)
        if self.alpha <= 0:
            raise BadOption(f"--alpha: {self.alpha} is not positive; a step size is above 0")
        for name, share in (("gamma", self.gamma), ("epsilon", self.epsilon)):
            if not 0 <= share <= 1:
                raise BadOption(f"--{name}: {share} is not from 0 to 1")
        if (self.episodes is None) == (self.steps is None):
            raise BadOption("--episodes, --steps: one of them says how long a run is")
        if self.episodes is not None and self.cutoff is None:
            raise BadOption("--episodes: without a cut-off some episode may never end; say how many steps")
        for name in ("episodes", "steps", "cutoff", "every"):
            number = getattr(self, name)
            if number is not None and not 1 <= number <= MOST_STEPS:
                raise BadOption(f"--{name}: {number} is not from 1 to {MOST_STEPS}")
        if self.most_steps > MOST_STEPS:
            raise BadOption(f"--episodes: {self.most_steps} steps at most are more than the {MOST_STEPS} of a run")

    @property
    def most_steps(self) -> int:
        """Return the number of steps that a run has at most."""
        return self.steps or (self.episodes or 0) * (self.cutoff or 0)

    @property
    def numbers(self) -> np.ndarray:
        """Return what the compiled loop takes, in the order of `template.SETTINGS` and the rule's parameters."""
        own: dict[str, Fraction] = {"eta": self.eta, "beta": self.beta} | dict(self.agent.algorithm.fixed)
        chosen = {**self.agent.rule.parameters, **self.parameters}.values()
        given: tuple[Fraction | float, ...] = (
            self.alpha / self.agent.tilings,
            own["eta"],
            own["beta"],
            self.gamma,
            self.epsilon,
            *chosen,
        )
        return np.array([float(number) for number in given])

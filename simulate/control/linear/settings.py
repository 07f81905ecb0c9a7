"""What a run of a linear agent depends on besides its random numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from simulate.control.linear.agent import TILES, LinearAgent
from simulate.control.settings import EPISODES, check_count, check_learner
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.convert import number_text

MOST_STEPS = 10**8
"""Of one run."""


@dataclass(frozen=True, kw_only=True)
class LinearSettings:
    """One configuration.

    Attributes:
        agent: who learns.
        alpha: step size of w and of the policy, before it is divided by the number of active features.
        beta, eta: regulariser of h, and its step over that of w; None where the algorithm has none.
        gamma: discount.
        epsilon: probability of a random action, where the agent has no policy of its own.
        episodes, steps: how long a run is: one of them, the other None.
        cutoff: steps after which an episode is cut off, which is no termination; None for never.
        every: steps over which what is recorded is averaged.
    """

    agent: LinearAgent
    alpha: Fraction
    beta: Fraction | None = None
    eta: Fraction | None = None
    gamma: Fraction = Fraction(99, 100)
    epsilon: Fraction = Fraction(1, 10)
    episodes: int | None = None
    steps: int | None = None
    cutoff: int | None = 1000
    every: int = 500

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        check_learner(self, ("gamma", "epsilon"))
        if self.episodes is not None and self.cutoff is None:
            raise BadOption("--episodes: without a cut-off some episode may never end; say how many steps")
        for name in ("episodes", "steps", "cutoff", "every"):
            check_count(name, getattr(self, name), 1, MOST_STEPS)
        if self.most_steps > MOST_STEPS:
            raise BadOption(f"--episodes: {self.most_steps} steps at most are more than the {MOST_STEPS} of a run")

    @property
    def environment(self) -> str:
        """Return the name of the environment."""
        return "mountain-car"

    @property
    def algorithm(self) -> str:
        """Return the name of the agent."""
        return self.agent.name

    @property
    def reward_scale(self) -> Fraction:
        """Return by what rewards are multiplied."""
        return Fraction(1)

    @property
    def most_steps(self) -> int:
        """Return the number of steps that a run has at most."""
        return self.steps or (self.episodes or 0) * (self.cutoff or 0)

    @property
    def numbers(self) -> np.ndarray:
        """Return what the compiled loop takes, in the order of `template.SETTINGS` and the rule's parameters."""
        used = self.alpha / self.agent.tilings, self.eta or 0, self.beta or 0, self.gamma, self.epsilon
        return np.array([float(number) for number in (*used, *self.agent.rule.parameters.values())])

    @property
    def how(self) -> list[str]:
        """Return, in words, what is learnt with."""
        tiles = f"{self.agent.tilings} tilings of {TILES} x {TILES} tiles"
        return [f"{tiles}; {self.agent.rule.name} step size, alpha is divided by {self.agent.tilings}"]

    def to_json(self) -> dict[str, Any]:
        """Return all of them; exact numbers are text."""
        named = ("alpha", "beta", "eta", "gamma", "epsilon", "episodes", "steps", "cutoff", "every")
        values = {name: getattr(self, name) for name in named}
        return {
            "environment": self.environment,
            "algorithm": self.algorithm,
            "features": "tiles",
            "tilings": self.agent.tilings,
            "tiles": TILES,
            "step_size": {"name": self.agent.rule.name, **self.agent.rule.parameters},
            **{name: number_text(v) if isinstance(v, Fraction) else v for name, v in values.items()},
        }


def linear_settings(agent: LinearAgent, **asked: Any) -> LinearSettings:
    """Return settings of an agent, with the paper's where nothing else is given: 100 episodes, beta = eta = 1.

    Raises:
        BadOption: a setting has no meaning, or none for this agent.
    """
    chosen = {name: value for name, value in asked.items() if value is not None}
    own = agent.algorithm.parameters({})
    for name, there in (("beta", agent.regularised), ("eta", agent.corrected)):
        if name in chosen and not there:
            raise BadOption(f"--{name}: {agent.name} has none")
        chosen.setdefault(name, own[name] if there else agent.algorithm.fixed.get(name) or None)
    if "episodes" not in chosen and "steps" not in chosen:
        chosen["episodes"] = EPISODES
    return LinearSettings(**{"alpha": agent.alpha, "agent": agent, **chosen})

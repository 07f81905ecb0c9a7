"""The linear agents (Sections 5.1 and 5.3, Appendix G.1): how an algorithm of prediction becomes one of control."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from simulate.control.settings import EPISODES, LearnerSettings
from simulate.step_sizes import ADAM, CONSTANT, StepSize
from tdrc_theory.algorithms import TD
from tdrc_theory.algorithms.tdrc import TDC, TDRC
from tdrc_theory.errors import BadAlgorithm, BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.files import load_algorithm
from tdrc_theory.registry import named

TILES = 4
"""On a side of each tiling."""


@dataclass(frozen=True, eq=False)
class LinearAgent:
    """An agent with tile-coded features that learns by the direction of a prediction algorithm.

    Attributes:
        name: as commands take it.
        algorithm: gives the direction of the values' weights.
        actor: whether a softmax policy is learned beside state values (one-step actor-critic); otherwise the agent
            learns action values, and acts epsilon-greedily on them.
        rule: how directions become steps; of w, of h and of the policy alike.
        tilings: number of active features.
        alpha: the step size that did best in the paper's grid, in the experiment `linear-control` of the paper.
    """

    name: str
    algorithm: Algorithm
    actor: bool
    rule: StepSize
    tilings: int
    alpha: Fraction

    @property
    def regularised(self) -> bool:
        """Return whether it has a beta of its own."""
        return self._has("beta")

    @property
    def corrected(self) -> bool:
        """Return whether it has an eta of its own."""
        return self._has("eta")

    def _has(self, name: str) -> bool:
        return name in self.algorithm.own_parameters and name not in self.algorithm.fixed

    @property
    def features(self) -> int:
        """Return the number of features of a state."""
        return self.tilings * TILES**2


def _values(name: str, algorithm: Algorithm, alpha: Fraction) -> LinearAgent:
    return LinearAgent(name, algorithm, actor=False, rule=CONSTANT, tilings=16, alpha=alpha)


def _actor_critic(algorithm: Algorithm) -> LinearAgent:
    name = f"actor-critic-{algorithm.name}"
    return LinearAgent(name, algorithm, actor=True, rule=ADAM, tilings=5, alpha=Fraction(1, 2**6))


AGENTS: tuple[LinearAgent, ...] = (
    _values("q-learning", TD, Fraction(1, 4)),
    _values("qc", TDC, Fraction(1, 4)),
    _values("qrc", TDRC, Fraction(1, 4)),
    *(_actor_critic(algorithm) for algorithm in (TD, TDC, TDRC)),
)


def find_agent(name: str) -> LinearAgent:
    """Return an agent by name, or one that learns action values by the algorithm that `FILE.py:FUNCTION` names.

    Raises:
        UnknownName: neither a name nor of that form.
        BadAlgorithm: the file or the function is not an algorithm.
    """
    if name.rpartition(":")[0].endswith(".py"):
        algorithm = load_algorithm(name)
        if algorithm.weights:
            raise BadAlgorithm(f"{algorithm.name} is of vectors; a linear agent takes a function of one component")
        return _values(algorithm.name, algorithm, Fraction(1, 4))
    return named("linear agent", name, AGENTS, also="FILE.py:FUNCTION for an algorithm of your own")


MOST_STEPS = 10**8
"""Of one run."""


@dataclass(frozen=True, kw_only=True)
class LinearSettings(LearnerSettings):
    """One configuration of a linear agent; alpha is divided by the number of active features.

    Attributes:
        agent: who learns.
        cutoff: None for never.
    """

    agent: LinearAgent
    cutoff: int | None = 1000
    every: int = 500

    environment: ClassVar[str] = "mountain-car"
    reward_scale: ClassVar[Fraction] = Fraction(1)
    most: ClassVar[int] = MOST_STEPS

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        super().__post_init__()
        if self.episodes is not None and self.cutoff is None:
            raise BadOption("--episodes: without a cut-off some episode may never end; say how many steps")
        if self.most_steps > MOST_STEPS:
            raise BadOption(f"--episodes: {self.most_steps} steps at most are more than the {MOST_STEPS} of a run")

    @property
    def algorithm(self) -> str:
        """Return the name of the agent."""
        return self.agent.name

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
        """Return all of them, and what the agent is; exact numbers are text."""
        own = super().to_json()
        del own["agent"]
        return {
            "environment": self.environment,
            "algorithm": self.algorithm,
            "features": "tiles",
            "tilings": self.agent.tilings,
            "tiles": TILES,
            "step_size": {"name": self.agent.rule.name, **self.agent.rule.parameters},
            **own,
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

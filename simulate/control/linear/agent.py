"""The linear agents: how an algorithm of prediction becomes one of control."""

from __future__ import annotations

from dataclasses import dataclass

from simulate.step_sizes import ADAM, CONSTANT, StepSize
from tdrc_theory.algorithm import Algorithm
from tdrc_theory.algorithms import TD
from tdrc_theory.algorithms.tdrc import TDC, TDRC
from tdrc_theory.errors import UnknownName

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
        source: where the paper says so.
    """

    name: str
    algorithm: Algorithm
    actor: bool
    rule: StepSize
    tilings: int
    source: str

    @property
    def features(self) -> int:
        """Return the number of features of a state."""
        return self.tilings * TILES**2


def _values(name: str, algorithm: Algorithm) -> LinearAgent:
    return LinearAgent(name, algorithm, actor=False, rule=CONSTANT, tilings=16, source="Sections 5.1 and 5.3")


def _actor_critic(algorithm: Algorithm) -> LinearAgent:
    name = f"actor-critic-{algorithm.name}"
    return LinearAgent(name, algorithm, actor=True, rule=ADAM, tilings=5, source="Section 5.3; Appendix G.1")


AGENTS: tuple[LinearAgent, ...] = (
    _values("q-learning", TD),
    _values("qc", TDC),
    _values("qrc", TDRC),
    *(_actor_critic(algorithm) for algorithm in (TD, TDC, TDRC)),
)


def find_agent(name: str) -> LinearAgent:
    """Return an agent by name.

    Raises:
        UnknownName: there is none of that name.
    """
    for agent in AGENTS:
        if agent.name == name:
            return agent
    raise UnknownName("linear agent", name, [agent.name for agent in AGENTS])

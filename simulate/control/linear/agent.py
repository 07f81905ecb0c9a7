"""The linear agents (Sections 5.1 and 5.3, Appendix G.1): how an algorithm of prediction becomes one of control."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from simulate.step_sizes import ADAM, CONSTANT, StepSize
from tdrc_theory.algorithms import TD
from tdrc_theory.algorithms.tdrc import TDC, TDRC
from tdrc_theory.errors import BadAlgorithm
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

"""The chain of a problem, its actions merged: which state leads to which, and how often under each policy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.problem import END, Problem


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one state to another, or to END.

    Attributes:
        s, t: the states.
        behaviour, target: the probability under each policy, all actions together.
        reward: the reward, None where it differs from action to action.
    """

    s: int
    t: int
    behaviour: Fraction
    target: Fraction
    reward: Fraction | None


@dataclass(frozen=True, slots=True)
class Chain:
    """What is drawn of a problem.

    Attributes:
        states: how many.
        terminal: those in which an episode ends.
        first: those in which an episode can begin, where not every one can.
        arrows: in the order of the states.
        on_policy: whether every arrow is as likely under both policies.
        usual_reward: the most frequent reward of an arrow.
        has_values: whether a state has a value w.x: where features are by state.
    """

    states: int
    terminal: tuple[int, ...]
    first: tuple[int, ...]
    arrows: tuple[Arrow, ...]
    on_policy: bool
    usual_reward: Fraction | None
    has_values: bool


def chain_of(problem: Problem) -> Chain:
    """Return the chain of a problem; arrows that neither policy takes are left out.

    >>> from tdrc_theory.problems import find_problem
    >>> chain_of(find_problem("two-state")).arrows[0]
    Arrow(s=0, t=1, behaviour=Fraction(1, 1), target=Fraction(1, 1), reward=Fraction(0, 1))
    """
    both: dict[tuple[int, int], list[Fraction]] = {}
    rewards: dict[tuple[int, int], set[Fraction]] = {}
    for s, a, t, probability, reward, _ in problem.transitions:
        if problem.behaviour[s][a]:  # target takes no other action
            total = both.setdefault((s, t), [Fraction(0), Fraction(0)])
            total[0] += problem.behaviour[s][a] * probability
            total[1] += problem.target[s][a] * probability
            rewards.setdefault((s, t), set()).add(reward)
    arrows = tuple(
        Arrow(s, t, both[s, t][0], both[s, t][1], min(rewards[s, t]) if len(rewards[s, t]) == 1 else None)
        for s, t in sorted(both, key=lambda pair: (pair[0], pair[1] == END, pair[1]))
    )
    counted = Counter(arrow.reward for arrow in arrows)
    starts = () if problem.start is None else tuple(s for s, p in enumerate(problem.start) if p)
    return Chain(
        states=problem.states,
        terminal=problem.terminal,
        has_values=not problem.action_values,
        first=starts if len(starts) < len(problem.live_states) else (),
        arrows=arrows,
        on_policy=all(arrow.behaviour == arrow.target for arrow in arrows),
        usual_reward=counted.most_common(1)[0][0] if counted else None,
    )

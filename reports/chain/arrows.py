"""The chain of a problem, its actions merged: which state leads to which, how often, and the same in words."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.exact import Number
from tdrc_theory.exact.number import rounded_text, short_number
from tdrc_theory.problem import END, Problem


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one state to another, or to END: the probability under each policy, all actions together, and the reward.

    `reward` is None where it differs from action to action.
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


_ROOT = re.compile(r"[* ]?sqrt\((\d+)\)")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
LONGEST = 4
"""Of an exact number at an arrow; longer ones are rounded there."""


def linear_form(row: tuple[Number, ...]) -> tuple[str, ...]:
    """Return the terms of w.x for the features x of a state.

    >>> from fractions import Fraction
    >>> linear_form((Fraction(2), Fraction(0), Fraction(-1, 2)))
    ('2 w₀', '- 1/2 w₂')
    """
    terms: list[str] = []
    for i, value in enumerate(row):
        if value == 0:
            continue
        exact = short_number(value)
        size = _ROOT.sub(r" √\1", f"({exact})" if " " in exact else exact).strip()
        sign = "- " if size.startswith("-") and "+" not in size else "+ " if terms else ""
        size = size.removeprefix("-") if sign == "- " else size
        terms.append(f"{sign}{'' if size == '1' else size + ' '}w{str(i).translate(_SUBSCRIPTS)}")
    return tuple(terms) or ("0",)


def brief(value: Number) -> str:
    """Return a number for an arrow: exactly where that is short, to two digits elsewhere.

    >>> from fractions import Fraction
    >>> brief(Fraction(2, 7)), brief(Fraction(197, 660))
    ('2/7', '0.3')
    >>> brief(Fraction(1, 3 * 10**400))
    '3.3e-401'
    """
    exact = short_number(value)
    return exact if len(exact) <= LONGEST else rounded_text(value, 2)


def label(arrow: Arrow, chain: Chain) -> tuple[str, ...]:
    """Return the lines at an arrow: how often it is taken, and what it pays where that is not the usual reward."""
    often = brief(arrow.behaviour)
    odds = (often,) if chain.on_policy else (f"b {often}", f"π {brief(arrow.target)}")
    if arrow.reward == chain.usual_reward:
        return odds
    return *odds, "R varies" if arrow.reward is None else f"R {signed(brief(arrow.reward))}"


def arrow_text(arrow: Arrow) -> str:
    """Return all that is known of an arrow, on one line."""
    where = "the end" if arrow.t == END else str(arrow.t)
    paid = "rewards differ" if arrow.reward is None else f"reward {short_number(arrow.reward)}"
    odds = f"behaviour {short_number(arrow.behaviour)}, target {short_number(arrow.target)}"
    return f"{arrow.s} to {where}: {odds}, {paid}"


def described(chain: Chain) -> str:
    """Return the chain in words, for whoever cannot see it."""
    shown = "; ".join(arrow_text(arrow) for arrow in chain.arrows[:60])
    return f"{chain.states} states. {shown}{'; and more' if len(chain.arrows) > 60 else ''}."


def signed(text: str) -> str:
    """Return text with minus signs in the place of hyphens."""
    return text.replace("-", "\u2212")

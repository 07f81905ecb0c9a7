"""What is written at a chain: values of states, probabilities and rewards of arrows, and the legend."""

from __future__ import annotations

import re

from reports.chain.arrows import Arrow, Chain
from tdrc_theory.exact import Number
from tdrc_theory.exact.convert import short_number
from tdrc_theory.problem import END

KINDS = 4
"""Kinds of arrows that are told apart by their style."""
_ROOT = re.compile(r"[* ]?sqrt\((\d+)\)")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


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


def probabilities(arrow: Arrow, on_policy: bool) -> tuple[str, ...]:
    """Return the lines that say how often an arrow is taken."""
    if on_policy:
        return (short_number(arrow.behaviour),)
    return f"b {short_number(arrow.behaviour)}", f"π {short_number(arrow.target)}"


def arrow_told(arrow: Arrow) -> str:
    """Return all that is known of an arrow, on one line."""
    where = "the end" if arrow.t == END else str(arrow.t)
    paid = "rewards differ" if arrow.reward is None else f"reward {short_number(arrow.reward)}"
    odds = f"behaviour {short_number(arrow.behaviour)}, target {short_number(arrow.target)}"
    return f"{arrow.s} to {where}: {odds}, {paid}"


def described(chain: Chain) -> str:
    """Return the chain in words, for whoever cannot see it."""
    shown = "; ".join(arrow_told(arrow) for arrow in chain.arrows[:60])
    return f"{chain.states} states. {shown}{'; and more' if len(chain.arrows) > 60 else ''}."


def signed(text: str) -> str:
    """Return text with minus signs in the place of hyphens."""
    return text.replace("-", "\u2212")


def legend_rows(chain: Chain, kinds: list[tuple[Number, Number]]) -> list[tuple[int | str, str]]:
    """Return (sign, text): the number of an arrow's style, or the name of another sign."""
    rows: list[tuple[int | str, str]] = []
    if kinds and len(kinds) <= KINDS:
        for i, (behaviour, target) in enumerate(kinds):
            rows.append((i, f"behaviour {short_number(behaviour)}, target {short_number(target)}, each"))
    elif kinds:
        rows += [(0, "target takes it too; probabilities are in the table"), (1, "only behaviour takes it")]
    elif chain.on_policy:
        rows.append(("", "at the arrows: the probability, under behaviour and target alike"))
    else:
        rows.append(("", "at the arrows: the probability under behaviour (b) and under target (π)"))
    if chain.usual_reward is not None:
        others = any(arrow.reward != chain.usual_reward for arrow in chain.arrows)
        tail = ", unless R is written" if others and not kinds else ", but not everywhere" if others else ""
        rows.append(("", f"reward {signed(short_number(chain.usual_reward))}{tail}; beside a state: its value w.x"))
    if chain.first:
        rows.append(("first", "an episode begins here"))
    if any(arrow.t == END for arrow in chain.arrows):
        rows.append(("end", "the episode ends"))
    if chain.terminal:
        rows.append(("terminal", "terminal state: the episode ends there"))
    return rows

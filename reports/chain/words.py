"""What is written at a chain: values of states, probabilities and rewards of arrows."""

from __future__ import annotations

import re

from reports.chain.arrows import Arrow, Chain
from tdrc_theory.exact import Number
from tdrc_theory.exact.number import rounded_text, short_number
from tdrc_theory.problem import END

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


def probabilities(arrow: Arrow, on_policy: bool) -> tuple[str, ...]:
    """Return the lines that say how often an arrow is taken."""
    if on_policy:
        return (brief(arrow.behaviour),)
    return f"b {brief(arrow.behaviour)}", f"π {brief(arrow.target)}"


def reward_line(arrow: Arrow) -> str:
    """Return what an arrow pays."""
    return "R varies" if arrow.reward is None else f"R {signed(brief(arrow.reward))}"


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

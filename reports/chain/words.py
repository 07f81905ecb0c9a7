"""What is written at a chain: values of states, probabilities and rewards of arrows, and the legend."""

from __future__ import annotations

import re

from reports.chain.arrows import Arrow, Chain
from reports.chain.strokes import ShownBy, Strokes
from tdrc_theory.exact import Number
from tdrc_theory.exact.convert import rounded_text, short_number
from tdrc_theory.problem import END

_ROOT = re.compile(r"[* ]?sqrt\((\d+)\)")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_LONGEST = 4
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
    return exact if len(exact) <= _LONGEST else rounded_text(value, 2)


def probabilities(arrow: Arrow, on_policy: bool) -> tuple[str, ...]:
    """Return the lines that say how often an arrow is taken."""
    if on_policy:
        return (brief(arrow.behaviour),)
    return f"b {brief(arrow.behaviour)}", f"π {brief(arrow.target)}"


def reward_line(arrow: Arrow) -> str:
    """Return what an arrow pays."""
    return "R varies" if arrow.reward is None else f"R {_signed(brief(arrow.reward))}"


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


def _signed(text: str) -> str:
    """Return text with minus signs in the place of hyphens."""
    return text.replace("-", "\u2212")


def caption(shown_by: ShownBy | None, chain: Chain) -> str:
    """Return what is to be seen of a chain; None is for matrices."""
    if shown_by is None:
        return (
            "The chain as matrices of transition probabilities, actions merged: a graph would have too many arrows. "
            "The numbers behind it are exact."
        )
    values = ", with their values w.x" if chain.has_values else ""
    graph = f"The chain, actions merged: circles are states{values}."
    if shown_by is ShownBy.WIDTHS:
        return f"{graph} There are too many arrows for labels: the numbers behind it have their exact probabilities."
    return graph


def legend_rows(chain: Chain, strokes: Strokes) -> list[tuple[int | str, str]]:
    """Return (sign, text): the number of an arrow's style, or the name of another sign."""
    rows = [*_of_arrows(chain, strokes), *([("", "beside a state: its value w.x")] if chain.has_values else [])]
    rows += _of_rewards(chain, "unless R is written" if strokes.shown_by is ShownBy.LABELS else "but not everywhere")
    if chain.first:
        rows.append(("first", "an episode begins here"))
    if any(arrow.t == END for arrow in chain.arrows):
        rows.append(("end", "the episode ends"))
    if chain.terminal:
        rows.append(("terminal", "terminal state: the episode ends there"))
    return rows


def _of_arrows(chain: Chain, strokes: Strokes) -> list[tuple[int | str, str]]:
    if strokes.shown_by is ShownBy.KINDS:
        return [
            (i, f"probability {short_number(behaviour)} under behaviour, {short_number(target)} under target")
            for i, (behaviour, target) in enumerate(strokes.kinds)
        ]
    if strokes.shown_by is ShownBy.WIDTHS:
        return [*_of_styles(chain, strokes), ("", _of_widths(chain))]
    numbers = [n for arrow in chain.arrows for n in (arrow.behaviour, arrow.target)]
    rounded = ", to two digits where it is long" if any(len(short_number(n)) > _LONGEST for n in numbers) else ""
    both = "under behaviour and target alike" if chain.on_policy else "under behaviour (b) and under target (π)"
    return [("", f"at the arrows: the probability{rounded}, {both}")]


def _of_styles(chain: Chain, strokes: Strokes) -> list[tuple[int | str, str]]:
    """Return what the styles mean that are there."""
    often = "taken as often by target as by behaviour" if chain.on_policy else "target takes it as often, or more often"
    meanings = (often, "only behaviour takes it", "target takes it less often than behaviour")
    there = {strokes.style(arrow) for arrow in chain.arrows}
    return [(i, meaning) for i, meaning in enumerate(meanings) if i in there]


def _of_widths(chain: Chain) -> str:
    result = [float(arrow.behaviour) for arrow in chain.arrows]
    ends = f"{min(result):.2g} to {max(result):.2g}"
    return f"the wider and stronger, the more often behaviour takes it: probability {ends}"


def matrix_rows(chain: Chain) -> list[tuple[int | str, str]]:
    """Return what stands below the matrices of a chain."""
    text = "a cell: how probable a step is"
    if chain.first:
        starts = ", ".join(map(str, chain.first))
        return [("", text), *_of_rewards(chain, "but not everywhere"), ("", f"episodes begin in {starts}")]
    return [("", text), *_of_rewards(chain, "but not everywhere")]


def _of_rewards(chain: Chain, unless: str) -> list[tuple[int | str, str]]:
    """Return the usual reward, and `unless` where there are others."""
    if chain.usual_reward is None:
        return []
    others = any(arrow.reward != chain.usual_reward for arrow in chain.arrows)
    return [("", f"reward {_signed(short_number(chain.usual_reward))}{f', {unless}' if others else ''}")]

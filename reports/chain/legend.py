"""How the arrows of a chain are drawn (colour, dashes, width, opacity), and the legend, which says what these mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from reports.chain.arrows import Arrow, Chain
from reports.chain.words import LONGEST, signed
from tdrc_theory.exact.number import short_number
from tdrc_theory.problem import END

STYLES = (
    ("#0072b2", 2.0, ""),
    ("#333", 0.7, ""),
    ("#d55e00", 1.6, "7 4"),
    ("#009e73", 1.6, "2 4"),
)
"""Colour, width and dashes."""
_TAKEN, _NEVER, _LESS = 0, 1, 2
"""Styles of arrows that target takes, at least as often as behaviour where that matters; never; and less often."""
_LEAST_WIDTH, _MOST_WIDTH, _LEAST_STRENGTH = 0.6, 3.2, 0.4


class ShownBy(Enum):
    """How it is shown how often an arrow is taken."""

    LABELS = "labels"
    """Text at each arrow, where there is room."""
    KINDS = "kinds"
    """A style for each pair of probabilities, where they are few."""
    WIDTHS = "widths"
    """Width and strength, elsewhere."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """How arrows are drawn.

    Attributes:
        shown_by: how their probabilities are shown.
        kinds: the pairs of probabilities (behaviour, target), by style; none unless they tell.
        most: the largest probability under behaviour.
    """

    shown_by: ShownBy
    kinds: tuple[tuple[Fraction, Fraction], ...]
    most: Fraction

    @classmethod
    def of(cls, chain: Chain, labelled: bool) -> Strokes:
        """Return the strokes of a chain, with labels or without them."""
        most = max((arrow.behaviour for arrow in chain.arrows), default=Fraction(1))
        pairs = {(arrow.behaviour, arrow.target) for arrow in chain.arrows}
        kinds = tuple(sorted(pairs, key=lambda pair: (-pair[1], -pair[0])))
        if labelled:
            return cls(ShownBy.LABELS, (), most)
        return cls(ShownBy.KINDS, kinds, most) if len(kinds) <= len(STYLES) else cls(ShownBy.WIDTHS, (), most)

    def style(self, arrow: Arrow) -> int:
        """Return the number of an arrow's style."""
        if self.shown_by is ShownBy.KINDS:
            return self.kinds.index((arrow.behaviour, arrow.target))
        if not arrow.target:
            return _NEVER
        return _LESS if self.shown_by is ShownBy.WIDTHS and arrow.target < arrow.behaviour else _TAKEN

    def width(self, arrow: Arrow) -> float:
        """Return how wide an arrow is."""
        if self.shown_by is not ShownBy.WIDTHS:
            return STYLES[self.style(arrow)][1]
        return _LEAST_WIDTH + (_MOST_WIDTH - _LEAST_WIDTH) * float(arrow.behaviour / self.most)

    def strength(self, arrow: Arrow) -> float:
        """Return how little of the paper an arrow lets through, at most 1."""
        if self.shown_by is not ShownBy.WIDTHS:
            return 1.0
        return _LEAST_STRENGTH + (1 - _LEAST_STRENGTH) * float(arrow.behaviour / self.most)


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
        odds = [float(arrow.behaviour) for arrow in chain.arrows]
        often = "the wider and stronger, the more often behaviour takes it: probability"
        return [*_of_styles(chain, strokes), ("", f"{often} {min(odds):.2g} to {max(odds):.2g}")]
    numbers = [n for arrow in chain.arrows for n in (arrow.behaviour, arrow.target)]
    rounded = ", to two digits where it is long" if any(len(short_number(n)) > LONGEST for n in numbers) else ""
    both = "under behaviour and target alike" if chain.on_policy else "under behaviour (b) and under target (π)"
    return [("", f"at the arrows: the probability{rounded}, {both}")]


def _of_styles(chain: Chain, strokes: Strokes) -> list[tuple[int | str, str]]:
    """Return what the styles mean that are there."""
    often = "taken as often by target as by behaviour" if chain.on_policy else "target takes it as often, or more often"
    meanings = (often, "only behaviour takes it", "target takes it less often than behaviour")
    there = {strokes.style(arrow) for arrow in chain.arrows}
    return [(i, meaning) for i, meaning in enumerate(meanings) if i in there]


def matrix_rows(chain: Chain) -> list[tuple[int | str, str]]:
    """Return what stands below the matrices of a chain."""
    starts = [("", f"episodes begin in {', '.join(map(str, chain.first))}")] if chain.first else []
    return [("", "a cell: how probable a step is"), *_of_rewards(chain, "but not everywhere"), *starts]


def _of_rewards(chain: Chain, unless: str) -> list[tuple[int | str, str]]:
    """Return the usual reward, and `unless` where there are others."""
    if chain.usual_reward is None:
        return []
    others = any(arrow.reward != chain.usual_reward for arrow in chain.arrows)
    return [("", f"reward {signed(short_number(chain.usual_reward))}{f', {unless}' if others else ''}")]

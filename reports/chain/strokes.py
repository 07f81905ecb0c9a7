"""How the arrows of a chain are drawn: colour, dashes, width and opacity, and what these mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from reports.chain.arrows import Arrow, Chain

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

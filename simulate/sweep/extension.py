"""A grid of alpha that goes on until the best configuration is inside it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

from simulate.piece import Piece
from simulate.sweep.areas import Areas
from simulate.sweep.case import Case, Configuration
from simulate.sweep.experiment import lanes_of

ADDED = 2
"""Values by which a grid of alpha is extended at a time, each as far from the next as the two at that end are."""
LEAST, MOST = Fraction(1, 2**16), Fraction(2**10)
"""Where extending ends: an algorithm whose best alpha is there is at its best without learning."""


def extended(case: Case, areas: Areas) -> Case | None:
    """Return a case with more of alpha at an end where a best one is, None where there is to be no more."""
    if not case.extends or len(alphas := areas.values("alpha")) < 2:
        return None
    bests = [areas] if case.along is None else [areas.at(case.along, v) for v in areas.values(case.along)]
    edges = {best.edge for best in bests}
    low, high = alphas[0], alphas[-1]
    below = [low * (low / alphas[1]) ** n for n in range(ADDED, 0, -1)] if -1 in edges and low > LEAST else []
    above = [high * (high / alphas[-2]) ** n for n in range(1, ADDED + 1)] if 1 in edges and high < MOST else []
    if not below and not above:
        return None
    rest = dict.fromkeys(configuration.parameters for configuration in case.configurations)
    added = [[Configuration(*each) for each in itertools.product(part, rest)] for part in (below, above)]
    configurations = [*added[0], *case.configurations, *added[1]]
    assert isinstance(case.piece, Piece), "of prediction"
    piece = replace(case.piece, lanes=lanes_of(case.piece.rule, configurations))
    return case._replace(configurations=configurations, piece=piece)

"""QRC, QC and Q-learning: one update, and data that tell them apart."""

from __future__ import annotations

from dataclasses import dataclass

from tdrc_theory.registry import named


@dataclass(frozen=True)
class ControlAlgorithm:
    """What an algorithm makes of the one update.

    Attributes:
        name: as commands take it.
        regularised: it has a beta; otherwise beta is 0.
        corrected: it learns h; otherwise h stays 0, and with it the correction.
        source: where it is defined.
    """

    name: str
    regularised: bool
    corrected: bool
    source: str


QRC = ControlAlgorithm("qrc", regularised=True, corrected=True, source="Extending TDRC to Control")
QC = ControlAlgorithm("qc", regularised=False, corrected=True, source="Extending TDRC to Control, beta = 0")
Q_LEARNING = ControlAlgorithm("q-learning", regularised=False, corrected=False, source="Watkins, 1989; h = 0")
CONTROL_ALGORITHMS = (QRC, QC, Q_LEARNING)


def find_control_algorithm(name: str) -> ControlAlgorithm:
    """Return the algorithm of this name, for networks; tiles have agents of their own.

    Raises:
        UnknownName: there is none.
    """
    return named("algorithm", name, CONTROL_ALGORITHMS, also="with --features tiles more of them, yours too")

"""QRC and QC ("Extending TDRC to Control") and Q-learning (Watkins 1989): one update, and what tells them apart."""

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
    """

    name: str
    regularised: bool
    corrected: bool


QRC = ControlAlgorithm("qrc", regularised=True, corrected=True)
QC = ControlAlgorithm("qc", regularised=False, corrected=True)
Q_LEARNING = ControlAlgorithm("q-learning", regularised=False, corrected=False)
CONTROL_ALGORITHMS = (QRC, QC, Q_LEARNING)


def find_control_algorithm(name: str) -> ControlAlgorithm:
    """Return the algorithm of this name, for networks; tiles have agents of their own.

    Raises:
        UnknownName: there is none.
    """
    return named("algorithm", name, CONTROL_ALGORITHMS, also="with --features tiles more of them, yours too")

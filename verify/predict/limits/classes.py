"""The parts of a chain in which moments can grow: its communicating classes, each with what moves in it, exact.

Ordered by class the operators on moments are block triangular, so their radii are the largest of the classes' own. A
class is left for good (transient), or never left (recurrent); no recurrent class leads to another. Within a class the
weights change only along the span of its own updates. What lies across stays as it was when the class was entered: the
operators have eigenvalues of modulus 1 there that are semisimple in a recurrent class, and smaller ones in a transient
one. So moments stay bounded where every class, off the directions that never move in it, has a radius below 1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tdrc_theory.exact import Matrix
from verify.predict.recursion import RESTART, Recursion
from verify.predict.reduced_recursion import ReducedRecursion, columns, echelon, in_coordinates


def classes(reduced: ReducedRecursion) -> list[ReducedRecursion]:
    """Return the classes in which something moves that may move again; the recursion itself where all is one class."""
    from scipy.sparse.csgraph import connected_components

    whole = reduced.recursion
    edges, starts = np.zeros((whole.modes, whole.modes)), [p > 0 for p in whole.start]
    for step in whole.steps:
        edges[step.source, starts if step.target == RESTART else step.target] = 1
    labels = connected_components(edges, connection="strong")[1].tolist()
    if len(set(labels)) == 1:
        return [reduced] if reduced.n else []
    result = []
    for label in dict.fromkeys(labels):
        inside = _inside(whole, [mode for mode, other in enumerate(labels) if other == label])
        basis, pivots = echelon(whole.dimension, columns(inside)) if inside.steps else (Matrix.zeros(0, 0), ())
        if pivots:
            result.append(in_coordinates(inside, basis, pivots))
    return result


def _inside(recursion: Recursion, modes: list[int]) -> Recursion:
    """Return what a chain does while it stays in some modes."""
    place = {mode: i for i, mode in enumerate(modes)}
    start = tuple(recursion.start[mode] for mode in modes)
    steps = tuple(
        step._replace(source=place[step.source], target=place.get(step.target, RESTART))
        for step in recursion.steps
        if step.source in place and (step.target in place or (step.target == RESTART and any(start)))
    )
    return replace(recursion, states=tuple(recursion.states[mode] for mode in modes), start=start, steps=steps)

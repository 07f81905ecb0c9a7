"""What small step sizes do: the update averaged over the samples, whose stability decides theirs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tdrc_theory.errors import BadProblem
from tdrc_theory.exact import Matrix
from verify.check import Proof
from verify.conditions.setting import past_exact_reach
from verify.exact.routh import has_imaginary_root, is_hurwitz
from verify.predict.reduced_recursion import ReducedRecursion

MOST_COORDINATES = 64
"""Coordinates up to which the averaged update is judged by exact arithmetic."""


def averaged_stability(reduced: ReducedRecursion) -> tuple[bool | None, Proof, str]:
    """Return whether the update averaged over the samples is stable, off what never moves; None where not known."""
    asked = reduced.recursion
    if asked.sampling == "markov" and asked.problem.state_weights is not None:
        try:
            asked = replace(asked, problem=replace(asked.problem, state_weights=None))
        except BadProblem:
            return None, Proof.FLOAT, "the chain has no unique stationary distribution"
    update = asked.averaged
    if update is None:
        return None, Proof.FLOAT, "the learner's memory has no stationary mean"
    G: Matrix = (update.G @ reduced.basis).select(reduced.pivots, range(reduced.n))
    who = "the averaged update"
    if past_exact_reach(reduced.n, lambda: G, MOST_COORDINATES):
        stable = bool(np.linalg.eigvals(G.to_float()).real.max() < 0)
        return stable, Proof.FLOAT, f"{who} has an eigenvalue without negative real part"
    charpoly = G.charpoly()
    if is_hurwitz(charpoly):
        return True, Proof.EXACT, ""
    zeros, rest = charpoly.split_zero()
    axis = bool(zeros) or has_imaginary_root(rest)
    if axis and asked.sampling == "markov":
        return None, Proof.FLOAT, f"{who} has an eigenvalue on the imaginary axis, of which first order says nothing"
    where = "has the eigenvalue 0" if zeros and is_hurwitz(rest) else "has an eigenvalue without negative real part"
    return False, Proof.EXACT, f"{who} {where} (Routh's table)"

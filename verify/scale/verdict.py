"""The verdict on an enclosed update varrho' = G varrho + g, weights that never move split off.

Let N be the indices whose rows of G are exactly 0, and R the others. Where g is 0 on N too, the weights of N stay where
they are, G is block triangular, and its eigenvalues are those of G_RR and |N| zeros. If G_RR is Hurwitz it is
nonsingular, so G has rank |R|: the zeros are semisimple, and every start converges, to the point of the set of fixed
points that its resting weights choose.

Every fixed point solves A w = b if, besides,

- each block row has w columns -c A and constant c b for a number c (TDRC: c = eta, 1): h = 0 with A w = b rests;
- A and b are 0 in the rows of the resting weights of w;
- the columns of the resting weights of h are 0.

Proof. Let A v = 0 with v = 0 on N. Then G (0, v) = 0, so v = 0: A, without its columns in N, has independent columns,
and since its rows in N are 0, the square block that is left is nonsingular. So for any resting w there is a w with
A w = b, and (0, w) is a fixed point. As G_RR is nonsingular and resting h have no influence, it is the only one with
these resting w, up to resting h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from tdrc_theory.cli.finite import finite
from tdrc_theory.learner.key_update import Block, combined
from verify.check import DRIFTS, GROWS, Outcome, Proof, Verdict
from verify.conditions.setting import Setting
from verify.exact.roots import Enclosure
from verify.scale.ball import Ball
from verify.scale.verified import HOW, Stability, prove_stability

_LOOSE = 1.0
"""Width of an enclosure, relative to its end next to 0, beyond which it is said to be loose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnclosedUpdate:
    """What a verdict needs, each matrix enclosed.

    Attributes:
        G, g: (n, n) and (n, 1), ordered (h, w), w having k entries.
        A, b: (k, k) and (k, 1).
        td_rows: whether each block row is known to have w columns -c A and constant c b for a number c.
        own_fixed_points: whether the algorithm by design solves another equation than A w = b.
    """

    G: Ball
    g: Ball
    A: Ball
    b: Ball
    td_rows: bool
    own_fixed_points: bool


def enclosed_verdict(update: EnclosedUpdate) -> Verdict:
    """Return what holds of every update in the enclosure, or `undecided` with the reason."""
    size = update.G.shape[0]
    resting = np.flatnonzero(update.G.is_zero.all(axis=1))
    moving = np.setdiff1d(np.arange(size), resting)
    g = update.g.select(resting, [0])
    drifting = resting[(np.abs(g.mid) > g.rad)[:, 0]]
    if drifting.size:
        reason = "no fixed point: G varrho + g = 0 has no solution, so the weights drift"
        return _verdict(Outcome.NOT_CONVERGENT, reason, {"drifting": drifting.tolist()})
    if not g.is_zero.all():
        reason = "a row of G is 0, and whether its entry of g is was not decided: the weights may drift"
        return _verdict(Outcome.UNDECIDED, reason, {})
    if not moving.size:
        return _to_a_set(update, resting, None)
    stability = prove_stability(update.G.select(moving, moving))
    evidence: dict[str, Any] = {"float_spectral_abscissa": finite(stability.hint)}
    if stability.hurwitz is None:
        return _verdict(Outcome.UNDECIDED, stability.reason, evidence, proof=Proof.FLOAT)
    if not stability.hurwitz:
        where = f"with real part {stability.hint:.6g} or near it, in any case above 0"
        reason = f"G has an eigenvalue {where} ({HOW})"
        return _verdict(Outcome.NOT_CONVERGENT, reason, evidence, stability.abscissa)
    if not resting.size:
        reason = f"all {size} eigenvalues of G have negative real part ({HOW})"
        return _verdict(Outcome.CONVERGENT, reason, evidence, stability.abscissa)
    return _to_a_set(update, resting, stability)


def _to_a_set(update: EnclosedUpdate, resting: np.ndarray, stability: Stability | None) -> Verdict:
    size = update.G.shape[0]
    evidence: dict[str, Any] = {"resting": resting.tolist()}
    others, abscissa = "there are no others", None
    if stability is not None:
        others, abscissa = f"the other {size - resting.size} have negative real part ({HOW})", stability.abscissa
        evidence["float_spectral_abscissa"] = stability.hint
    reason = f"0 is a semisimple eigenvalue ({resting.size} of {size}: weights that never move), {others}"
    if update.own_fixed_points:
        return _verdict(Outcome.CONVERGENT_TO_A_SET, reason, evidence, abscissa)
    if not _solves_td(update, resting):
        reason += "; whether every fixed point solves A w = b was not decided"
        return _verdict(Outcome.UNDECIDED, reason, evidence, abscissa)
    return _verdict(Outcome.CONVERGENT_TO_A_SET, f"{reason}, and every fixed point solves A w = b", evidence, abscissa)


def _solves_td(update: EnclosedUpdate, resting: np.ndarray) -> bool:
    """Return whether the three conditions of the module's proof hold."""
    k = update.A.shape[0]
    first_w = update.G.shape[0] - k
    of_h, of_w = resting[resting < first_w], resting[resting >= first_w] - first_w
    nowhere = update.A.is_zero[of_w].all() and update.b.is_zero[of_w].all()
    return bool(update.td_rows and nowhere and update.G.is_zero[:, of_h].all())


def _verdict(
    status: Outcome,
    reason: str,
    evidence: dict[str, Any],
    abscissa: Enclosure | None = None,
    proof: Proof = Proof.ENCLOSED,
) -> Verdict:
    if abscissa is not None:
        near, width = min(abs(abscissa.lower), abs(abscissa.upper)), abscissa.upper - abscissa.lower
        if width > _LOOSE * near:  # it says little more than a sign
            factor = f"{width / near:.2g} times as wide as it is far from 0" if near else "it reaches 0"
            reason += f"; the enclosure of the spectral abscissa is loose: {factor}"
    effect = "" if status is not Outcome.NOT_CONVERGENT else DRIFTS if abscissa is None else GROWS
    return Verdict(
        status=status, proof=proof, reason=reason, spectral_abscissa=abscissa, evidence=evidence, effect=effect
    )


def enclosed(setting: Setting) -> EnclosedUpdate:
    """Return a setting's update, every entry within half a unit in the last place where it is rational.

    Raises:
        BadNumber: an entry is past the largest double.
    """
    (A, b, _), form, key, k = setting.equation, setting.form, setting.key, setting.problem.k
    kept: dict[frozenset[tuple[str, flint.fmpq]], Ball] = {}

    def of(block: Block) -> Ball:
        """Return a sum of A, A^T, C and I, enclosed once, of which the negative may be known."""
        if not block:
            return Ball.exact(np.zeros((k, k)))
        turned = next(iter(block.values())) < 0
        positive = {name: -factor for name, factor in block.items()} if turned else block
        which = frozenset(positive.items())
        if which not in kept:
            kept[which] = Ball.of(combined(positive, key))
        return -kept[which] if turned else kept[which]

    if form is None:
        of_A, (G, g) = Ball.of(A), map(Ball.of, setting.update)
    else:  # G as a whole would be many more exact numbers
        of_A = of({"A": flint.fmpq(1)}) if A is key.A else Ball.of(A)
        G = Ball.block([[of(form.blocks.get((row, column), {})) for column in form.names] for row in form.names])
        g = Ball.block([[Ball.of(key.b * form.constants.get(row, 0))] for row in form.names])
    return EnclosedUpdate(
        G=G,
        g=g,
        A=of_A,
        b=Ball.of(b),
        td_rows=setting.has_td_rows,
        own_fixed_points=setting.algorithm.own_fixed_points,
    )

"""Linear control: Mountain Car with tile-coded features, each agent at its best step size of the paper's grid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulate.bootstrap import mean, ratio_of_means
from simulate.control.linear.study import StepSizeStudy, late_mean
from simulate.statement import Statement, Support, every
from tdrc_theory.exact.convert import number_text
from tdrc_theory.published import COMPARABLE

FAILS = 2
"""Words such as "fails to reach a reasonable policy": over twice the steps of those that reach one."""
EXPLODES = 10
"""Words such as "grows rapidly": more than tenfold."""


class LinearEvidence(NamedTuple):
    """The same agent around the three algorithms."""

    td: StepSizeStudy
    tdc: StepSizeStudy
    tdrc: StepSizeStudy


def _fails(evidence: LinearEvidence) -> Support:
    ratios = [ratio_of_means(evidence.tdc.late, other.late) for other in (evidence.td, evidence.tdrc)]
    steps = ", ".join(f"{name} {mean(study.late)}" for name, study in evidence._asdict().items())
    told = f"steps an episode at the end: {steps}; TDC over TD {ratios[0]}, over TDRC {ratios[1]}; {_best(evidence)}"
    return Support(every(ratio.above(FAILS) for ratio in ratios), told)


def _matches(evidence: LinearEvidence) -> Support:
    ratio = ratio_of_means(evidence.tdrc.area, evidence.td.area)
    told = f"steps an episode, all along, TDRC over TD: {ratio}"
    return Support(ratio.below(float(COMPARABLE)), told)


def _quick(evidence: LinearEvidence) -> Support:
    ratio = ratio_of_means(evidence.tdc.early, evidence.td.early)
    return Support(ratio.below(float(COMPARABLE)), f"steps an episode in the first fifth, TDC over TD: {ratio}")


def _explodes(evidence: LinearEvidence) -> Support:
    found = evidence.tdc.best
    grown = mean(late_mean(found.correction_norm) / found.correction_norm[:, 0])
    everywhere = {
        alpha: float(np.mean(late_mean(one.correction_norm) / one.correction_norm[:, 0]))
        for alpha, one in evidence.tdc.swept.items()
    }
    most = max(everywhere, key=lambda alpha: everywhere[alpha])
    share = found.correction_norm / found.error_norm
    shares = np.mean(share[:, 0]), np.mean(late_mean(share))
    norms = np.mean(found.h_norm[:, 0]), np.mean(found.h_norm[:, -1])
    told = (
        f"correction at the end over that of the first {found.settings.every} steps: {grown}, at most "
        f"{everywhere[most]:.3g} at any step size ({number_text(most)}); over delta x, from {shares[0]:.3g} to "
        f"{shares[1]:.3g}; |h| from {norms[0]:.3g} to {norms[1]:.3g}"
    )
    return Support(grown.above(EXPLODES), told)


def _swells(evidence: LinearEvidence) -> Support:
    found = evidence.tdc.best
    whole = mean(found.direction_norm.mean(axis=1) / found.error_norm.mean(axis=1))
    share = mean(found.correction_norm.mean(axis=1) / found.error_norm.mean(axis=1))
    return Support(whole.above(1), f"TDC's direction over delta x: {whole}; its correction alone: {share}")


def _contained(evidence: LinearEvidence) -> Support:
    ratio = ratio_of_means(late_mean(evidence.tdrc.best.correction_norm), late_mean(evidence.tdc.best.correction_norm))
    return Support(ratio.below(1), f"correction at the end, TDRC over TDC: {ratio}")


def _best(evidence: LinearEvidence) -> str:
    told = ", ".join(number_text(study.best.settings.alpha) for study in evidence)
    return f"alpha {told}"


LINEAR: tuple[Statement[LinearEvidence], ...] = (
    Statement(
        "linear-tdc-fails", "Section 5.3",
        f"with TDC the agent takes over {FAILS} times the steps, in the last fifth, of those with TD and TDRC", _fails,
    ),
    Statement(
        "linear-tdrc-matches-td", "Section 5.3",
        f"with TDRC it takes at most {float(COMPARABLE):g} times the steps of that with TD, all along", _matches,
    ),
    Statement(
        "linear-tdc-quick-at-first", "Section 5.3",
        "with TDC the policy improves quickly at first: in the first fifth it takes at most "
        f"{float(COMPARABLE):g} times the steps of that with TD", _quick,
    ),
    Statement(
        "linear-correction-explodes", "Section 5.3",
        f"TDC's correction grows more than {EXPLODES}-fold", _explodes,
    ),
    Statement(
        "linear-correction-swells-direction", "Section 5.3",
        "TDC's correction makes the direction of w larger than delta x alone", _swells,
    ),
    Statement(
        "linear-tdrc-contains-correction", "Section 5.3",
        "TDRC's correction stays smaller than TDC's", _contained,
    ),
)  # fmt: skip

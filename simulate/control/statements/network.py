"""Control with networks on Mountain Car, one update after each step and ten."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from simulate.bootstrap import Interval, ratio_of_means
from simulate.control.history import History
from simulate.control.settings import Settings
from simulate.control.summary import diverged, overall, stuck
from simulate.statement import Statement, Support, every
from tdrc_theory.published import COMPARABLE

ENOUGH = 60
"""Episodes of a run from which on those that are stuck at its end are told from those that are slow."""
TARGETS = (4, 64, 256)
"""Updates between synchronisations of the target network."""
_NOT_RUN = Support(None, "not run at this size; --full runs it")
HALF = {"eta": Fraction(1, 2)}


class NetworkEvidence:
    """Runs on Mountain Car, learnt when they are first asked for."""

    def __init__(self, learn: Callable[..., History], alphas: Mapping[str, Fraction], thorough: bool) -> None:
        """Prepare.

        Args:
            learn: (algorithm, **settings) -> runs; asked twice for the same, it answers from memory.
            alphas: step size of each algorithm.
            thorough: whether target networks, and ten updates after each step, are affordable.
        """
        self._learn, self.alphas, self.thorough = learn, alphas, thorough

    def runs(self, algorithm: str, **settings: Any) -> History:
        """Return runs of an algorithm at its step size."""
        return self._learn(algorithm, alpha=self.alphas[algorithm], **settings)

    def over(self, one: History, other: History) -> Interval:
        """Return how many times as many steps an episode the first take, over all episodes."""
        return ratio_of_means(overall(one), overall(other))


def _slower(evidence: NetworkEvidence) -> Support:
    qc, qrc, plain = (evidence.runs(name) for name in ("qc", "qrc", "q-learning"))
    ratios = [evidence.over(qc, other) for other in (qrc, plain)]
    told = f"steps an episode, QC over QRC {ratios[0]}, over Q-learning {ratios[1]}"
    return Support(every(ratio.above(1) for ratio in ratios), told)


def _close(evidence: NetworkEvidence) -> Support:
    ratio = evidence.over(evidence.runs("qrc"), evidence.runs("q-learning"))
    return Support(ratio.below(float(COMPARABLE)), f"steps an episode, QRC over Q-learning {ratio}")


def _half(evidence: NetworkEvidence) -> Support:
    qc = evidence.runs("qc", **HALF)
    ratios = [evidence.over(qc, other) for other in (evidence.runs("q-learning"), evidence.runs("qrc", **HALF))]
    whole = evidence.over(qc, evidence.runs("qc"))
    told = f"steps an episode, QC with eta = 1/2 over Q-learning {ratios[0]}, over QRC {ratios[1]}, over itself with "
    return Support(every(ratio.below(float(COMPARABLE)) for ratio in ratios), f"{told}eta = 1 {whole}")


def _ten(evidence: NetworkEvidence) -> Support:
    if not evidence.thorough:
        return _NOT_RUN
    found = [evidence.runs(name, updates_per_step=10) for name in ("qrc", "q-learning")]
    ratio = evidence.over(*found)
    told = (
        f"steps an episode, QRC over Q-learning {ratio}; stuck {_stuck(found[0])} and {_stuck(found[1])}; "
        "at step sizes that were chosen for one update a step"
    )
    return Support(ratio.below(1), told)


def _targets(evidence: NetworkEvidence, algorithm: str) -> list[Interval]:
    without = evidence.runs(algorithm)
    return [evidence.over(evidence.runs(algorithm, target_every=target), without) for target in TARGETS]


def _targets_hurt(evidence: NetworkEvidence) -> Support:
    if not evidence.thorough:
        return _NOT_RUN
    ratios = _targets(evidence, "q-learning")
    told = ", ".join(f"every {target} {ratio}" for target, ratio in zip(TARGETS, ratios, strict=True))
    return Support(every(r.above(1) for r in ratios), f"steps an episode over those without a target network: {told}")


def _delay_hurts_qc(evidence: NetworkEvidence) -> Support:
    if not evidence.thorough:
        return _NOT_RUN
    found = [evidence.runs("qc"), *(evidence.runs("qc", target_every=target) for target in TARGETS)]
    steps = [evidence.over(later, before) for before, later in itertools.pairwise(found)]
    told = ", ".join(f"{target} {ratio}" for target, ratio in zip(TARGETS, steps, strict=True))
    return Support(every(r.above(1) for r in steps), f"steps an episode over the next shorter delay: {told}")


def _h_grows(evidence: NetworkEvidence) -> Support:
    return _h(evidence.runs("qc"), lambda first, last: last > first)


def _h_shrinks(evidence: NetworkEvidence) -> Support:
    return _h(evidence.runs("qrc"), lambda first, last: last < first)


def _h(found: History, moved: Callable[[Any, Any], Any]) -> Support:
    first = found.h_norm[:, 0]
    assert isinstance(found.settings, Settings)
    lost = diverged(found.settings, found) >= 0
    kept = found.h_norm[~lost]
    last = np.full(len(first), np.inf)  # what diverges has grown, whatever it was before
    last[~lost] = [run[np.isfinite(run)][-1] for run in kept]
    count = int(moved(first, last).sum())
    told = f"in {count} of {len(first)} runs, |h| from {first.mean():.2g} to {last.mean():.2g}"
    if lost.any():
        told += f"; {lost.sum()} diverged, and count as grown"
    return Support(count == len(first), told)


def _never_stuck(evidence: NetworkEvidence) -> Support:
    found = evidence.runs("qrc")
    if min(map(len, found.steps)) < ENOUGH:
        return Support(None, f"runs of fewer than {ENOUGH} episodes do not tell the slow from the stuck")
    told = ", ".join(f"{name} {_stuck(evidence.runs(name))}" for name in ("qrc", "qc", "q-learning"))
    return Support(not _caught(found), f"runs with every episode of the last fifth cut off: {told}")


def _stuck(found: History) -> str:
    return f"{_caught(found)} of {len(found.runs)}"


def _caught(found: History) -> int:
    caught = stuck(found)
    assert caught is not None, "Mountain Car has a cut-off"
    return int(caught.sum())


NETWORK: tuple[Statement[NetworkEvidence], ...] = (
    Statement("network-qc-slower", "Section 5.4", "QC learns more slowly than QRC and Q-learning", _slower),
    Statement(
        "network-qrc-close", "Section 5.4",
        f"QRC takes at most {float(COMPARABLE):g} times the steps of Q-learning", _close,
    ),
    Statement("network-qrc-wins-at-ten-updates", "Section 5.4", "with 10 updates a step QRC beats Q-learning", _ten),
    Statement(
        "network-half-eta-helps-qc", "Appendix D",
        f"with eta = 1/2 QC takes at most {float(COMPARABLE):g} times the steps of Q-learning and of QRC", _half,
    ),
    Statement("network-qc-h-grows", "Appendix D", "the norm of QC's h grows, in every run", _h_grows),
    Statement("network-qrc-h-shrinks", "Appendix D", "the norm of QRC's h shrinks, in every run", _h_shrinks),
    Statement("network-qrc-never-stuck", "Appendix D", "QRC is stable: no run is stuck at the end", _never_stuck),
    Statement("network-targets-hurt", "Appendix F", "target networks make Q-learning slower", _targets_hurt),
    Statement(
        "network-delay-hurts-qc", "Appendix F",
        "QC is slower the longer its target network is left behind", _delay_hurts_qc,
    ),
)  # fmt: skip

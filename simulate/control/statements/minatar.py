"""Control with networks on MinAtar's games, where runs are long: judged from as many steps as can be afforded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from simulate.bootstrap import Interval, ratio_of_means
from simulate.control.history import History
from simulate.statement import Finding, Statement, every

BETAS = (Fraction(1, 10), Fraction(1, 2))
"""Regularisers below 1 that are tried; the paper does not say which it tried."""


class MinAtarEvidence:
    """Runs of a game, learnt when they are first asked for; or none, where no steps are affordable."""

    def __init__(self, learn: Callable[..., History] | None) -> None:
        self._learn = learn

    @property
    def affordable(self) -> bool:
        """Return whether there are runs."""
        return self._learn is not None

    def over(self, one: Chosen, other: Chosen) -> Interval:
        """Return how many times the return of the second the first has, over all of its episodes (Appendix G.4)."""
        assert self._learn is not None
        found = [self._learn(name, **settings) for name, settings in (one, other)]
        first, second = ([float(run.mean()) if len(run) else 0.0 for run in each.returns] for each in found)
        return ratio_of_means(first, second)


_NOT_RUN = Finding(
    None, "not run: the paper's 5 million steps x 30 runs are days of one core; --minatar-steps says how many to run"
)
Chosen = tuple[str, Mapping[str, Any]]
_PLAIN: Chosen = ("q-learning", {})
_QC: Chosen = ("qc", {})
_QRC: Chosen = ("qrc", {})


def _qc_wins(evidence: MinAtarEvidence) -> Finding:
    if not evidence.affordable:
        return _NOT_RUN
    ratio = evidence.over(_QC, _PLAIN)
    return Finding(ratio.above(1), f"return, QC over Q-learning {ratio}")


def _between(evidence: MinAtarEvidence) -> Finding:
    if not evidence.affordable:
        return _NOT_RUN
    ratios = evidence.over(_QRC, _PLAIN), evidence.over(_QC, _QRC)
    told = f"return, QRC over Q-learning {ratios[0]}, QC over QRC {ratios[1]}"
    return Finding(every(ratio.above(1) for ratio in ratios), told)


def _small_beta_wins(evidence: MinAtarEvidence) -> Finding:
    if not evidence.affordable:
        return _NOT_RUN
    answers, told = [], []
    for beta in BETAS:
        ratios = [evidence.over(("qrc", {"beta": beta}), other) for other in (_PLAIN, _QC, _QRC)]
        answers.append(every(ratio.above(1) for ratio in ratios))
        told.append(f"beta {beta}: {', '.join(map(str, ratios))}")
    best = True if True in answers else None if None in answers else False
    return Finding(best, f"return over that of Q-learning, QC and QRC: {'; '.join(told)}")


MINATAR: tuple[Statement[MinAtarEvidence], ...] = (
    Statement("minatar-qc-beats-q-learning", "Section 5.4", "QC has the higher return than Q-learning", _qc_wins),
    Statement("minatar-qrc-between", "Section 5.4", "QRC with beta = 1 is between Q-learning and QC", _between),
    Statement(
        "minatar-small-beta-best", "Section 5.4",
        "QRC with some beta below 1 has the highest return of all", _small_beta_wins,
    ),
)  # fmt: skip

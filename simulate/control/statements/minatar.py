"""Control with networks on MinAtar's games, where runs are long: judged from as many steps as can be afforded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from simulate.bootstrap import Interval, difference_of_means
from simulate.control.history import History
from simulate.statement import Statement, Support, every

BETAS = (Fraction(1, 10), Fraction(1, 2))
"""Regularisers below 1 that are tried; the paper does not say which it tried."""
Chosen = tuple[str, Mapping[str, Any]]
"""An algorithm and its settings."""


class MinAtarEvidence:
    """Runs of a game, learnt when they are first asked for; or none, where no steps are affordable."""

    def __init__(self, learn: Callable[..., History] | None) -> None:
        self._learn = learn

    @property
    def affordable(self) -> bool:
        """Return whether there are runs."""
        return self._learn is not None

    def more(self, one: Chosen, other: Chosen, alike: int = 1) -> Interval:
        """Return how much more return the first has than the second, over all episodes of a run (Appendix G.4).

        Args:
            alike: among so many intervals the best may be chosen: they hold all together (Bonferroni).
        """
        assert self._learn is not None
        first, second = (
            [float(run.mean()) if len(run) else 0.0 for run in self._learn(name, **settings).returns]
            for name, settings in (one, other)
        )
        return difference_of_means(first, second, alike=alike)


_NOT_RUN = Support(
    None, "not run: the paper's 5 million steps x 30 runs are days of one core; --minatar-steps says how many to run"
)
_PLAIN: Chosen = ("q-learning", {})
_QC: Chosen = ("qc", {})
_QRC: Chosen = ("qrc", {})


def _qc_wins(evidence: MinAtarEvidence) -> Support:
    if not evidence.affordable:
        return _NOT_RUN
    found = evidence.more(_QC, _PLAIN)
    return Support(found.above(0), f"return, QC less Q-learning {found}")


def _between(evidence: MinAtarEvidence) -> Support:
    if not evidence.affordable:
        return _NOT_RUN
    found = evidence.more(_QRC, _PLAIN), evidence.more(_QC, _QRC)
    told = f"return, QRC less Q-learning {found[0]}, QC less QRC {found[1]}"
    return Support(every(one.above(0) for one in found), told)


def _small_beta_wins(evidence: MinAtarEvidence) -> Support:
    if not evidence.affordable:
        return _NOT_RUN
    answers, told = [], []
    for beta in BETAS:
        found = [evidence.more(("qrc", {"beta": beta}), other, alike=len(BETAS)) for other in (_PLAIN, _QC, _QRC)]
        answers.append(every(one.above(0) for one in found))
        told.append(f"beta {beta}: {', '.join(map(str, found))}")
    best = True if True in answers else None if None in answers else False
    return Support(best, f"return less that of Q-learning, QC and QRC, {'; '.join(told)}")


MINATAR: tuple[Statement[MinAtarEvidence], ...] = (
    Statement("minatar-qc-beats-q-learning", "Section 5.4", "QC has the higher return than Q-learning", _qc_wins),
    Statement("minatar-qrc-between", "Section 5.4", "QRC with beta = 1 is between Q-learning and QC", _between),
    Statement(
        "minatar-small-beta-best", "Section 5.4",
        "QRC with some beta below 1 has the highest return of all", _small_beta_wins,
    ),
)  # fmt: skip

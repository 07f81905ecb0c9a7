"""TDRC's spectral abscissa on logged transitions at several values of beta: which of them would be stable."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from tdrc_theory.algorithms import find_algorithm
from verify.data.estimate import Sample
from verify.data.intervals import Interval, resample
from verify.data.numbers import Numbers
from verify.data.products import form_of
from verify.data.report import DataReport

BETAS = tuple(Fraction(2) ** power for power in range(-10, 6))


def rates_over_beta(report: DataReport, eta: Fraction, tell: Callable[[int], None]) -> list[tuple[Fraction, Interval]]:
    """Return the spectral abscissa of TDRC, with its interval by the jackknife, at each of BETAS.

    Args:
        report: of any learner; its sums serve TDRC too, unless they are of action values.
        eta: step of h over that of w.
        tell: is told how many values of beta are done.
    """
    tdrc, sample, result = find_algorithm("tdrc"), report.sample, []
    whole = sample.estimate(np.ones(sample.units))
    for done, beta in enumerate(BETAS, 1):
        form = form_of(tdrc, tdrc.parameters({"beta": beta, "eta": eta}), report.form.gamma)
        result.append((beta, _rate(sample, Numbers.of(whole, form, ()))))
        tell(done)
    return result


def _rate(sample: Sample, judged: Numbers) -> Interval:
    drawn = resample(sample.units, lambda counts: judged.rate(sample.estimate(counts)), 0, 0, lambda _: None)
    return judged.interval_of_rate(drawn)

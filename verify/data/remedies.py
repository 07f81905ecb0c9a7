"""What to change: other learners on the same data, and the beta and eta of TDRC that would be stable or suffice."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.parameters import parameter_texts, setting_text
from verify.check import Status
from verify.data.estimate import Sample
from verify.data.intervals import Interval
from verify.data.numbers import Quantities
from verify.data.products import Form, form_of

BETAS = tuple(Fraction(2) ** power for power in range(-10, 6))
"""Values of beta at which TDRC is looked at."""


class Alternative(NamedTuple):
    """Another learner, or the same with other parameters, on the same data.

    Attributes:
        text: its name and parameters.
        form: itself.
        stable: whether its expected update is, as far as the interval tells.
        abscissa: of its G.
    """

    text: str
    form: Form
    stable: Status
    abscissa: Interval

    @classmethod
    def of(cls, form: Form, abscissa: Interval) -> Alternative:
        """Return it from its spectral abscissa."""
        return cls(setting_text(form.algorithm.name, form.parameters), form, abscissa.below(0), abscissa)

    def to_json(self) -> dict[str, Any]:
        """Return it without its matrices."""
        name, texts = self.form.algorithm.name, parameter_texts(self.form.parameters)
        return {"name": name, **texts, "stable": self.stable.value, "spectral_abscissa": self.abscissa.to_json()}


def suggested(gamma: Fraction, beta: Interval, eta: Interval) -> Form | None:
    """Return TDRC with half the beta that Theorem 3.1 (ii), corrected, allows, and an eta above what it asks for.

    At the bounds themselves an eigenvalue may be 0, and no interval would tell it from that.
    None where there is no interval for them, or where A is positive definite on every draw, so that it asks nothing.
    """
    if not (math.isfinite(beta.lower) and math.isfinite(eta.upper)) or beta.lower <= 0:
        return None
    tdrc = find_algorithm("tdrc")
    chosen = {"beta": rounded(beta.lower / 2, up=False), "eta": max(Fraction(1), rounded(eta.upper * 1.05, up=True))}
    return form_of(tdrc, tdrc.parameters(chosen), gamma)


def rounded(value: float, *, up: bool) -> Fraction:
    """Return a number above 0 rounded to two digits, towards 0 or away from it.

    >>> rounded(0.01239, up=False), rounded(1.21, up=True)
    (Fraction(3, 250), Fraction(13, 10))
    """
    if value <= 0:
        return Fraction(0)
    unit = Fraction(10) ** (math.floor(math.log10(value)) - 1)
    count = Fraction(value) / unit
    return (math.ceil(count) if up else math.floor(count)) * unit


def rates_over_beta(
    sample: Sample, gamma: Fraction, eta: Fraction, tell: Callable[[int], None]
) -> list[tuple[Fraction, Interval]]:
    """Return the spectral abscissa of TDRC, with its interval by the jackknife, at each of BETAS.

    Args:
        sample: of any learner's report; its sums serve TDRC too, unless they are of action values.
        gamma: the discount.
        eta: step of h over that of w.
        tell: gets the number of values of beta that are done.
    """
    tdrc, rates = find_algorithm("tdrc"), []
    whole = sample.estimate(np.ones(sample.units))
    for done, beta in enumerate(BETAS, 1):
        judged = Quantities.of(whole, form_of(tdrc, tdrc.parameters({"beta": beta, "eta": eta}), gamma), ())
        rates.append((beta, judged.interval_of_rate(sample.resample(judged.rate))))
        tell(done)
    return rates

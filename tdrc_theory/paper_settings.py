"""The settings of beta and eta that the paper speaks of, so that they can be held against bounds and regions."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

SWEPT_BETAS = tuple(Fraction(2**n, 10) for n in range(7))
"""The paper's study of beta, with eta = 1."""
RUN_BETA = Fraction(4, 5)
"""TDRC's beta in the paper's tables, as they were really run."""


class PaperSetting(NamedTuple):
    """A setting of TDRC.

    Attributes:
        beta, eta: the parameters.
        told: where it is from.
    """

    beta: Fraction
    eta: Fraction
    told: str


def paper_settings() -> tuple[PaperSetting, ...]:
    """Return the settings of the paper, by beta.

    >>> [str(setting.beta) for setting in paper_settings()]
    ['1/10', '1/5', '2/5', '4/5', '1', '8/5', '16/5', '32/5']
    """
    found = dict.fromkeys(SWEPT_BETAS, "swept")
    found[RUN_BETA] = "swept, and used in the tables"
    found[Fraction(1)] = "the default, and what the text states"
    return tuple(PaperSetting(beta, Fraction(1), told) for beta, told in sorted(found.items()))

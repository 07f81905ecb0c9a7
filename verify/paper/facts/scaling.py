"""How weights, rewards, features and beta scale together."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.papers.claim import Role
from verify.paper.facts.argument import Argument
from verify.paper.facts.atoms import converges, diverges
from verify.paper.facts.fact import Fact
from verify.paper.facts.statement import All, on
from verify.paper.facts.update_terms import Scales

LEARNERS = ("td", "tdc", "gtd2", "htd", "vtrace", "tdrc", "tdc++")
"""The learners of the paper; those that are built in besides may scale otherwise."""

_REWARDS = Scales(LEARNERS, (("R", 1), ("w", 1)), 1)
_FEATURES = Scales(LEARNERS, (("x", 1), ("w", -1), ("beta", 2), ("alpha", -2)), -1)

FACTS = (
    Fact(
        id="scaling.rewards",
        title="larger rewards leave fewer good betas",
        source="Section 4.3; Appendix, sensitivity to the scale of h",
        role=Role.REMARK,
        printed=Argument(
            "with constant steps from zero weights the range of good beta shrinks as the rewards grow",
            (_REWARDS,),
            (
                (
                    "from w_0 = h_0 = 0, constant alpha",
                    "weights, errors and their spread are multiplied by c; ratios to TD's stay",
                ),
                ("so what beta is good does not depend on c", "nor what step size is"),
            ),
            refuted=True,
        ),
        corrected=_FEATURES,
        erratum="E13",
        remark="beta scales with the features; dividing all rewards by a constant does not change which beta is good",
    ),
    Fact(
        id="scaling.units-of-features",
        title="the scale of beta follows that of the features",
        source="Appendix, sensitivity to the scale of h",
        role=Role.REMARK,
        printed=Argument(
            "features in another unit, x -> c x, act as beta / c^2 does, and that can decide convergence",
            (
                _FEATURES,
                on("two-state", All((converges("tdrc", Fraction(46, 100), 1), diverges("tdrc", 1, 1)))),
                on(
                    "doubled-two-state",
                    All((converges("tdrc", Fraction(184, 100), 1), converges("tdrc", 1, 1), diverges("tdrc", 4, 1))),
                ),
            ),
            (("doubled features, c = 2", "beta there acts as beta / 4 does on two-state"),),
        ),
        remark="so one default for every problem supposes features of one scale",
    ),
)

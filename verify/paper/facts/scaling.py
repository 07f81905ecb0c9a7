"""How weights, rewards, features and beta scale together: read off the terms of every algorithm's update."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tdrc_theory.form import Exponents

from tdrc_theory import notation
from tdrc_theory.algorithms import TD, TDC, TDCPP, TDRC, VTRACE
from tdrc_theory.algorithms.gtd2 import GTD2
from tdrc_theory.algorithms.htd import HTD
from tdrc_theory.claims.claim import Role
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problems import find_problem
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, refuted, told
from verify.paper.facts.small_problems import doubled_two_state
from verify.paper.judgement import Judgement

OF_THE_PAPER = (TD, TDC, GTD2, HTD, VTRACE, TDRC, TDCPP)
"""The algorithms that the statements are about; those that are built in besides may scale otherwise."""


def scales_with_rewards(terms: Terms) -> bool:
    """Return whether (w, h, R) -> c (w, h, R) multiplies the update by c: every term has one of delta, delta_hat, h."""
    return all(h + delta + delta_hat == 1 for (_, _, h, delta, delta_hat), _ in _all(terms))


def scales_with_features(terms: Terms, beta_power: int) -> bool:
    """Return whether x -> c x, (w, h) -> (w, h) / c, beta -> c^p beta, alpha -> alpha / c^2 divides alpha dw, dh by c.

    delta and delta_hat stay the same. Powers of c of a term: those of x and x', -1 for h, p for each beta in its
    coefficient, and -2 of alpha; together they have to be -1.
    """
    return all(
        a + b - h + beta_power * power - 2 == -1
        for (a, b, h, _, _), coefficient in _all(terms)
        for power in beta_powers(coefficient)
    )


def beta_powers(coefficient: Any) -> set[int]:
    """Return the powers of beta in a sympy coefficient that is a polynomial in it."""
    import sympy

    (beta,) = notation.sympy_symbols("beta")
    return {powers[0] for powers, _ in sympy.Poly(coefficient, beta).terms()}


def _all(terms: Terms) -> Iterator[tuple[Exponents, Any]]:
    for part in terms:
        yield from ((key, c) for key, c in part.items() if c != 0)


def _ways(algorithm: Algorithm) -> list[Terms]:
    """Return the terms on every way through an algorithm's comparisons."""
    return [terms for _, terms in algorithm.symbolic_terms()]


def _rewards() -> Judgement:
    shown = all(scales_with_rewards(terms) for algorithm in OF_THE_PAPER for terms in _ways(algorithm))
    steps = [
        ("every term of every update here has one factor of delta, delta_hat or h", "there is no other term"),
        (
            "rewards times c, weights times c",
            "each of these is multiplied by c, so the step is",
        ),
        (
            "from w_0 = h_0 = 0, constant alpha",
            "weights, errors and their spread are multiplied by c; ratios to TD's stay",
        ),
        ("so what beta is good does not depend on c", "nor what step size is"),
    ]
    witness = as_witness("random-walk-tabular", rewards="times c", beta="the same")
    return refuted(shown, "the terms of the updates", steps, witness)


def _features() -> Judgement:
    right = all(scales_with_features(terms, 2) for algorithm in OF_THE_PAPER for terms in _ways(algorithm))
    others = any(scales_with_features(terms, power) for power in (-1, 0, 1, 3) for terms in _ways(TDRC))
    steps = [
        ("x -> c x with (w, h) -> (w, h) / c", "delta and delta_hat stay as they are"),
        ("alpha -> alpha / c^2", "alpha delta x is divided by c, as w is"),
        ("beta -> c^2 beta", "alpha beta h is divided by c, as h is; no other power of c does it"),
    ]
    return confirmed(right and not others, "the terms of the updates", steps)


def _units() -> Judgement:
    one, other = find_problem("two-state"), doubled_two_state()
    doubled = [[2 * v for v in row] for row in one.features] == [list(row) for row in other.features]
    pairs = [(Fraction(n, 100), Fraction(4 * n, 100)) for n in (10, 46, 48, 100)]
    same = all(outcome(one, "tdrc", b).status is outcome(other, "tdrc", c).status for b, c in pairs)
    differ = outcome(one, "tdrc", 1).status is not outcome(other, "tdrc", 1).status
    shown = all(scales_with_features(terms, 2) for terms in _ways(TDRC))
    steps = [
        ("x -> 2 x multiplies A and C by 4", "G with 4 beta is 4 times G with beta before, so the verdict is the same"),
        ("two-state at beta = " + ", ".join(str(b) for b, _ in pairs), "as with doubled features at 4 beta"),
        *(told(problem, "tdrc", 1) for problem in (one, other)),
    ]
    return confirmed(doubled and same and differ and shown, "the terms of the update", steps)


FACTS = (
    Fact(
        id="scaling.rewards",
        title="larger rewards leave fewer good betas",
        source="Section 4.3; Appendix, sensitivity to the scale of h",
        role=Role.REMARK,
        printed="with constant steps from zero weights the range of good beta shrinks as the rewards grow",
        examine=_rewards,
        corrected="beta scales with the features: x -> c x is undone by beta -> c^2 beta and alpha -> alpha / c^2",
        confirm=_features,
        erratum="E13",
        remark="so dividing all rewards by a constant does not change which beta is good either",
    ),
    Fact(
        id="scaling.units-of-features",
        title="the scale of beta follows that of the features",
        source="Appendix, sensitivity to the scale of h",
        role=Role.REMARK,
        printed="features in another unit, x -> c x, act as beta / c^2 does, and that can decide convergence",
        examine=_units,
        remark="so one default for every problem supposes features of one scale",
    ),
)

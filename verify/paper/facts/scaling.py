"""How weights, rewards, features and beta scale together: read off the terms of every algorithm's update."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tdrc_theory.algorithms import OF_THE_PAPER, TDRC
from tdrc_theory.claims.claim import Role
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.coefficient import Coefficient
from tdrc_theory.learner.quantity import Key
from tdrc_theory.learner.trace import Way
from tdrc_theory.problems import find_problem
from verify.paper.facts.fact import Fact, as_witness, confirmed, outcome, refuted, told
from verify.paper.facts.small_problems import doubled_two_state
from verify.paper.judgement import Judgement


def scales_with_rewards(way: Way) -> bool:
    """Return whether (w, h, R) -> c (w, h, R) multiplies the update by c: every term has one of R, w and h."""
    return all(
        sum(name in ("w", "h") for name in _names(key)) + power == 1
        for key, coefficient in _all(way)
        for power in powers("reward", coefficient)
    )


def scales_with_features(way: Way, beta_power: int) -> bool:
    """Return whether x -> c x, (w, h) -> (w, h) / c, beta -> c^p beta, alpha -> alpha / c^2 divides alpha dw, dh by c.

    Powers of c of a term: those of x and x', -1 for each weight, p for each beta in its coefficient, and -2 of alpha;
    together they have to be -1.
    """
    return all(
        sum(-1 if name in ("w", "h") else 1 for name in _names(key)) + beta_power * power - 2 == -1
        for key, coefficient in _all(way)
        for power in powers("beta", coefficient)
    )


def powers(name: str, coefficient: Coefficient) -> set[int]:
    """Return the powers of a number in a coefficient that is a polynomial in it."""
    import sympy

    from tdrc_theory.notation import scalar_symbol

    polynomial = sympy.Poly(coefficient.to_sympy(), scalar_symbol(name))
    return {exponents[0] for exponents, _ in polynomial.terms()}


def _names(key: Key) -> list[str]:
    """Return the vectors in a product, those of inner products included."""
    atoms, vectors = key
    return [*vectors, *(name for atom in atoms for name in atom)]


def _all(way: Way) -> Iterator[tuple[Key, Coefficient]]:
    for terms in way.rows.values():
        yield from terms.items()


def _ways(algorithm: Algorithm) -> tuple[Way, ...]:
    """Return every way through an algorithm's comparisons, with what it fixes."""
    return algorithm.bound(algorithm.fixed)


def _rewards() -> Judgement:
    shown = all(scales_with_rewards(way) for algorithm in OF_THE_PAPER for way in _ways(algorithm))
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
    right = all(scales_with_features(way, 2) for algorithm in OF_THE_PAPER for way in _ways(algorithm))
    others = any(scales_with_features(way, power) for power in (-1, 0, 1, 3) for way in _ways(TDRC))
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
    shown = all(scales_with_features(way, 2) for way in _ways(TDRC))
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

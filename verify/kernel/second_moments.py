"""Bounded second moments by Coq: a form that falls in the mean at a step size, and the theorem that follows from it.

With independent steps k of probabilities p_k, and M_k = I + alpha G_k in the coordinates of what moves, a P > I with
sum of p_k M_k^T P M_k < rho P, where rho < 1, keeps second moments bounded (second_moments.v). P comes from a linear
system in floats, whose solution Z >= I has sum of p_k M_k^T Z M_k = Z - I; that the rounded one does as well is checked
here exactly or in balls, and again by Coq from the table of steps and the update rule.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, lcm
from typing import Any, NamedTuple

import numpy as np

from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import number_text
from verify.check import Check, Proof, Status
from verify.exact.lyapunov import diagonalising
from verify.exact.roots import precision
from verify.kernel.terms import cleared, fraction, learner_term, rows, table_term, vectors_after, whole
from verify.kernel.verdicts import accepted_by
from verify.predict.limits.certificate import BITS, SecondCandidates, SecondPencil, Symmetric, middle
from verify.predict.limits.limit import Limit
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.ring import exact_balls, rationals, scalar

Integers = list[list[int]]

CLAIM = "second-moments-bounded"
MOST_PRODUCTS = 1_000_000
"""Of numbers that Coq multiplies: steps times the cube of the number of coordinates."""
_BITS = range(6, 40, 4)
"""Tried in turn for the entries of P, so that the numbers are as short as will do."""


class Contraction(NamedTuple):
    """A form P (n, n) that falls in the mean by rho, and what nearly diagonalises both: see second_moments.v."""

    rate: Fraction
    P: Integers
    of_form: Integers
    of_fall: Integers


def require_independent(reduced: ReducedRecursion) -> None:
    """Refuse a recursion of which the theorem does not speak.

    Raises:
        BadOption: samples follow the chain, weights are copied, nothing moves, or there are too many updates.
    """
    its = reduced.recursion
    if its.sampling != "iid":
        raise BadOption("--prove: second moments are proven for independent samples; add --sampling iid")
    if its.copy is not None:
        raise BadOption(f"--prove: weights are copied ({its.copy}), and the theorem has no copies; leave --copy out")
    if not reduced.n:
        raise BadOption("--prove: nothing ever moves, so that there is nothing to prove")
    products = len(its.steps) * reduced.n**3
    if products > MOST_PRODUCTS:
        needed = f"{len(its.steps)} kinds of updates of {reduced.n} coordinates make {products} products"
        raise BadOption(f"--prove: {needed}, past what Coq computes with (at most {MOST_PRODUCTS})")


def proven_moments(reduced: ReducedRecursion, alpha: Fraction, limit: Limit, path: str | None = None) -> Check:
    """Return that second moments stay bounded at a step size, which Coq has checked from the table and the update rule.

    Samples are independent. A refusal names the mean-square limit, and the Coq file is left at a path too.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: there is no proof to ask about, or Coq does not accept it.
    """
    bounded, kind = limit.bounded_at(alpha)
    if bounded is False:
        raise BadOption(f"--prove: {_too_large(alpha, limit)} ({kind.value})")
    rate = contraction(reduced, alpha).rate
    checked_by = accepted_by(moments_theorem(reduced, alpha), path)
    reason = (
        f"at alpha = {number_text(alpha)} the second moments are bounded from every start, and the mean square of what "
        f"two runs on the same samples differ by, {_where(reduced)}, is at most a multiple of ({rate})^n after n "
        f"updates (theorem accepted by {checked_by}, from the table of steps)"
    )
    evidence = {"checked_by": checked_by, "axioms": "none", "alpha": str(alpha), "rate": str(rate)}
    return Check(
        claim=CLAIM,
        source="second_moments.v",
        status=Status.HOLDS,
        proof=Proof.KERNEL,
        reason=reason,
        evidence=evidence,
    )


def _where(reduced: ReducedRecursion) -> str:
    dimension = reduced.recursion.dimension
    if reduced.n == dimension:
        return "whatever their starts"
    return f"their starts differing in the {reduced.n} of {dimension} dimensions in which updates move"


def _too_large(alpha: Fraction, limit: Limit) -> str:
    if limit.value is None:
        return f"no step size keeps second moments bounded: {limit.reason}"
    return f"alpha = {number_text(alpha)} is not below the mean-square limit {limit.value:.8g}"


def contraction(reduced: ReducedRecursion, alpha: Fraction) -> Contraction:
    """Return a form that falls in the mean at a step size, checked exactly.

    Raises:
        BadOption: there is no such recursion (see `require_independent`), or no form was found, as where the step size
            is at the limit or above it.
    """
    require_independent(reduced)
    candidates = SecondCandidates(reduced)
    Z = candidates.at(float(alpha)) if candidates.in_reach else None
    result = _rounded(reduced, alpha, Z[0]) if Z is not None and np.linalg.eigvalsh(Z[0]).min() > 0 else None
    if result is None:
        raise BadOption(f"--prove: no form that falls in the mean was found at alpha = {number_text(alpha)}")
    return result


def _rounded(reduced: ReducedRecursion, alpha: Fraction, Z: np.ndarray) -> Contraction | None:
    """Return a multiple of Z in integers as short as will do, None where none is proven to fall.

    With N twice the largest eigenvalue of Z, and rho = 1 - 1 / N, the fall of Z is about I - Z / N, whose eigenvalues
    are at least 1 / 2: so rounding has room.
    """
    steps, pencil = ceil(2 * float(np.linalg.eigvalsh(Z).max())), SecondPencil(reduced)
    rate, ring = Fraction(steps - 1, steps), rationals if pencil.rational else exact_balls
    one = [[Fraction(i == j) for i in range(reduced.n)] for j in range(reduced.n)]
    with precision(BITS):
        a, apply = scalar(ring, alpha), pencil.parts(ring)
        for bits in _BITS:
            rounded = [[int(x) for x in row] for row in np.rint(np.ldexp(Z + Z.T, bits - 1))]
            P = ring([[Fraction(x) for x in row] for row in rounded])
            (still,), (once,), (twice,) = apply([P])
            of_form = _diagonalising(P - ring(one))
            of_fall = _diagonalising(P * scalar(ring, rate) - (still + once * a + twice * (a * a)))
            if of_form is not None and of_fall is not None:
                return Contraction(rate, rounded, of_form, of_fall)
    return None


def _diagonalising(S: Symmetric) -> Integers | None:
    """Return W with W S W^T proven to be dominated by its diagonal, None where none is found."""
    V = diagonalising(middle(S))
    if V is None:
        return None
    numbers = [[Fraction(float(x)) for x in row] for row in V]
    over = lcm(*(x.denominator for row in numbers for x in row))
    integers = [[int(x * over) for x in row] for row in numbers]
    W = type(S)(integers)
    spread: list[list[Any]] = (W * S * W.transpose()).tolist()
    dominated = all(2 * row[i] > sum(map(abs, row), row[i] * 0) for i, row in enumerate(spread))
    return integers if dominated else None


def moments_theorem(reduced: ReducedRecursion, alpha: Fraction) -> str:
    """Return the theorem `judged`, in Coq, that second moments are bounded, after the definitions that it speaks of.

    Raises:
        BadOption: no form falls, the learner's function has parts that are not translated, or the table is too large.
    """
    result, its = contraction(reduced, alpha), reduced.recursion
    problem, algorithm, m, n = its.problem, its.algorithm, its.dimension, reduced.n
    definitions = {
        "the_learner : learner": learner_term(algorithm, its.parameters, problem.k, vectors_after(problem, algorithm)),
        "the_table : table": table_term(problem, algorithm, its.parameters),
        "the_step_size : frac": fraction(alpha),
        "the_rate : frac": fraction(result.rate),
        "the_contraction : contraction": _contraction_term(reduced, result),
    }
    lines = [f"Definition {name} :=\n {term}." for name, term in definitions.items()]
    stated = f"""
Theorem judged (R : rcfType) :
  moments_bounded the_learner the_table (fr R the_step_size) (fr R the_rate) (mx R {m} {n} (moving_in the_contraction)).
Proof.
apply: (@second_moments R the_learner the_table the_step_size the_rate {m} {n} the_contraction).
by vm_compute.
Qed.
"""
    return "\n".join([*lines, stated])


def _contraction_term(reduced: ReducedRecursion, contraction: Contraction) -> str:
    """Return a contraction as a term (second_moments.v)."""
    over_moving, [along] = cleared(reduced.basis.rows)
    coordinates = [[int(i == pivot) for i in range(reduced.recursion.dimension)] for pivot in reduced.pivots]
    parts = [rows(along), rows(coordinates), whole(over_moving)]
    parts += [rows(matrix) for matrix in (contraction.P, contraction.of_form, contraction.of_fall)]
    return "\n ".join([f"(Contraction {whole(_over_updates(reduced))}", *parts]) + ")"


def _over_updates(reduced: ReducedRecursion) -> int:
    """Return a common denominator of what all updates are, as maps of the weights themselves."""
    updates = {step.update for step in reduced.recursion.steps}
    return lcm(
        *(cleared([u])[0] * cleared([v])[0] for update in updates for u, v in update.pairs),
        *(cleared([[x for _, _, x in update.sparse]])[0] for update in updates),
    )

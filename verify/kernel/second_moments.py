"""Bounded second moments by Coq: a form that falls in the mean at a step size, and the theorem that follows from it.

With independent steps k of probabilities p_k, and M_k = I + alpha G_k in the coordinates of what moves, a P > I with
sum of p_k M_k^T P M_k < rho P, where rho < 1, keeps second moments bounded (second_moments.v). P comes from a linear
system in floats, whose solution Z >= I has sum of p_k M_k^T Z M_k = Z - I; that the rounded one does as well is checked
here exactly, and again by Coq from the table of steps and the update rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, lcm
from typing import NamedTuple

import flint
import numpy as np

from tdrc_theory.errors import BadOption
from tdrc_theory.exact.convert import from_fmpq, number_text
from tdrc_theory.steps import steps_of
from verify.check import Check, Proof, Status
from verify.exact.falling import diagonalising
from verify.kernel.learner_term import learner_term
from verify.kernel.table_term import table_term, vectors_after
from verify.kernel.terms import Integers, cleared, fraction, rows
from verify.kernel.verdicts import accepted_by
from verify.predict.candidate import SecondCandidates
from verify.predict.limit import Limit
from verify.predict.moving import Moving
from verify.predict.pencil import SecondPencil
from verify.predict.ring import RATIONALS

CLAIM = "second-moments-bounded"
MOST_PRODUCTS = 1_000_000
"""Of numbers that Coq multiplies: steps times the cube of the number of coordinates."""
_BITS = range(6, 40, 4)
"""Tried in turn for the entries of P, so that the numbers are as short as will do."""


class Contraction(NamedTuple):
    """A form that falls in the mean, and what diagonalises it and its fall nearly: see second_moments.v.

    Attributes:
        rate: rho.
        P, of_form, of_fall: (n, n).
    """

    rate: Fraction
    P: Integers
    of_form: Integers
    of_fall: Integers


def require_independent(made: Moving) -> None:
    """Refuse a recursion of which the theorem does not speak.

    Raises:
        BadOption: samples follow the chain, weights are copied, numbers are irrational, or nothing moves.
    """
    its = made.recursion
    if its.sampling != "iid":
        raise BadOption("--prove: second moments are proven for independent samples; add --sampling iid")
    if its.copy is not None:
        raise BadOption(f"--prove: weights are copied ({its.copy}), and the theorem has no copies; leave --copy out")
    if not SecondPencil(made).rational:
        raise BadOption("--prove: only for rational problems, and this one has square roots in it")
    if not made.n:
        raise BadOption("--prove: nothing ever moves, so that there is nothing to prove")
    products = len(its.steps) * made.n**3
    if products > MOST_PRODUCTS:
        needed = f"{len(its.steps)} kinds of updates of {made.n} coordinates make {products} products"
        raise BadOption(f"--prove: {needed}, past what Coq computes with (at most {MOST_PRODUCTS})")


def proven_moments(made: Moving, alpha: Fraction, limit: Limit, path: str | None = None) -> Check:
    """Return that second moments stay bounded at a step size, which Coq has checked from the table and the update rule.

    Args:
        made: a recursion with independent samples.
        alpha: the step size.
        limit: the mean-square limit, which a refusal names.
        path: where the Coq file is left too; None: nowhere.

    Raises:
        MissingExtra: Coq or a library of it is not installed.
        BadOption: there is no proof to ask about, or Coq does not accept it.
    """
    bounded, kind = limit.bounded_at(alpha)
    if bounded is False:
        raise BadOption(f"--prove: {_too_large(alpha, limit)} ({kind.value})")
    rate = contraction(made, alpha).rate
    checked_by = accepted_by(moments_theorem(made, alpha), path)
    reason = (
        f"at alpha = {number_text(alpha)} the second moments are bounded from every start, and the mean square of what "
        f"two runs on the same samples differ by, {_where(made)}, is at most a multiple of ({rate})^n after n "
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


def _where(made: Moving) -> str:
    dimension = made.recursion.dimension
    if made.n == dimension:
        return "whatever their starts"
    return f"their starts differing in the {made.n} of {dimension} dimensions in which updates move"


def _too_large(alpha: Fraction, limit: Limit) -> str:
    if limit.value is None:
        return f"no step size keeps second moments bounded: {limit.reason}"
    return f"alpha = {number_text(alpha)} is not below the mean-square limit {limit.value:.8g}"


def contraction(made: Moving, alpha: Fraction) -> Contraction:
    """Return a form that falls in the mean at a step size, checked exactly.

    Raises:
        BadOption: there is no such recursion (see `require_independent`), or no form was found, as where the step size
            is at the limit or above it.
    """
    require_independent(made)
    candidates = SecondCandidates(made)
    Z = candidates.at(float(alpha)) if candidates.in_reach else None
    if Z is not None:
        values = np.linalg.eigvalsh(Z[0])
        if values.min() > 0:
            return next(_contractions(made, alpha, Z[0], float(values.max())), None) or _refuse(alpha)
    return _refuse(alpha)


def _refuse(alpha: Fraction) -> Contraction:
    raise BadOption(
        f"--prove: no form that falls in the mean was found at alpha = {number_text(alpha)}; try a smaller one"
    )


def _contractions(made: Moving, alpha: Fraction, Z: np.ndarray, largest: float) -> Iterator[Contraction]:
    """Yield forms that are proven to fall, the one with the shortest numbers first.

    The eigenvalues of Z - I + Z / N are at most those of Z (1 - 1 / N), half of what may be had, where N is twice the
    largest eigenvalue of Z: so rounding has room.
    """
    steps = ceil(2 * largest)
    rate = Fraction(steps - 1, steps)
    apply, n = SecondPencil(made).parts(RATIONALS), made.n
    step = flint.fmpq(alpha.numerator, alpha.denominator)
    for bits in _BITS:
        rounded = [[int(x) for x in row] for row in np.rint(np.ldexp(Z + Z.T, bits - 1))]
        P = flint.fmpq_mat(flint.fmpz_mat(rounded))
        (still,), (once,), (twice,) = apply([P])
        moved = still + once * step + twice * (step * step)
        fall = P * flint.fmpq(steps - 1, steps) - moved
        of_form, of_fall = _diagonalising(P - _identity(n), bits), _diagonalising(fall, bits)
        if of_form is not None and of_fall is not None:
            yield Contraction(rate, rounded, of_form, of_fall)


def _identity(n: int) -> flint.fmpq_mat:
    return flint.fmpq_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])


def _diagonalising(S: flint.fmpq_mat, bits: int) -> Integers | None:
    """Return W in integers with W S W^T dominated by its diagonal, exactly; None where none is found.

    Args:
        bits: S is about 2^bits times a matrix of moderate size.
    """
    n = S.nrows()
    V = diagonalising(np.ldexp([[float(from_fmpq(S[i, j])) for j in range(n)] for i in range(n)], -bits))
    if V is None:
        return None
    _, [integers] = cleared([[Fraction(float(x)) for x in row] for row in V])
    W = flint.fmpq_mat(flint.fmpz_mat(integers))
    spread = (W * S * W.transpose()).tolist()
    dominated = all(2 * row[i] > sum(map(abs, row), flint.fmpq(0)) for i, row in enumerate(spread))
    return integers if dominated else None


def moments_theorem(made: Moving, alpha: Fraction) -> str:
    """Return the theorem `judged`, in Coq, that second moments are bounded, after the definitions that it speaks of.

    Raises:
        BadOption: no form falls, the learner's function has parts that are not translated, or the table is too large.
    """
    found, its = contraction(made, alpha), made.recursion
    problem, algorithm, m, n = its.problem, its.algorithm, its.dimension, made.n
    definitions = {
        "the_learner : learner": learner_term(algorithm, its.parameters, problem.k, vectors_after(problem, algorithm)),
        "the_table : table": table_term(problem, algorithm, its.parameters),
        "the_step_size : frac": fraction(alpha),
        "the_rate : frac": fraction(found.rate),
        "the_contraction : contraction": _contraction_term(made, found),
    }
    lines = [f"Definition {name} :=\n {term}." for name, term in definitions.items()]
    return (
        "\n".join(lines)
        + f"""
Theorem judged (R : realFieldType) :
  moments_bounded the_learner the_table (fr R the_step_size) (fr R the_rate) (mx R {m} {n} (moving_in the_contraction)).
Proof.
apply: (@second_moments R the_learner the_table the_step_size the_rate {m} {n} the_contraction).
by vm_compute.
Qed.
"""
    )


def _contraction_term(made: Moving, found: Contraction) -> str:
    """Return a contraction as a term (second_moments.v), with denominators of the updates and of the probabilities."""
    over_moving, [along] = cleared(made.basis.rows)  # type: ignore[arg-type]
    coordinates = [[int(i == pivot) for i in range(made.recursion.dimension)] for pivot in made.pivots]
    parts = [rows(along), rows(coordinates), f"{over_moving}%positive"]
    parts += [rows(matrix) for matrix in (found.P, found.of_form, found.of_fall)]
    over = f"{_over_updates(made)}%positive {_over_probabilities(made)}%positive"
    return "\n ".join([f"(Contraction {over}", *parts]) + ")"


def _over_updates(made: Moving) -> int:
    """Return a common denominator of what all updates are, as maps of the weights themselves."""
    denominators = set()
    for update in dict.fromkeys(step.update for step in made.recursion.steps):
        for u, v in update.pairs:
            denominators |= {x.denominator * y.denominator for x in u for y in v if x and y}  # type: ignore[union-attr]
        denominators |= {x.denominator for _, _, x in update.sparse}  # type: ignore[union-attr]
    return lcm(*denominators)


def _over_probabilities(made: Moving) -> int:
    """Return a common denominator of the probabilities of all steps of the table."""
    its = made.recursion
    d, taken = its.problem.weights, steps_of(its.problem, its.algorithm.second)
    return lcm(*((d[step.place] * step.probability).denominator for step in taken))

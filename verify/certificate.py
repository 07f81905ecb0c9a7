"""Certificates: what proves a verdict, as data that `verify.check_certificate` judges without knowing how it was found.

Floating point, factors and kernels propose; nothing is written that the checker does not accept.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Polynomial
from tdrc_theory.exact.number import from_fmpq, number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameter_texts
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from verify.check import Outcome
from verify.check_certificate import Rejected, check, seal
from verify.conditions.report import ConditionsReport
from verify.conditions.setting import LARGEST_EXACT, Setting
from verify.exact.definiteness import nonpositive_vector
from verify.exact.lyapunov import lyapunov_candidates, precise_candidates, precise_indefinite_candidates
from verify.exact.roots import is_hurwitz

Proof = dict[str, Any]


def require_certifiable(problem: Problem | MatrixProblem, algorithm: Algorithm, option: str = "--certificate") -> None:
    """Refuse what has no certificate whatever the verdict is, so that nobody waits for one.

    Raises:
        BadOption: G is too large; `option` asked for a certificate.
    """
    size = algorithm.size(problem.k)
    if size > LARGEST_EXACT:
        raise BadOption(f"{option}: G is {size} x {size}, past exact arithmetic (at most {LARGEST_EXACT})")


def certificate(report: ConditionsReport) -> dict[str, Any]:
    """Return what proves a report's verdict, for `verify.check_certificate`; every number is text.

    Raises:
        BadOption: there is nothing to certify, or no certificate was found.

    >>> from verify import check_conditions
    >>> certificate(check_conditions("two-state"))["proof"]["kind"]
    'unstable'
    """
    if report.verdict.status is Outcome.UNDECIDED:
        raise BadOption("--certificate: the verdict is undecided, so there is nothing to certify")
    setting = Setting(report.problem, report.algorithm, report.parameters)
    require_certifiable(report.problem, report.algorithm)
    if not setting.within_exact_reach:
        raise BadOption(f"--certificate: {setting.past_exact_reach}")
    (A, b, _), (G, g) = setting.equation, setting.update
    about: dict[str, Any] = {"problem": report.problem.name, "algorithm": report.algorithm.name}
    about |= parameter_texts(report.parameters)
    claim: dict[str, Any] = {
        "verdict": report.verdict.status.value,
        "fixed_points": "own" if report.algorithm.own_fixed_points else "A w = b",
    }
    claim |= {"G": G.texts(), "g": g.column_texts(), "A": A.texts(), "b": b.column_texts()}
    refuted = report.verdict.status is Outcome.NOT_CONVERGENT
    for proof in _refutations(setting, report) if refuted else _stability(setting):
        result: dict[str, Any] = {"format": "tdrc-certificate-1", "about": about, "claim": claim, "proof": proof}
        result["sha256"] = seal(result)
        try:
            check(result)
        except Rejected:
            continue
        return result
    raise BadOption("--certificate: none was found for this verdict")


def _stability(setting: Setting) -> Iterator[Proof]:
    """Yield Lyapunov's certificates for G, its kernel N moved to -1."""
    G, g = setting.update
    N, left = G.null_space(), G.T.null_space()
    if N.shape[1]:
        M = (left.T @ N).solve(left.T)
        assert M is not None, "0 is semisimple"
        moved = G - N @ M
    else:
        M, moved = left.T, G
    point = G.solve(-g)
    assert point is not None
    rest = {"kind": "stable", "kernel": N.T.texts(), "left": M.texts(), "point": point.column_texts()}
    for form in lyapunov_candidates(moved):
        W = form.witness()
        if W is not None:
            yield rest | form.to_json() | {"W": W.texts()}
    for P, W in precise_candidates(moved):
        yield rest | {"P": P.texts(), "D": ["1"] * G.shape[0], "W": W.texts()}


def _refutations(setting: Setting, report: ConditionsReport) -> Iterator[Proof]:
    """Yield proofs of an unstable eigenvalue, else of what is wrong on the imaginary axis or at 0."""
    ends = report.verdict.spectral_abscissa
    if ends is not None and ends.lower > 0:
        yield from _unstable(setting.update.G, ends.lower)
    _, rest = setting.charpoly.split_zero()
    if not is_hurwitz(rest):
        yield from _factors(setting.update.G, rest)
    yield from _trouble_at_zero(setting)


def _unstable(G: Matrix, abscissa: float) -> Iterator[Proof]:
    """Yield forms that fall along H = G - c I and are negative somewhere, c between 0 and the largest real part."""
    for share in (0.5, 0.25, 0.75, 0.1, 0.9, 0.01):
        c = Fraction(f"{share * abscissa:.1e}")
        for form in lyapunov_candidates(G - Matrix.identity(G.shape[0]) * c):
            v = form.negative_vector()
            if v is not None:
                yield {"kind": "unstable", "shift": str(c), **form.to_json(), "vector": v.column_texts()}
    c = Fraction(abscissa) / 2
    for P in precise_indefinite_candidates(G - Matrix.identity(G.shape[0]) * c):
        v = nonpositive_vector(P)
        if v is not None:
            ones = ["1"] * G.shape[0]
            yield {"kind": "unstable", "shift": str(c), "P": P.texts(), "D": ones, "vector": v.column_texts()}


def _factors(G: Matrix, polynomial: Polynomial) -> Iterator[Proof]:
    """Yield irreducible factors that are not Hurwitz, each with a vector on which it is 0 in G.

    Those with roots on the imaginary axis are polynomials in t^2 or t, which Coq's checker accepts: it asks for a root
    whose real part is not negative, and sees one where the sum of the roots' real parts is not.
    """
    rational, n = polynomial.rational, G.shape[0]
    if rational is None:  # factors over the rationals are none over a field with square roots
        return
    for factor, _ in rational.numer().factor()[1]:
        leading = factor[factor.degree()]
        f = Polynomial([from_fmpq(flint.fmpq(c, leading)) for c in factor.coeffs()])
        if is_hurwitz(f):
            continue
        value = Matrix.zeros(n, n)
        for c in reversed(f.coefficients):
            value = value @ G + Matrix.identity(n) * c
        yield _orbit(G, value.null_space().select(range(n), [0]), f)


def _orbit(G: Matrix, v: Matrix, f: Polynomial) -> Proof:
    """Return a vector and its minimal polynomial as a proof."""
    vectors = [v]
    while len(vectors) < f.degree:
        vectors.append(G @ vectors[-1])
    inverse = Matrix.block([vectors]).T.solve(Matrix.identity(f.degree))
    assert inverse is not None, "v, G v, ... are independent"
    polynomial = [number_text(c) for c in f.coefficients]
    return {"kind": "factor", "vector": v.column_texts(), "polynomial": polynomial, "inverse": inverse.texts()}


def _trouble_at_zero(setting: Setting) -> Iterator[Proof]:
    """Yield why a zero eigenvalue spoils convergence."""
    (A, b, _), (G, g) = setting.equation, setting.update
    n, k = G.shape[0], A.shape[0]
    point = G.solve(-g)
    if point is None:
        left = _columns(G.T.null_space())
        y = next(y for y in left if not (y.T @ g).is_zero())
        yield {"kind": "no-fixed-point", "vector": y.column_texts()}
        return
    twice = next((u for u in _columns((G @ G).null_space()) if not (G @ u).is_zero()), None)
    if twice is not None:
        yield _orbit(G, twice, Polynomial([0, 0, 1]))
    kernel = _columns(G.null_space())
    if kernel and not setting.algorithm.own_fixed_points:
        w_rows = range(n - k, n)
        direction = next((v for v in kernel if not (A @ v.select(w_rows, [0])).is_zero()), kernel[0])
        if A @ point.select(w_rows, [0]) == b:
            point = point + direction
        yield {
            "kind": "spurious-fixed-point",
            "direction": direction.column_texts(),
            "point": point.column_texts(),
        }


def _columns(matrix: Matrix) -> list[Matrix]:
    return [matrix.select(range(matrix.shape[0]), [j]) for j in range(matrix.shape[1])]

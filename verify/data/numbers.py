"""The numbers that are read off an estimate, again and again, and their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadOption
from tdrc_theory.parameters import setting_text
from verify.data.intervals import Interval, Resampling
from verify.data.moments import Estimate, largest_step_of_squares
from verify.data.products import RATIO, Form, check_offered, form_of

ABSCISSA, MEAN_RATIO = "spectral abscissa", "mean of rho"
STEP, SQUARE_STEP = "largest step size of the mean", "largest step size of the mean square"
LOWEST, CONDITION = "lowest eigenvalue of (A + A^T) / 2", "smallest over largest eigenvalue of C"
BETA, ETA = "bound of beta", "bound of eta"
OTHERS = ("td", "tdc", "gtd2", "htd", "tdrc")
"""Learners that are judged beside the one that is asked about: without memory, and with the fixed point of TD."""
_ROUNDING = 1e-12
"""Share of the largest number in a matrix that eigenvalues in floats may be wrong by."""


def alternatives(form: Form, columns: Sequence[str]) -> tuple[Form, ...]:
    """Return the other learners, with beta = 1 and eta = 1 where they have these."""
    result = []
    for name in OTHERS:
        algorithm = find_algorithm(name)
        other = form_of(algorithm, algorithm.parameters({}), form.gamma)
        try:
            check_offered(other, columns, "")
        except BadOption:
            continue
        if (algorithm, dict(other.parameters)) != (form.algorithm, dict(form.parameters)):
            result.append(other)
    return tuple(result)


class Quantities:
    """What is computed of each estimate.

    Attributes:
        form, forms: the learner that is asked about, and all whose expected updates are judged, that one first.
        ranks: of G of each, from all rows: they are the same of every part of them, but for chance.
        residual: by how much its fixed point's equation has no solution, from all rows.
        scales: the norm of each G, of which rounding is a share.
    """

    def __init__(self, whole: Estimate, forms: tuple[Form, ...], noise: bool = False) -> None:
        """Judge these learners; `noise` says whether estimates have the squares of the first one's updates."""
        updates = [whole.update(each) for each in forms]
        self.form, self.forms = forms[0], forms
        self.ranks = [int(np.linalg.matrix_rank(G, rtol=1e-11)) for G, _ in updates]
        self.residual = residual(*updates[0])
        self.scales = [float(np.linalg.norm(G)) for G, _ in updates]
        self._noise = noise and whole.square is not None and self.ranks[0] == len(updates[0][0])

    @property
    def solvable(self) -> bool:
        """Whether G varrho + g = 0 has a solution, up to rounding."""
        return self.residual < 1e-7

    def name_of(self, form: Form) -> str:
        """Return the name of a learner's spectral abscissa."""
        return ABSCISSA if form is self.form else f"{ABSCISSA}, {setting_text(form.algorithm.name, form.parameters)}"

    def rate(self, estimate: Estimate) -> dict[str, float]:
        """Return the spectral abscissa of each learner; NaN where it cannot be computed."""
        result = {}
        for form, rank in zip(self.forms, self.ranks, strict=True):
            G = estimate.update(form)[0]
            values = moving_eigenvalues(G, rank)
            result[self.name_of(form)] = float(values.real.max(initial=-np.inf))
            if form is self.form:
                result[STEP] = largest_step(values)
                if self._noise and estimate.square is not None:
                    result[SQUARE_STEP] = largest_step_of_squares(G, estimate.square)
        return result

    def of_estimate(self, estimate: Estimate) -> Mapping[str, float]:
        """Return every number of an estimate."""
        A, C = estimate.A, estimate.C
        result = self.rate(estimate)
        result[MEAN_RATIO] = float(estimate.means[RATIO])
        for name, quantity in (
            (LOWEST, lambda: lowest_of_A(A)),
            (CONDITION, lambda: condition_of_C(C)),
            (BETA, lambda: beta_bound(A)),
            (ETA, lambda: eta_bound(A, C)),
        ):
            try:
                result[name] = quantity()
            except np.linalg.LinAlgError:  # a draw in which a direction is missing
                result[name] = float("nan")
        return result

    def interval_of_rate(self, drawn: Resampling) -> Interval:
        """Return the interval of the learner's own spectral abscissa."""
        return drawn.interval(ABSCISSA, rounding=_ROUNDING * self.scales[0])


def numbers_of(drawn: Resampling, judged: Quantities) -> dict[str, Interval]:
    """Return every number with its interval."""
    rounding = {judged.name_of(f): _ROUNDING * s for f, s in zip(judged.forms, judged.scales, strict=True)}
    rounding[LOWEST] = _ROUNDING * judged.scales[0]
    logarithms = {CONDITION, BETA, STEP, SQUARE_STEP}
    return {
        name: drawn.interval(name, logarithm=name in logarithms, rounding=rounding.get(name, 0.0))
        for name in drawn.whole
    }


def symmetric_part(A: np.ndarray) -> np.ndarray:
    """Return H = (A + A^T) / 2 on the span of x, of an A (r, m) whose first r columns are of that span."""
    square = A[:, : len(A)]
    return (square + square.T) / 2


def lowest_of_A(A: np.ndarray) -> float:
    """Return the smallest eigenvalue of H on the span of x: above 0 where A is positive definite there."""
    return float(np.linalg.eigvalsh(symmetric_part(A))[0])


def condition_of_C(C: np.ndarray) -> float:
    """Return the smallest eigenvalue of C on its range, over the largest."""
    values = np.linalg.eigvalsh(C)
    return float(values[0] / values[-1])


def beta_bound(A: np.ndarray) -> float:
    """Return the bound of beta that is sufficient in Theorem 3.1 (ii), corrected: inf where H is positive definite.

    It is the least z^T A A^T z / (-z^T H z) over z in range(C) with z^T H z < 0.
    """
    from scipy.linalg import eigh

    largest = float(eigh(-symmetric_part(A), A @ A.T, eigvals_only=True)[-1])
    return 1 / largest if largest > 0 else math.inf


def eta_bound(A: np.ndarray, C: np.ndarray) -> float:
    """Return the bound of eta there: max(0, -lambda_min(C^-1 H))."""
    from scipy.linalg import eigh

    return max(0.0, -float(eigh(symmetric_part(A), C, eigvals_only=True)[0]))


def moving_eigenvalues(G: np.ndarray, rank: int) -> np.ndarray:
    """Return the eigenvalues of G but for n - rank zeros, those of the directions that never move anything.

    Where the kernel of G is taken out, a zero that is left is one that grows with time.
    """
    if rank == len(G):
        return np.asarray(np.linalg.eigvals(G))
    U, values, V = np.linalg.svd(G)
    return np.asarray(np.linalg.eigvals((values[:rank, None] * V[:rank]) @ U[:, :rank]))


def residual(G: np.ndarray, g: np.ndarray) -> float:
    """Return by how much G varrho + g = 0 has no solution: the norm of what of g is off the range of G, over g's."""
    norm = float(np.linalg.norm(g))
    if not norm:
        return 0.0
    nearest = np.linalg.lstsq(G, -g, rcond=1e-11)[0]
    return float(np.linalg.norm(G @ nearest + g)) / norm


def largest_step(values: np.ndarray) -> float:
    """Return the largest constant step size below which the mean converges, from the eigenvalues of G: 0 for none."""
    if not len(values):
        return math.inf
    if values.real.max() >= 0:
        return 0.0
    return float((-2 * values.real / np.abs(values) ** 2).min())


class Root:
    """A simple eigenvalue of a learner's G, and how it moves.

    Attributes:
        form: the learner.
        left, right: eigenvectors, left^H right = 1; None where inverse iteration finds none, so that nothing is known.
    """

    def __init__(self, form: Form, G: np.ndarray, value: complex) -> None:
        """Find the vectors of an eigenvalue, by inverse iteration."""
        from scipy.linalg import lu_factor, lu_solve

        self.form, self.left, self.right = form, None, None
        scale = float(np.linalg.norm(G)) or 1.0
        start = np.random.default_rng(0).normal(size=len(G)).astype(np.complex128)
        factors = lu_factor(G - (value + 1e-10 * scale) * np.eye(len(G)))
        right, left = start, start
        for _ in range(3):
            right, left = lu_solve(factors, right), lu_solve(factors, left, trans=2)
            right, left = right / np.linalg.norm(right), left / np.linalg.norm(left)
        product = np.vdot(left, right)
        off = float(np.linalg.norm(G @ right - value * right))
        if abs(product) >= 1e-8 and off <= 1e-6 * scale and np.isfinite(product):
            self.left, self.right = left / np.conj(product), right

    def at(self, estimate: Estimate) -> complex:
        """Return the eigenvalue at another estimate, to first order; NaN where its vectors are not known."""
        if self.left is None or self.right is None:
            return complex(math.nan, 0)
        return complex(np.vdot(self.left, estimate.update(self.form)[0] @ self.right))


class FirstOrder:
    """The numbers of `Quantities`, to first order about the estimate from all rows.

    An eigenvalue moves by u^H dG v, u and v its left and right eigenvectors with u^H v = 1, and a Rayleigh quotient by
    its value at the vector that attains it. So one decomposition serves all units, where each would take minutes.
    """

    def __init__(self, whole: Estimate, judged: Quantities) -> None:
        """Decompose what they are read off."""
        from scipy.linalg import eigh

        self._judged, self._roots = judged, {}
        for form, rank in zip(judged.forms, judged.ranks, strict=True):
            G = whole.update(form)[0]
            values = moving_eigenvalues(G, rank)
            if len(values):
                self._roots[judged.name_of(form)] = Root(form, G, complex(values[values.real.argmax()]))
            if form is judged.form:
                self._unstable = not len(values) or values.real.max() >= 0
                narrowest = complex(values[(-2 * values.real / np.abs(values) ** 2).argmin()]) if len(values) else 0j
                self._step = None if self._unstable else Root(form, G, narrowest)
        H = symmetric_part(whole.A)
        self._lowest = np.linalg.eigh(H)[1][:, 0]
        self._ends = np.linalg.eigh(whole.C)[1][:, [0, -1]]
        self._beta = eigh(-H, whole.A @ whole.A.T)[1][:, -1]
        self._eta = eigh(H, whole.C)[1][:, 0]

    def rate(self, estimate: Estimate) -> dict[str, float]:
        """Return the spectral abscissae, and the largest step size of the mean."""
        result = {name: root.at(estimate).real for name, root in self._roots.items()}
        result.setdefault(ABSCISSA, -math.inf)
        result[STEP] = 0.0 if self._step is None else largest_step(np.array([self._step.at(estimate)]))
        return result

    def of_estimate(self, estimate: Estimate) -> Mapping[str, float]:
        """Return every number."""
        result, H, C = self.rate(estimate), symmetric_part(estimate.A), estimate.C
        least, most = (float(z @ C @ z) for z in self._ends.T)
        across = float(np.square(estimate.A.T @ self._beta).sum())
        below = -float(self._beta @ H @ self._beta)
        return result | {
            MEAN_RATIO: float(estimate.means[RATIO]),
            LOWEST: float(self._lowest @ H @ self._lowest),
            CONDITION: least / most,
            BETA: across / below if below > 0 else math.inf,
            ETA: max(0.0, -float(self._eta @ H @ self._eta) / float(self._eta @ C @ self._eta)),
        }

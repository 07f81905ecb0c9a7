"""Exact complex vectors at which C1, C2 or C3 fails: floats suggest them, exact evaluation judges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tdrc_theory.exact import Matrix, Number, sign
from verify.conditions.setting import Forms
from verify.exact.definiteness import form_value, nonpositive_vector, rounded

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class ComplexVector:
    """An exact complex vector z = u + i v, in coordinates of the forms' basis."""

    u: Matrix
    v: Matrix

    def form(self, matrix: Matrix) -> Number:
        """Return z* M z for a symmetric M."""
        return form_value(matrix, self.u) + form_value(matrix, self.v)

    def conditions(self, forms: Forms) -> dict[str, Number]:
        """Return the left sides of C1, C2 and C3 at z, for z of length 1."""
        e = self.form(forms.E)
        m, n, low = (self.form(F) / e for F in (forms.M, forms.N, forms.L))
        kappa = (self.u.T @ forms.S @ self.v)[0, 0] * 2 / e
        return {
            "C1": m,
            "C2": m * m + kappa * kappa + 4 * forms.eta * n,
            "C3": m * m * n + forms.beta * kappa * kappa * low,
        }

    def to_json(self, forms: Forms) -> dict[str, Any]:
        """Return z in the problem's coordinates."""
        return {"real": (forms.V @ self.u).column_texts(), "imaginary": (forms.V @ self.v).column_texts()}


def definite_candidates(forms: Forms) -> Iterator[ComplexVector]:
    """Yield real vectors at which N or M is not positive, where there are any."""
    yield from real_vector(nonpositive_vector(forms.N))
    yield from real_vector(nonpositive_vector(forms.M))


def minimised(forms: Forms, name: str) -> Iterator[ComplexVector]:
    """Yield roundings of float vectors that minimise a condition's left side; exact evaluation judges them."""
    k = forms.M.shape[0]
    real_suffices = name == "C3" and (not forms.beta or forms.S.is_zero())
    if real_suffices or not forms.within_floats:
        return
    import numpy as np
    from scipy.optimize import minimize

    objective = _Objective(forms, name)
    rng = np.random.default_rng(0)
    starts = [rng.standard_normal(2 * k) for _ in range(4)]
    starts += [np.concatenate([v, w]) for v, w in _extremes(forms)]
    for start in starts:
        minimum = minimize(objective, start, jac=True, method="BFGS", options={"maxiter": 200})
        if minimum.fun < 1e-12:
            for vector in rounded(minimum.x):
                rows = vector.rows
                z = ComplexVector(Matrix(rows[:k]), Matrix(rows[k:]))
                if sign(z.conditions(forms)[name]) <= 0:
                    yield z
                    return


class _Objective:
    """The left side of C2 or C3 at z = u + iv of any length, made homogeneous, and its gradient, in floats."""

    def __init__(self, forms: Forms, name: str) -> None:
        import numpy as np

        def doubled(matrix: Matrix) -> np.ndarray:
            return np.kron(np.eye(2), matrix.to_float())

        self.name, self.eta, self.beta = name, float(forms.eta), float(forms.beta)
        self.E, self.M, self.N, self.L = (doubled(F) for F in (forms.E, forms.M, forms.N, forms.L))
        self.K = np.kron(np.array([[0, 1], [-1, 0]]), forms.S.to_float())

    def __call__(self, y: np.ndarray) -> tuple[float, np.ndarray]:
        e = float(y @ self.E @ y)

        def form(F: np.ndarray) -> tuple[float, np.ndarray]:
            value = float(y @ F @ y) / e
            return value, 2 * (F @ y - value * (self.E @ y)) / e

        (m, dm), (n, dn), (kappa, dkappa) = form(self.M), form(self.N), form(self.K)
        if self.name == "C2":
            value = m * m + kappa * kappa + 4 * self.eta * n
            return value, 2 * m * dm + 2 * kappa * dkappa + 4 * self.eta * dn
        low, dlow = form(self.L)
        value = m * m * n + self.beta * kappa * kappa * low
        slope = 2 * m * n * dm + m * m * dn + self.beta * (2 * kappa * low * dkappa + kappa * kappa * dlow)
        return value, slope


def _extremes(forms: Forms) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return starts that turn in the plane where lambda_c is largest, and where eta b_c + lambda_r is least."""
    import numpy as np

    _, complex_vectors = np.linalg.eigh(1j * forms.S.to_float())
    _, real_vectors = np.linalg.eigh(forms.L.to_float())
    top, low = complex_vectors[:, -1], real_vectors[:, 0]
    return [(top.real, top.imag), (low, top.imag), (low + top.real, top.imag)]


def real_vector(u: Matrix | None) -> Iterator[ComplexVector]:
    """Yield a real vector as a complex one, if there is one."""
    if u is not None:
        yield ComplexVector(u, Matrix.zeros(u.shape[0], 1))

"""Quantities of many features to first order: eigenvectors of the whole data, and what other units make of their forms.

An eigenvalue moves by u^H dG v, u and v its left and right eigenvectors with u^H v = 1, and a Rayleigh quotient by its
value at the vector that attains it. So one decomposition serves all units, where each would take minutes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from verify.data.estimate import Estimate
from verify.data.numbers import (
    ABSCISSA,
    BETA,
    CONDITION,
    ETA,
    LOWEST,
    MEAN_RATIO,
    STEP,
    Quantities,
    largest_step,
    moving_eigenvalues,
    symmetric_part,
)
from verify.data.products import RATIO, Form


@dataclass(frozen=True, eq=False)
class Root:
    """A simple eigenvalue of a learner's G, and how it moves.

    Attributes:
        form: the learner.
        value: the eigenvalue.
        left, right: eigenvectors, left^H right = 1; None where inverse iteration finds none, so that nothing is known.
    """

    form: Form
    value: complex
    left: np.ndarray | None
    right: np.ndarray | None

    @classmethod
    def of(cls, form: Form, G: np.ndarray, value: complex) -> Root:
        """Return the eigenvalue with its vectors, by inverse iteration."""
        from scipy.linalg import lu_factor, lu_solve

        scale = float(np.linalg.norm(G)) or 1.0
        start = np.random.default_rng(0).normal(size=len(G)).astype(np.complex128)
        factors = lu_factor(G - (value + 1e-10 * scale) * np.eye(len(G)))
        right, left = start, start
        for _ in range(3):
            right, left = lu_solve(factors, right), lu_solve(factors, left, trans=2)
            right, left = right / np.linalg.norm(right), left / np.linalg.norm(left)
        product = np.vdot(left, right)
        off = float(np.linalg.norm(G @ right - value * right))
        if abs(product) < 1e-8 or off > 1e-6 * scale or not np.isfinite(product):
            return cls(form, value, None, None)
        return cls(form, value, left / np.conj(product), right)

    def at(self, estimate: Estimate) -> complex:
        """Return the eigenvalue at another estimate, to first order; NaN where its vectors are not known."""
        if self.left is None or self.right is None:
            return complex(math.nan, 0)
        return complex(np.vdot(self.left, estimate.update(self.form)[0] @ self.right))


class FirstOrder:
    """The numbers of `Quantities`, to first order about the estimate from all rows."""

    def __init__(self, whole: Estimate, judged: Quantities) -> None:
        """Decompose what they are read off."""
        from scipy.linalg import eigh

        self._judged, self._roots = judged, {}
        for form, rank in zip((judged.form, *judged.others), judged.ranks, strict=True):
            G = whole.update(form)[0]
            values = moving_eigenvalues(G, rank)
            if len(values):
                self._roots[judged.name_of(form)] = Root.of(form, G, complex(values[values.real.argmax()]))
            if form is judged.form:
                self._unstable = not len(values) or values.real.max() >= 0
                narrowest = complex(values[(-2 * values.real / np.abs(values) ** 2).argmin()]) if len(values) else 0j
                self._step = None if self._unstable else Root.of(form, G, narrowest)
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

"""The largest constant step size at which the mean square of errors stays bounded, from independent rows.

With X the matrix of one row's update, S = E[error error^T] becomes S + alpha (G S + S G^T) + alpha^2 E[X S X^T]. That
map keeps positive semidefinite matrices so, hence its radius is an eigenvalue, and reaches 1 where alpha times the
radius of -(G (+) G)^-1 E[X (x) X] is 1; (+) is the Kronecker sum.
"""

from __future__ import annotations

import math

import numpy as np

from tdrc_theory.learner.sample_update import places_of
from verify.data.products import Form, Numbers, Vectors

LARGEST_SQUARED = 16
"""Weights up to which E[X (x) X], of their fourth power, is kept."""
_ROWS = 4096
"""Rows whose matrices are in memory at a time: 8 MiB at 16 weights."""
_ROUNDS = 200
"""Steps of the power method after which all eigenvalues are computed instead."""


def squares(form: Form, numbers: Numbers, vectors: Vectors) -> np.ndarray:
    """Return the sum over rows of vec(X) vec(X)^T (n^2, n^2), X (n, n) the matrix of a row's update."""
    k = vectors["x"].shape[1]
    size, total = form.algorithm.size(k), None
    for first in range(0, len(numbers["reward"]), _ROWS):
        part = slice(first, first + _ROWS)
        X = _of_rows(form, {n: a[part] for n, a in numbers.items()}, {n: a[part] for n, a in vectors.items()})
        flat = X.reshape(len(X), size * size)
        total = flat.T @ flat if total is None else total + flat.T @ flat
    return np.zeros((size * size, size * size)) if total is None else total


def _of_rows(form: Form, numbers: Numbers, vectors: Vectors) -> np.ndarray:
    count, k = vectors["x"].shape
    places, size = places_of(form.algorithm, k), form.algorithm.size(k)
    X = np.zeros((count, size, size))
    for term in form.terms:
        if term.column is None:
            continue
        row, column = places[term.row], places[term.column]
        weight = (term.share * term.product.weight(numbers, vectors))[:, None, None]
        if term.diagonal:
            X[:, row, column] += weight * np.eye(k)
            continue
        u, v = (term.product.v, term.product.u) if term.transposed else (term.product.u, term.product.v)
        left, right = (np.ones((count, 1)) if name is None else vectors[name] for name in (u, v))
        X[:, row, column] += weight * left[:, :, None] * right[:, None, :]
    return X


def largest_step_of_squares(G: np.ndarray, square: np.ndarray) -> float:
    """Return the largest step size of the mean square: 0 where G is not Hurwitz, inf where errors have no noise.

    Args:
        G: (n, n).
        square: (n^2, n^2), the mean of vec(X) vec(X)^T.
    """
    n = len(G)
    if np.linalg.eigvals(G).real.max() >= 0:
        return 0.0
    noise = square.reshape(n, n, n, n).transpose(0, 2, 1, 3).reshape(n * n, n * n)  # E[X_ik X_jl] at (i j), (k l)
    eye = np.eye(n)
    gain = np.linalg.solve(-(np.kron(G, eye) + np.kron(eye, G)), noise)
    radius = float(np.abs(np.linalg.eigvals(gain)).max()) if n <= 4 else _radius(gain, eye.ravel())
    return 1 / radius if radius > 0 else math.inf


def _radius(gain: np.ndarray, start: np.ndarray) -> float:
    """Return the spectral radius of a map that keeps a cone, from a point within: how fast powers grow in the end."""
    last, radius = start / np.linalg.norm(start), 0.0
    for _ in range(_ROUNDS):
        after = gain @ last
        size = float(np.linalg.norm(after))
        if size == 0 or abs(size - radius) < 1e-12 * size:
            return size
        last, radius = after / size, size
    return float(np.abs(np.linalg.eigvals(gain)).max())

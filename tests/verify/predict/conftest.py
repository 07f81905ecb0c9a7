from __future__ import annotations

import numpy as np
import pytest

from verify.predict.recursion import RESTART


@pytest.fixture(scope="session")
def brute_force():
    """Return the function below."""
    return radii


@pytest.fixture(scope="session")
def kronecker_forms():
    """Return the function below."""
    return forms


def radii(result, alpha):
    """Return the spectral radii of the first- and second-moment operators."""
    return [float(np.abs(np.linalg.eigvals(form)).max()) for form in forms(result, alpha)]


def forms(result, alpha):
    """Return the first- and second-moment operators as Kronecker products, mode by mode."""
    n, modes = result.n, result.recursion.modes
    first, second = np.zeros((modes, n, modes, n)), np.zeros((modes, n * n, modes, n * n))
    common = np.array([[float(x) for x in row[:n]] for row in result.common])
    for step, pairs in zip(result.recursion.steps, result.updates, strict=True):
        G = common + sum(np.outer([float(x) for x in u], [float(x) for x in v[:n]]) for u, v in pairs)
        M = np.eye(n) + alpha * G
        arrive = result.recursion.start if step.target == RESTART else [int(t == step.target) for t in range(modes)]
        for t, share in enumerate(arrive):
            p = float(step.probability * share)
            first[t, :, step.source] += p * M
            second[t, :, step.source] += p * np.kron(M, M)
    return [m.reshape(modes * s, modes * s) for m, s in ((first, n), (second, n * n))]

"""The MSPBE as a quadratic form in the coordinates of what moves, exact."""

from __future__ import annotations

from tdrc_theory.exact import Matrix
from tdrc_theory.key_matrices import key_matrices
from verify.predict.moving import Moving


def error_form(made: Moving) -> Matrix:
    """Return W (n + 1, n + 1), symmetric, with MSPBE(w) = (b - A w)^T C^+ (b - A w) = z^T W z, z = (y, 1).

    With F a basis of range(C), C^+ = F (F^T C F)^-1 F^T.
    """
    A, b, C = key_matrices(made.recursion.problem)
    k, m = made.recursion.problem.k, made.recursion.dimension
    w = range(m - k, m)
    origin = Matrix.column(made.origin).select(w, [0])
    residual = Matrix.block([[-(A @ made.basis.select(w, range(made.n))), b - A @ origin]])
    F = C.column_basis()
    seen = F.T @ residual
    solved = (F.T @ C @ F).solve(seen) if F.shape[1] else seen
    assert solved is not None, "F^T C F is nonsingular"
    return seen.T @ solved if F.shape[1] else Matrix.zeros(made.n + 1, made.n + 1)

"""A Markov chain that has given matrices A and C (and b): a counterexample in matrices is one about a real problem.

C = sum_k D_k l_k l_k^T is split exactly. State k has features t l_k and weight D_k / t^2, t large enough that the
weights sum to at most 1; what is left is the weight of a state without features. State k leads to a state of its own,
whose features solve sum_k d_k x_k x'_k^T = (C - A) / gamma, which is possible wherever z^T A = 0 for all z with C z =
0.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

from tdrc_theory.errors import Inconsistent
from tdrc_theory.exact import Matrix
from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems.averaged import averaged_process

_GAMMA = Fraction(1, 2)


def realised(values: Mapping[str, list[list[str]]]) -> dict[str, Any] | None:
    """Return the keys of an `[mrp]` problem file that has the A and C of a counterexample, or None where it has none.

    Args:
        values: rows of numbers as text by symbol; needs A and C, and takes b where it is there.
    """
    if not {"A", "C"} <= values.keys():
        return None
    known = {name: Matrix([[Fraction(v) for v in row] for row in values[name]]) for name in "AbC" if name in values}
    A, C = known["A"], known["C"]
    b = known.get("b", Matrix.zeros(A.shape[0], 1))
    weights, low = _split(C)
    if not weights:
        return None
    size = sum(weights, Fraction(0))
    t = isqrt(int(size)) + 1
    features = [[t * v for v in column] for column in low]
    d = [weight / t**2 for weight in weights]
    left = Matrix([[weight * v for v in row] for weight, row in zip(d, features, strict=True)]).T
    arrivals, rewards = left.solve((C - A) * (1 / _GAMMA)), left.solve(b)
    if arrivals is None or rewards is None:
        return None
    data = _data(features, [list(row) for row in arrivals.rows], [row[0] for row in rewards.rows], d)
    matrices = key_matrices(problem_of(data))
    if (matrices.A, matrices.b, matrices.C) != (A, b, C):
        raise Inconsistent("the chain has other matrices")
    return data


def problem_of(data: Mapping[str, Any]) -> Problem:
    """Return the problem that the data describe."""
    mrp = data["mrp"]
    return averaged_process(
        name="a counterexample", gamma=data["gamma"], features=data["features"], P=mrp["P"], r=mrp["r"], d=mrp["d"]
    )


def _split(C: Matrix) -> tuple[list[Fraction], list[list[Fraction]]]:
    """Return D and the columns l of C = sum D l l^T, terms with D = 0 left out."""
    n = C.shape[0]
    rest = [[Fraction(str(v)) for v in row] for row in C.rows]
    weights, columns = [], []
    for k in range(n):
        pivot = rest[k][k]
        if pivot == 0:
            continue
        column = [rest[i][k] / pivot for i in range(n)]
        weights.append(pivot)
        columns.append(column)
        rest = [[rest[i][j] - pivot * column[i] * column[j] for j in range(n)] for i in range(n)]
    return weights, columns


def _data(features: list[Any], arrivals: list[Any], rewards: list[Any], d: list[Fraction]) -> dict[str, Any]:
    m, k = len(features), len(features[0])
    states = 2 * m + 1
    target = [m + s for s in range(m)] + list(range(m, states))
    return {
        "gamma": str(_GAMMA),
        "features": _texts([*features, *arrivals, [Fraction(0)] * k]),
        "mrp": {
            "P": _texts([[Fraction(int(t == target[s])) for t in range(states)] for s in range(states)]),
            "r": [str(v) for v in [*rewards, *[Fraction(0)] * (m + 1)]],
            "d": [str(v) for v in [*d, *[Fraction(0)] * m, 1 - sum(d, Fraction(0))]],
        },
    }


def _texts(rows: list[Any]) -> list[list[str]]:
    return [[str(v) for v in row] for row in rows]

"""Checks by itself what algorithms do on a problem given as plain data: fractions, and nothing of the rest of the code.

The mean step of an algorithm is taken from every unit vector, by its update as the paper writes it; the characteristic
polynomial comes from traces of powers, and Hurwitz's determinants decide. `confirms(witness)` looks at every verdict
that a witness claims.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any

Vector = list[Fraction]
Square = list[Vector]


def confirms(witness: Mapping[str, Any]) -> bool:
    """Return whether each of a witness's verdicts is what its problem's numbers give.

    Args:
        witness: a problem as data, and `verdicts`: each with `algorithm`, `beta`, `eta` and `does`.
    """
    return all(
        does(witness, each["algorithm"], Fraction(each["beta"]), Fraction(each["eta"])) == each["does"]
        for each in witness.get("verdicts", ())
    )


def does(witness: Mapping[str, Any], algorithm: str, beta: Fraction, eta: Fraction) -> str:
    """Return `stable`, `resting` (stable but for eigenvalues that are 0) or `unstable`."""
    polynomial = characteristic(mean_matrix(witness, algorithm, beta, eta))
    moving = list(polynomial)
    while len(moving) > 1 and moving[-1] == 0:
        moving.pop()
    if not _hurwitz(moving):
        return "unstable"
    return "stable" if len(moving) == len(polynomial) else "resting"


def mean_matrix(witness: Mapping[str, Any], algorithm: str, beta: Fraction, eta: Fraction) -> Square:
    """Return G: column i is the mean step from the i-th unit vector, rewards apart."""
    k = len(witness["features"][0])
    size = k if algorithm in ("td", "vtrace") else 2 * k
    columns = []
    for i in range(size):
        unit = [Fraction(int(i == j)) for j in range(size)]
        h, w = (unit[:k], unit[k:]) if size > k else ([Fraction(0)] * k, unit)
        columns.append(_mean_step(witness, algorithm, beta, eta, h, w)[-size:])
    return [[columns[j][i] for j in range(size)] for i in range(size)]


def _mean_step(
    witness: Mapping[str, Any], algorithm: str, beta: Fraction, eta: Fraction, h: Vector, w: Vector
) -> Vector:
    features = [[Fraction(v) for v in row] for row in witness["features"]]
    gamma, k = Fraction(witness["gamma"]), len(w)
    total = [Fraction(0)] * (2 * k)
    for s, a, s_next, p, _ in witness["transitions"]:
        b = Fraction(witness["behaviour"][s][a])
        if b == 0:
            continue
        mass = Fraction(witness["d"][s]) * b * Fraction(p)
        rho = Fraction(witness["target"][s][a]) / b
        x = features[s]
        y = features[s_next] if s_next >= 0 else [Fraction(0)] * k
        step = _step(algorithm, rho, gamma, beta, eta, x, y, h, w)
        total = [old + mass * new for old, new in zip(total, step, strict=True)]
    return total


def _step(
    algorithm: str,
    rho: Fraction,
    gamma: Fraction,
    beta: Fraction,
    eta: Fraction,
    x: Vector,
    y: Vector,
    h: Vector,
    w: Vector,
) -> Vector:
    """Return (eta dh, dw) of one transition with reward 0."""
    delta, guess = gamma * _dot(w, y) - _dot(w, x), _dot(h, x)
    pairs = list(zip(x, y, h, strict=True))
    if algorithm in ("td", "vtrace"):
        ratio = min(rho, Fraction(1)) if algorithm == "vtrace" else rho
        return [Fraction(0)] * len(w) + [ratio * delta * p for p in x]
    if algorithm == "htd":
        dh = [rho * delta * p - guess * (p - gamma * q) for p, q, _ in pairs]
        dw = [rho * delta * p + (rho - 1) * guess * (p - gamma * q) for p, q, _ in pairs]
    else:
        shrink = {"tdrc": beta, "tdc": Fraction(0)}[algorithm]
        dh = [(rho * delta - guess) * p - shrink * c for p, _, c in pairs]
        dw = [rho * (delta * p - gamma * guess * q) for p, q, _ in pairs]
    return [eta * v for v in dh] + dw


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def characteristic(G: Square) -> list[int]:
    """Return the coefficients of det(t I - L G), highest power first (Faddeev and LeVerrier).

    L > 0 clears the denominators: it multiplies the eigenvalues, and no sign changes.
    """
    n, L = len(G), lcm(*(v.denominator for row in G for v in row))
    rows = [[int(v * L) for v in row] for row in G]
    found = [1]
    kept = [[int(i == j) for j in range(n)] for i in range(n)]
    for k in range(1, n + 1):
        columns = list(zip(*kept, strict=True))
        product = [[sum(map(mul, row, column)) for column in columns] for row in rows]
        found.append(-sum(product[i][i] for i in range(n)) // k)
        kept = [[v + (found[-1] if i == j else 0) for j, v in enumerate(row)] for i, row in enumerate(product)]
    return found


def _hurwitz(descending: list[int]) -> bool:
    """Return whether every root has negative real part: the leading minors of Hurwitz's matrix are positive."""
    n = len(descending) - 1
    table = [
        [descending[2 * (j + 1) - (i + 1)] if 0 <= 2 * (j + 1) - (i + 1) <= n else 0 for j in range(n)]
        for i in range(n)
    ]
    previous = 1
    for k in range(n):  # Bareiss: after k rounds the pivot is the leading minor of size k + 1
        if table[k][k] <= 0:
            return False
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                table[i][j] = (table[i][j] * table[k][k] - table[i][k] * table[k][j]) // previous
        previous = table[k][k]
    return True

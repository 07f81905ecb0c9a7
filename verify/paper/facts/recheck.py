"""Checks by itself what is said of a problem given as plain data: fractions, and nothing of the rest of the code.

The mean step of an algorithm is taken from every unit vector, by its update as the paper writes it; the characteristic
polynomial comes from traces of powers, Hurwitz's determinants decide, and ranks come from elimination.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, lcm
from operator import mul
from typing import Any

Data = Mapping[str, Any]
Vector = list[Fraction]
Square = list[Vector]


def does(data: Data, algorithm: str, beta: Fraction, eta: Fraction) -> str:
    """Return `convergent`, `convergent-to-a-set` or `not-convergent` for the expected update on a problem."""
    G, g = mean_update(data, algorithm, beta, eta)
    polynomial = characteristic(G)
    moving = list(polynomial)
    while len(moving) > 1 and moving[-1] == 0:
        moving.pop()
    if not _hurwitz(moving):
        return "not-convergent"
    zeros = len(polynomial) - len(moving)
    if not zeros:
        return "convergent"
    joint = [[*row, -v] for row, v in zip(G, g, strict=True)]
    solvable = rank(joint) == rank(G) == len(G) - zeros
    return "convergent-to-a-set" if solvable and (algorithm == "vtrace" or solves_td(data, G, g)) else "not-convergent"


def solves_td(data: Data, G: Square, g: Vector) -> bool:
    """Return whether every solution of G varrho + g = 0 has a w with A w = b."""
    A, b, _ = matrices(data)
    joint = [[*row, -v] for row, v in zip(G, g, strict=True)]
    td = [[*[Fraction(0)] * (len(G) - len(A)), *row, v] for row, v in zip(A, b, strict=True)]
    return rank([*joint, *td]) == rank(joint)


def same_fixed_points(data: Data, algorithm: str, beta: Fraction, eta: Fraction) -> bool:
    """Return whether an algorithm rests at all TD fixed points, and at no other w; both have some."""
    G, g = mean_update(data, algorithm, beta, eta)
    A, *_ = matrices(data)
    hidden = [row[: len(G) - len(A)] for row in G]
    dimension = len(A) - rank(G) + (rank(hidden) if len(G) > len(A) else 0)  # of the set of w
    return solves_td(data, G, g) and dimension == len(A) - rank(A)


def nowhere_stable(data: Data, algorithm: str, beta: Fraction) -> bool:
    """Return whether det G shows that no eta > 0 makes it stable: eta multiplies whole rows, so its sign stays."""
    G, _ = mean_update(data, algorithm, beta, Fraction(1))
    return characteristic(G)[-1] < 0


def settles(data: Data, algorithm: str, beta: Fraction, eta: Fraction, alpha: Fraction) -> bool:
    """Return whether every eigenvalue t of I + alpha G has |t| < 1: (1 + s) / (1 - s) maps the half-plane there."""
    G, _ = mean_update(data, algorithm, beta, eta)
    n = len(G)
    step = [[alpha * v + (i == j) for j, v in enumerate(row)] for i, row in enumerate(G)]
    L = lcm(*(v.denominator for row in step for v in row))
    scaled = characteristic(step)  # of L times the step: coefficient k is L^k times that of the step
    moved = [Fraction(0)] * (n + 1)
    for k, c in enumerate(scaled):  # the power n - k of (1 + s), the power k of (1 - s)
        for i in range(n - k + 1):
            for j in range(k + 1):
                moved[i + j] += Fraction(c, L**k) * comb(n - k, i) * comb(k, j) * (-1) ** j
    if moved[n] == 0:
        return False
    whole = lcm(*(v.denominator for v in moved)) * (1 if moved[n] > 0 else -1)
    return _hurwitz([int(v * whole) for v in reversed(moved)])


def matrices(data: Data) -> tuple[Square, Vector, Square]:
    """Return A, b and C."""
    features, k = _features(data), len(data["features"][0])
    G, b = mean_update(data, "td", Fraction(0), Fraction(1))
    d = [Fraction(v) for v in data["d"]]
    C = [
        [sum((p * x[i] * x[j] for p, x in zip(d, features, strict=True)), Fraction(0)) for j in range(k)]
        for i in range(k)
    ]
    return [[-v for v in row] for row in G], b, C


def rank(rows: Square) -> int:
    """Return the rank of a matrix, by elimination."""
    left = [list(row) for row in rows]
    found = 0
    for column in range(len(left[0])):
        pivot = next((i for i in range(found, len(left)) if left[i][column]), None)
        if pivot is None:
            continue
        left[found], left[pivot] = left[pivot], left[found]
        for i in range(found + 1, len(left)):
            share = left[i][column] / left[found][column]
            if share:
                left[i] = [v - share * u for v, u in zip(left[i], left[found], strict=True)]
        found += 1
        if found == len(left):
            break
    return found


def definite(rows: Square) -> bool:
    """Return whether z^T M z > 0 for every z other than 0: every root of its symmetric part is positive."""
    symmetric = [[v + rows[j][i] for j, v in enumerate(row)] for i, row in enumerate(rows)]
    return _hurwitz(characteristic([[-v for v in row] for row in symmetric]))


def on_policy(data: Data) -> bool:
    """Return whether both policies are the same."""
    return [[Fraction(v) for v in row] for row in data["behaviour"]] == [
        [Fraction(v) for v in row] for row in data["target"]
    ]


def values_solve(data: Data) -> bool:
    """Return whether v = r + gamma P v has a solution under the target policy, which a value function is."""
    chain, r = _target_chain(data)
    rows = [[(i == j) - Fraction(data["gamma"]) * p for j, p in enumerate(row)] for i, row in enumerate(chain)]
    return rank([[*row, v] for row, v in zip(rows, r, strict=True)]) == rank(rows)


def errors_vanish(data: Data) -> bool:
    """Return whether some w makes every TD error that behaviour can meet 0."""
    features, rows, k = _features(data), [], len(data["features"][0])
    for s, a, s_next, _, reward in data["transitions"]:
        if Fraction(data["behaviour"][s][a]):
            y = features[s_next] if s_next >= 0 else [Fraction(0)] * k
            row = [p - Fraction(data["gamma"]) * q for p, q in zip(features[s], y, strict=True)]
            rows.append([*row, Fraction(reward)])
    return rank(rows) == rank([row[:-1] for row in rows])


def _target_chain(data: Data) -> tuple[Square, Vector]:
    n = len(data["features"])
    chain, r = [[Fraction(0)] * n for _ in range(n)], [Fraction(0)] * n
    for s, a, s_next, p, reward in data["transitions"]:
        mass = Fraction(data["target"][s][a]) * Fraction(p)
        r[s] += mass * Fraction(reward)
        if s_next >= 0:
            chain[s][s_next] += mass
    return chain, r


def second_reward(data: Data, policy: str) -> Fraction:
    """Return E[R_t+2] from the first state under a policy; under behaviour, each weighted by the first rho."""
    total = Fraction(0)
    for s, a, middle, p, _ in data["transitions"]:
        taken = Fraction(data[policy][s][a])
        if s == 0 and taken:
            share = Fraction(data["target"][s][a])  # of behaviour, rho times b(a|s)
            for s_2, a_2, _, p_2, reward in data["transitions"]:
                if s_2 == middle:
                    total += share * Fraction(p) * Fraction(data[policy][s_2][a_2]) * Fraction(p_2) * Fraction(reward)
    return total


def mean_update(data: Data, algorithm: str, beta: Fraction, eta: Fraction) -> tuple[Square, Vector]:
    """Return G and g: g is the mean step from 0, and column i of G what the i-th unit vector adds to it."""
    k = len(data["features"][0])
    size = k if algorithm in ("td", "vtrace") else 2 * k
    g = _mean_step(data, algorithm, beta, eta, [Fraction(0)] * k, [Fraction(0)] * k)[-size:]
    columns = []
    for i in range(size):
        unit = [Fraction(int(i == j)) for j in range(size)]
        h, w = (unit[:k], unit[k:]) if size > k else ([Fraction(0)] * k, unit)
        columns.append([v - u for v, u in zip(_mean_step(data, algorithm, beta, eta, h, w)[-size:], g, strict=True)])
    return [[columns[j][i] for j in range(size)] for i in range(size)], g


def _features(data: Data) -> Square:
    return [[Fraction(v) for v in row] for row in data["features"]]


def _mean_step(data: Data, algorithm: str, beta: Fraction, eta: Fraction, h: Vector, w: Vector) -> Vector:
    features = _features(data)
    gamma, k = Fraction(data["gamma"]), len(w)
    total = [Fraction(0)] * (2 * k)
    for s, a, s_next, p, reward in data["transitions"]:
        b = Fraction(data["behaviour"][s][a])
        if b == 0:
            continue
        mass = Fraction(data["d"][s]) * b * Fraction(p)
        rho = Fraction(data["target"][s][a]) / b
        x = features[s]
        y = features[s_next] if s_next >= 0 else [Fraction(0)] * k
        delta = Fraction(reward) + gamma * _dot(w, y) - _dot(w, x)
        step = _step(algorithm, rho, gamma, delta, beta, eta, x, y, h)
        total = [old + mass * new for old, new in zip(total, step, strict=True)]
    return total


def _step(
    algorithm: str,
    rho: Fraction,
    gamma: Fraction,
    delta: Fraction,
    beta: Fraction,
    eta: Fraction,
    x: Vector,
    y: Vector,
    h: Vector,
) -> Vector:
    """Return (eta dh, dw) of one transition.

    Raises:
        ValueError: an algorithm that the paper does not write out.
    """
    guess = _dot(h, x)
    pairs = list(zip(x, y, h, strict=True))
    if algorithm in ("td", "vtrace"):
        ratio = min(rho, Fraction(1)) if algorithm == "vtrace" else rho
        return [Fraction(0)] * len(x) + [ratio * delta * p for p in x]
    if algorithm == "htd":
        dh = [rho * delta * p - guess * (p - gamma * q) for p, q, _ in pairs]
        dw = [rho * delta * p + (rho - 1) * guess * (p - gamma * q) for p, q, _ in pairs]
    elif algorithm == "gtd2":
        dh = [(rho * delta - guess) * p for p in x]
        dw = [rho * guess * (p - gamma * q) for p, q, _ in pairs]
    elif algorithm in ("tdrc", "tdc"):
        shrink = beta if algorithm == "tdrc" else Fraction(0)
        dh = [(rho * delta - guess) * p - shrink * c for p, _, c in pairs]
        dw = [rho * (delta * p - gamma * guess * q) for p, q, _ in pairs]
    else:
        raise ValueError(f"the paper does not write out {algorithm}")
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

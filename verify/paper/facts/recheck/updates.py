"""Updates as the paper writes them, and their means on a problem given as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.recheck.algebra import Square, Vector, dot
from verify.paper.facts.recheck.roots import number

Data = Mapping[str, Any]
Run = tuple[str, Fraction, Fraction]
"""An algorithm's name, beta and eta."""


class Transition(NamedTuple):
    """One transition with its probability d b p, its importance ratio, and both feature vectors."""

    mass: Fraction
    rho: Fraction
    x: Vector
    y: Vector
    reward: Fraction


def discounts(data: Data) -> Vector:
    """Return gamma(s) of each state."""
    gamma = data["gamma"]
    return [Fraction(v) for v in gamma] if isinstance(gamma, list) else [Fraction(gamma)] * len(data["features"])


def discount(data: Data) -> Fraction:
    """Return the discount.

    Raises:
        CannotTell: it differs from state to state.
    """
    if isinstance(data["gamma"], list):
        raise CannotTell("the discount differs from state to state")
    return Fraction(data["gamma"])


def features(data: Data) -> Square:
    """Return x(s), a row per state."""
    return [[number(v) for v in row] for row in data["features"]]


def transitions(data: Data) -> Iterator[Transition]:
    """Yield the transitions that behaviour makes; where an episode ends, x' is 0."""
    rows = features(data)
    for s, a, s_next, p, reward in data["transitions"]:
        b = Fraction(data["behaviour"][s][a])
        mass = Fraction(data["d"][s]) * b * Fraction(p)
        if mass:
            y = rows[s_next] if s_next >= 0 else [Fraction(0)] * len(rows[s])
            yield Transition(mass, Fraction(data["target"][s][a]) / b, rows[s], y, Fraction(reward))


def step(
    algorithm: str, rho: Any, gamma: Any, delta: Any, beta: Any, eta: Any, x: Vector, y: Vector, h: Vector
) -> Vector:
    """Return (eta dh, dw) of one transition.

    Raises:
        CannotTell: an algorithm that the paper does not write out.
    """
    guess = dot(h, x)
    if algorithm in ("td", "vtrace"):
        ratio = 1 if algorithm == "vtrace" and rho > 1 else rho
        return [Fraction(0)] * len(x) + _along((ratio * delta, x))
    if algorithm == "htd":
        dh = _along((rho * delta - guess, x), (gamma * guess, y))
        dw = _along((rho * delta + (rho - 1) * guess, x), (-(rho - 1) * gamma * guess, y))
    elif algorithm == "gtd2":
        dh = _along((rho * delta - guess, x))
        dw = _along((rho * guess, x), (-rho * guess * gamma, y))
    elif algorithm in ("tdrc", "tdc", "tdc++"):
        dh = _along((rho * delta - guess, x), (0 if algorithm == "tdc" else -beta, h))
        dw = _along((rho * delta, x), (-rho * gamma * guess, y), (-beta if algorithm == "tdc++" else 0, h))
    else:
        raise CannotTell(f"the paper does not write out {algorithm}")
    return [eta * v for v in dh] + dw


def _along(*parts: tuple[Any, Vector]) -> Vector:
    """Return the sum of vectors times numbers."""
    total = [Fraction(0)] * len(parts[0][1])
    for c, vector in parts:
        if c != 0:
            total = [old + c * v if v != 0 else old for old, v in zip(total, vector, strict=True)]
    return total


def size_of(algorithm: str, k: int) -> int:
    """Return how many weights an algorithm has for k features."""
    return k if algorithm in ("td", "vtrace") else 2 * k


def matrix_of(one: Transition, gamma: Fraction, run: Run) -> tuple[Square, Vector]:
    """Return G_t and g_t of a transition: its step at 0, and what each unit vector adds to that."""
    algorithm, beta, eta = run
    k = len(one.x)
    size = size_of(algorithm, k)

    def moved(varrho: Vector) -> Vector:
        h, w = ([Fraction(0)] * k, varrho) if size == k else (varrho[:k], varrho[k:])
        delta = one.reward + gamma * dot(w, one.y) - dot(w, one.x)
        return step(algorithm, one.rho, gamma, delta, beta, eta, one.x, one.y, h)[-size:]

    g = moved([Fraction(0)] * size)
    units = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    columns = [[v - u for v, u in zip(moved(unit), g, strict=True)] for unit in units]
    return [list(row) for row in zip(*columns, strict=True)], g


def mean_update(data: Data, algorithm: str, beta: Fraction, eta: Fraction) -> tuple[Square, Vector]:
    """Return G and g, the means of G_t and g_t."""
    size = size_of(algorithm, len(data["features"][0]))
    G, g = [[Fraction(0)] * size for _ in range(size)], [Fraction(0)] * size
    for one in transitions(data):
        M, m = matrix_of(one, discount(data), (algorithm, beta, eta))
        g = _along((1, g), (one.mass, m))
        G = [_along((1, old), (one.mass, new)) for old, new in zip(G, M, strict=True)]
    return G, g


def matrices(data: Data) -> tuple[Square, Vector, Square]:
    """Return A, b and C, C by its definition."""
    rows, k = features(data), len(data["features"][0])
    G, b = mean_update(data, "td", Fraction(0), Fraction(1))
    d = [Fraction(v) for v in data["d"]]
    C = [
        [sum((p * x[i] * x[j] for p, x in zip(d, rows, strict=True)), Fraction(0)) for j in range(k)] for i in range(k)
    ]
    return [[-v for v in row] for row in G], b, C

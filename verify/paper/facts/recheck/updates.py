"""Updates as the paper writes them, and their means on a problem given as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.recheck.algebra import Square, Vector, combined, dot, identity, number, product, transposed

Data = Mapping[str, Any]
Run = tuple[str, Fraction, Fraction]
"""An algorithm's name, beta and eta."""


class Step(NamedTuple):
    """A step that behaviour takes from s to t (-1 where the episode ends): its probability b p there, and rho."""

    s: int
    t: int
    p: Fraction
    rho: Fraction
    reward: Fraction


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


def steps(data: Data) -> list[Step]:
    """Return the steps that behaviour takes; rho times their probability is that under the target policy."""
    taken = []
    for s, a, t, p, reward in data["transitions"]:
        b = Fraction(data["behaviour"][s][a])
        if b and Fraction(p):
            taken.append(Step(s, t, b * Fraction(p), Fraction(data["target"][s][a]) / b, Fraction(reward)))
    return taken


def chain(data: Data, weight: Callable[[Step], Any]) -> Square:
    """Return the sum of weights of the steps from each state to each other one."""
    n = len(data["features"])
    result = [[Fraction(0)] * n for _ in range(n)]
    for one in steps(data):
        if one.t >= 0:
            result[one.s][one.t] += weight(one)
    return result


def rewards(data: Data) -> Vector:
    """Return the mean reward of each state under the target policy."""
    every = range(len(data["features"]))
    return [sum((one.p * one.rho * one.reward for one in steps(data) if one.s == s), Fraction(0)) for s in every]


def bellman(data: Data) -> Square:
    """Return I - P Gamma, P being the target policy's."""
    gamma = discounts(data)
    later = chain(data, lambda one: one.p * one.rho * gamma[one.t])
    return combined((1, identity(len(later))), (-1, later))


def transitions(data: Data) -> Iterator[Transition]:
    """Yield the transitions that behaviour makes; where an episode ends, x' is 0."""
    rows = features(data)
    for s, t, p, rho, reward in steps(data):
        mass = Fraction(data["d"][s]) * p
        if mass:
            yield Transition(mass, rho, rows[s], rows[t] if t >= 0 else [Fraction(0)] * len(rows[s]), reward)


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


def mean_update(data: Data, run: Run) -> tuple[Square, Vector]:
    """Return G and g, the means of G_t and g_t."""
    size = size_of(run[0], len(data["features"][0]))
    G, g = [[Fraction(0)] * size for _ in range(size)], [Fraction(0)] * size
    for one in transitions(data):
        M, m = matrix_of(one, discount(data), run)
        g = _along((1, g), (one.mass, m))
        G = [_along((1, old), (one.mass, new)) for old, new in zip(G, M, strict=True)]
    return G, g


def matrices(data: Data) -> tuple[Square, Vector, Square]:
    """Return A, b and C, C by its definition."""
    rows, (G, b) = features(data), mean_update(data, ("td", Fraction(0), Fraction(1)))
    d = [Fraction(v) for v in data["d"]]
    C = product(transposed(rows), [[p * v for v in x] for p, x in zip(d, rows, strict=True)])
    return [[-v for v in row] for row in G], b, C

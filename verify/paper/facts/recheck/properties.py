"""Properties of a problem given as plain data: of its policies, values, features and TD errors."""

from __future__ import annotations

from fractions import Fraction

from verify.paper.facts.recheck.algebra import Square, Vector, combined, identity, rank, solution
from verify.paper.facts.recheck.updates import Data, discount, discounts, features, matrices, transitions


def on_policy(data: Data) -> bool:
    """Return whether both policies are the same."""
    return [[Fraction(v) for v in row] for row in data["behaviour"]] == [
        [Fraction(v) for v in row] for row in data["target"]
    ]


def values_exist(data: Data) -> bool | None:
    """Return whether expected discounted sums of rewards exist, which solve v = r + gamma P v; None where unknown.

    They do with gamma < 1, and where every episode ends: I - gamma P is nonsingular there, and nowhere else.
    """
    rows, r = _bellman(data)
    if solution(rows, r) is None:
        return False
    return True if rank(rows) == len(rows) else None


def representable(data: Data) -> bool:
    """Return whether the values of the target policy are X w for some w; both are unknowns of one linear system."""
    rows, r = _bellman(data)
    X = features(data)
    values = solution(rows, r)
    return values is not None and solution(X, values) is not None


def few_features(data: Data) -> bool:
    """Return whether there are fewer features than states with a transition."""
    return len(data["features"][0]) < len({s for s, *_ in data["transitions"]})


def in_range(data: Data) -> bool:
    """Return whether b - A w is in range(C) for every w: at 0, and what each unit vector adds."""
    A, b, C = matrices(data)
    return rank([[*c, *a, v] for c, a, v in zip(C, A, b, strict=True)]) == rank(C)


def errors_vanish(data: Data) -> bool:
    """Return whether some w makes every TD error that behaviour can meet 0."""
    gamma = discount(data)
    rows = [[*(p - gamma * q for p, q in zip(t.x, t.y, strict=True)), t.reward] for t in transitions(data)]
    return rank(rows) == rank([row[:-1] for row in rows])


def _bellman(data: Data) -> tuple[Square, Square]:
    """Return I - gamma P and r, as a column."""
    chain, r = _target_chain(data)
    later = [[p * gamma for p, gamma in zip(row, discounts(data), strict=True)] for row in chain]
    return combined((1, identity(len(r))), (-1, later)), [[v] for v in r]


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


PLAIN = {
    "on-policy": on_policy,
    "values": values_exist,
    "errors-vanish": errors_vanish,
    "few-features": few_features,
    "mspbe": in_range,
    "representable": representable,
}
"""The properties by the names that statements have for them."""

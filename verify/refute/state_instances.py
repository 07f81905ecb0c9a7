"""Small chains for formulas about states: stochastic matrices, stationary weights, shares, interests, features."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.formula.vocabulary import FEATURES, WEIGHTS, entry
from verify.refute.rows import Rows

DOMAINS = ("stochastic", "shares", "probabilities", "distribution", "stationary", "policy", "ratio")
_SHARES = (Fraction(0), Fraction(1), Fraction(1, 2), Fraction(9, 10), Fraction(1, 3))
_WHOLE = 0.2
"""How often all shares are 1."""
_OFTEN = 0.3
"""How often an action permutes the states, and how often policies are the same in all states."""
_WEIGHTS = (0, 0, 1, 1, 2, 3)
"""Probabilities are shares of these: 0 is likely, since claims fail at the edges."""
_INTERESTS = (Fraction(0), Fraction(1), Fraction(2), Fraction(1, 2), Fraction(1, 10))


def is_of_states(name: str) -> bool:
    """Return whether a symbol's values are of states."""
    symbol = entry(name)
    return symbol.domain in DOMAINS or symbol.shape in (FEATURES, WEIGHTS) or name in ("interests", "ones")


def state_values(names: Iterable[str], d: int, rng: random.Random) -> dict[str, Rows]:
    """Return values of the symbols that are of states, drawn so that they fit together."""
    asked = [name for name in names if is_of_states(name)]
    values: dict[str, Rows] = {}
    if not asked:
        return values
    P, d_pi = _chain(d, rng, stationary="d_pi" in asked)
    policies = _policies(asked, d, rng)
    for name in asked:
        symbol = entry(name)
        if name in policies:
            values[name] = policies[name]
        elif symbol.domain == "stochastic" and name != "P_pi":
            values[name] = _permutation(d, rng) if rng.random() < _OFTEN else _chain(d, rng, stationary=False)[0]
        elif symbol.domain in ("stochastic", "stationary"):
            values[name] = P if symbol.domain == "stochastic" else d_pi
        elif symbol.domain == "shares":
            values[name] = _diagonal(_shares(d, rng))
        elif symbol.domain == "distribution":
            values[name] = _column(_distribution(d, rng, least=1))
        elif symbol.domain == "probabilities":
            values[name] = _column(_distribution(d, rng, least=0))
        elif name == "interests":
            values[name] = _column([rng.choice(_INTERESTS) for _ in range(d)])
        elif name != "ones":
            n = feature_count(d)
            rows, columns = (d, n) if symbol.shape == FEATURES else (n, 1)
            values[name] = tuple(tuple(flint.fmpq(rng.randint(-3, 3)) for _ in range(columns)) for _ in range(rows))
    return values


def _policies(asked: Iterable[str], d: int, rng: random.Random) -> dict[str, Rows]:
    """Return the diagonal matrices of both policies and of their ratios, by action: target covered by behaviour."""
    count = max((1 + int(name.partition("[")[2][:-1]) for name in asked if "[" in name), default=0)
    if not count:
        return {}
    alike = rng.random() < _OFTEN
    behaviour = [_distribution(count, rng, least=0) for _ in range(d)]
    behaviour = [behaviour[0] if alike else row for row in behaviour]
    target = [_covered(row, rng) for row in behaviour]
    target = [target[0] if alike else row for row in target]
    ratios = [
        [p / b if b else rng.choice(_SHARES) for p, b in zip(*rows, strict=True)]
        for rows in zip(target, behaviour, strict=True)
    ]
    tables = {"B_a": behaviour, "Pi_a": target, "rho_a": ratios}
    names = ((f"{family}[{a}]", [row[a] for row in table]) for family, table in tables.items() for a in range(count))
    return {name: _diagonal(column) for name, column in names if name in asked}


def _covered(behaviour: list[Fraction], rng: random.Random) -> list[Fraction]:
    """Return a distribution on the actions that a behaviour takes."""
    weights = [rng.choice(_WEIGHTS) * int(b > 0) for b in behaviour]
    if not sum(weights):
        weights[rng.choice([a for a, b in enumerate(behaviour) if b])] = 1
    return [Fraction(w, sum(weights)) for w in weights]


def _shares(d: int, rng: random.Random) -> list[Fraction]:
    """Return shares of any kind, or all 1, or only 0 and 1: a claim may fail only where nothing is discounted."""
    few = _SHARES[: rng.choice((len(_SHARES), 2))]
    return [Fraction(1)] * d if rng.random() < _WHOLE else [rng.choice(few) for _ in range(d)]


def feature_count(d: int) -> int:
    """Return the number of features of an instance with d states: fewer than states, where there are several."""
    return max(1, d - 1)


def _chain(d: int, rng: random.Random, stationary: bool) -> tuple[Rows, Rows]:
    """Return a stochastic matrix, with one closed class of all states where its stationary weights are asked for."""
    rows = [_distribution(d, rng, least=0) for _ in range(d)]
    if stationary:
        rows = [[(v + int(t == (s + 1) % d)) / 2 for t, v in enumerate(row)] for s, row in enumerate(rows)]
        kernel = (Matrix(rows).T - Matrix.identity(d)).null_space()
        weights = [Fraction(str(row[0])) for row in kernel.rows]
        return _rows(rows), _column([w / sum(weights) for w in weights])
    return _rows(rows), ()


def _permutation(d: int, rng: random.Random) -> Rows:
    to = rng.sample(range(d), d)
    return _rows([[Fraction(int(t == to[s])) for t in range(d)] for s in range(d)])


def _distribution(d: int, rng: random.Random, least: int) -> list[Fraction]:
    weights = [max(least, rng.choice(_WEIGHTS)) for _ in range(d)]
    if not sum(weights):
        weights[rng.randrange(d)] = 1
    return [Fraction(w, sum(weights)) for w in weights]


def _rows(rows: list[list[Fraction]]) -> Rows:
    return tuple(tuple(to_fmpq(v) for v in row) for row in rows)


def _column(values: list[Any]) -> Rows:
    return _rows([[Fraction(v)] for v in values])


def _diagonal(values: list[Fraction]) -> Rows:
    return _rows([[v * int(i == j) for j in range(len(values))] for i, v in enumerate(values)])

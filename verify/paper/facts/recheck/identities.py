"""What updates have in common for all data: the paper's equations on vectors of symbols, multiplied out by sympy.

Vectors have three components, or two in each of three blocks. V-trace compares rho with 1, so every statement on it is
checked on both sides: rho = 1 - r and rho = 1 + r, r positive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.paper.facts.recheck.algebra import Vector, dot, solution, transposed
from verify.paper.facts.recheck.updates import Data, discount, matrix_of, step, transitions

Symbols = dict[str, Any]


def same_update(learners: Sequence[str], whole: bool, beta: int | None, rho: int | None) -> bool:
    """Return whether two learners move w (or w and h) alike, for all data and every beta and rho that is not given."""
    for s in _all_data(beta=beta, rho=rho):
        one, other = (_moves(name, s) for name in learners)
        if not _vanish([u - v for u, v in zip(one, other, strict=True)][0 if whole else 3 :]):
            return False
    return True


def scales(learners: Sequence[str], powers: Mapping[str, int], power: int) -> bool:
    """Return whether data and weights times powers of c > 0 give alpha times the steps times a power of c.

    Powers are of x (and x'), R, w (and h), beta and alpha; 0 where there is none.
    """
    for s in _all_data():
        c = s["c"]
        other: Symbols = {
            **s,
            "reward": s["reward"] * c ** powers.get("R", 0),
            "beta": s["beta"] * c ** powers.get("beta", 0),
        }
        for name, of in (("x", "x"), ("y", "x"), ("w", "w"), ("h", "w")):
            other[name] = [v * c ** powers.get(of, 0) for v in s[name]]
        for name in learners:
            pairs = zip(_moves(name, other), _moves(name, s), strict=True)
            if not _vanish([u * c ** powers.get("alpha", 0) - v * c**power for u, v in pairs]):
                return False
    return True


def on_action_values(learner: str, whole: bool, beta: int | None, h_is_zero: bool) -> bool:
    """Return whether QRC with linear values moves w (and h) as a learner does on features of state and action.

    Three actions: A, which is taken, one that may be bootstrapped from, and one that is neither. QRC is written as the
    paper has it: delta is formed of the values of the actions, h of the action taken moves alone.
    """
    for s in _all_data(beta=beta, rho=1):
        x, y, h, w = s["x"][:2], s["y"][:2], s["blocks_h"], s["blocks_w"]
        if h_is_zero:
            h = [0] * 6
        for best in (0, 1):  # a' = A, and another
            delta = s["reward"] + s["gamma"] * dot(w[2 * best : 2 * best + 2], y) - dot(w[:2], x)
            guess = dot(h[:2], x)
            dw, dh = [0] * 6, [0] * 6
            for i in range(2):
                dw[i] = dw[i] + delta * x[i]
                dw[2 * best + i] = dw[2 * best + i] - s["gamma"] * guess * y[i]
                dh[i] = s["eta"] * ((delta - guess) * x[i] - s["beta"] * h[i])
            stacked = {**s, "x": [*x, 0, 0, 0, 0], "y": [0] * (2 * best) + y + [0] * (4 - 2 * best), "h": h, "w": w}
            theirs = _moves(learner, stacked)
            if not _vanish([u - v for u, v in zip([*dh, *dw], theirs, strict=True)][0 if whole else 6 :]):
                return False
    return True


def costs(learner: str) -> tuple[int, int]:
    """Return (multiplications, weights) for each feature of one update at general numbers.

    One multiplication for each of x, x' and h of which w or h gets a multiple, and one for each inner product on which
    those multiples depend: w or h is moved so that this inner product alone changes.
    """
    x, y, h, w = (
        [Fraction(v) for v in row] for row in ((2, 3, 5, 7), (11, 13, 17, -19), (23, -29, 31, 37), (4, 1, -4, 5))
    )

    def shares(h: Vector, w: Vector) -> list[Vector]:
        delta = 59 + Fraction(2, 3) * dot(w, y) - dot(w, x)
        moved = step(learner, Fraction(3, 2), Fraction(2, 3), delta, Fraction(5, 7), Fraction(1), x, y, h)
        result = [solution(transposed([x, y, h]), [[v] for v in part]) for part in (moved[:4], moved[4:])]
        return [[v for (v,) in part or ()] for part in result]

    general = shares(h, w)
    count = sum(v != 0 for part in general for v in part)
    for other, vector in ((y, x), (x, y)):
        along = solution([vector, other], [[Fraction(1)], [Fraction(0)]])
        turned = [v for (v,) in along or ()]
        changed = shares(h, [a + b for a, b in zip(w, turned, strict=True)])
        count += changed != general
        changed = shares([a + b for a, b in zip(h, turned, strict=True)], w)
        count += [part[:2] for part in changed] != [part[:2] for part in general]
    return count, sum(any(part) for part in general)


def proportional(data: Data, learner: str, other: str, times: Fraction, beta: Fraction = Fraction(1)) -> bool:
    """Return whether every transition of a problem moves w under one learner by so many times its step under another.

    A step is affine in the weights, so that they are compared at 0 and at every unit vector.
    """
    k, gamma = len(data["features"][0]), discount(data)
    for one in transitions(data):
        result = []
        for name in (learner, other):
            G, g = matrix_of(one, gamma, (name, beta, Fraction(1)))
            result.append(
                [[*[Fraction(0)] * (2 * k - len(row)), *row, v] for row, v in zip(G[-k:], g[-k:], strict=True)]
            )
        if result[0] != [[times * v for v in row] for row in result[1]]:
            return False
    return True


def pushed(data: Data, run: tuple[str, Fraction, Fraction], h: Fraction) -> set[Any] | None:
    """Return the steps of w over alpha at the TD fixed point of a problem with one feature; None without such a one."""
    ones, gamma = list(transitions(data)), discount(data)
    slope = sum((one.mass * one.rho * one.x[0] * (one.x[0] - gamma * one.y[0]) for one in ones), Fraction(0))
    if len(data["features"][0]) > 1 or slope == 0:
        return None
    w = sum((one.mass * one.rho * one.reward * one.x[0] for one in ones), Fraction(0)) / slope
    learner, beta, eta = run
    return {
        step(learner, one.rho, gamma, one.reward + gamma * w * one.y[0] - w * one.x[0], beta, eta, one.x, one.y, [h])[1]
        for one in ones
    }


def _all_data(beta: int | None = None, rho: int | None = None) -> Iterator[Symbols]:
    """Yield symbols for all data, with every range of rho in turn; a beta or a rho may be given."""
    import sympy

    shared: Symbols = {name: sympy.Symbol(name) for name in ("reward", "gamma", "beta", "eta")}
    shared |= {name: list(sympy.symbols(f"{name}_1:4")) for name in ("x", "y", "h", "w")}
    shared |= {f"blocks_{name}": list(sympy.symbols(f"{name}_1:7")) for name in ("h", "w")}
    r, shared["c"] = sympy.symbols("r c", positive=True)
    if beta is not None:
        shared["beta"] = sympy.Integer(beta)
    for value in (1 - r, 1 + r) if rho is None else (sympy.Integer(rho),):
        yield {**shared, "rho": value}


def _moves(learner: str, s: Symbols) -> Vector:
    """Return (eta dh, dw)."""
    delta = s["reward"] + s["gamma"] * dot(s["w"], s["y"]) - dot(s["w"], s["x"])
    return step(learner, s["rho"], s["gamma"], delta, s["beta"], s["eta"], s["x"], s["y"], s["h"])


def _vanish(terms: Sequence[Any]) -> bool:
    import sympy

    return all(sympy.expand(sympy.sympify(term)) == 0 for term in terms)

"""Checks a counterexample by itself: a formula as nested lists, values as text, and nothing but integers and fractions.

It shares no code with what finds counterexamples: numbers are pairs (real, imaginary) of `Fraction`, determinants are
Leibniz sums, and inverses are adjugates. `refutes(formula, witness)` is True only where the formula is false at the
witness.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import Any

from verify.refute.witness_entries import ENTRIES, PREDICATES
from verify.refute.witness_numbers import (
    ONE,
    ZERO,
    Num,
    Table,
    adjugate_inverse,
    leibniz,
    plus,
    real,
    reals,
    summed,
    times,
    to_the,
)
from verify.refute.witness_roots import CannotTell, extremes, side_of, with_number

_STENCIL = (Fraction(-3, 2), Fraction(2), Fraction(-1, 2))
"""The slope at 0 of a parabola through its values at 0, 1 and 2."""


def refutes(formula: list[Any], witness: dict[str, Any]) -> bool:
    """Return whether a formula is false at a witness.

    Args:
        formula: `Expr.to_json()` of the formula, defined symbols replaced. witness: `{"dimension": d, "values":
        {symbol: [[text]]}, "transitions": [{"probability": text, symbol: [[text]]}]}`.

    Raises:
        CannotTell: it has no value there.

    >>> refutes(["=", ["symbol", "eta"], ["number", "1"]], {"dimension": 1, "values": {"eta": [["2"]]}})
    True
    """
    return not _true(formula, _Point(witness))


class _Point:
    def __init__(self, witness: dict[str, Any]) -> None:
        self.d = int(witness["dimension"])
        self.values = {name: _table(rows) for name, rows in witness["values"].items()}
        self.samples = [
            (_number(t["probability"]), {name: _table(v) for name, v in t.items() if name != "probability"})
            for t in witness.get("transitions", [])
        ]

    def at(self, values: dict[str, Table]) -> _Point:
        moved = _Point({"dimension": self.d, "values": {}})
        moved.values, moved.samples = {**self.values, **values}, self.samples
        return moved


def _number(text: str) -> Num:
    real, _, imaginary = text.partition(",")
    return (Fraction(real), Fraction(imaginary or 0))


def _table(rows: list[list[str]]) -> Table:
    return [[_number(v) for v in row] for row in rows]


def _true(f: list[Any], p: _Point) -> bool:
    op = f[0]
    if op == "implies":
        return not _true(f[1], p) or _true(f[2], p)
    if op == "iff":
        return _true(f[1], p) is _true(f[2], p)
    if op == "and":
        return _every(f[1:], p)
    if op == "or":
        return any(_true(part, p) for part in f[1:])
    if op == "not":
        return not _true(f[1], p)
    if op == "posdef":
        table = _value(f[1], p)
        return all(
            real(leibniz([[plus(table[i][j], table[j][i]) for j in range(k)] for i in range(k)])) > 0
            for k in range(1, len(table) + 1)
        )
    if op == "hurwitz":
        return _stable(_characteristic(_value(f[1], p)))
    if op in PREDICATES:
        return PREDICATES[op](*(reals(_value(part, p)) for part in f[1:]))
    side = _eigenvalue_gap(op, f[1], f[2], p)
    if side is not None:
        return {"<": side < 0, "<=": side <= 0, ">": side > 0, ">=": side >= 0}[op]
    left, right = _value(f[1], p), _value(f[2], p)
    if op in ("=", "!="):
        return (left == right) is (op == "=")
    gap = real(left[0][0]) - real(right[0][0])
    return {"<": gap < 0, "<=": gap <= 0, ">": gap > 0, ">=": gap >= 0}[op]


def _value(f: list[Any], p: _Point) -> Table:
    op = f[0]
    if op == "number":
        return [[(Fraction(f[1]), Fraction(0))]]
    if op == "symbol":
        return _named(f[1], p)
    if op == "block":
        return [
            [v for part in cells for v in part[i]]
            for cells in ([_value(cell, p) for cell in row[1:]] for row in f[1:])
            for i in range(len(cells[0]))
        ]
    if op == "E":
        return summed([times([[weight]], _value(f[1], p.at(sample))) for weight, sample in p.samples])
    if op == "grad":
        return _slopes(f[1], f[2], p)
    if op == "power":
        return [[to_the(_value(f[1], p)[0][0], _value(f[2], p)[0][0])]]
    parts = [_value(part, p) for part in f[1:]]
    if op == "add":
        return summed(parts)
    if op == "mul":
        return reduce(times, parts)
    return _unary(op, parts[0])


def _unary(op: str, table: Table) -> Table:
    if op == "T":
        return [[row[j] for row in table] for j in range(len(table[0]))]
    if op == "star":
        return [[(row[j][0], -row[j][1]) for row in table] for j in range(len(table[0]))]
    if op == "norm2":
        return [[(sum((v[0] ** 2 + v[1] ** 2 for row in table for v in row), Fraction(0)), Fraction(0))]]
    if op in ENTRIES:
        return [[(v, Fraction(0)) for v in row] for row in ENTRIES[op](reals(table))]
    if op in ("re", "im"):
        return [[(table[0][0][op == "im"], Fraction(0))]]
    if op == "det":
        return [[leibniz(table)]]
    if op == "inv":
        return adjugate_inverse(table)
    raise CannotTell(op)


def _named(name: str, p: _Point) -> Table:
    if name == "d":
        return [[(Fraction(p.d), Fraction(0))]]
    if name == "i":
        return [[(Fraction(0), Fraction(1))]]
    if name in ("I", "I_2d"):
        n = p.d if name == "I" else 2 * p.d
        return [[ONE if i == j else ZERO for j in range(n)] for i in range(n)]
    if name in ("0", "ones"):
        return [[ZERO if name == "0" else ONE] for _ in range(p.d)]
    if name not in p.values:
        raise CannotTell(f"{name} has no value")
    return p.values[name]


def _characteristic(table: Table) -> list[Fraction]:
    """Return det(t I - M) in descending powers of t, by Newton's identities for the traces of powers."""
    n, power, traces = len(table), table, []
    for _ in range(n):
        traces.append(sum((real(power[i][i]) for i in range(n)), Fraction(0)))
        power = times(power, table)
    coefficients = [Fraction(1)]
    for k in range(1, n + 1):
        coefficients.append(-sum((coefficients[k - i] * traces[i - 1] for i in range(1, k + 1)), Fraction(0)) / k)
    return coefficients


def _stable(coefficients: list[Fraction]) -> bool:
    """Return whether every root has negative real part: all Hurwitz determinants are positive."""
    n = len(coefficients) - 1

    def entry(i: int, j: int) -> Num:
        k = 2 * (j + 1) - (i + 1)
        return (coefficients[k] if 0 <= k <= n else Fraction(0), Fraction(0))

    return all(leibniz([[entry(i, j) for j in range(m)] for i in range(m)])[0] > 0 for m in range(1, n + 1))


def _every(parts: list[Any], p: _Point) -> bool:
    """Return whether all hold; one that does not settles it, whether or not the others have a value."""
    unknown = None
    for part in parts:
        try:
            if not _true(part, p):
                return False
        except CannotTell as reason:
            unknown = reason
    if unknown is not None:
        raise unknown
    return True


def _eigenvalue_gap(op: str, left: list[Any], right: list[Any], p: _Point) -> int | None:
    """Return the sign of left - right, linear in one extreme eigenvalue mu; None where there is no eigenvalue.

    Raises:
        CannotTell: there are several, or the gap is not linear in mu.
    """
    nodes = [*extremes(left), *extremes(right)]
    if not nodes:
        return None
    if len(nodes) > 1 or op not in ("<", "<=", ">", ">="):
        raise CannotTell("a relation with eigenvalues of another form")
    (node,) = nodes
    sides = [[real(_value(with_number(side, node, k), p)[0][0]) for side in (left, right)] for k in range(3)]
    at = [a - b for a, b in sides]
    slope = at[1] - at[0]
    if at[2] - at[1] != slope:
        raise CannotTell("not linear in the eigenvalue")
    if slope == 0:
        return (at[0] > 0) - (at[0] < 0)
    side = side_of(_characteristic(_value(node[1], p)), node[0] == "eigmax", -at[0] / slope)
    return side if slope > 0 else -side


def _slopes(variable: str, f: list[Any], p: _Point) -> Table:
    """Return the gradient of a polynomial of degree 2, by three values in each direction."""
    w = p.values[variable]
    slopes = []
    for i in range(len(w)):
        moved = []
        for step in (0, 1, 2, 3):
            point = [[plus(row[0], (Fraction(step), Fraction(0)))] if j == i else row for j, row in enumerate(w)]
            moved.append(_value(f, p.at({variable: point}))[0][0])
        if sum(c * v[0] for c, v in zip((1, -3, 3, -1), moved, strict=True)):
            raise CannotTell("the gradient of what is not quadratic")
        slope = sum((c * v[0] for c, v in zip(_STENCIL, moved[:3], strict=True)), Fraction(0))
        slopes.append([(slope, Fraction(0))])
    return slopes

"""Checks a counterexample by itself: a formula as nested lists, values as text, and nothing but integers and fractions.

It shares no code with what finds counterexamples: numbers are pairs (real, imaginary) of `Fraction`, determinants are
Leibniz sums, and inverses are adjugates. `refutes(formula, witness)` is True only where the formula is false at the
witness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any

Num = tuple[Fraction, Fraction]
"""A complex number: (real part, imaginary part)."""
Table = list[list[Num]]
Rows = list[list[Fraction]]

ZERO: Num = (Fraction(0), Fraction(0))
ONE: Num = (Fraction(1), Fraction(0))
_STENCIL = (Fraction(-3, 2), Fraction(2), Fraction(-1, 2))
"""The slope at 0 of a parabola through its values at 0, 1 and 2."""


class CannotTell(Exception):
    """The formula has an operation that the checker lacks, or no value at the witness."""


def refutes(formula: list[Any], witness: dict[str, Any]) -> bool:
    """Return whether a formula is false at a witness.

    Args:
        formula: `Expr.to_json()` of the formula, defined symbols replaced.
        witness: `{"dimension": d, "values": {symbol: [[text]]}, "transitions": [{"probability": text, symbol:
            [[text]]}]}`.

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


def _scalar(value: Fraction | int) -> Table:
    return [[(Fraction(value), Fraction(0))]]


# What a formula says: truth and value.


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
    if op == "hurwitz":
        return _stable(_characteristic(_value(f[1], p)))
    if op in PREDICATES:
        return PREDICATES[op](*(_reals(_value(part, p)) for part in f[1:]))
    side = _eigenvalue_gap(op, f[1], f[2], p)
    if side is not None:
        return _compared(op, side)
    left, right = _value(f[1], p), _value(f[2], p)
    if op in ("=", "!="):
        return (left == right) is (op == "=")
    return _compared(op, _real(left[0][0]) - _real(right[0][0]))


def _compared(op: str, gap: Fraction | int) -> bool:
    return {"<": gap < 0, "<=": gap <= 0, ">": gap > 0, ">=": gap >= 0}[op]


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


def _value(f: list[Any], p: _Point) -> Table:
    op = f[0]
    if op == "number":
        return _scalar(Fraction(f[1]))
    if op == "symbol":
        return _named(f[1], p)
    if op == "block":
        return [
            [v for part in cells for v in part[i]]
            for cells in ([_value(cell, p) for cell in row[1:]] for row in f[1:])
            for i in range(len(cells[0]))
        ]
    if op == "E":
        return _summed([_times([[weight]], _value(f[1], p.at(sample))) for weight, sample in p.samples])
    if op == "grad":
        return _slopes(f[1], f[2], p)
    if op == "power":
        return [[_to_the(_value(f[1], p)[0][0], _value(f[2], p)[0][0])]]
    parts = [_value(part, p) for part in f[1:]]
    if op == "add":
        return _summed(parts)
    if op == "mul":
        return reduce(_times, parts)
    return _unary(op, parts[0])


def _unary(op: str, table: Table) -> Table:
    if op == "T":
        return [[row[j] for row in table] for j in range(len(table[0]))]
    if op == "star":
        return [[(row[j][0], -row[j][1]) for row in table] for j in range(len(table[0]))]
    if op == "norm2":
        return _scalar(sum((v[0] ** 2 + v[1] ** 2 for row in table for v in row), Fraction(0)))
    if op in ENTRIES:
        return [[(v, Fraction(0)) for v in row] for row in ENTRIES[op](_reals(table))]
    if op in ("re", "im"):
        return _scalar(table[0][0][op == "im"])
    if op == "det":
        return [[_leibniz(table)]]
    if op == "inv":
        return _adjugate_inverse(table)
    raise CannotTell(op)


def _named(name: str, p: _Point) -> Table:
    if name == "d":
        return _scalar(p.d)
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


def _slopes(variable: str, f: list[Any], p: _Point) -> Table:
    """Return the gradient of a polynomial of degree 2, by three values in each direction."""
    w = p.values[variable]
    slopes = []
    for i in range(len(w)):
        moved = []
        for step in (0, 1, 2, 3):
            point = [[_plus(row[0], (Fraction(step), Fraction(0)))] if j == i else row for j, row in enumerate(w)]
            moved.append(_value(f, p.at({variable: point}))[0][0])
        if sum(c * v[0] for c, v in zip((1, -3, 3, -1), moved, strict=True)):
            raise CannotTell("the gradient of what is not quadratic")
        slopes += _scalar(sum((c * v[0] for c, v in zip(_STENCIL, moved[:3], strict=True)), Fraction(0)))
    return slopes


# Complex numbers, and tables of them.


def _plus(a: Num, b: Num) -> Num:
    return (a[0] + b[0], a[1] + b[1])


def _product(a: Num, b: Num) -> Num:
    return (a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])


def _over(a: Num, b: Num) -> Num:
    size = b[0] ** 2 + b[1] ** 2
    if size == 0:
        raise CannotTell("division by 0")
    return _product(a, (b[0] / size, -b[1] / size))


def _real(a: Num) -> Fraction:
    if a[1] != 0:
        raise CannotTell("an inequality between complex numbers")
    return a[0]


def _reals(table: Table) -> Rows:
    return [[_real(v) for v in row] for row in table]


def _to_the(base: Num, exponent: Num) -> Num:
    """Return an integer power of a number."""
    n = _real(exponent)
    if n.denominator != 1:
        raise CannotTell("an exponent that is not an integer")
    result = reduce(_product, [base] * abs(int(n)), ONE)
    return result if n >= 0 else _over(ONE, result)


def _summed(parts: list[Table]) -> Table:
    total = parts[0]
    for part in parts[1:]:
        total = [[_plus(a, b) for a, b in zip(r, s, strict=True)] for r, s in zip(total, part, strict=True)]
    return total


def _times(a: Table, b: Table) -> Table:
    """Return the product of two tables, or of a number and a table."""
    if len(a[0]) != len(b):
        scalar, other = (a[0][0], b) if len(a) == len(a[0]) == 1 else (b[0][0], a)
        return [[_product(scalar, v) for v in row] for row in other]
    return [
        [reduce(_plus, (_product(v, b[k][j]) for k, v in enumerate(row)), ZERO) for j in range(len(b[0]))] for row in a
    ]


def _leibniz(table: Table) -> Num:
    """Return a determinant."""
    total = ZERO
    for order in permutations(range(len(table))):
        swaps = sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))
        product: Num = (Fraction((-1) ** swaps), Fraction(0))
        for i, j in enumerate(order):
            product = _product(product, table[i][j])
        total = _plus(total, product)
    return total


def _adjugate_inverse(table: Table) -> Table:
    n, whole = len(table), _leibniz(table)
    if whole == ZERO:
        raise CannotTell("the inverse of a singular matrix")
    cofactors = []
    for i in range(n):
        line = []
        for j in range(n):
            minor = [[v for c, v in enumerate(row) if c != i] for r, row in enumerate(table) if r != j]
            sign = (Fraction((-1) ** (i + j)), Fraction(0))
            line.append(_over(_product(sign, _leibniz(minor)), whole))
        cofactors.append(line)
    return cofactors


# Predicates on real matrices, and operations on entries.


def _form(rows: Rows) -> Rows:
    """Return M + M^T."""
    return [[a + rows[j][i] for j, a in enumerate(row)] for i, row in enumerate(rows)]


def _minor(rows: Rows, chosen: Iterable[int]) -> Fraction:
    places = list(chosen)
    return _leibniz([[(rows[i][j], Fraction(0)) for j in places] for i in places])[0]


def _semidefinite(rows: Rows) -> bool:
    """Return whether no principal minor of the form is negative."""
    form, n = _form(rows), len(rows)
    return all(_minor(form, chosen) >= 0 for k in range(1, n + 1) for chosen in combinations(range(n), k))


def _definite_where(rows: Rows, weights: Rows) -> bool:
    """Return whether leading minors on the weighted states are positive, and every other entry of the form is 0."""
    form, weighted = _form(rows), [s for s, row in enumerate(weights) if row[0] > 0]
    others = [v for s, row in enumerate(form) for t, v in enumerate(row) if not {s, t} <= set(weighted)]
    return not any(others) and all(_minor(form, weighted[:k]) > 0 for k in range(1, len(weighted) + 1))


def _diagonalizable(rows: Rows) -> bool:
    """Return whether a matrix of size 1 or 2 has a full set of eigenvectors: it is c I, or its roots differ."""
    if len(rows) == 1:
        return True
    if len(rows) > 2:
        raise CannotTell("eigenvectors of a matrix that is larger than 2 x 2")
    (a, b), (c, d) = rows
    return (b == 0 and c == 0) or (a - d) ** 2 + 4 * b * c != 0


PREDICATES: dict[str, Callable[..., bool]] = {
    "nonnegative": lambda rows: all(v >= 0 for row in rows for v in row),
    "positive": lambda rows: all(v > 0 for row in rows for v in row),
    "posdef": lambda rows: _definite_where(rows, [[Fraction(1)]] * len(rows)),
    "semidefinite": _semidefinite,
    "diagonalizable": _diagonalizable,
    "definite_where": _definite_where,
}


ENTRIES: dict[str, Callable[[Rows], Rows]] = {
    "diag": lambda column: [[row[0] * int(i == j) for j in range(len(column))] for i, row in enumerate(column)],
    "diagonal": lambda rows: [[row[i]] for i, row in enumerate(rows)],
    "absolute": lambda rows: [[abs(v) for v in row] for row in rows],
}
"""Operations on entries."""


# Roots of the characteristic polynomial.


def _characteristic(table: Table) -> list[Fraction]:
    """Return det(t I - M) in descending powers of t, by Newton's identities for the traces of powers."""
    n, power, traces = len(table), table, []
    for _ in range(n):
        traces.append(sum((_real(power[i][i]) for i in range(n)), Fraction(0)))
        power = _times(power, table)
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

    return all(_leibniz([[entry(i, j) for j in range(m)] for i in range(m)])[0] > 0 for m in range(1, n + 1))


def _eigenvalue_gap(op: str, left: list[Any], right: list[Any], p: _Point) -> int | None:
    """Return the sign of left - right, linear in one extreme eigenvalue mu; None where there is no eigenvalue."""
    nodes = [*_extremes(left), *_extremes(right)]
    if not nodes:
        return None
    if len(nodes) > 1 or op not in ("<", "<=", ">", ">="):
        raise CannotTell("a relation with eigenvalues of another form")
    (node,) = nodes
    sides = [[_real(_value(_with_number(side, node, k), p)[0][0]) for side in (left, right)] for k in range(3)]
    at = [a - b for a, b in sides]
    slope = at[1] - at[0]
    if at[2] - at[1] != slope:
        raise CannotTell("not linear in the eigenvalue")
    if slope == 0:
        return (at[0] > 0) - (at[0] < 0)
    side = side_of(_characteristic(_value(node[1], p)), node[0] == "eigmax", -at[0] / slope)
    return side if slope > 0 else -side


def _extremes(formula: Any) -> list[list[Any]]:
    """Return the extreme eigenvalues in a formula that is nested lists."""
    if not isinstance(formula, list):
        return []
    return [formula] if formula[0] in ("eigmax", "eigmin") else [node for part in formula for node in _extremes(part)]


def _with_number(formula: Any, node: list[Any], value: int) -> Any:
    """Return a formula with a number for one of its nodes."""
    if formula is node:
        return ["number", str(value)]
    return [_with_number(part, node, value) for part in formula] if isinstance(formula, list) else formula


def side_of(coefficients: list[Fraction], largest: bool, point: Fraction) -> int:
    """Return the sign of mu - point for the largest or smallest root mu of a polynomial, which need not be rational.

    Its coefficients are in descending powers, the first one 1; it has degree 1 or 2. All roots being real, Descartes'
    rule is exact: as many are positive as the coefficients change sign. Where a root is not real the extreme eigenvalue
    is undefined.

    Raises:
        CannotTell: a root is not real, or the degree is higher.

    >>> side_of([Fraction(1), Fraction(0), Fraction(-2)], True, Fraction(7, 5))
    1
    """
    n = len(coefficients) - 1
    if n > 2:
        raise CannotTell("eigenvalues of more than 2 x 2")
    if n == 2 and coefficients[1] ** 2 < 4 * coefficients[2]:
        raise CannotTell("complex eigenvalues")
    shifted = [
        sum((coefficients[i] * comb(n - i, k) * point ** (n - i - k) for i in range(n - k + 1)), Fraction(0))
        for k in range(n, -1, -1)
    ]
    if not largest:  # the smallest root is the largest of the mirrored polynomial, with the other sign
        shifted = [c * (-1) ** i for i, c in enumerate(shifted)]
    signs = [c > 0 for c in shifted if c != 0]
    changes = any(a != b for a, b in pairwise(signs))
    sign = 1 if changes else 0 if shifted[-1] == 0 else -1
    return sign if largest else -sign

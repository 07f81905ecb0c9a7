"""Predicates on entries and forms, for the check of counterexamples: fractions, and minors as Leibniz sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, permutations

from verify.refute.witness_roots import CannotTell

Rows = list[list[Fraction]]


def _every(holds: Callable[[Fraction], bool]) -> Callable[[Rows], bool]:
    return lambda rows: all(holds(v) for row in rows for v in row)


def _form(rows: Rows) -> Rows:
    """Return M + M^T."""
    return [[a + rows[j][i] for j, a in enumerate(row)] for i, row in enumerate(rows)]


def _minor(rows: Rows, chosen: Iterable[int]) -> Fraction:
    states, total = list(chosen), Fraction(0)
    for order in permutations(range(len(states))):
        product = Fraction(
            (-1) ** sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))
        )
        for i, j in enumerate(order):
            product *= rows[states[i]][states[j]]
        total += product
    return total


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
    """Return whether a matrix of size 1, or of size 2, has a full set of eigenvectors: it is c I, or its roots differ.

    Raises:
        CannotTell: it is larger.
    """
    if len(rows) == 1:
        return True
    if len(rows) > 2:
        raise CannotTell("eigenvectors of a matrix that is larger than 2 x 2")
    (a, b), (c, d) = rows
    return (b == 0 and c == 0) or (a - d) ** 2 + 4 * b * c != 0


PREDICATES: dict[str, Callable[..., bool]] = {
    "nonnegative": _every(lambda v: v >= 0),
    "positive": _every(lambda v: v > 0),
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

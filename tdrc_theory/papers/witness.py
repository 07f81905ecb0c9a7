"""A counterexample that a claim gives: values of its formula's symbols, as rows of exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tdrc_theory.errors import TheoryError, UnknownName
from tdrc_theory.exact.number import parse_number
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import SYMBOLS
from tdrc_theory.formula.vocabulary import COLUMN, MATRIX, SCALAR, entry, expanded
from tdrc_theory.papers.claim import BadClaim
from tdrc_theory.problem.reader import shown

LARGEST = 6
"""Rows of a matrix: determinants are checked by Leibniz sums."""


def read_witness(data: Any, formula: Expr) -> dict[str, Any]:
    """Return a counterexample as the independent checker reads it.

    Args:
        data: `{symbol: [[number, ...], ...]}`, for the symbols of the formula, which range over all real values: of
            other domains a formula's "for all" leaves values out, so these are not taken.
        formula: the formula.

    Raises:
        BadClaim: a symbol is missing or too many, or its value has no such shape.
    """
    free = sorted(expanded(formula).names())
    written = {name: spelling for spelling, name in SYMBOLS.items()}
    allowed = [written[name] for name in free if entry(name).domain == "real"]
    if len(allowed) < len(free) or not isinstance(data, Mapping):
        raise BadClaim(f"witness: a table of the values of {', '.join(free)}, each a symbol that is any real value")
    for name in data:
        if name not in allowed:
            raise BadClaim(f"witness: {UnknownName('symbol of the formula', name, allowed)}")
    values = {SYMBOLS[name]: _rows(name, rows) for name, rows in data.items()}
    if len(values) < len(free):
        raise BadClaim(f"witness: a value of each symbol is needed: {', '.join(allowed)}")
    sizes = {len(rows) for name, rows in values.items() if entry(name).shape != SCALAR}
    dimension = max(sizes, default=1)
    for name, rows in values.items():
        shape = {MATRIX: (dimension, dimension), COLUMN: (dimension, 1), SCALAR: (1, 1)}[entry(name).shape]
        if len(rows) != shape[0] or any(len(row) != shape[1] for row in rows) or dimension > LARGEST:
            raise BadClaim(f"witness: {written[name]} is not {shape[0]} by {shape[1]}, or larger than {LARGEST}")
    return {"dimension": dimension, "values": values}


def _rows(name: str, rows: Any) -> list[list[str]]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise BadClaim(f"witness: {name}: {shown(rows)} is not a list of rows, such as [[1, 2], [3, 4]]")
    try:
        return [[str(parse_number(str(value))) for value in row] for row in rows]
    except TheoryError as error:
        raise BadClaim(f"witness: {name}: {error}") from None

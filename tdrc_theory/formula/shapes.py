"""Shapes of expressions: what may be added, multiplied and compared. A mutant that does not fit is no mutant."""

from __future__ import annotations

from functools import lru_cache

from tdrc_theory.errors import Inconsistent
from tdrc_theory.formula.by_action import outside
from tdrc_theory.formula.entrywise import ENTRYWISE, ON_WEIGHTED
from tdrc_theory.formula.expression import CONNECTIVES, PREDICATES, RELATIONS, Expr
from tdrc_theory.formula.vocabulary import SCALAR, IllTyped, Shape, entry

TRUTH: Shape = ("truth", "truth")

_OF_TERMS = (*PREDICATES, *ENTRYWISE, ON_WEIGHTED, "semidefinite", "diagonalizable")


@lru_cache(1 << 16)
def shape(formula: Expr) -> Shape:
    """Return the (rows, columns) of an expression, TRUTH for a relation.

    Raises:
        IllTyped: its parts do not fit.
    """
    op, args = formula.op, formula.args
    if op == "number":
        return SCALAR
    if op == "symbol":
        return entry(formula.name).shape
    if op == "block":
        return _block(formula)
    shapes = [shape(argument) for argument in args]
    if op in CONNECTIVES:
        _need(all(s == TRUTH for s in shapes), formula)
        return TRUTH
    _need(TRUTH not in shapes, formula)
    if (op in RELATIONS or op in _OF_TERMS) and any(map(outside, args)):
        raise IllTyped("a symbol of each action, such as P_a, stands inside actions(...) only")
    if op in RELATIONS:
        _need(shapes[0] == shapes[1] and (op in ("=", "!=") or shapes[0] == SCALAR), formula)
        return TRUTH
    if op in (*PREDICATES, "semidefinite", "diagonalizable"):
        _need(_is_square(shapes[0]), formula)
        return TRUTH
    if op in ENTRYWISE:
        _need(shapes[0] != SCALAR, formula)
        return TRUTH
    if op == ON_WEIGHTED:
        _need(_is_square(shapes[0]) and shapes[1] == (shapes[0][0], "1"), formula)
        return TRUTH
    return _of_operation(formula, shapes)


def _of_operation(formula: Expr, shapes: list[Shape]) -> Shape:
    op, first = formula.op, shapes[0]
    if op == "add":
        _need(all(s == first for s in shapes), formula)
        return first
    if op == "mul":
        return _product(formula, shapes)
    if op in ("T", "star"):
        return (first[1], first[0])
    if op == "power":
        _need(first == SCALAR and shapes[1] == SCALAR, formula)
        return SCALAR
    if op == "diag":
        _need(first[0] != "1" and first[1] == "1", formula)
        return (first[0], first[0])
    if op == "absolute":
        return first
    if op == "diagonal":
        _need(_is_square(first), formula)
        return (first[0], "1")
    if op in ("before", "earlier"):
        _need(set(shapes) == {SCALAR}, formula)
        return SCALAR
    if op == "inv":
        _need(_is_square(first), formula)
        return first
    if op in ("det", "eigmax", "eigmin"):
        _need(_is_square(first), formula)
        return SCALAR
    if op in ("re", "im", "sqrt", "norm2"):
        _need((first == SCALAR) or (op == "norm2" and first[1] == "1"), formula)
        return SCALAR
    if op == "grad":
        _need(first == SCALAR, formula)
        return ("d", "1")
    if op not in ("E", "actions"):
        raise Inconsistent(f"{op} has no shape")
    return first


def _is_square(size: Shape) -> bool:
    return size != SCALAR and size[0] == size[1]


def _product(formula: Expr, shapes: list[Shape]) -> Shape:
    result = SCALAR
    for each in shapes:
        if SCALAR in (each, result):
            result = result if each == SCALAR else each
            continue
        _need(result[1] == each[0], formula)
        result = (result[0], each[1])
    return result


def _block(formula: Expr) -> Shape:
    rows = [[shape(cell) for cell in row.args] for row in formula.args]
    heights, widths = [row[0][0] for row in rows], [cell[1] for cell in rows[0]]
    _need(all([c[1] for c in row] == widths and {c[0] for c in row} == {row[0][0]} for row in rows), formula)
    return _total(heights, formula), _total(widths, formula)


def _total(sizes: list[str], formula: Expr) -> str:
    if len(sizes) == 1:
        return sizes[0]
    _need(sizes == ["d", "d"], formula)
    return "2d"


def _need(fits: bool, formula: Expr) -> None:
    if not fits:
        raise IllTyped(f"the parts of {formula.op} do not fit: {formula.to_json()}")

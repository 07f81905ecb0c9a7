"""Shapes of expressions: what may be added, multiplied and compared. A mutant that does not fit is no mutant."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from tdrc_theory.errors import Inconsistent
from tdrc_theory.formula.expression import CONNECTIVES, ENTRYWISE, ON_WEIGHTED, PREDICATES, RELATIONS, Expr
from tdrc_theory.formula.vocabulary import COLUMN, SCALAR, IllTyped, Shape, entry, outside

TRUTH: Shape = ("truth", "truth")


def _any(*_: Shape) -> bool:
    return True


def _alike(*shapes: Shape) -> bool:
    return len(set(shapes)) == 1


def _numbers(*shapes: Shape) -> bool:
    return set(shapes) == {SCALAR}


def _square(size: Shape) -> bool:
    return size != SCALAR and size[0] == size[1]


_RULES: dict[str, tuple[Callable[..., bool], Callable[[Shape], Shape]]] = {
    **dict.fromkeys(("=", "!="), (_alike, lambda _: TRUTH)),
    **dict.fromkeys(("<", "<=", ">", ">="), (_numbers, lambda _: TRUTH)),
    **dict.fromkeys(PREDICATES, (_square, lambda _: TRUTH)),
    **dict.fromkeys(ENTRYWISE, (lambda one: one != SCALAR, lambda _: TRUTH)),
    ON_WEIGHTED: (lambda one, weights: _square(one) and weights == (one[0], "1"), lambda _: TRUTH),
    "add": (_alike, lambda one: one),
    **dict.fromkeys(("E", "actions", "absolute"), (_any, lambda one: one)),
    **dict.fromkeys(("T", "star"), (_any, lambda one: one[::-1])),
    "inv": (_square, lambda one: one),
    **dict.fromkeys(("det", "eigmax", "eigmin"), (_square, lambda _: SCALAR)),
    "diag": (lambda one: one[0] != "1" and one[1] == "1", lambda one: (one[0], one[0])),
    "diagonal": (_square, lambda one: (one[0], "1")),
    **dict.fromkeys(("power", "before", "earlier", "re", "im", "sqrt"), (_numbers, lambda _: SCALAR)),
    "norm2": (lambda one: one[1] == "1", lambda _: SCALAR),
    "grad": (_numbers, lambda _: COLUMN),
}
"""Whether the shapes of an operation's parts fit, and the shape of the whole from that of the first."""


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
    if op in (*RELATIONS, *PREDICATES, *ENTRYWISE, ON_WEIGHTED) and any(map(outside, args)):
        raise IllTyped("a symbol of each action, such as P_a, stands inside actions(...) only")
    if op == "mul":
        return _product(formula, shapes)
    if op not in _RULES:
        raise Inconsistent(f"{op} has no shape")
    fits, of_whole = _RULES[op]
    _need(fits(*shapes), formula)
    return of_whole(shapes[0])


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

"""The symbols of formulas: their shape, the domain that "for all" ranges over, and the definition if there is one.

What may be added, multiplied and compared follows: a mutant that does not fit is no mutant.

A symbol of each action, such as `P_a`, stands for one matrix or vector of states for each action, so it has a place
inside `actions(...)` only, which takes the sum of a term over all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from tdrc_theory.errors import Inconsistent, TheoryError, UnknownName
from tdrc_theory.formula.expression import (
    CONNECTIVES,
    ENTRYWISE,
    ON_WEIGHTED,
    PREDICATES,
    RELATIONS,
    Expr,
    I,
    block,
    diag,
    earlier,
    inv,
    number,
    operation,
    symbol,
    symbols,
)
from tdrc_theory.notation import Glyph, drawn, notation

Shape = tuple[str, str]
SCALAR: Shape = ("1", "1")
MATRIX: Shape = ("d", "d")
COLUMN: Shape = ("d", "1")
TALL: Shape = ("2d", "1")
SQUARE: Shape = ("2d", "2d")
FEATURES: Shape = ("d", "n")
WEIGHTS: Shape = ("n", "1")
FEATURE_SQUARE: Shape = ("n", "n")


class IllTyped(TheoryError):
    """A formula whose shapes do not fit."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A symbol of formulas.

    Attributes:
        name: what the code and plain text call it.
        shape: (rows, columns) in terms of the dimension d.
        domain: a key of `_DOMAINS`, which say what it ranges over; or `dimension`, `constant`, `defined`. From
            `stochastic` on, d is the number of states, or of actions, and n that of features.
        definition: what it stands for, where the paper defines it by a formula.
        derived: (kind, algorithm), where the project derives it from an algorithm's function.
    """

    name: str
    shape: Shape
    domain: str
    definition: Expr | None = None
    derived: tuple[str, str] | None = None

    @property
    def glyph(self) -> Glyph:
        """What the paper writes."""
        if self.derived is None:
            return drawn(self.name, bold=self.shape != SCALAR)
        kind, algorithm = self.derived
        return Glyph(kind, bold=True, below=(algorithm.upper(),), change=kind in ("w", "h"))

    def meaning(self) -> Expr | None:
        """Return what it stands for, or None where it stands for itself.

        What is derived is G or g as blocks over A, A^T, C and I, or the direction of w or h on one transition.
        """
        if self.derived is None:
            return self.definition
        from tdrc_theory.algorithms import find_algorithm
        from tdrc_theory.derive.symbolic import derive  # by sympy

        kind, algorithm = self.derived
        update = derive(find_algorithm(algorithm))
        if kind in ("w", "h"):
            return update.direction(kind)
        return update.G_tree(number(0) * I) if kind == "G" else update.g_tree(symbol("0"))


_A, _C, _beta, _eta = symbols("A C beta eta")
_h, _w, _x, _xn, _R, _gamma = symbols("h w x x' R gamma")
_b_c, _b_a, _lr, _lc = symbols("b_c b_a lambda_r lambda_c")


def _entries(names: str, shape: Shape, domain: str) -> tuple[Entry, ...]:
    return tuple(Entry(name, shape, domain) for name in names.split())


def _defined(name: str, shape: Shape, definition: Expr) -> Entry:
    return Entry(name, shape, "defined", definition)


def _derived(algorithm: str) -> tuple[Entry, ...]:
    """Return the derived symbols of an algorithm: G and g, and the directions of w and h on one transition."""
    shapes = {"G": SQUARE, "g": TALL, "step_w": COLUMN, "step_h": COLUMN}
    return tuple(
        Entry(f"{kind}_{algorithm}", shape, "defined", derived=(kind[-1], algorithm)) for kind, shape in shapes.items()
    )


VOCABULARY: tuple[Entry, ...] = (
    Entry("d", SCALAR, "dimension"),
    Entry("eta", SCALAR, "positive"),
    Entry("beta", SCALAR, "nonnegative"),
    Entry("lambda", SCALAR, "real"),
    Entry("alpha", SCALAR, "positive"),
    Entry("gamma", SCALAR, "discount"),
    *_entries("rho R", SCALAR, "sample"),
    Entry("i", SCALAR, "constant"),
    Entry("A", MATRIX, "real"),
    Entry("C", MATRIX, "covariance"),
    Entry("P", MATRIX, "symmetric"),
    Entry("I", MATRIX, "constant"),
    Entry("I_2d", SQUARE, "constant"),
    Entry("0", COLUMN, "constant"),
    *_entries("b w h", COLUMN, "real"),
    Entry("z", COLUMN, "complex"),
    *_entries("x x'", COLUMN, "sample"),
    *_entries("lambda_r lambda_c", SCALAR, "real"),
    *_entries("b_c b_a eta_0", SCALAR, "nonnegative"),
    Entry("mu", SCALAR, "real"),
    *_entries("s r", SCALAR, "nonnegative"),
    Entry("M", MATRIX, "real"),
    *_entries("u_1 u_2 v_1 v_2", SCALAR, "real"),
    _defined("Omega", SCALAR, _eta * _beta + _eta * _b_c + _lr),
    _defined("Xi", SCALAR, _lc**2 + 4 * _eta * (_beta * _lr + _b_a)),
    _defined("H", MATRIX, number(Fraction(1, 2)) * (_A + _A.T)),
    _defined("A_beta", MATRIX, _A + _beta * I),
    _defined("C_beta", MATRIX, _C + _beta * I),
    _defined("delta", SCALAR, _R + _gamma * _w.T * _xn - _w.T * _x),
    _defined("delta_hat", SCALAR, _h.T * _x),
    _defined("varrho", TALL, block([[_h], [_w]])),
    *(symbol for algorithm in ("tdrc", "tdc", "gtd2", "tdc++") for symbol in _derived(algorithm)),
)
_P, _Gamma, _Lambda, _interest, _d_b, _d_pi, _X = symbols("P_pi Gamma Lambda interests d_b d_pi X")
_P_lambda, _f, _m, _r_pi = symbols("P_lambda f m r_pi")
_rho_t, _gamma_t, _lambda_t, _interest_t, _M_t = symbols("rho_t gamma_t lambda_t interest_t M_t")
_bootstrapped = inv(I - _P * _Gamma * _Lambda)

STATES: tuple[Entry, ...] = (
    Entry("ones", COLUMN, "constant"),
    Entry("P_pi", MATRIX, "stochastic"),
    *_entries("Gamma Lambda", MATRIX, "shares"),
    Entry("d_pi", COLUMN, "stationary"),
    *_entries("d_b b_s", COLUMN, "distribution"),
    Entry("pi_s", COLUMN, "probabilities"),
    Entry("interests", COLUMN, "nonnegative"),
    *_entries("r_pi y", COLUMN, "real"),
    Entry("X", FEATURES, "real"),
    Entry("theta", WEIGHTS, "real"),
    _defined("D_pi", MATRIX, diag(_d_pi)),
    _defined("D_b", MATRIX, diag(_d_b)),
    _defined("P_lambda", MATRIX, _bootstrapped * _P * _Gamma * (I - _Lambda)),
    _defined("f_0", COLUMN, inv(I - _gamma * _P.T) * _d_b),
    _defined("f", COLUMN, inv(I - _Gamma * _P.T) * _interest),
    _defined("m", COLUMN, _Lambda * _interest + (I - _Lambda) * _f),
    _defined("K", MATRIX, diag(_m) * (I - _P_lambda)),
    _defined("A_m", FEATURE_SQUARE, _X.T * diag(_m) * _bootstrapped * (I - _P * _Gamma) * _X),
    _defined("Z", FEATURES, inv(I - _P.T * _Gamma * _Lambda) * _P.T * diag(_m) * _X),
    _defined("b_m", WEIGHTS, _X.T * diag(_m) * _bootstrapped * _r_pi),
)
"""Matrices of states by states, and vectors of states: what a key matrix is made of."""

TIMES: tuple[Entry, ...] = (
    *_entries("rho_t gamma_t lambda_t interest_t M_t", SCALAR, "sequence"),
    _defined("F_t", SCALAR, _interest_t + _gamma_t * earlier(_rho_t * _M_t, _gamma_t * _lambda_t * _rho_t)),
)
"""Sequences: a number at each time t = 0, 1, 2, ..."""

ACTIONS: tuple[Entry, ...] = (
    Entry("P_a", MATRIX, "stochastic"),
    *_entries("B_a Pi_a", MATRIX, "policy"),
    Entry("rho_a", MATRIX, "ratio"),
    Entry("y_a", COLUMN, "real"),
)
"""Functions of state and action, each a matrix or a vector of states for each action."""

VOCABULARY += STATES + TIMES + ACTIONS
_BY_NAME = {entry.name: entry for entry in VOCABULARY}


def entry(name: str) -> Entry:
    """Return the entry of a symbol.

    Raises:
        UnknownName: no such symbol.
    """
    if name in _BY_NAME:
        return _BY_NAME[name]
    family = name.partition("[")[0]
    if family == name or family not in _BY_NAME:
        raise UnknownName("symbol of formulas", name, _BY_NAME)
    return replace(_BY_NAME[family], name=name)  # of one action


def glyph(name: str) -> Glyph:
    """Return how a symbol of formulas is drawn, or one that only learners have, such as delta_bar."""
    return _BY_NAME[name].glyph if name in _BY_NAME else notation(name).glyph


@lru_cache(1 << 16)  # equal parts become one object, so that comparing them costs nothing
def expanded(formula: Expr) -> Expr:
    """Return the formula with defined symbols replaced by what they stand for."""
    if formula.op == "symbol":
        meaning = entry(formula.name).meaning()
        return formula if meaning is None else expanded(meaning)
    return Expr(formula.op, tuple(expanded(argument) for argument in formula.args), formula.name)


_DOMAINS = {
    "real": "real {}",
    "complex": "complex {}",
    "symmetric": "symmetric {}",
    "covariance": "symmetric positive semidefinite {}",
    "positive": "{} > 0",
    "nonnegative": "{} >= 0",
    "discount": "{} in [0, 1]",
    "sample": "sampled {}",
    "stochastic": "stochastic {}",  # no negative entry, every row sums to 1
    "probabilities": "distribution {}",  # entries >= 0 that sum to 1
    "distribution": "positive distribution {}",
    "stationary": "stationary distribution {} of P_pi",  # positive, d^T P_pi = d^T
    "shares": "diagonal {} with entries in [0, 1]",
    "sequence": "sequence {}",  # a number at each time
    "policy": "diagonal {} >= 0 that sum to I over the actions",
    "ratio": "diagonal {} >= 0 with B_a rho_a = Pi_a",
}


def domains(formula: Expr, names: Mapping[str, str] | None = None) -> str:
    """Return what the free symbols of a formula range over, in words: the "for all" that it is judged with.

    Args:
        formula: any formula.
        names: what symbols are called here, by their names.

    >>> domains(_eta * symbols("H")[0] + _C)
    'eta > 0, real A, symmetric positive semidefinite C, z^T A = 0 where C z = 0'
    """
    free = {node.name for _, node in expanded(formula).walk() if node.op == "symbol"}
    result = [each for each in VOCABULARY if each.name in free and each.domain in _DOMAINS]
    called = dict(names or {})
    words = [_DOMAINS[each.domain].format(called.get(each.name, each.name)) for each in result]
    return ", ".join([*words, "z^T A = 0 where C z = 0"] if {"A", "C"} <= free else words)


FAMILIES = frozenset(each.name for each in ACTIONS)
"""The symbols of each action."""

actions = operation("actions")
"""The sum of a term over all actions."""


def outside(formula: Expr) -> bool:
    """Return whether a symbol of each action stands outside every sum over actions."""
    if formula.op == "actions" or FAMILIES.isdisjoint(formula.names()):
        return False
    return formula.op == "symbol" or any(map(outside, formula.args))


def of_actions(formula: Expr, count: int, action: int | None = None) -> Expr:
    """Return a formula with its sums over `count` actions written out, over symbols named `P_a[0]`, `P_a[1]`, ...

    >>> from tdrc_theory.formula.written import text
    >>> text(of_actions(actions(symbol("B_a") * symbol("P_a")), 2))
    'B_a[0] P_a[0] + B_a[1] P_a[1]'
    """
    if formula.op == "symbol":
        return formula if action is None or formula.name not in FAMILIES else symbol(f"{formula.name}[{action}]")
    if formula.op == "actions":
        first, *others = (of_actions(formula.args[0], count, each) for each in range(count))
        return sum(others, first)
    return Expr(formula.op, tuple(of_actions(part, count, action) for part in formula.args), formula.name)


TRUTH: Shape = ("truth", "truth")


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
    **dict.fromkeys(("E", "actions", "absolute"), (lambda _: True, lambda one: one)),
    **dict.fromkeys(("T", "star"), (lambda _: True, lambda one: one[::-1])),
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
    _need(len(sizes) == 1 or sizes == ["d", "d"], formula)
    return sizes[0] if len(sizes) == 1 else "2d"


def _need(fits: bool, formula: Expr) -> None:
    if not fits:
        raise IllTyped(f"the parts of {formula.op} do not fit: {formula.to_json()}")

"""A second opinion on formulas over real scalars: the solver z3, where it is installed and where it decides.

A formula holds for all values of its symbols' domains exactly when its negation has no solution there, which is a
question of nonlinear real arithmetic that z3 decides, given time. Nothing rests on it: a proof or a counterexample of
ours stands without, and the report only says whether z3 agrees.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

from tdrc_theory.extras import importing
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.vocabulary import SCALAR, entry, expanded
from verify.check import Status

_SECONDS = 10
_DOMAINS = ("real", "positive", "nonnegative", "discount")
_RELATIONS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "iff": operator.eq,
}
_OF_Z3 = {"add": "Sum", "mul": "Product", "and": "And", "or": "Or", "not": "Not", "implies": "Implies"}


def is_real_arithmetic(formula: Expr) -> bool:
    """Return whether a formula is one of polynomials in real scalars, so that z3 can be asked."""
    return all(_speaks_of(node) for _, node in expanded(formula).walk())


def second_opinion(formula: Expr) -> Status:
    """Return what z3 says of a formula of real arithmetic; undecided where it gives up.

    Raises:
        MissingExtra: z3 is not installed, or cannot be imported.
        ValueError: the formula is not one of real arithmetic.

    >>> from tdrc_theory.formula.expression import at_least, symbols
    >>> eta, beta = symbols("eta beta")
    >>> second_opinion(at_least(eta**2 + beta**2, 2 * eta * beta)).value
    'holds'
    """
    with importing("a second opinion needs", "z3", "smt"):
        import z3
    if not is_real_arithmetic(formula):
        raise ValueError("not a formula of real arithmetic")
    plain = expanded(formula)
    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", 1000 * _SECONDS)
    for name in sorted(plain.names()):
        solver.add(*_domain(z3, name))
    solver.add(z3.Not(_translated(z3, plain)))
    answer = str(solver.check())
    return {"unsat": Status.HOLDS, "sat": Status.FAILS}.get(answer, Status.UNDECIDED)


def _speaks_of(node: Expr) -> bool:
    if node.op == "symbol":
        there = entry(node.name)
        return there.shape == SCALAR and there.domain in _DOMAINS
    if node.op == "power":
        exponent = node.args[1]
        return exponent.op == "number" and Fraction(exponent.name).denominator == 1 and Fraction(exponent.name) >= 0
    return node.op in (*_RELATIONS, *_OF_Z3, "number")


def _domain(z3: Any, name: str) -> list[Any]:
    value, domain = z3.Real(name), entry(name).domain
    if domain == "discount":
        return [value >= 0, value <= 1]
    return {"positive": [value > 0], "nonnegative": [value >= 0], "real": []}[domain]


def _translated(z3: Any, formula: Expr) -> Any:
    if formula.op == "number":
        return z3.Q(*Fraction(formula.name).as_integer_ratio())
    if formula.op == "symbol":
        return z3.Real(formula.name)
    if formula.op == "power":
        base, exponent = _translated(z3, formula.args[0]), int(formula.args[1].name)
        return z3.Product(*[base] * exponent) if exponent else z3.RealVal(1)
    parts = [_translated(z3, part) for part in formula.args]
    return _RELATIONS[formula.op](*parts) if formula.op in _RELATIONS else getattr(z3, _OF_Z3[formula.op])(*parts)

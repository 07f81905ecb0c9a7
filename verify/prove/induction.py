"""Formulas over time, proven by taking the last summand of a sum over earlier times.

earlier(c, g) at t is the sum over k < t of c_k times the product of g_j over k < j < t. For t >= 1 the summand
k = t - 1 is c_(t-1), its product being empty, and every other has the factor g_(t-1):
    earlier(c, g) = before(c) + before(g) before(earlier(c, g)).
So a formula at t >= 1 is one between values at t and at t - 1, which holds for all t where it is an identity of these.
A hypothesis `S = term` for a sequence S holds at t - 1 as well as at t.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tdrc_theory.algebra.letter import Letter
from tdrc_theory.algebra.scalar import Scalar
from tdrc_theory.formula.expression import Expr, conjuncts
from tdrc_theory.formula.in_time import OPERATIONS, before
from tdrc_theory.formula.vocabulary import expanded
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from verify.prove.meaning import OutsideTheAlgebra

RULE = "induction over time: the last summand of a sum over earlier times"


def prove_in_time(formula: Expr) -> tuple[str, tuple[Step, ...]] | None:
    """Prove that equations between sequences hold at every time t >= 1."""
    if not formula.has(*OPERATIONS):
        return None
    plain = expanded(formula)
    hypotheses = conjuncts(plain.args[0]) if plain.op == "implies" else ()
    goals = conjuncts(plain.args[1] if plain.op == "implies" else plain)
    solved = {h.args[0].name: h.args[1] for h in hypotheses if h.op == "=" and h.args[0].op == "symbol"}
    steps: list[Step] = []
    try:
        for goal in goals:
            if goal.op != "=":
                return None
            left, right = (_value(side, solved) for side in goal.args)
            if left != right:
                return None
            steps += [
                Step.stating("to show at every t >= 1", goal),
                Step.stating("every sum over earlier times by its last summand", left.tree()),
            ]
    except OutsideTheAlgebra:
        return None
    return RULE, tuple(steps)


def _value(term: Expr, solved: Mapping[str, Expr]) -> Scalar:
    """Return a term at time t as a polynomial in values at t and, in brackets, at t - 1."""
    op, args = term.op, term.args
    if op == "number":
        return Scalar.number(Fraction(term.name))
    if op == "symbol":
        return _value(solved[term.name], solved) if term.name in solved else Scalar.of(term.name)
    if op == "before":
        return _earlier_value(args[0], solved)
    if op == "earlier":
        what, factor = args
        return _value(before(what), solved) + _value(before(factor), solved) * _value(before(term), solved)
    return _combined(op, [_value(part, solved) for part in args])


def _earlier_value(term: Expr, solved: Mapping[str, Expr]) -> Scalar:
    """Return a term at t - 1; a sum over times before that is a quantity of its own."""
    op, args = term.op, term.args
    if op == "number":
        return Scalar.number(Fraction(term.name))
    if op == "symbol":
        return _earlier_value(solved[term.name], solved) if term.name in solved else _quantity_before(term)
    if op == "earlier":
        return _quantity_before(_with_numbers(term, solved))
    if op == "before":
        raise OutsideTheAlgebra("a value at t - 2, which t = 1 does not have")
    return _combined(op, [_earlier_value(part, solved) for part in args])


def _with_numbers(term: Expr, solved: Mapping[str, Expr]) -> Expr:
    """Return a term with its number for each sequence that has one, and 0 for products with 0."""
    if term.op == "symbol":
        value = solved.get(term.name, term)
        return value if value.op == "number" else term
    parts = tuple(_with_numbers(part, solved) for part in term.args)
    zero = next((part for part in parts if part.op == "number" and Fraction(part.name) == 0), None)
    return zero if term.op == "mul" and zero is not None else Expr(term.op, parts, term.name)


def _quantity_before(term: Expr) -> Scalar:
    return Scalar.of(Letter(f"[{text(term)}]", before(term)))


def _combined(op: str, parts: list[Scalar]) -> Scalar:
    if op not in ("add", "mul"):
        raise OutsideTheAlgebra(op)
    total = parts[0]
    for part in parts[1:]:
        total = total + part if op == "add" else total * part
    return total

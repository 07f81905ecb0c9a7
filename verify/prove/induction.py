"""Formulas over time, proven by taking the last summand of a sum over earlier times.

earlier(c, g) at t is the sum over k < t of c_k times the product of g_j over k < j < t. For t >= 1 the summand
k = t - 1 is c_(t-1), its product being empty, and every other has the factor g_(t-1):
    earlier(c, g) = before(c) + before(g) before(earlier(c, g)).
So a formula at t >= 1 is one between values at t and at t - 1, which holds for all t where it is an identity of these.
A hypothesis `S = term` for a sequence S holds at t - 1 as well as at t.

Where both sides differ by E_t, it is enough that E_t is a multiple of E_(t-1), or of E_(t-2), for all large t, and that
E_t is 0 at each t before. Of these only formulas in which the factor g of every sum is 0 are looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tdrc_theory.algebra.letter import Letter
from tdrc_theory.algebra.scalar import Scalar
from tdrc_theory.formula.expression import Expr, conjuncts, equal, number
from tdrc_theory.formula.in_time import OPERATIONS, at_time, before
from tdrc_theory.formula.vocabulary import expanded
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from verify.prove.meaning import OutsideTheAlgebra

_BACK = 2
"""How many times before t an equation may be needed at."""

_FIRST_TIMES = 6
"""Times at which an equation is shown by itself; the other argument looks less far back."""

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
            shown = Step.stating("every sum over earlier times by its last summand", left.tree())
            proven = [shown] if left == right else _by_earlier_cases(goal, solved)
            if proven is None:
                return None
            steps += [Step.stating("to show at every t >= 1", goal), *proven]
    except (OutsideTheAlgebra, RecursionError, ValueError):  # sequences in terms of each other; a time before 0
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


def _by_earlier_cases(goal: Expr, solved: Mapping[str, Expr]) -> list[Step] | None:
    """Return the steps that show an equation from what it says at earlier times, and at the first ones by itself."""
    left, right = goal.args
    gap = [_at_offset(left - right, s, solved) for s in range(1 + _BACK)]
    back = next((k for k in range(1, 1 + _BACK) if _multiple(gap[0], gap[k]) is not None), None)
    factor = None if back is None else _multiple(gap[0], gap[back])
    first = range(1, 1 + _FIRST_TIMES)
    if factor is None or any(not _at_start(at_time(left - right, t), solved).is_zero for t in first):
        return None
    term = left - right
    for _ in range(back or 0):
        term = before(term)
    return [
        Step.stating(f"at t = 1, ..., {_FIRST_TIMES}, by the values at each time", goal),
        Step.stating("at later times, by what is known at earlier ones", equal(left - right, number(factor) * term)),
    ]


def _multiple(value: Scalar, of: Scalar) -> Fraction | None:
    """Return c where value = c times the other, None where there is none."""
    if of.is_zero:
        return Fraction(0) if value.is_zero else None
    monomial, c = of.terms[0]
    factor = next((a for m, a in value.terms if m == monomial), Fraction(0)) / c
    return factor if value == of * Scalar.number(factor) else None


def _at_offset(term: Expr, s: int, solved: Mapping[str, Expr]) -> Scalar:
    """Return a term at time t - s as a polynomial in sequences at that and earlier times, all of them after 0.

    What hypotheses say a sequence is is put in its place at t and at t - 1, and numbers at every time.

    Raises:
        OutsideTheAlgebra: a sum over earlier times has several summands, or it goes further back than the first times.
    """
    op, args = term.op, term.args
    if s >= _FIRST_TIMES:
        raise OutsideTheAlgebra("further back than the first times")
    if op == "number":
        return Scalar.number(Fraction(term.name))
    if op == "symbol":
        known = solved.get(term.name)
        if known is not None and (s < _BACK or known.op == "number"):
            return _at_offset(known, s, solved)
        return Scalar.of(Letter(f"[{term.name} at t - {s}]", term))
    if op == "before":
        return _at_offset(args[0], s + 1, solved)
    if op == "earlier":
        if _with_numbers(args[1], solved) != number(0):
            raise OutsideTheAlgebra("a sum over earlier times with more than one summand")
        return _at_offset(args[0], s + 1, solved)
    return _combined(op, [_at_offset(part, s, solved) for part in args])


def _at_start(term: Expr, solved: Mapping[str, Expr]) -> Scalar:
    """Return a term over values at single times as a polynomial in those that no hypothesis gives."""
    if term.op == "number":
        return Scalar.number(Fraction(term.name))
    if term.op == "symbol":
        name, _, time = term.name.rstrip("]").partition("[")
        known = solved.get(name)
        return Scalar.of(Letter(term.name, term)) if known is None else _at_start(at_time(known, int(time)), solved)
    return _combined(term.op, [_at_start(part, solved) for part in term.args])


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

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
from functools import reduce
from operator import add, mul

from tdrc_theory.algebra import Letter, Scalar
from tdrc_theory.formula.expression import IN_TIME, Expr, at_time, before, conjuncts, equal, number, parted
from tdrc_theory.formula.vocabulary import expanded
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from verify.prove.meaning import NotProven, OutsideTheAlgebra, Proof, prover

_BACK = 2
"""How many times before t an equation may be needed at."""

_FIRST_TIMES = 6
"""Times at which an equation is shown by itself; the other argument looks less far back."""

RULE = "induction over time: the last summand of a sum over earlier times"


@prover
def prove_in_time(formula: Expr) -> Proof | None:
    """Prove that equations between sequences hold at every time t >= 1."""
    if not formula.has(*IN_TIME):
        return None
    hypotheses, conclusion = parted(expanded(formula))
    solved = {h.args[0].name: h.args[1] for h in hypotheses if h.op == "=" and h.args[0].op == "symbol"}
    steps: list[Step] = []
    try:
        for goal in conjuncts(conclusion):
            if goal.op != "=":
                return None
            left, right = (_value(side, solved) for side in goal.args)
            shown = Step.stating("every sum over earlier times by its last summand", left.tree())
            proven = [shown] if left == right else _by_earlier_cases(goal, solved)
            steps += [Step.stating("to show at every t >= 1", goal), *proven]
    except (RecursionError, ValueError):  # sequences in terms of each other; a time before 0
        return None
    return RULE, tuple(steps)


def _value(term: Expr, solved: Mapping[str, Expr], s: int = 0, late: bool = False) -> Scalar:
    """Return a term at time t - s as a polynomial in sequences at that and at earlier times.

    What hypotheses say a sequence is is put in its place at t and at t - 1, and numbers at every time. Where `late`, t
    is later than the first times, and a sum has one summand at most; otherwise it is any t >= 1.
    """
    op, args = term.op, term.args
    if s > (_FIRST_TIMES - 1 if late else 1):
        raise OutsideTheAlgebra("a value at a time that there may not be")
    if op == "number":
        return Scalar.number(Fraction(term.name))
    if op == "symbol":
        known = solved.get(term.name)
        if known is not None and (s < _BACK or known.op == "number"):
            return _value(known, solved, s, late)
        return _quantity(term, s)
    if op == "before":
        return _value(args[0], solved, s + 1, late)
    if op != "earlier":
        return _combined(op, [_value(part, solved, s, late) for part in args])
    what, factor = args
    if late and _with_numbers(factor, solved) != number(0):
        raise OutsideTheAlgebra("a sum over earlier times with more than one summand")
    if late:
        return _value(what, solved, s + 1, late)
    if s:  # at time 0 there is no last summand
        return _quantity(_with_numbers(term, solved), s)
    return _value(what, solved, 1) + _value(factor, solved, 1) * _value(term, solved, 1)


def _by_earlier_cases(goal: Expr, solved: Mapping[str, Expr]) -> list[Step]:
    """Return the steps that show an equation from what it says at earlier times, and at the first ones by itself."""
    left, right = goal.args
    gap = [_value(left - right, solved, s, late=True) for s in range(1 + _BACK)]
    factors = ((k, _multiple(gap[0], gap[k])) for k in range(1, 1 + _BACK))
    back, factor = next(((k, c) for k, c in factors if c is not None), (0, None))
    first = range(1, 1 + _FIRST_TIMES)
    if factor is None or any(not _at_start(at_time(left - right, t), solved).is_zero for t in first):
        raise NotProven
    term = reduce(lambda value, _: before(value), range(back), left - right)
    return [
        Step.stating(f"at t = 1, ..., {_FIRST_TIMES}, by the values at each time", goal),
        Step.stating("at later times, by what is known at earlier ones", equal(left - right, number(factor) * term)),
    ]


def _multiple(value: Scalar, of: Scalar) -> Fraction | None:
    """Return c where value = c times the other, None where there is none."""
    if of.is_zero:
        return Fraction(0) if value.is_zero else None
    monomial, c = of.terms[0]
    factor = Fraction(next((a for m, a in value.terms if m == monomial), 0)) / c
    return factor if value == of * Scalar.number(factor) else None


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


def _quantity(term: Expr, s: int) -> Scalar:
    """Return a value at t - s as a letter."""
    earlier = reduce(lambda value, _: before(value), range(s), term)
    return Scalar.of(term.name if not s and term.op == "symbol" else Letter(f"[{text(earlier)}]", earlier))


def _combined(op: str, parts: list[Scalar]) -> Scalar:
    if op not in ("add", "mul"):
        raise OutsideTheAlgebra(op)
    return reduce(add if op == "add" else mul, parts)

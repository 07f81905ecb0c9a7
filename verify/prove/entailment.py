"""Implications and equivalences between polynomial inequalities, proven by certificates (`certificates.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from tdrc_theory.algebra import Scalar
from tdrc_theory.formula.expression import Expr, conjuncts, equal, implies, listed
from tdrc_theory.formula.shapes import shape
from tdrc_theory.formula.vocabulary import SCALAR, VOCABULARY
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from verify.prove.certificates import NotProven, Sign, contradiction
from verify.prove.knowledge import is_positive
from verify.prove.meaning import Meaning, OutsideTheAlgebra

_SHORT = 3
"""Terms of a sum whose square is worth a try."""


def prove_entailment(formula: Expr) -> tuple[str, tuple[Step, ...]] | None:
    """Prove a conjunction, implication or equivalence of polynomial relations between real scalars."""
    steps: list[Step] = []
    try:
        sums = _sums(formula)
        for hypotheses, goal in sequents(formula):
            premises = " and ".join(text(h) for h in hypotheses) or "nothing but the domains"
            steps.append(Step("to show", f"{premises} => {text(goal)}", implies(*hypotheses, goal)))
            signs, zeros = known_signs(hypotheses)
            steps += _entailed_by_way_of(signs, zeros, goal, sums)
    except (OutsideTheAlgebra, NotProven):
        return None
    return "sums of nonnegative terms that would have to be 0", tuple(steps)


def prove_vacuous(formula: Expr) -> tuple[str, tuple[Step, ...]] | None:
    """Prove an implication whose hypotheses about scalars contradict each other or the domains."""
    if formula.op != "implies":
        return None
    signs: list[Sign] = []
    zeros: list[Scalar] = []
    for hypothesis in conjuncts(formula.args[0]):
        try:
            more, nought = known_signs((hypothesis,))
        except OutsideTheAlgebra:
            continue
        signs, zeros = signs + more, zeros + nought
    used = {g for value in (*(sign.value for sign in signs), *zeros) for g in value.generators()}
    for each in VOCABULARY:
        if each.domain == "discount" and each.name in used:
            signs.append(Sign(Scalar.number(1) - Scalar.of(each.name), False))
    if not signs and not zeros:
        return None
    signs = signs or [Sign(Scalar.number(1), True)]
    try:
        certificate = contradiction(signs, zeros)
    except NotProven:
        return None
    shown = listed((equal(0, certificate.total), *certificate.put()))
    return "hypotheses that contradict each other", (Step.stating("these hypotheses cannot hold together", shown),)


def sequents(formula: Expr) -> Iterator[tuple[tuple[Expr, ...], Expr]]:
    """Yield (hypotheses, one conclusion) pairs that together make up the formula."""
    if formula.op == "iff":
        left, right = formula.args
        yield from sequents(Expr("implies", (left, right)))
        yield from sequents(Expr("implies", (right, left)))
    elif formula.op == "implies":
        for hypotheses, goal in sequents(formula.args[1]):
            yield (*conjuncts(formula.args[0]), *hypotheses), goal
    elif formula.op == "and":
        for part in formula.args:
            yield from sequents(part)
    else:
        yield (), formula


def scalar_of(formula: Expr) -> Scalar:
    """Return a real scalar expression as a polynomial.

    Raises:
        OutsideTheAlgebra: it is none.
    """
    value = Meaning().one(formula).as_scalar()
    if value is None or any(not isinstance(g, str) or g == "i" for g in value.generators()):
        raise OutsideTheAlgebra("not a polynomial in real scalars")
    return value


def known_signs(relations: Sequence[Expr]) -> tuple[list[Sign], list[Scalar]]:
    """Return the polynomials that relations say are not negative, and those that they say are 0.

    Raises:
        OutsideTheAlgebra: one is no relation between polynomials.
    """
    signs: list[Sign] = []
    zeros: list[Scalar] = []
    for relation in relations:
        if relation.op not in ("=", "<", "<=", ">", ">="):
            raise OutsideTheAlgebra(relation.op)
        left, right = (scalar_of(side) for side in relation.args)
        if relation.op == "=":
            zeros.append(left - right)
        else:
            gap = left - right if relation.op in (">", ">=") else right - left
            signs.append(Sign(gap, relation.op in ("<", ">")))
    return signs, zeros


def _sums(formula: Expr) -> list[Scalar]:
    """Return the short sums that a formula is written with."""
    sums: list[Scalar] = []
    for _, node in formula.walk():
        if node.op in ("add", "symbol") and shape(node) == SCALAR:
            value = scalar_of(node)
            if 1 < len(value.terms) <= _SHORT and value not in sums:
                sums.append(value)
    return sums


def _entailed_by_way_of(
    signs: Sequence[Sign], zeros: Sequence[Scalar], goal: Expr, sums: Sequence[Scalar]
) -> list[Step]:
    """Return the steps that prove a relation, or first that sums in it are positive, and then it.

    Raises:
        NotProven: neither was found.
        OutsideTheAlgebra: the goal is no inequality between polynomials.
    """
    try:
        return entailed(signs, zeros, goal, sums)
    except NotProven:
        steps: list[Step] = []
        known = list(signs)
        wanted = [value for value in _sums(goal) if value not in [sign.value for sign in signs if sign.strict]]
        if not _follows(goal, [*signs, *(Sign(value, True) for value in wanted)]):
            raise
        for value in wanted:
            certificate = contradiction([*signs, Sign(-value, False)], zeros, sums)
            known.append(Sign(value, True))
            steps += certificate.steps(f"first, {value} > 0: suppose not, and put")
            if _follows(goal, known):
                break
        if not _follows(goal, known):
            raise
        return [*steps, Step.stating("every term is then positive", goal)]


def _follows(goal: Expr, signs: Sequence[Sign]) -> bool:
    return goal.op == ">" and goal.args[1].name == "0" and _is_positive(goal.args[0], signs)


def _is_positive(term: Expr, signs: Sequence[Sign]) -> bool:
    """Return whether a term is made by sums, products and powers of what is positive."""
    if term.op in ("add", "mul", "power"):
        return all(_is_positive(part, signs) for part in (term.args[:1] if term.op == "power" else term.args))
    if term.op == "number":
        return Fraction(term.name) > 0
    value = scalar_of(term)
    return is_positive(value) or any(sign.strict and sign.value == value for sign in signs)


def entailed(signs: Sequence[Sign], zeros: Sequence[Scalar], goal: Expr, sums: Sequence[Scalar] = ()) -> list[Step]:
    """Return the steps that prove a relation from signs: its negation contradicts them.

    Raises:
        NotProven: no certificate was found.
        OutsideTheAlgebra: the goal is no inequality between polynomials.
    """
    (wanted, *_), _ = known_signs((goal,)) if goal.op != "=" else ((None,), ())
    if wanted is None:
        raise OutsideTheAlgebra("an equation between scalars is an identity, or false")
    certificate = contradiction([*signs, Sign(-wanted.value, not wanted.strict)], zeros, sums)
    return list(certificate.steps("suppose not, and put"))

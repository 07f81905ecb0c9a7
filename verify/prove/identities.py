"""Identities: both sides have the same normal form in the free algebra, in every dimension."""

from __future__ import annotations

from itertools import islice

from tdrc_theory.algebra import Free, Scalar, letter_tree
from tdrc_theory.formula.expression import Expr, becomes, conjuncts, equal, symbol
from tdrc_theory.judgement import Step
from verify.prove.determinants import product_of
from verify.prove.meaning import Meaning, OutsideTheAlgebra, blocks_tree, is_never_zero

_COMPARED = 300
"""Normal forms of the left side that are compared with those of the right side."""


def prove_identity(formula: Expr) -> tuple[str, tuple[Step, ...]] | None:
    """Prove `left = right`, or `hypotheses imply left = right` where the hypotheses are equations or are not needed.

    Returns:
        The name of the argument and its steps; None where it does not apply or the sides differ.
    """
    hypotheses: tuple[Expr, ...] = ()
    conclusion = formula
    if formula.op == "implies":
        hypotheses, conclusion = conjuncts(formula.args[0]), formula.args[1]
    equations = conjuncts(conclusion)
    if any(part.op != "=" for part in equations):
        return None
    steps_of_all: list[Step] = []
    try:
        for part in equations:
            steps = _one(part, hypotheses)
            if steps is None:
                return None
            steps_of_all += steps
    except OutsideTheAlgebra:
        return None
    rule = "determinant identity" if conclusion.has("det") else "normal forms in the free algebra"
    return rule, tuple(steps_of_all)


def _one(equation: Expr, hypotheses: tuple[Expr, ...]) -> list[Step] | None:
    left, right = _conjugated(equation).args
    if equation.has("det"):
        return _determinants(left, right)
    meaning = Meaning(sampled=equation.has("E") or any(h.has("E") for h in hypotheses))
    steps = assume(hypotheses, meaning)
    a, b = meaning.blocks(left), meaning.blocks(right)
    a, b = meaning.blocks(left), meaning.blocks(right)  # the rules of inverses on either side hold on both
    if a != b:
        return None
    return [
        *steps,
        Step.stating("left side", equal(left, blocks_tree(a))),
        Step.stating("right side", equal(right, blocks_tree(b))),
    ]


def _conjugated(equation: Expr) -> Expr:
    """Return an equation in which z is only transposed with z* for z^T: all else being real, it says the same."""
    turned, z = equation, symbol("z")
    for path, node in equation.walk():
        if node == z.T:
            turned = turned.replaced(path, z.star)
    bare = sum(node == z for _, node in equation.walk()) - sum(node == z.T for _, node in equation.walk())
    return turned if bare == 0 and "i" not in equation.names() else equation


def _determinants(left: Expr, right: Expr) -> list[Step] | None:
    meaning = Meaning()
    forms = list(islice(product_of(left, meaning), _COMPARED))
    targets = list(islice(product_of(right, meaning), _COMPARED))
    for product, steps in forms:
        for target, target_steps in targets:
            if product.key == target.key:
                head = [Step.stating("left side", left), *steps]
                tail = [Step.stating("right side", right), *target_steps, Step.stating("which is", target.tree())]
                return [*head, *tail]
    return None


def assume(hypotheses: tuple[Expr, ...], meaning: Meaning) -> list[Step]:
    """Make rewriting rules of the hypotheses that are equations; return a step for each."""
    steps = []
    for hypothesis in hypotheses:
        if hypothesis.op != "=":
            continue
        left, right = (meaning.blocks(side) for side in hypothesis.args)
        for row, other in zip(left, right, strict=True):
            for a, b in zip(row, other, strict=True):
                steps += _rule(a - b, hypothesis, meaning)
    return steps


def _rule(difference: Free, hypothesis: Expr, meaning: Meaning) -> list[Step]:
    """Make the equation difference = 0 a rule for its longest word, or for a scalar that it is solved for."""
    why = "by hypothesis {}"
    scalar = difference.as_scalar()
    if scalar is not None:
        solved = _solved(scalar)
        if solved is None:
            return []
        meaning.scalars[solved[0]] = solved[1]
        return [Step.stating(why, becomes(letter_tree(solved[0]), solved[1].tree()), hypothesis)]
    rule = _leading(difference)
    if rule is None:
        return []
    word, image = rule
    meaning.rules.add(word, image)
    steps = [Step.stating(why, becomes(Free.word(word).tree(), image.tree()), hypothesis)]
    if image.is_zero and len(word) == 2 and word[0] == "C" and meaning.sampled:
        meaning.orthogonal.append(word[1])
        for letter in ("F^T", "b^T"):
            meaning.rules.add((letter, word[1]), Free())
        vanishing = (
            f"E[(x^T {word[1]})^2] = 0, so x^T {word[1]} = 0 almost surely: F^T {word[1]} -> 0, b^T {word[1]} -> 0"
        )
        steps.append(Step(f"C {word[1]} = 0", vanishing))
    return steps


def _solved(difference: Scalar) -> tuple[str, Scalar] | None:
    """Return a symbol and its value, where an equation between scalars is solved for one."""
    for monomial, c in difference.terms:
        if len(monomial) == 1 and monomial[0][1] == 1 and isinstance(monomial[0][0], str) and monomial[0][0] != "i":
            g = monomial[0][0]
            rest = difference - Scalar({monomial: c})
            if g not in rest.generators():
                return g, -rest * Scalar.number(c).inverse()
    return None


def _leading(difference: Free) -> tuple[tuple[str, ...], Free] | None:
    """Return a longest word, so that rewriting ends, and what it equals; its coefficient must not be 0 anywhere."""
    longest = max((len(word) for word, _ in difference.terms), default=0)
    for word, c in difference.terms:
        if len(word) == longest > 0 and is_never_zero(c):
            return word, (Free({word: c}) - difference) * c.inverse()
    return None

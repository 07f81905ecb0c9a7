"""Determinants in every dimension: a normal form c1^(a1 d + b1) ... det(X1) det(X2) ..., and the block steps that
lead to it.

A determinant of 2 x 2 blocks is reduced by adding a multiple of one block row (or column) to another until one block
is a multiple of the identity, where a rule for every ring ends it:

    det [[P, c I], [R, S]] = det(S P - c R)      det [[P, Q], [c I, S]] = det(P S - c Q)
    det [[c I, Q], [R, S]] = det(c S - R Q)      det [[P, Q], [R, c I]] = det(c P - Q R)
    det [[P, 0], [R, S]] = det P det S           (and the same with 0 elsewhere)

No rule needs an inverse: for c != 0 the first follows by eliminating S with the block c I, which gives
(-c)^d det(R - S P / c), and both sides are polynomials in c, so they agree at c = 0 too. The other three are the same
with block rows or columns exchanged, each time with the sign (-1)^d. Adding a multiple of one block row to another
changes no determinant, because it multiplies by a block triangular matrix with identities on its diagonal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import mul

from tdrc_theory.algebra import Free, Scalar
from tdrc_theory.formula.expression import Expr, det, number
from tdrc_theory.judgement import Step
from verify.prove.meaning import Blocks, Meaning, OutsideTheAlgebra, blocks_tree, cancelling

Power = tuple[int, int]
"""(a, b) stands for the exponent a d + b."""

_DEPTH = 2
_MOST_REDUCTIONS = 200


@dataclass(frozen=True)
class Product:
    """A product of powers of scalars and of determinants of matrices that are not multiples of the identity."""

    powers: tuple[tuple[Scalar, Power], ...]
    factors: tuple[Free, ...]

    def tree(self) -> Expr:
        """Return it as a formula."""
        d = Scalar.of("d")
        powers = [
            base.tree() if (a, b) == (0, 1) else base.tree() ** (d * Scalar.number(a) + Scalar.number(b)).tree()
            for base, (a, b) in self.powers
        ]
        return reduce(mul, [*powers, *(det(factor.tree()) for factor in self.factors)] or [number(1)])

    @property
    def key(self) -> tuple[frozenset[tuple[Scalar, Power]], tuple[str, ...]]:
        """Return what equal products share."""
        return frozenset(self.powers), tuple(sorted(str(factor) for factor in self.factors))


def product_of(formula: Expr, meaning: Meaning) -> Iterator[tuple[Product, tuple[Step, ...]]]:
    """Yield normal forms of a product of determinants and powers of scalars, each with its steps.

    Raises:
        OutsideTheAlgebra: the formula is no such product.
    """
    op, args = formula.op, formula.args
    if op == "mul":
        first, *rest = args
        others = Expr("mul", tuple(rest)) if len(rest) > 1 else rest[0]
        for left, left_steps in product_of(first, meaning):
            for right, right_steps in product_of(others, meaning):
                yield _times(left, right), (*left_steps, *right_steps)
    elif op == "det":
        yield from _determinant(meaning.blocks(args[0]))
    elif op == "power" and args[1].names() == {"d"}:
        yield _times(Product((), ()), _powers(_scalar(args[0], meaning), _linear(args[1]))), ()
    else:
        yield _powers(_scalar(formula, meaning), (0, 1)), ()


def _scalar(formula: Expr, meaning: Meaning) -> Scalar:
    value = meaning.one(formula).as_scalar()
    if value is None or value.is_zero:
        raise OutsideTheAlgebra("not a product of determinants and powers of scalars")
    return value


def _linear(exponent: Expr) -> Power:
    """Return an exponent as a d + b."""
    value = Meaning().one(exponent).as_scalar()
    if value is None:
        raise OutsideTheAlgebra("an exponent that is not linear in d")
    terms = dict(value.terms)
    a, b = terms.pop((("d", 1),), Fraction(0)), terms.pop((), Fraction(0))
    if terms or a.denominator != 1 or b.denominator != 1:
        raise OutsideTheAlgebra("an exponent that is not linear in d")
    return int(a), int(b)


def _powers(value: Scalar, power: Power) -> Product:
    """Split a scalar into its generators and what is left, each with the power."""
    content = value.content()
    rest = value * content.inverse()
    ((monomial, c),) = content.terms
    bases = [(Scalar.of(g), (e * power[0], e * power[1])) for g, e in monomial]
    bases += [(Scalar.number(-1), power)] if c < 0 else []
    size = -c if c < 0 else c
    bases += [(Scalar.number(size), power)] if size != 1 else []
    bases += [(rest, power)] if rest != Scalar.number(1) else []
    return _times(Product(tuple(bases), ()), Product((), ()))


def _times(left: Product, right: Product) -> Product:
    powers: dict[Scalar, Power] = {}
    for base, (a, b) in (*left.powers, *right.powers):
        old = powers.get(base, (0, 0))
        powers[base] = (old[0] + a, old[1] + b)
    minus = Scalar.number(-1)
    if minus in powers:
        powers[minus] = (powers[minus][0] % 2, powers[minus][1] % 2)
    kept = sorted(((base, p) for base, p in powers.items() if p != (0, 0)), key=lambda pair: str(pair[0]))
    return Product(tuple(kept), (*left.factors, *right.factors))


def factored(matrix: Free) -> Product:
    """Return det(M) with scalar content, and letters common to all words on the left or right, taken out.

    Because det(c M) = c^d det M, det(M N) = det M det N, and det(M^T) = det M, of which the first in the order is kept.

    Raises:
        OutsideTheAlgebra: the determinant is 0.
    """
    scalar = matrix.as_scalar()
    if scalar is not None:
        if scalar.is_zero:
            raise OutsideTheAlgebra("the determinant is 0")
        return _powers(scalar, (1, 0))
    content = matrix.content()
    rest = matrix * content.inverse()
    outer = _powers(content, (1, 0))
    for end in (0, -1):
        ends = {word[end] for word, _ in rest.terms if word}
        if len(ends) == 1 and all(word for word, _ in rest.terms) and len(rest.terms) > 1:
            inner = Free({(word[1:] if end == 0 else word[:-1]): c for word, c in rest.terms})
            return _times(outer, _times(factored(Free.letter(ends.pop())), factored(inner)))
    if len(rest.terms) == 1 and len(rest.terms[0][0]) > 1:
        return reduce(_times, (factored(Free.letter(letter)) for letter in rest.terms[0][0]), outer)
    turned = min(rest, rest.T, key=str)
    return _times(outer, Product((), (turned,)))


def _determinant(blocks: Blocks) -> Iterator[tuple[Product, tuple[Step, ...]]]:
    if len(blocks) == 1:
        yield factored(blocks[0][0]), ()
        return
    for matrices, steps in block_reductions(blocks):
        try:
            product = reduce(_times, map(factored, matrices))
        except OutsideTheAlgebra:
            continue
        yield product, (*steps, Step.stating("which is", product.tree()))


def block_reductions(blocks: Blocks) -> Iterator[tuple[tuple[Free, ...], tuple[Step, ...]]]:
    """Yield matrices whose determinants multiply to that of 2 x 2 blocks, with the steps, fewest first."""
    start = Step.stating("the determinant of", blocks_tree(blocks))
    seen = {blocks_tree(blocks)}
    layer: list[tuple[Blocks, tuple[Step, ...]]] = [(blocks, (start,))]
    count = 0
    for _ in range(_DEPTH + 1):
        for current, steps in layer:
            for matrices, rule in _ended(current):
                yield matrices, (*steps, Step.stating(rule, Product((), matrices).tree()))
                count += 1
        if count > _MOST_REDUCTIONS:
            break
        following = []
        for current, steps in layer:
            for moved, reason in _moves(current):
                shown = blocks_tree(moved)
                if shown not in seen:
                    seen.add(shown)
                    following.append((moved, (*steps, Step.stating(reason, shown))))
        layer = following
    for matrices, rule in _schur(blocks):
        yield matrices, (start, Step.stating(rule, Product((), matrices).tree()))


def _ended(blocks: Blocks) -> Iterator[tuple[tuple[Free, ...], str]]:
    (P, Q), (R, S) = blocks
    p, q, r, s = (block.as_scalar() for block in (P, Q, R, S))
    options = (
        (q is not None and q.is_zero, (P, S), "block (1,2) is 0: det = det P det S"),
        (r is not None and r.is_zero, (P, S), "block (2,1) is 0: det = det P det S"),
        (q is not None, (S * P - R * (q or Scalar({})),), "det [[P, c I], [R, S]] = det(S P - c R)"),
        (r is not None, (P * S - Q * (r or Scalar({})),), "det [[P, Q], [c I, S]] = det(P S - c Q)"),
        (p is not None, (S * (p or Scalar({})) - R * Q,), "det [[c I, Q], [R, S]] = det(c S - R Q)"),
        (s is not None, (P * (s or Scalar({})) - Q * R,), "det [[P, Q], [R, c I]] = det(c P - Q R)"),
    )
    for applies, matrices, rule in options:
        if applies:
            yield matrices, rule


def _schur(blocks: Blocks) -> Iterator[tuple[tuple[Free, ...], str]]:
    """Yield det P and det(S - R P^-1 Q), for a P that has an inverse."""
    (P, Q), (R, S) = blocks
    meaning = Meaning()
    if P.as_scalar() is None:
        try:
            inverse = meaning.inverse(P)
        except OutsideTheAlgebra:
            return
        complement = (S - R * inverse * Q).reduced(meaning.rules)
        yield (P, complement), "det [[P, Q], [R, S]] = det P det(S - R P^-1 Q), where P^-1 exists"


def _moves(blocks: Blocks) -> Iterator[tuple[Blocks, str]]:
    """Add multiples of a block row or column that cancel a word."""
    turned = [list(column) for column in zip(*blocks, strict=True)]
    for lines, kind in ((blocks, "row"), (turned, "column")):
        for i, j in ((0, 1), (1, 0)):
            pairs = zip(lines[i], lines[j], strict=True)
            for c in dict.fromkeys(multiple for pair in pairs for _, multiple in cancelling(*pair)):
                moved = [list(line) for line in lines]
                moved[i] = [a + b * c for a, b in zip(lines[i], lines[j], strict=True)]
                result = moved if kind == "row" else [list(line) for line in zip(*moved, strict=True)]
                factor = str(c) if c.is_monomial else f"({c})"
                yield result, f"add {factor} times block {kind} {j + 1} to block {kind} {i + 1}"

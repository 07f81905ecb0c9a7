"""Convergence in every dimension: hypotheses on A, C, beta and eta imply that G is Hurwitz.

The argument, for whatever G is asked about: det(G - lambda I) is the determinant of a quadratic M(lambda), by block
steps; an eigenvalue lambda has a z with z* M(lambda) z = 0, a quadratic lambda^2 + p lambda + q; its roots have
negative real parts if and only if Re p > 0 and (Re p)^2 Re q + Re p Im p Im q - (Im q)^2 > 0, because Re p is minus the
sum of the real parts and the second is the product below; and these two follow from the signs that the hypotheses give
the forms.

At the end of a range, where the second may be 0, it suffices that q is 0 with it and that det G is not: the second is
u_1 u_2 ((u_1 + u_2)^2 + (v_1 - v_2)^2) for roots u + v i, so no real part is positive; where one is 0 the other is not,
and as their product q is 0, that root is 0, which is no eigenvalue.
"""

from __future__ import annotations

from collections.abc import Sequence

from tdrc_theory.algebra import Free, Scalar
from tdrc_theory.formula.expression import (
    Expr,
    at_least,
    both,
    equal,
    greater,
    implies,
    inv,
    nonsingular,
    parted,
    symbol,
)
from tdrc_theory.judgement import Step
from verify.prove import knowledge
from verify.prove.determinants import block_reductions
from verify.prove.entailment import Sign, contradiction, known_signs
from verify.prove.knowledge import Knowledge
from verify.prove.meaning import Meaning, NotProven, OutsideTheAlgebra, Proof, complex_parts, prover
from verify.prove.propositions import prove_proposition

_LEFT = "Re p > 0 and (Re p)^2 Re q + Re p Im p Im q - (Im q)^2 > 0"
_UNIT = Scalar.number(1)
_B_A, _B_C = Scalar.of("b_a"), Scalar.of("b_c")
_NONSINGULAR = {"A": [_B_A, _B_C], "A^T": [_B_A, _B_C], "C": [_B_C]}
"""Forms that are positive where a matrix is nonsingular; C z = 0 would give z^T A = 0, so A is singular where C is."""


@prover
def prove_stability(formula: Expr) -> Proof | None:
    """Prove that hypotheses imply `hurwitz(G)`."""
    hypotheses, goal = parted(formula)
    if goal.op != "hurwitz":
        return None
    matrix, steps = _quadratic_matrix(goal.args[0])
    p, q, read = _quadratic(matrix)
    learned, hypotheses = _with_nonsingular(hypotheses)
    known = Knowledge(hypotheses, [m for h in hypotheses for m in knowledge.inverted(h)])
    signs: list[Sign] = []
    for hypothesis in hypotheses:  # one that says nothing about the forms has no sign
        for sign in _signs_of(hypothesis, known):
            signs.append(sign)
            learned.append(Step.stating("from {}, at every z", sign.relation(), hypothesis))
    try:
        proven = _left_half_plane(p, q, signs)
    except NotProven:
        proven = [*_left_half_plane_or_zero(p, q, signs), *_no_zero(hypotheses, goal.args[0])]
    return "the quadratic of an eigenvalue, and the signs of its coefficients", (*steps, *read, *learned, *proven)


def _quadratic_matrix(G: Expr) -> tuple[Free, tuple[Step, ...]]:
    """Return M(lambda) with det(G - lambda I) = det M(lambda)."""
    blocks = Meaning().blocks(G)
    shift = Free.scalar(Scalar.of("lambda"))
    shifted = [[cell - shift if i == j else cell for j, cell in enumerate(row)] for i, row in enumerate(blocks)]
    if len(shifted) != 2:
        raise OutsideTheAlgebra("G of other than 2 x 2 blocks")
    for matrices, steps in block_reductions(shifted):
        degree = max((c.degree("lambda") for matrix in matrices for _, c in matrix.terms), default=0)
        if len(matrices) == 1 and degree == 2:
            try:
                knowledge.form_at(matrices[0])
            except OutsideTheAlgebra:
                continue
            head = Step.stating("det(G - lambda I) for G =", G)
            return matrices[0], (head, *steps)
    raise OutsideTheAlgebra("no quadratic was found")


def _quadratic(matrix: Free) -> tuple[Scalar, Scalar, list[Step]]:
    value = knowledge.form_at(matrix)
    coefficients = [Scalar({}), Scalar({}), Scalar({})]
    for monomial, c in value.terms:
        rest = Scalar({tuple((g, e) for g, e in monomial if g != "lambda"): c})
        coefficients[dict(monomial).get("lambda", 0)] += rest
    if coefficients[2] not in (_UNIT, -_UNIT):
        raise OutsideTheAlgebra("the leading coefficient is not 1")
    q, p, _ = (c * coefficients[2] for c in coefficients)
    lam = symbol("lambda")
    why = "an eigenvalue has a z with z* M z = 0; divided by z* z, A = lambda_r + i lambda_c there"
    return p, q, [Step.stating(why, equal(lam**2 + p.tree() * lam + q.tree(), 0))]


def _signs_of(hypothesis: Expr, known: Knowledge) -> list[Sign]:
    """Return what a hypothesis says about the forms at any z."""
    if hypothesis.has("eigmax", "eigmin"):
        pencil = knowledge.pencil_of(hypothesis)
        definite = [Sign(_real_form(m), True) for m in knowledge.definite_consequences(pencil, known)]
        return [*definite, *(Sign(_real_form(m), False) for m in knowledge.semidefinite_consequences(pencil, known))]
    positive: list[Scalar] = []
    if hypothesis.op == "posdef":
        matrix = Meaning().one(hypothesis.args[0])
        positive = [_real_form(matrix), *_NONSINGULAR.get(str(matrix), [])]
    elif knowledge.is_nonsingularity(hypothesis):
        positive = _NONSINGULAR.get(str(Meaning().one(hypothesis.args[0].args[0])), [])
    elif hypothesis.op in (">", "<"):
        return known_signs((hypothesis,))[0]
    return [Sign(value, True) for value in positive]


def _real_form(matrix: Free) -> Scalar:
    return complex_parts(knowledge.form_at(knowledge.symmetric_part(matrix)))[0]


def _with_nonsingular(hypotheses: tuple[Expr, ...]) -> tuple[list[Step], tuple[Expr, ...]]:
    """Add to hypotheses which matrices they make nonsingular: M where they invert a product with M in it, or where t <=
    -lambda_max(X^-1 M M^T) and M + t I is nonsingular."""
    more: dict[Expr, tuple[str, Expr]] = {}
    products = (product for hypothesis in hypotheses for product in knowledge.inverted(hypothesis))
    for matrix in (factor for product in products for factor in knowledge.factors(product)):
        more.setdefault(nonsingular(matrix), ("{} exists", inv(matrix)))
    stated = Knowledge([h for h in hypotheses if knowledge.is_nonsingularity(h)])
    for hypothesis in hypotheses:
        pair = knowledge.factor_at_its_bound(hypothesis) if hypothesis.has("eigmax") else None
        if pair is not None and stated.is_nonsingular(Meaning().one(pair[1])):
            why = "from {}: were it singular, 0 would be an eigenvalue and the left side 0"
            more.setdefault(nonsingular(pair[0]), (why, hypothesis))
    new = {fact: why for fact, why in more.items() if fact not in hypotheses}
    return [Step.stating(why, fact, about) for fact, (why, about) in new.items()], (*hypotheses, *new)


def _left_half_plane(p: Scalar, q: Scalar, signs: Sequence[Sign]) -> list[Step]:
    (re_p, _), _, third = _criterion(p, q)
    both_signs = both(greater(re_p.tree(), 0), greater(third.tree(), 0))
    steps = [Step.stating(f"both roots have negative real part if and only if {_LEFT}", both_signs)]
    for goal in (re_p, third):
        steps += _positive(goal, signs)
    return steps


def _left_half_plane_or_zero(p: Scalar, q: Scalar, signs: Sequence[Sign]) -> list[Step]:
    """Return the steps that prove that a root has negative real part or is 0, and the other one has."""
    (re_p, _), (re_q, im_q), third = _criterion(p, q)
    why = "both roots have negative real part, but for one that may be 0, if Re p > 0, t >= 0, and q = 0 where t = 0"
    signs_of_both = both(greater(re_p.tree(), 0), at_least(third.tree(), 0))
    steps = [Step.stating(f"{why}; t = (Re p)^2 Re q + Re p Im p Im q - (Im q)^2", signs_of_both)]
    steps += _positive(re_p, signs)
    steps += _contradicted(f"suppose {third} < 0", [*signs, Sign(-_without_eta(third), True)])
    steps += _contradicted("suppose Re q < 0", [*signs, Sign(-re_q, True)])
    for name, part in (("Re q > 0", re_q), ("(Im q)^2 > 0", im_q**2)):
        supposed = [*signs, Sign(_without_eta(part), True), Sign(-_without_eta(third), False)]
        steps += _contradicted(f"suppose t <= 0 and {name}", supposed)
    return steps


def _no_zero(hypotheses: Sequence[Expr], G: Expr) -> list[Step]:
    """Return the steps that prove det G != 0 from the hypotheses about determinants."""
    matrices = [h.args[0].args[0] for h in hypotheses if knowledge.is_nonsingularity(h)]
    proven = prove_proposition(implies(*(nonsingular(M) for M in matrices), nonsingular(G))) if matrices else None
    if proven is None:
        raise NotProven
    return [*proven[1], Step.stating("so 0 is no eigenvalue", nonsingular(G))]


def _criterion(p: Scalar, q: Scalar) -> tuple[tuple[Scalar, Scalar], tuple[Scalar, Scalar], Scalar]:
    (re_p, im_p), (re_q, im_q) = complex_parts(p), complex_parts(q)
    return (re_p, im_p), (re_q, im_q), re_p**2 * re_q + re_p * im_p * im_q - im_q**2


def _without_eta(value: Scalar) -> Scalar:
    """Return a polynomial divided by the power of eta > 0 that all its terms share."""
    content = value.content()
    return value * Scalar.of("eta", -content.degree("eta")) if "eta" in content.generators() else value


def _positive(goal: Scalar, signs: Sequence[Sign]) -> list[Step]:
    divided = _without_eta(goal)
    return _contradicted(f"suppose {divided} <= 0", [*signs, Sign(-divided, False)])


def _contradicted(supposed: str, signs: Sequence[Sign]) -> list[Step]:
    certificate = contradiction(signs, [])
    return list(certificate.steps(f"{supposed}, and put"))

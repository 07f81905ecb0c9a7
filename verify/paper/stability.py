"""Convergence in every dimension: hypotheses on A, C, beta and eta imply that G is Hurwitz.

The argument, for whatever G is asked about: det(G - lambda I) is the determinant of a quadratic M(lambda) (found by
block steps); an eigenvalue lambda has a z with z* M(lambda) z = 0, a quadratic lambda^2 + p lambda + q; its roots
have negative real parts if and only if Re p > 0 and (Re p)^2 Re q + Re p Im p Im q - (Im q)^2 > 0; and these two
follow from the signs that the hypotheses give the forms.
"""

from __future__ import annotations

from collections.abc import Sequence

from tdrc_theory.algebra.free import Free
from tdrc_theory.algebra.scalar import Scalar
from tdrc_theory.formula.expression import Expr, conjuncts
from tdrc_theory.formula.written import latex, text
from verify.paper.certificates import NotProven, contradiction
from verify.paper.determinants import block_reductions
from verify.paper.entailment import known_signs
from verify.paper.judgement import Step
from verify.paper.knowledge import Knowledge, form_at, inverted, symmetric_part
from verify.paper.meaning import Meaning, OutsideTheAlgebra
from verify.paper.nonnegative_sums import Sign
from verify.paper.pencils import definite_consequences, pencil_of

_LEFT = "Re p > 0 and (Re p)^2 Re q + Re p Im p Im q - (Im q)^2 > 0"
_I = Scalar.of("i")
_UNIT = Scalar.number(1)
_B_A, _B_C = Scalar.of("b_a"), Scalar.of("b_c")
_NONSINGULAR = {"A": [_B_A, _B_C], "A^T": [_B_A, _B_C], "C": [_B_C]}
"""Forms that are positive where a matrix is nonsingular; C z = 0 would give z^T A = 0, so A is singular where C is."""


def prove_stability(formula: Expr) -> tuple[str, tuple[Step, ...]] | None:
    """Prove that hypotheses imply `hurwitz(G)`."""
    hypotheses: tuple[Expr, ...] = ()
    goal = formula
    if formula.op == "implies":
        hypotheses, goal = conjuncts(formula.args[0]), formula.args[1]
    if goal.op != "hurwitz":
        return None
    try:
        matrix, steps = _quadratic_matrix(goal.args[0])
        p, q, read = _quadratic(matrix)
        signs, learned = _signs(hypotheses)
        proven = _left_half_plane(p, q, signs)
    except (OutsideTheAlgebra, NotProven):
        return None
    return "the quadratic of an eigenvalue, and the signs of its coefficients", (*steps, *read, *learned, *proven)


def _quadratic_matrix(G: Expr) -> tuple[Free, tuple[Step, ...]]:
    """Return M(lambda) with det(G - lambda I) = det M(lambda)."""
    blocks = Meaning().blocks(G)
    shift = Free.scalar(Scalar.of("lambda"))
    shifted = [[cell - shift if i == j else cell for j, cell in enumerate(row)] for i, row in enumerate(blocks)]
    if len(shifted) != 2:
        raise OutsideTheAlgebra("G of other than 2 x 2 blocks")
    for matrices, steps in block_reductions(shifted):
        if len(matrices) == 1 and _degree(matrices[0]) == 2:
            try:
                form_at(matrices[0])
            except OutsideTheAlgebra:
                continue
            head = Step("det(G - lambda I) for G =", text(G), latex(G))
            return matrices[0], (head, *steps)
    raise OutsideTheAlgebra("no quadratic was found")


def _degree(matrix: Free) -> int:
    return max((c.degree("lambda") for _, c in matrix.terms), default=0)


def _quadratic(matrix: Free) -> tuple[Scalar, Scalar, list[Step]]:
    value = form_at(matrix)
    coefficients = [Scalar({}), Scalar({}), Scalar({})]
    for monomial, c in value.terms:
        power = dict(monomial).get("lambda", 0)
        rest = Scalar({tuple((g, e) for g, e in monomial if g != "lambda"): c})
        coefficients[power] += rest
    if coefficients[2] not in (_UNIT, -_UNIT):
        raise OutsideTheAlgebra("the leading coefficient is not 1")
    q, p, _ = (c * coefficients[2] for c in coefficients)
    told = f"lambda^2 + ({p}) lambda + ({q}) = 0"
    return p, q, [Step("an eigenvalue has a z with z* M z = 0; divided by z* z, A = lambda_r + i lambda_c there", told)]


def _parts(value: Scalar) -> tuple[Scalar, Scalar]:
    conjugate = value.map(lambda g: -_I if g == "i" else None)
    half = Scalar.number(1) * Scalar.number(2).inverse()
    return (value + conjugate) * half, (conjugate - value) * half * _I


def _signs(hypotheses: Sequence[Expr]) -> tuple[list[Sign], list[Step]]:
    """Return what hypotheses say about the forms at any z; a hypothesis that says nothing is left out."""
    known = Knowledge(hypotheses, [m for h in hypotheses for m in inverted(h)])
    signs: list[Sign] = []
    steps: list[Step] = []
    for hypothesis in hypotheses:
        for value in _said(hypothesis, known):
            signs.append(Sign(value, True, ""))
            steps.append(Step(f"from {text(hypothesis)}, at every z", f"{value} > 0"))
    return signs, steps


def _said(hypothesis: Expr, known: Knowledge) -> list[Scalar]:
    if hypothesis.has("eigmax", "eigmin"):
        return [_parts(form_at(symmetric_part(m)))[0] for m in definite_consequences(pencil_of(hypothesis), known)]
    if hypothesis.op == "posdef":
        matrix = Meaning().one(hypothesis.args[0])
        return [_parts(form_at(symmetric_part(matrix)))[0], *_NONSINGULAR.get(str(matrix), [])]
    if hypothesis.op in ("!=", ">") and hypothesis.args[0].op == "det" and hypothesis.args[1].name == "0":
        return _NONSINGULAR.get(str(Meaning().one(hypothesis.args[0].args[0])), [])
    if hypothesis.op in (">", "<"):
        return [sign.value for sign in known_signs((hypothesis,))[0]]
    return []


def _left_half_plane(p: Scalar, q: Scalar, signs: Sequence[Sign]) -> list[Step]:
    (re_p, im_p), (re_q, im_q) = _parts(p), _parts(q)
    third = re_p**2 * re_q + re_p * im_p * im_q - im_q**2
    steps = [Step(f"both roots have negative real part if and only if {_LEFT}", f"{re_p} > 0 and {third} > 0")]
    for goal in (re_p, third):
        content = goal.content()
        divided = goal * Scalar.of("eta", -content.degree("eta")) if "eta" in content.generators() else goal
        certificate = contradiction([*signs, Sign(-divided, False, "")], [])
        named = "; ".join(f"{n} = {value} {'>' if strict else '>='} 0" for n, value, strict in certificate.named)
        steps.append(Step(f"suppose {divided} <= 0, and put", named))
        steps.append(Step("no term is negative and one is positive, yet the sum is 0", f"0 = {certificate.total}"))
    return steps

"""What hypotheses say about matrices: which are positive definite, which are nonsingular, and the forms that follow.

Extreme eigenvalues of X^-1 Y are turned into definiteness: for positive definite X and c >= 0,

    r - c lambda_max(X^-1 Y) > 0  if and only if  r X - c Y is positive definite,
    r + c lambda_min(X^-1 Y) > 0  if and only if  r X + c Y is positive definite,

because the eigenvalues of X^-1 Y are those of the symmetric X^-1/2 Y X^-1/2. Without a positive definite X there is
no such rule. With r = 0 it is true of X Y too, whose eigenvalues are those of X^1/2 Y X^1/2. Of any matrix N,

    r - c lambda_max(N) > 0 and r + c lambda_min(N) > 0 where r I - c N, or r I + c N, is positive definite,

because a real eigenvalue is a value z^T N z of the form, |z| = 1; an extreme eigenvalue is undefined where one is not
real.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import mul

from tdrc_theory.algebra import Free, Generator, Scalar
from tdrc_theory.formula.expression import Expr, I, symbol
from tdrc_theory.formula.vocabulary import entry
from verify.prove.meaning import Meaning, OutsideTheAlgebra

_REAL, _IMAGINARY = Scalar.of("lambda_r"), Scalar.of("lambda_c") * Scalar.of("i")
_FORMS = {
    (): Scalar.number(1),
    ("A",): _REAL + _IMAGINARY,
    ("A^T",): _REAL - _IMAGINARY,
    ("C",): Scalar.of("b_c"),
    ("A", "A^T"): Scalar.of("b_a"),
}
HALF = Scalar.number(Fraction(1, 2))


def symmetric_part(matrix: Free) -> Free:
    """Return (M + M^T) / 2: what decides whether z^T M z > 0 for every real z."""
    return (matrix + matrix.T) * HALF


def form_at(matrix: Free) -> Scalar:
    """Return z* M z / z* z as a polynomial in b_c, b_a, lambda_r, lambda_c and i.

    Raises:
        OutsideTheAlgebra: a word other than I, A, A^T, C and A A^T occurs.
    """
    unknown = next((word for word, _ in matrix.terms if word not in _FORMS), None)
    if unknown is not None:
        raise OutsideTheAlgebra(f"the form of {' '.join(unknown)}")
    return sum((c * _FORMS[word] for word, c in matrix.terms), Scalar({}))


def is_positive(value: Scalar) -> bool:
    """Return whether a scalar is positive because its symbols' domains are."""
    return value.is_monomial and value.terms[0][1] > 0 and all(_domain(g) == "positive" for g in value.generators())


def is_nonnegative(value: Scalar) -> bool:
    """Return whether a scalar is not negative because its symbols' domains are not."""
    domains = ("positive", "nonnegative")
    return all(c > 0 and all(_domain(g) in domains for g, _ in monomial) for monomial, c in value.terms)


def _domain(generator: Generator) -> str:
    return entry(generator).domain if isinstance(generator, str) else "real"


def inverted(formula: Expr) -> list[Expr]:
    """Return the matrices that a formula inverts."""
    return [node.args[0] for _, node in formula.walk() if node.op == "inv"]


def factors(matrix: Expr) -> list[Expr]:
    """Return the symbols of a product of symbols and their transposes, without repetition; none of anything else."""
    parts = matrix.args if matrix.op == "mul" else (matrix,)
    plain = [part.args[0] if part.op == "T" else part for part in parts]
    return list(dict.fromkeys(plain)) if all(part.op == "symbol" for part in plain) else []


def is_nonsingularity(relation: Expr) -> bool:
    """Return whether a relation says det(M) != 0, or det(M) > 0."""
    return relation.op in ("!=", ">") and relation.args[0].op == "det" and relation.args[1].name == "0"


class Knowledge:
    """Matrices that hypotheses say are nonsingular or positive definite."""

    def __init__(self, hypotheses: Sequence[Expr], inverted: Sequence[Expr] = ()) -> None:
        """Learn from hypotheses, and from what a formula inverts: without these inverses it says nothing."""
        self.nonsingular: list[Free] = []
        self.definite: list[Free] = []
        self.positive: list[Scalar] = []
        for hypothesis in hypotheses:
            self._learn(hypothesis)
        for matrix in inverted:
            self._invertible(matrix)
        if any(matrix in (Free.letter("A"), Free.letter("A^T")) for matrix in self.nonsingular):
            self.nonsingular.append(Free.letter("C"))  # C z = 0 would give z^T A = 0

    def _learn(self, hypothesis: Expr) -> None:
        if is_nonsingularity(hypothesis):
            self.nonsingular.append(Meaning().one(hypothesis.args[0].args[0]))
        elif hypothesis.op == "posdef":
            matrix = Meaning().one(hypothesis.args[0])
            self.definite.append(symmetric_part(matrix))
            self.nonsingular.append(matrix)  # because M z = 0 gives z^T M z = 0
            for name in {letter for word, _ in matrix.terms for letter in word}:
                part = symmetric_part(Free.letter(name))
                if self.definite[-1] in (part, -part):  # z^T M z is then 0 for z = 0 only
                    self.nonsingular.append(Free.letter(name))
        elif hypothesis.op == ">" and hypothesis.args[1].name == "0" and not hypothesis.has("eigmax", "eigmin"):
            value = Meaning().one(hypothesis.args[0]).as_scalar()
            self.positive += [] if value is None else [value]

    def _invertible(self, matrix: Expr) -> None:
        try:
            product = Meaning().one(matrix)
        except OutsideTheAlgebra:
            return
        self.nonsingular.append(product)
        if len(product.terms) == 1:  # because det(M N) = det M det N
            self.nonsingular += [Free.letter(letter) for letter in product.terms[0][0]]

    def is_nonsingular(self, matrix: Free) -> bool:
        """Return whether a matrix, its negative, or its transpose, is known to be nonsingular."""
        return any(known in (matrix, matrix.T, -matrix, -matrix.T) for known in self.nonsingular)

    def is_definite(self, matrix: Free) -> bool:
        """Return whether a symmetric matrix is known to be positive definite.

        Because a semidefinite M with z^T M z = 0 has M z = 0, so where it is nonsingular it is definite; and a sum of
        semidefinite matrices one of which is definite is definite.
        """
        if matrix in self.definite or (self.is_semidefinite(matrix) and self.is_nonsingular(matrix)):
            return True
        total, definite = matrix, False
        for word, c in matrix.terms:
            if not is_nonnegative(c):
                return False
            if self._definite_word(word) and (is_positive(c) or c in self.positive):
                definite = True
            elif not self._semidefinite_word(word):
                return False
        return definite and not total.is_zero

    def is_semidefinite(self, matrix: Free) -> bool:
        """Return whether a matrix is a sum of nonnegative multiples of semidefinite ones."""
        return all(is_nonnegative(c) and self._semidefinite_word(word) for word, c in matrix.terms)

    def _definite_word(self, word: tuple[str, ...]) -> bool:
        """Return whether a word is I, nonsingular C, or M M^T with nonsingular M, because z^T M M^T z = |M^T z|^2."""
        return word == () or (self._semidefinite_word(word) and self.is_nonsingular(Free.letter(word[0])))

    @staticmethod
    def _semidefinite_word(word: tuple[str, ...]) -> bool:
        """Return whether a word is C, because z^T E[x x^T] z = E[(x^T z)^2], or I, or M M^T."""
        if len(word) == 1:
            return word == ("C",)
        return word == () or (len(word) == 2 and Free.letter(word[1]) == Free.letter(word[0]).T)


@dataclass(frozen=True, slots=True)
class Pencil:
    """A relation gap > 0 (strict) or gap >= 0 with gap = slope mu + rest, mu the extreme eigenvalue of X^-1 Y.

    Where `product` it is that of X Y.
    """

    largest: bool
    X: Free
    Y: Free
    slope: Scalar
    rest: Scalar
    strict: bool
    product: bool = False


def pencil_of(relation: Expr) -> Pencil:
    """Read a relation that has one extreme eigenvalue of an X^-1 Y, or of a product of two symmetric matrices, in it.

    Raises:
        OutsideTheAlgebra: it has none, or more, or in another form.
    """
    node, slope, rest = _linear(relation)
    X, Y, is_product = _quotient(node.args[0])
    return Pencil(node.op == "eigmax", X, Y, slope, rest, relation.op in ("<", ">"), is_product)


def form_bound(relation: Expr) -> Free:
    """Return a matrix that, where it is positive definite, gives a relation with the extreme eigenvalue of any matrix.

    Raises:
        OutsideTheAlgebra: there is none.
    """
    node, slope, rest = _linear(relation)
    down = -slope if node.op == "eigmax" else slope
    if not is_nonnegative(down):
        raise OutsideTheAlgebra("the eigenvalue counts with the other sign")
    N = Meaning().one(node.args[0])
    return symmetric_part(Free.scalar(rest) + N * (-down if node.op == "eigmax" else down))


def _linear(relation: Expr) -> tuple[Expr, Scalar, Scalar]:
    """Return the extreme eigenvalue mu in a relation, and the slope and the rest of the gap that it says is not < 0."""
    extremes = [(path, node) for path, node in relation.walk() if node.op in ("eigmax", "eigmin")]
    if len(extremes) != 1 or relation.op not in ("<", "<=", ">", ">="):
        raise OutsideTheAlgebra("not a relation with one extreme eigenvalue")
    path, node = extremes[0]
    left, right = (Meaning().one(side) for side in relation.replaced(path, symbol("mu")).args)
    gap = (left - right if relation.op in (">", ">=") else right - left).as_scalar()
    if gap is None or gap.degree("mu") != 1:
        raise OutsideTheAlgebra("not linear in the eigenvalue")
    rest = gap.map(lambda g: Scalar({}) if g == "mu" else None)
    slope = (gap - rest).map(lambda g: Scalar.number(1) if g == "mu" else None)
    return node, slope, rest


def _quotient(matrix: Expr) -> tuple[Free, Free, bool]:
    """Return X and Y of a product X^-1 Y with one inverse, a sign apart, or of a product X Y without one (True)."""
    factors = matrix.args if matrix.op == "mul" else (matrix,)
    at = next((i for i, factor in enumerate(factors) if factor.op == "inv"), None)
    if at is None:
        return (*_symmetric_factors([Meaning().one(factor) for factor in factors]), True)
    if any(Meaning().one(factor).as_scalar() is None for factor in factors[:at]):
        raise OutsideTheAlgebra("not X^-1 Y")
    X = Meaning().one(factors[at].args[0])
    Y = _product(Meaning().one(factor) for factor in (*factors[:at], *factors[at + 1 :]))
    if X.T != X or Y.T != Y:
        raise OutsideTheAlgebra("X^-1 Y with X or Y not symmetric")
    return X, Y, False


def _symmetric_factors(factors: Sequence[Free]) -> tuple[Free, Free]:
    for k in range(1, len(factors)):
        X, Y = _product(factors[:k]), _product(factors[k:])
        if X.T == X and Y.T == Y and X.as_scalar() is None:
            return X, Y
    raise OutsideTheAlgebra("not X^-1 Y, nor X Y with X and Y symmetric")


def _product(factors: Iterable[Free]) -> Free:
    return reduce(mul, factors, Free.scalar(1))


def definite_matrix(pencil: Pencil, known: Knowledge) -> tuple[Free, bool]:
    """Return (M, sign): the relation says that M is positive definite (sign True), or that it is not (False).

    Raises:
        OutsideTheAlgebra: no rule applies.
    """
    if known.is_definite(-pencil.X):  # lambda_max(X^-1 Y) = -lambda_min((-X)^-1 Y)
        turned = replace(pencil, largest=not pencil.largest, X=-pencil.X, slope=-pencil.slope)
        return definite_matrix(turned, known)
    if pencil.product and known.is_definite(pencil.Y) and not known.is_definite(pencil.X):
        return definite_matrix(replace(pencil, X=pencil.Y, Y=pencil.X), known)  # Y X has the eigenvalues of X Y
    if pencil.product and not pencil.rest.is_zero:
        raise OutsideTheAlgebra("an eigenvalue of X Y compared with other than 0")
    if not known.is_definite(pencil.X):
        raise OutsideTheAlgebra("X is not known to be positive definite")
    slope, rest, affirmed = pencil.slope, pencil.rest, True
    if not pencil.strict:  # gap >= 0 is the negation of -gap > 0
        slope, rest, affirmed = -slope, -rest, False
    down = -slope if pencil.largest else slope
    if not is_nonnegative(down):
        raise OutsideTheAlgebra("the eigenvalue counts with the other sign")
    matrix = pencil.X * rest + (pencil.Y * -down if pencil.largest else pencil.Y * down)
    return matrix, affirmed


def definite_consequences(pencil: Pencil, known: Knowledge) -> list[Free]:
    """Return matrices that are positive definite if the relation holds, by the rules above or by those below.

    t < -lambda_max(X^-1 Y) with t >= 0 and Y = M M^T makes every eigenvalue of X^-1 Y negative, so Y is positive
    definite and X negative definite, and then Y + t X is positive definite. With <= no eigenvalue is positive, and none
    is 0 where M is nonsingular. t < -lambda_max(X Y) gives 0 < -lambda_max(X Y).
    """
    try:
        matrix, affirmed = definite_matrix(pencil, known)
        return [matrix] if affirmed else []
    except OutsideTheAlgebra:
        if pencil.product:
            below_zero = _is_below_minus_the_largest(pencil) and pencil.strict
            return _consequences(replace(pencil, rest=Scalar({})), known) if below_zero else []
    if not _has_negative_eigenvalues(pencil, known):
        return []
    return [-pencil.X, pencil.Y, *([pencil.Y - pencil.X * pencil.rest] if pencil.strict else [])]


def semidefinite_consequences(pencil: Pencil, known: Knowledge) -> list[Free]:
    """Return matrices that are positive semidefinite if a relation that allows equality holds.

    They are the limits of the rules above: gap >= 0 with a positive definite X says it of r X - c Y, or r X + c Y, and
    t <= -lambda_max(X^-1 Y), where every eigenvalue is negative, of Y + t X.
    """
    if pencil.strict or pencil.product:
        return []
    if known.is_definite(-pencil.X):
        turned = replace(pencil, largest=not pencil.largest, X=-pencil.X, slope=-pencil.slope)
        return semidefinite_consequences(turned, known)
    if not known.is_definite(pencil.X):
        return [pencil.Y - pencil.X * pencil.rest] if _has_negative_eigenvalues(pencil, known) else []
    down = -pencil.slope if pencil.largest else pencil.slope
    if not is_nonnegative(down):
        return []
    return [pencil.X * pencil.rest + pencil.Y * (-down if pencil.largest else down)]


def _is_below_minus_the_largest(pencil: Pencil) -> bool:
    """Return whether the relation is t < -mu or t <= -mu for the largest eigenvalue mu and a t >= 0."""
    return pencil.largest and pencil.slope == Scalar.number(-1) and is_nonnegative(-pencil.rest)


def _has_negative_eigenvalues(pencil: Pencil, known: Knowledge) -> bool:
    """Return whether every eigenvalue of X^-1 M M^T is negative if the relation holds: then M M^T > 0 and X < 0."""
    square = len(pencil.Y.terms) == 1 and len(pencil.Y.terms[0][0]) == 2
    if not square or not known.is_semidefinite(pencil.Y) or not _is_below_minus_the_largest(pencil):
        return False
    return pencil.strict or known.is_definite(pencil.Y)


def nonsingular_factors(relation: Expr) -> list[Expr]:
    """Return the factors of N, which t < -lambda_max(N) with t >= 0 makes nonsingular: no eigenvalue of N is 0."""
    try:
        node, slope, rest = _linear(relation)
    except OutsideTheAlgebra:
        return []
    below_zero = node.op == "eigmax" and slope == Scalar.number(-1) and is_nonnegative(-rest)
    if not below_zero or relation.op not in ("<", ">"):
        return []
    parts = node.args[0].args if node.args[0].op == "mul" else (node.args[0],)
    return [M for part in parts for M in factors(part.args[0] if part.op == "inv" else part)]


def factor_at_its_bound(relation: Expr) -> tuple[Expr, Expr] | None:
    """Return M and M + t I of a relation t <= -lambda_max(X^-1 M M^T) with t >= 0, or None.

    There M is nonsingular if M + t I is: were it singular, 0 would be an eigenvalue, so t = 0 and M = M + t I.
    """
    try:
        pencil = pencil_of(relation)
    except OutsideTheAlgebra:
        return None
    node = next(node for _, node in relation.walk() if node.op == "eigmax") if pencil.largest else None
    if node is None or pencil.product or not _is_below_minus_the_largest(pencil) or node.args[0].op != "mul":
        return None
    M, turned = node.args[0].args[-2:]
    t = next(side for side in relation.args if not side.has("eigmax"))
    is_t = Meaning().one(t).as_scalar() == -pencil.rest
    return (M, M + t * I) if is_t and turned == M.T else None


def _consequences(pencil: Pencil, known: Knowledge) -> list[Free]:
    try:
        return [definite_matrix(pencil, known)[0]]
    except OutsideTheAlgebra:
        return []

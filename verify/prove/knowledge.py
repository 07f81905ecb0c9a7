"""What hypotheses say about matrices: which are positive definite, which are nonsingular, and the forms that follow."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tdrc_theory.algebra import Free, Generator, Scalar
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.vocabulary import entry
from verify.prove.meaning import Meaning, OutsideTheAlgebra

_FORMS = {(): "1", ("A",): "lambda_z", ("A^T",): "lambda_z*", ("C",): "b_c", ("A", "A^T"): "b_a"}
HALF = Scalar.number(Fraction(1, 2))


def symmetric_part(matrix: Free) -> Free:
    """Return (M + M^T) / 2: what decides whether z^T M z > 0 for every real z."""
    return (matrix + matrix.T) * HALF


def form_at(matrix: Free) -> Scalar:
    """Return z* M z / z* z as a polynomial in b_c, b_a, lambda_r, lambda_c and i.

    Raises:
        OutsideTheAlgebra: a word other than I, A, A^T, C and A A^T occurs.
    """
    total = Scalar({})
    for word, c in matrix.terms:
        name = _FORMS.get(word)
        if name is None:
            raise OutsideTheAlgebra(f"the form of {' '.join(word)}")
        if name == "1":
            value = Scalar.number(1)
        elif name.startswith("lambda_z"):
            imaginary = Scalar.of("lambda_c") * Scalar.of("i")
            value = Scalar.of("lambda_r") + (imaginary if name == "lambda_z" else -imaginary)
        else:
            value = Scalar.of(name)
        total += c * value
    return total


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

    def has_definite_form(self, matrix: Free) -> bool:
        """Return whether z^T M z > 0 for every real z other than 0, by a hypothesis."""
        return symmetric_part(matrix) in self.definite

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
        if word == ():
            return True
        return self._semidefinite_word(word) and self.is_nonsingular(Free.letter(word[0]))

    @staticmethod
    def _semidefinite_word(word: tuple[str, ...]) -> bool:
        """Return whether a word is C, because z^T E[x x^T] z = E[(x^T z)^2], or I, or M M^T."""
        if len(word) == 1:
            return word == ("C",)
        return word == () or (len(word) == 2 and Free.letter(word[1]) == Free.letter(word[0]).T)

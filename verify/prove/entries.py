"""Signs of the entries of vectors and matrices of states, from sums of products of what has no negative entry.

A sum of words is nonnegative where every word and every coefficient is. Where that does not show, it may
- with Gamma = I - (I - Gamma) in a term, Lambda and gamma likewise: what is in brackets has no negative entry either;
- times X from one side, for a K = X^-1 that has no negative entry: E = K (X E) = (E X) K.
K = (I - B)^-1 has no negative entry where B has none and rows, or columns, of B sum to at most 1
(`nonnegative_inverse` in `tdrc_theory/proofs/substochastic.v`). Then K >= I, since K = I + B K.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tdrc_theory.algebra import SYMMETRIC_MARK, Free, Generator, Letter, Scalar, Word, letter_tree
from tdrc_theory.errors import UnknownName
from tdrc_theory.formula.expression import Expr, I, symbol
from tdrc_theory.formula.vocabulary import entry
from verify.prove.states import StatesMeaning

_REST = {name: Letter(f"(I - {name}){SYMMETRIC_MARK}", I - symbol(name)) for name in ("Gamma", "Lambda")}
_LESS = Letter("(1 - gamma)", 1 - symbol("gamma"))
_NONNEGATIVE = ("stochastic", "probabilities", "distribution", "stationary", "shares", "nonnegative", "policy", "ratio")
_POSITIVE = ("distribution", "stationary")
_DEEPEST = 4
_MOST_FORMS = 60


class Form(NamedTuple):
    """A form of a matrix that shows the signs of its entries, and what is known of it besides, in words."""

    tree: Expr
    known: str = ""


class Entries:
    """What is known of the signs of entries: by domains, and by hypotheses.

    Args:
        meaning: that has read the formula, its rules completed.
        hypotheses: the relations that are assumed.
    """

    def __init__(self, meaning: StatesMeaning, hypotheses: Iterable[Expr] = ()) -> None:
        self.meaning, self.rules = meaning, meaning.rules
        self.above: set[str] = {"ones"}
        self.below_one = False
        for hypothesis in hypotheses:
            if hypothesis.op == "positive" and hypothesis.args[0].op == "symbol":
                self.above.add(hypothesis.args[0].name)
            if hypothesis.op == "<" and [a.name for a in hypothesis.args] == ["gamma", "1"]:
                self.below_one = True
        self._inverses: dict[str, bool] = {}
        self._known: dict[Free, bool] = {}

    def learn(self, matrix: Free, strict: bool) -> None:
        """Assume that no entry of a matrix is negative, or that each is above 0."""
        self._known[matrix] = self._known.get(matrix, False) or strict
        ((word, c), *others) = matrix.terms or [((), Scalar.number(0))]
        if strict and len(word) == 1 and not others and (c.constant() or 0) > 0:
            self.above.add(word[0])

    def nonnegative(self, matrix: Free, depth: int = 0) -> Form | None:
        """Return a form of it in which no entry is negative, None where none is found."""
        return self._shown(matrix, self._all_nonnegative, depth)

    def positive(self, vector: Free) -> Form | None:
        """Return a form of a vector in which every entry is above 0, None where none is found."""
        return self._shown(vector, self._some_positive, 0)

    def positive_number(self, value: Free) -> bool:
        """Return whether a number, a sum without words, is above 0."""
        return value.as_scalar() is not None and any(
            any(self._positive_coefficient(c) for word, c in form.terms if not word) and self._all_nonnegative(form, 0)
            for form in self._split(value)
        )

    def _shown(self, matrix: Free, holds: object, depth: int) -> Form | None:
        if depth > _DEEPEST:
            return None
        strict = holds == self._some_positive
        if matrix in self._known and (self._known[matrix] or not strict):
            return Form(matrix.tree(), ", by hypothesis")
        for form, shown in self._forms(matrix, depth, strict):
            if form is not None and holds(form, depth):  # type: ignore[operator]
                return Form(shown)
        return None

    def _forms(self, matrix: Free, depth: int, strict: bool) -> Iterator[tuple[Free, Expr]]:
        for each in self._split(matrix):
            yield each, each.tree()
        if strict:
            return  # K times what is positive is, but what is not shown here of rows stays open
        for name, X in self.meaning.inverse_letters():
            if any(name in word for word, _ in matrix.terms) and self._inverse(name, X, depth):
                for product, side in ((X * matrix, "left"), (matrix * X, "right")):
                    for each in self._split(product.reduced(self.rules)):
                        factors = (letter_tree(name), each.tree())
                        yield each, Expr("mul", factors if side == "left" else factors[::-1])

    def _split(self, matrix: Free) -> Iterator[Free]:
        """Yield the matrix, and what comes of it where in a negative term some Gamma is written as I - (I - Gamma).

        Likewise with Lambda and gamma. The first negative term is changed until none is negative, in each possible way.
        """
        todo, seen = [matrix], {matrix}
        while todo and len(seen) < _MOST_FORMS:
            form = todo.pop(0)
            yield form
            for changed in self._mended(form):
                if changed not in seen:
                    seen.add(changed)
                    todo.append(changed)

    def _mended(self, form: Free) -> Iterator[Free]:
        """Yield the form with one factor of its first negative term written as 1 less the rest."""
        first = next(((w, m, c) for w, value in form.terms for m, c in value.terms if c < 0), None)
        if first is None:
            return
        word, monomial, c = first
        term = Free({word: Scalar({monomial: c})})
        for i, letter in enumerate(word):
            if letter in _REST:
                before, after = Free.word(word[:i]) * Scalar({monomial: c}), Free.word(word[i + 1 :])
                yield (form - term + before * after - before * Free.letter(_REST[letter]) * after).reduced(self.rules)
        if ("gamma", 1) in monomial:
            less = Scalar({monomial: c}) * Scalar.of("gamma", -1)
            yield (form - term + Free({word: less}) - Free({word: less * Scalar.of(_LESS)})).reduced(self.rules)

    def _all_nonnegative(self, form: Free, depth: int) -> bool:
        return all(self._coefficient(c, depth) and self._word(word, depth) for word, c in form.terms)

    def _some_positive(self, form: Free, depth: int) -> bool:
        above = any(self._positive_coefficient(c) and self._positive_word(word) for word, c in form.terms)
        return above and self._all_nonnegative(form, depth)

    def _coefficient(self, value: Scalar, depth: int) -> bool:
        return all(c > 0 and all(self._generator(g, depth) for g, _ in monomial) for monomial, c in value.terms)

    def _generator(self, g: Generator, depth: int) -> bool:
        if isinstance(g, tuple):
            return self._word(g, depth)
        return g == _LESS or (g != "i" and entry(g).domain in ("positive", "nonnegative", "discount"))

    def _positive_coefficient(self, value: Scalar) -> bool:
        """Return whether a coefficient, known to be at least 0, is above 0: one of its monomials is."""
        return any(all(self._above_zero(g) for g, _ in monomial) for monomial, _ in value.terms)

    def _above_zero(self, g: Generator) -> bool:
        if isinstance(g, tuple):
            return False
        return (g == _LESS and self.below_one) or (g not in (_LESS, "i") and entry(g).domain == "positive")

    def _word(self, word: Word, depth: int) -> bool:
        return all(self._letter(letter, depth) for letter in word)

    def _letter(self, letter: str, depth: int) -> bool:
        base = letter.removesuffix("^T")
        if base in ("ones", *_REST.values()) or base.startswith("absolute("):
            return True
        if base in self.meaning.vectors:
            vector = self.meaning.vectors[base]
            return not vector.is_zero and self.nonnegative(vector, depth + 1) is not None
        if base in self.meaning.sums:
            return all(self._letter(each, depth) for each in self.meaning.sums[base])
        for name, X in self.meaning.inverse_letters():
            if name == letter:
                return self._inverse(name, X, depth)
        return base in self.above or _domain(base) in _NONNEGATIVE

    def _inverse(self, name: str, X: Free, depth: int) -> bool:
        """Return whether an inverse is known to have no negative entry."""
        if name not in self._inverses:
            self._inverses[name] = False  # while it is asked about
            ones, B = Free.letter("ones"), Free.scalar(1) - X
            sums = (X * ones, X.T * ones)
            self._inverses[name] = self.nonnegative(B, depth + 1) is not None and any(
                self.nonnegative(each.reduced(self.rules), depth + 1) is not None for each in sums
            )
        return self._inverses[name]

    def _positive_word(self, word: Word) -> bool:
        if not word:
            return False
        *front, last = word
        if last not in self.above and _domain(last) not in _POSITIVE:
            return False
        return all(self._keeps_positive(letter) for letter in front)

    def _keeps_positive(self, letter: str) -> bool:
        """Return whether a matrix makes positive vectors of positive ones."""
        if letter in self.meaning.vectors:
            return self.positive(self.meaning.vectors[letter]) is not None
        inverse = any(name == letter and self._inverse(name, X, 0) for name, X in self.meaning.inverse_letters())
        is_sum = letter in self.meaning.sums and self._letter(letter, 0)  # rows that sum to 1 have a positive entry
        ones = Free.letter("ones")
        rows = is_sum and (Free.letter(letter) * ones).reduced(self.rules) == ones
        return inverse or rows or _domain(letter) == "stochastic"


def _domain(name: str) -> str:
    try:
        return entry(name).domain
    except UnknownName:
        return ""

"""Signs of the entries of vectors and matrices of states, and which matrices of states are nonsingular.

A sum of words is nonnegative where every word and every coefficient is. Where that does not show, it may
- with Gamma = I - (I - Gamma) in a term, Lambda and gamma likewise: what is in brackets has no negative entry either;
- times X from one side, for a K = X^-1 that has no negative entry: E = K (X E) = (E X) K.
K = (I - B)^-1 has no negative entry where B has none and rows, or columns, of B sum to at most 1
(`nonnegative_inverse` in `tdrc_theory/proofs/substochastic.v`). Then K >= I, since K = I + B K.

What is inverted is nonsingular: where an inverse does not exist a formula says nothing. With M so are M^T and -M, and
with I - c A B so is I - c B A, because det(I - A B) = det(I - B A).

Let B have no negative entry and rows, or columns, that sum to at most 1. Its spectral radius is at most 1 and is an
eigenvalue (Perron and Frobenius). So where I - B is nonsingular it is below 1: I + B is nonsingular too, and so is
I - t B for t in [0, 1], so that det(I - t B), which is 1 at t = 0, is positive at t = 1.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import NamedTuple

from tdrc_theory.algebra import SYMMETRIC_MARK, Free, Generator, Letter, Scalar, Word, letter_tree
from tdrc_theory.errors import UnknownName
from tdrc_theory.formula.expression import ZERO, Expr, I, both, equal, listed, parted, symbol
from tdrc_theory.formula.vocabulary import entry, expanded
from tdrc_theory.judgement import Step
from verify.prove.knowledge import inverted
from verify.prove.meaning import OutsideTheAlgebra
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
    """What is known of the signs of entries: by domains, and by hypotheses; `meaning` has its rules completed."""

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
        return self._shown(matrix, depth, strict=False)

    def positive(self, vector: Free) -> Form | None:
        """Return a form of a vector in which every entry is above 0, None where none is found."""
        return self._shown(vector, 0, strict=True)

    def positive_number(self, value: Free) -> bool:
        """Return whether a number, a sum without words, is above 0."""
        return value.as_scalar() is not None and any(
            any(self._positive_coefficient(c) for word, c in form.terms if not word) and self._all_nonnegative(form, 0)
            for form in self._split(value)
        )

    def _shown(self, matrix: Free, depth: int, strict: bool) -> Form | None:
        if depth > _DEEPEST:
            return None
        if matrix in self._known and (self._known[matrix] or not strict):
            return Form(matrix.tree(), ", by hypothesis")
        holds = self._some_positive if strict else self._all_nonnegative
        return next((Form(tree) for form, tree in self._forms(matrix, depth, strict) if holds(form, depth)), None)

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
        forms = [matrix]
        for form in forms:  # grows
            if len(forms) >= _MOST_FORMS:
                return
            yield form
            forms += [changed for changed in dict.fromkeys(self._mended(form)) if changed not in forms]

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
        return all(self._coefficient(c, depth) and self._letters(word, depth) for word, c in form.terms)

    def _some_positive(self, form: Free, depth: int) -> bool:
        above = any(self._positive_coefficient(c) and self._positive_word(word) for word, c in form.terms)
        return above and self._all_nonnegative(form, depth)

    def _coefficient(self, value: Scalar, depth: int) -> bool:
        return all(c > 0 and all(self._generator(g, depth) for g, _ in monomial) for monomial, c in value.terms)

    def _generator(self, g: Generator, depth: int) -> bool:
        if isinstance(g, tuple):
            return self._letters(g, depth)
        return g == _LESS or (g != "i" and entry(g).domain in ("positive", "nonnegative", "discount"))

    def _positive_coefficient(self, value: Scalar) -> bool:
        """Return whether a coefficient, known to be at least 0, is above 0: one of its monomials is."""
        return any(all(self._above_zero(g) for g, _ in monomial) for monomial, _ in value.terms)

    def _above_zero(self, g: Generator) -> bool:
        if isinstance(g, tuple):
            return False
        return (g == _LESS and self.below_one) or (g not in (_LESS, "i") and entry(g).domain == "positive")

    def _letters(self, word: Word, depth: int) -> bool:
        return all(self._letter(letter, depth) for letter in word)

    def _letter(self, letter: str, depth: int) -> bool:
        base = letter.removesuffix("^T")
        if base in ("ones", *_REST.values()) or base.startswith("absolute("):
            return True
        if base in self.meaning.vectors:
            vector = self.meaning.vectors[base]
            return not vector.is_zero and self.nonnegative(vector, depth + 1) is not None
        if base in self.meaning.sums:
            return self._letters(self.meaning.sums[base], depth)
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


Steps = list[Step]


def alike(matrix: Free) -> Iterator[Free]:
    """Yield matrices that are nonsingular exactly where this one is: itself, -M, M^T, and I - B A for I - A B.

    >>> [str(each) for each in alike(Free.scalar(1) - Free.letter("A") * Free.letter("M"))][:3]
    ['-A M + I', 'A M - I', '-M^T A^T + I']
    """
    forms = [matrix, -matrix]
    for form in forms:  # grows
        new = [form.T]
        long = [(word, c) for word, c in form.terms if len(word) > 1]
        if len(form.terms) == 2 and len(long) == 1 and form.terms[-1][0] == ():
            ((word, c),) = long
            new.append(form - Free({word: c}) + Free({(*word[1:], word[0]): c}))
        forms += [each for each in dict.fromkeys(new) if each not in forms]
    yield from forms


def _may_be_one_less(matrix: Free) -> bool:
    """Return whether a matrix may be I - B or I + B for a B >= 0 that is shown: I is not subtracted in it."""
    sizes = (c.constant() for word, c in matrix.terms if not word)
    return all(size is None or size > 0 for size in sizes)


def missing_inverse(formula: Expr) -> Expr | None:
    """Return a matrix that a formula inverts and that is singular where its hypotheses hold; None where none is seen.

    It is singular by a hypothesis det(M) = 0, or because its rows or its columns sum to 0.
    """
    plain = expanded(formula)
    hypotheses, _ = parted(plain)
    assumed = [h.args[0].args[0] for h in hypotheses if h.op == "=" and h.args[0].op == "det" and h.args[1].name == "0"]
    meaning, ones = StatesMeaning(), Free.letter("ones")
    singular: set[Free] = set()
    for matrix in assumed:
        with contextlib.suppress(OutsideTheAlgebra):
            singular.update(form.reduced(meaning.rules) for form in alike(meaning.one(matrix)))
    for matrix in inverted(plain):
        if matrix in assumed:
            return matrix
        with contextlib.suppress(OutsideTheAlgebra):
            read = meaning.one(matrix)
            sums = ((side * ones).reduced(meaning.rules) for side in (read, read.T))
            if read.reduced(meaning.rules) in singular or any(each.is_zero for each in sums):
                return matrix
    return None


class Nonsingular:
    """What is known to be nonsingular, by hypotheses or because the formula inverts it, and what follows."""

    def __init__(self, meaning: StatesMeaning, entries: Entries, known: Iterable[Expr]) -> None:
        self._meaning, self._entries = meaning, entries
        self._known: dict[Free, Free] = {}
        for matrix in known:
            try:
                read = self._reduced(meaning.one(matrix))
            except OutsideTheAlgebra:
                continue
            for form in alike(read):
                self._known.setdefault(self._reduced(form), read)

    def shown(self, matrix: Free) -> Steps | None:
        """Show that a matrix is nonsingular."""
        for form in map(self._reduced, alike(matrix)):
            steps = self._known_or_product(form) or self._shared(form) or self._less(form) or self._more(form)
            if steps is not None:
                return steps
        return None

    def positive_determinant(self, matrix: Free) -> Steps | None:
        """Show that det(I - B) is positive."""
        steps = self._substochastic(matrix)
        if steps is None:
            return None
        end = "det(I - t B) is 1 at t = 0 and not 0 for t in [0, 1], since B has a spectral radius below 1"
        return [*steps, Step.stating(end, matrix.tree())]

    def product(self, matrix: Free) -> Steps | None:
        """Show that a matrix is a product of inverses and of what is known to be nonsingular."""
        return next(filter(None, map(self._known_or_product, map(self._reduced, alike(matrix)))), None)

    def _known_or_product(self, R: Free) -> Steps | None:
        if R in self._known:
            return [Step.stating("R is nonsingular by hypothesis, or inverted", self._known[R].tree())]
        shown = next((shown for form, shown in self._products() if form == R), None)
        return None if shown is None else [Step.stating("R is a product of nonsingular matrices", shown)]

    def _products(self) -> Iterator[tuple[Free, Expr]]:
        """Yield products of an inverse and of what is known to be nonsingular, and how they are written."""
        for known in self._known:
            for name, _ in self._meaning.inverse_letters():
                yield self._reduced(Free.letter(name) * known), Expr("mul", (letter_tree(name), known.tree()))

    def _shared(self, X: Free) -> Steps | None:
        """Show that I - Q D is nonsingular where I - Q is, 0 <= Q, rows of Q sum to at most 1, D diagonal in [0, 1]."""
        B, ones = self._reduced(Free.scalar(1) - X), Free.letter("ones")
        shares = [Free.letter("Gamma"), Free.letter("Lambda"), Free.letter("Gamma") * Free.letter("Lambda")]
        for known, D in product(chain(self._known, (form for form, _ in self._products())), shares):
            Q = self._reduced(Free.scalar(1) - known)
            signs = (Q, self._reduced(known * ones)) if self._reduced(Q * D) == B else (Free.scalar(-1),)
            if all(map(self._entries.nonnegative, signs)):
                shown = equal(B.tree(), Expr("mul", (Q.tree(), D.tree())))
                return [Step.stating("B^k <= Q^k, which goes to 0, for B = Q D", shown)]
        return None

    def _less(self, X: Free) -> Steps | None:
        """Show that I - B is nonsingular where I - Q is, 0 <= B <= Q and rows of Q sum to at most 1; or by its sums."""
        B, ones = self._reduced(Free.scalar(1) - X), Free.letter("ones")
        if not _may_be_one_less(X):
            return None
        for known in filter(_may_be_one_less, self._known):
            Q = self._reduced(Free.scalar(1) - known)
            parts = map(self._reduced, (B, Q - B, known * ones))
            below, above, rows = map(self._entries.nonnegative, parts)
            if below and above and rows:
                between = Expr("chain", (ZERO, B.tree(), Q.tree()), "<= <=")
                sums = Expr("chain", (known.tree() * symbol("ones"), rows.tree, ZERO), "= >=")
                return [Step.stating("B^k <= Q^k, which goes to 0", both(between, sums))]
        for side in (X, X.T):
            signs = [self._entries.nonnegative(B), self._entries.positive(self._reduced(side * ones))]
            if None not in signs:
                why = "the matrix is I - B; B has no negative entry, and its rows, or columns, sum to less than 1"
                return [Step.stating(why, B.tree())]
        return None

    def _more(self, X: Free) -> Steps | None:
        """Show that I + B is nonsingular."""
        if not _may_be_one_less(X):
            return None
        steps = self._substochastic(self._reduced(Free.scalar(2) - X))
        end = Step.stating("the matrix is I + B, and B has a spectral radius below 1", X.tree())
        return None if steps is None else [*steps, end]

    def _substochastic(self, X: Free) -> Steps | None:
        """Show that I - B is nonsingular, B has no negative entry, and rows or columns sum to at most 1."""
        B = self._reduced(Free.scalar(1) - X)
        sums = (self._reduced(side * Free.letter("ones")) for side in (X, X.T))
        below, rest = self._entries.nonnegative(B), next(filter(None, map(self._entries.nonnegative, sums)), None)
        if below is None or rest is None:
            return None
        steps = self._known_or_product(X) or self._less(X)
        why = "B has no negative entry, and its rows, or columns, sum to at most 1: B, and 1 less the sums"
        return None if steps is None else [*steps, Step.stating(why, listed([below.tree, rest.tree]))]

    def _reduced(self, matrix: Free) -> Free:
        return matrix.reduced(self._meaning.rules)

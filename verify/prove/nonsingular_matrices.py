"""Nonsingular matrices of states: I - B and I + B with B >= 0, and the sign of det(I - B).

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

from tdrc_theory.algebra import Free, letter_tree
from tdrc_theory.formula.expression import ZERO, Expr, both, conjuncts, equal, listed, symbol
from tdrc_theory.formula.vocabulary import expanded
from tdrc_theory.judgement import Step
from verify.prove.entries import Entries
from verify.prove.knowledge import inverted
from verify.prove.meaning import OutsideTheAlgebra
from verify.prove.states import StatesMeaning

Steps = list[Step]


def alike(matrix: Free) -> Iterator[Free]:
    """Yield matrices that are nonsingular exactly where this one is: itself, -M, M^T, and I - B A for I - A B.

    >>> [str(each) for each in alike(Free.scalar(1) - Free.letter("A") * Free.letter("M"))][:3]
    ['-A M + I', 'A M - I', '-M^T A^T + I']
    """
    seen: list[Free] = []
    todo = [matrix, -matrix]
    while todo:
        form = todo.pop(0)
        if form in seen:
            continue
        seen.append(form)
        todo.append(form.T)
        long = [(word, c) for word, c in form.terms if len(word) > 1]
        if len(form.terms) == 2 and len(long) == 1 and form.terms[-1][0] == ():
            ((word, c),) = long
            todo.append(form - Free({word: c}) + Free({(*word[1:], word[0]): c}))
    yield from seen


def _may_be_one_less(matrix: Free) -> bool:
    """Return whether a matrix may be I - B or I + B for a B >= 0 that is shown: I is not subtracted in it."""
    sizes = (c.constant() for word, c in matrix.terms if not word)
    return all(size is None or size > 0 for size in sizes)


def missing_inverse(formula: Expr) -> Expr | None:
    """Return a matrix that a formula inverts and that is singular where its hypotheses hold; None where none is seen.

    It is singular by a hypothesis det(M) = 0, or because its rows or its columns sum to 0.
    """
    plain = expanded(formula)
    hypotheses = conjuncts(plain.args[0]) if plain.op == "implies" else ()
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
    """What is known to be nonsingular, and what follows.

    Args:
        meaning: that has read the formula, its rules completed.
        entries: what is known of signs.
        known: matrices that hypotheses say are nonsingular, or that the formula inverts.
    """

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
        less = self._reduced(Free.scalar(2) - X)
        steps = self._substochastic(less)
        return (
            None
            if steps is None
            else [*steps, Step.stating("the matrix is I + B, and B has a spectral radius below 1", X.tree())]
        )

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

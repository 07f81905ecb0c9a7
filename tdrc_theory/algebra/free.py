"""The free algebra over named matrices and vectors: sums of words, in normal form, valid in every dimension.

A word is a product of letters. Matrices are `A`, `A^T`, `C`; columns `x`, `w`; rows `x^T`, `w^T`, `z*`. The empty
word is the identity. A piece of a word that starts with a row and ends with a column is a number; it moves into the
coefficient, so that (h^T x) x' and x' x^T h are the same. Nothing here is noncommutative cleverness of another
library: a sum is a dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tdrc_theory.algebra.letter import Letter, letter_tree
from tdrc_theory.algebra.scalar import Generator, Scalar, Sum, factors_of, signed_product
from tdrc_theory.formula.expression import Expr, I
from tdrc_theory.formula.vocabulary import VOCABULARY

Word = tuple[str, ...]
_ONE = Scalar.number(1)

COLUMNS = frozenset(each.name for each in VOCABULARY if each.shape[0] != "1" and each.shape[1] == "1")
SYMMETRIC = frozenset(
    each.name for each in VOCABULARY if each.domain in ("symmetric", "covariance", "shares", "policy", "ratio")
)
SYMMETRIC_MARK = "~"
"""Ends the name of a letter that is its own transpose, such as an inverse of a symmetric matrix."""
COLUMN_MARK = "|"
"""Ends the name of a letter that is a column vector and no symbol, such as a sum of vectors over actions."""


def transposed(letter: str) -> str:
    """Return the letter of the transpose; z is complex, and its conjugate transpose is `z*`.

    >>> transposed("A"), transposed("A^T"), transposed("C"), transposed("z*")
    ('A^T', 'A', 'C', 'z')
    """
    if letter == "z":
        return "z*"
    if letter == "z*":
        return "z"
    base = letter.removesuffix("^T")
    if base in SYMMETRIC or base.endswith(SYMMETRIC_MARK):
        return letter
    turned = base if letter != base else f"{letter}^T"
    return (
        Letter(turned, letter.tree.args[0] if letter != base else letter.tree.T)
        if isinstance(letter, Letter)
        else turned
    )


def is_column(letter: str) -> bool:
    """Return whether a letter is a column vector."""
    return letter in COLUMNS or letter.endswith(COLUMN_MARK)


def is_row(letter: str) -> bool:
    """Return whether a letter is a row vector."""
    return letter == "z*" or (letter.endswith("^T") and is_column(letter[:-2]))


def reversed_word(word: Sequence[str]) -> Word:
    """Return the transpose of a word (conjugate where z is in it; matrices are real)."""
    return tuple(transposed(letter) for letter in reversed(word))


class Rules:
    """Rewriting rules word -> sum, applied from the left until none applies."""

    def __init__(self, rules: Mapping[Word, Free] | None = None) -> None:
        self.rules = dict(rules or {})
        self._by_first: dict[str, list[Word]] = {}
        self._sorted = 0

    def add(self, word: Word, image: Free) -> None:
        """Add a rule and the transposed one, each unless it would turn back what another rule does."""
        if not self._undone(word, image):
            self.rules[word] = image
        turned = reversed_word(word)
        if turned not in self.rules and not self._undone(turned, image.T):
            self.rules[turned] = image.T

    def _undone(self, word: Word, image: Free) -> bool:
        """Return whether a rule for a word of the image leads back to the word, which would never end."""
        back = [self.rules[other] for other, _ in image.terms if other in self.rules and other != word]
        return any(word == there for after in back for there, _ in after.terms)

    def place(self, word: Word) -> tuple[int, Word] | None:
        """Return where the first rule applies, and its left side."""
        if self._sorted < len(self.rules):  # rules are added, and none is taken away
            for pattern in list(self.rules)[self._sorted :]:
                self._by_first.setdefault(pattern[0], []).append(pattern)
            self._sorted = len(self.rules)
        for start, letter in enumerate(word):
            for pattern in self._by_first.get(letter, ()):
                if word[start : start + len(pattern)] == pattern:
                    return start, pattern
        return None


class Free(Sum[Word, Scalar]):
    """A sum of words with scalar coefficients.

    >>> A, C = Free.letter("A"), Free.letter("C")
    >>> A * C == C * A, (A * C).T == C * A.T
    (False, True)
    """

    __slots__ = ()

    def __init__(self, terms: Mapping[Word, Scalar] | None = None) -> None:
        self._terms = {word: c for word, c in (terms or {}).items() if not c.is_zero}
        self._ordered = None

    @staticmethod
    def _place(key: Word) -> tuple[int, Word]:
        return (-len(key), key)

    def _trees(self) -> list[Expr]:
        """Return each term as a formula; the empty word is I beside other words, and nothing where it is alone."""
        identity = [I] if any(self._terms) else []
        return [_product_tree(c, [*map(letter_tree, word)] or identity) for word, c in self.terms]

    @classmethod
    def letter(cls, name: str) -> Free:
        """Return a matrix or vector by name."""
        return cls({(name,): Scalar.number(1)})

    @classmethod
    def scalar(cls, value: Scalar | Fraction | int) -> Free:
        """Return a multiple of the identity, or a number."""
        return cls({(): value if isinstance(value, Scalar) else Scalar.number(value)})

    @classmethod
    def word(cls, letters: Sequence[str]) -> Free:
        """Return a product of letters, closed pieces moved into the coefficient."""
        coefficient, word = closed(letters)
        return cls({word: coefficient})

    def as_scalar(self) -> Scalar | None:
        """Return c where it is c times the identity."""
        return self._terms.get((), Scalar({})) if set(self._terms) <= {()} else None

    def __mul__(self, other: Free | Scalar) -> Free:
        if isinstance(other, Scalar):
            return Free({word: c * other for word, c in self._terms.items()})
        total: dict[Word, Scalar] = {}
        for left, a in self._terms.items():
            for right, b in other._terms.items():
                _add_closed(total, left + right, a * b)
        return Free(total)

    @property
    def T(self) -> Free:
        """Return the transpose."""
        return Free({reversed_word(word): conjugated(c) for word, c in self._terms.items()})

    def content(self) -> Scalar:
        """Return the largest monomial that divides every coefficient, with the sign of the first."""
        total = Scalar({})
        for k, (_, c) in enumerate(self.terms):
            total += c * Scalar.of(f"#{k}")  # so that nothing cancels between words
        ((monomial, size),) = total.content().terms
        return Scalar({tuple((g, e) for g, e in monomial if not (isinstance(g, str) and g.startswith("#"))): size})

    def map_coefficients(self, change: Mapping[Generator, Scalar]) -> Free:
        """Replace generators of the coefficients."""
        return Free({word: c.map(change.get) for word, c in self._terms.items()})

    def reduced(self, rules: Rules) -> Free:
        """Return the normal form under rewriting rules, which apply inside closed words as well."""
        done: dict[Word, Scalar] = {}
        todo = dict(self._terms)
        while todo:
            word = min(todo, key=self._place)
            c = todo.pop(word)
            place = rules.place(word)
            if place is not None:
                start, pattern = place
                before, after = word[:start], word[start + len(pattern) :]
                for inner, a in rules.rules[pattern]._terms.items():
                    _add_closed(todo, (*before, *inner, *after), a * c)
                continue
            changed = _reduced_scalar(c, rules)
            if changed == c:
                _add(done, word, c)
            elif not changed.is_zero:
                _add(todo, word, changed)
        return Free(done)


def _add(terms: dict[Word, Scalar], word: Word, c: Scalar) -> None:
    """Add a term to a sum; what becomes 0 is left out."""
    total = terms.pop(word) + c if word in terms else c
    if not total.is_zero:
        terms[word] = total


def _add_closed(terms: dict[Word, Scalar], letters: Word, c: Scalar) -> None:
    """Add a multiple of a product whose closed pieces are not yet taken out."""
    coefficient, word = closed(letters)
    _add(terms, word, c if coefficient is _ONE else c * coefficient)


def conjugated(value: Scalar) -> Scalar:
    """Return the complex conjugate of a coefficient."""

    def image(g: Generator) -> Scalar | None:
        if g == "i":
            return -Scalar.of("i")
        return None if isinstance(g, str) or "z" not in g else Scalar.of(reversed_word(g))

    return value.map(image)


def closed(letters: Sequence[str]) -> tuple[Scalar, Word]:
    """Split a product into its closed pieces, as a scalar, and the rest.

    >>> closed(("x'", "x^T", "h"))
    (h^T x, ("x'",))
    """
    coefficient, word = _ONE, list(letters)
    while True:
        start = end = None
        for i, letter in enumerate(word):
            if is_row(letter):
                start = i
            elif start is not None and is_column(letter):
                end = i
                break
        if start is None or end is None:
            return coefficient, tuple(word)
        coefficient *= Scalar.of(canonical(tuple(word[start : end + 1])))
        del word[start : end + 1]


def canonical(piece: Word) -> Word:
    """Return a closed word or its transpose, which is the same number; not where z makes it the conjugate."""
    return piece if {"z", "z*"} & set(piece) else min(piece, reversed_word(piece))


def _reduced_scalar(value: Scalar, rules: Rules) -> Scalar:
    def image(g: Generator) -> Scalar | None:
        if isinstance(g, str) or rules.place(g) is None:
            return None
        start, pattern = rules.place(g) or (0, ())
        before, after = Free({g[:start]: Scalar.number(1)}), Free({g[start + len(pattern) :]: Scalar.number(1)})
        return (before * rules.rules[pattern] * after).as_scalar()

    return value.map(image)


def _product_tree(c: Scalar, letters: list[Expr]) -> Expr:
    if c.is_monomial:
        ((monomial, size),) = c.terms
        return signed_product(size, [*factors_of(monomial), *letters])
    return Expr("mul", (c.tree(), *letters)) if letters else c.tree()

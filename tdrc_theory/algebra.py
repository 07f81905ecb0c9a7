"""The free algebra over named matrices and vectors: sums of words, in normal form, valid in every dimension.

A word is a product of letters. Matrices are `A`, `A^T`, `C`; columns `x`, `w`; rows `x^T`, `w^T`, `z*`. The empty
word is the identity. A piece of a word that starts with a row and ends with a column is a number; it moves into the
coefficient, so that (h^T x) x' and x' x^T h are the same. Coefficients are commuting scalars: Laurent polynomials with
rational coefficients. Nothing here is noncommutative cleverness of another library: a sum is a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, KeysView, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import gcd, lcm, prod
from typing import Any, Generic, Self, TypeVar

from tdrc_theory.formula.expression import ZERO, E, Expr, I, number, symbol, symbols
from tdrc_theory.formula.vocabulary import VOCABULARY
from tdrc_theory.formula.written import text

_SYMBOLS = frozenset(each.name for each in VOCABULARY)
_rho, _x, _x_next = symbols("rho x x'")
_BY_NAME = {"z*": symbol("z").star, "F": E(_rho * _x * _x_next.T), "F^T": E(_rho * _x_next * _x.T)}


class Letter(str):
    """A letter that is no symbol, with the formula that it stands for, which its name determines."""

    tree: Expr

    def __new__(cls, name: str, tree: Expr) -> Letter:
        """Return the letter."""
        letter = super().__new__(cls, name)
        letter.tree = tree
        return letter

    def __getnewargs__(self) -> tuple[str, Expr]:  # type: ignore[override] # of a str: its text
        return str(self), self.tree


def letter_tree(letter: str) -> Expr:
    """Return what a letter stands for; a name that is no symbol of formulas is that of a number.

    >>> from tdrc_theory.formula.written import text
    >>> text(letter_tree("A^T")), text(letter_tree("F")), text(letter_tree("s1"))
    ('A^T', "E[rho x x'^T]", 's1')
    """
    return letter.tree if isinstance(letter, Letter) else _tree(letter)


@cache
def _tree(letter: str) -> Expr:
    if letter in _BY_NAME:
        return _BY_NAME[letter]
    base = letter.removesuffix("^T")
    tree = symbol(base) if base in _SYMBOLS else Expr("scalar", (), base)
    return tree if base == letter else tree.T


Generator = str | tuple[str, ...]
"""A symbol such as `eta`, or a closed word such as ("z*", "A", "z"), which is a number."""

Monomial = tuple[tuple[Generator, int], ...]
"""(generator, exponent) pairs, sorted, no exponent 0."""

Rational = int | Fraction
"""A coefficient. Whole ones are `int`, whose arithmetic takes a tenth of the time, so none is divided by another."""

Key = TypeVar("Key")
Coefficient = TypeVar("Coefficient")
_UNIT: dict[Monomial, Rational] = {(): 1}
_KEPT = 2**16
"""Monomials, and pairs of them, of which is kept what is asked again and again."""


def generator_key(generator: Generator) -> tuple[bool, Any]:
    """Order generators: symbols first, then closed words."""
    return (not isinstance(generator, str), generator)


class Sum(Generic[Key, Coefficient]):
    """A sum of multiples of keys, none of them by 0: what scalars and elements of the free algebra are."""

    __slots__ = ("_ordered", "_terms")

    _ordered: list[tuple[Key, Coefficient]] | None

    def __init__(self, terms: Mapping[Key, Coefficient]) -> None:
        self._terms = dict(terms)
        self._ordered = None

    @staticmethod
    def _place(key: Any) -> tuple[Any, ...]:
        """Return what keys are ordered by."""
        raise NotImplementedError

    def _trees(self) -> list[Expr]:
        """Return each term as a formula."""
        raise NotImplementedError

    @property
    def terms(self) -> list[tuple[Key, Coefficient]]:
        """Return (key, coefficient) pairs, of high degree first; not to be changed."""
        if self._ordered is None:
            self._ordered = sorted(self._terms.items(), key=lambda term: self._place(term[0]))
        return self._ordered

    def tree(self) -> Expr:
        """Return it as a formula."""
        terms = self._trees()
        return (terms[0] if len(terms) == 1 else Expr("add", tuple(terms))) if terms else ZERO

    @property
    def is_zero(self) -> bool:
        """Whether it is 0."""
        return not self._terms

    def __add__(self, other: Self) -> Self:
        total: dict[Key, Any] = dict(self._terms)
        for key, c in other._terms.items():
            total[key] = total[key] + c if key in total else c
        return type(self)(total)

    def __neg__(self) -> Self:
        negated: dict[Key, Any] = {key: -c for key, c in self._terms.items()}  # type: ignore[operator]
        return type(self)(negated)

    def __sub__(self, other: Self) -> Self:
        return self + -other

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(frozenset(self._terms.items()))

    def __str__(self) -> str:
        return text(self.tree())

    __repr__ = __str__


class Scalar(Sum[Monomial, Rational]):
    """A sum of rational multiples of products of powers of generators; `i` is the imaginary unit.

    Exponents may be negative: dividing by a generator says that it is not zero.

    >>> eta, beta = Scalar.of("eta"), Scalar.of("beta")
    >>> (eta + beta) * (eta - beta) == eta**2 - beta**2
    True
    >>> Scalar.of("i") ** 2 == Scalar.number(-1)
    True
    """

    __slots__ = ()

    def __init__(self, terms: Mapping[Monomial, Rational]) -> None:
        self._terms = {monomial: c for monomial, c in terms.items() if c}
        self._ordered = None

    @staticmethod
    @lru_cache(maxsize=_KEPT)
    def _place(key: Monomial) -> tuple[Any, ...]:
        return (-sum(e for _, e in key), [(generator_key(g), -e) for g, e in key])

    def _trees(self) -> list[Expr]:
        return [signed_product(c, factors_of(monomial)) for monomial, c in self.terms]

    @classmethod
    def number(cls, value: Rational) -> Scalar:
        """Return a constant."""
        return cls({(): value.numerator if value.denominator == 1 else value})

    @classmethod
    def of(cls, generator: Generator, exponent: int = 1) -> Scalar:
        """Return a power of a generator."""
        return cls({((generator, exponent),): 1}) if exponent else cls.number(1)

    @property
    def monomials(self) -> KeysView[Monomial]:
        """Return its monomials, in no order."""
        return self._terms.keys()

    @property
    def is_monomial(self) -> bool:
        """Whether it has one term only."""
        return len(self._terms) == 1

    def __mul__(self, other: Scalar) -> Scalar:
        if other._terms == _UNIT or self._terms == _UNIT:  # most factors are
            return self if other._terms == _UNIT else other
        total: dict[Monomial, Rational] = {}
        for left, a in self._terms.items():
            for right, b in other._terms.items():
                sign, monomial = _product(left, right)
                product = a * b if sign > 0 else -a * b
                total[monomial] = total[monomial] + product if monomial in total else product
        return Scalar(total)

    def __pow__(self, exponent: int) -> Scalar:
        return self.inverse() ** -exponent if exponent < 0 else prod([self] * exponent, start=Scalar.number(1))

    def inverse(self) -> Scalar:
        """Return 1 over a monomial; ZeroDivisionError where it has no terms, or more than one."""
        if not self.is_monomial:
            raise ZeroDivisionError(f"{self} has no inverse among Laurent polynomials")
        ((monomial, c),) = self._terms.items()
        turned = {g: -e for g, e in monomial}
        return Scalar.number(Fraction(1) / c) * _collected(turned.items())

    def content(self) -> Scalar:
        """Return the largest monomial that divides every term, with the sign of the first term.

        >>> eta, beta = Scalar.of("eta"), Scalar.of("beta")
        >>> str((eta * beta * Scalar.number(-2) - eta**2 * Scalar.number(4)).content())
        '-2 eta'
        """
        if self.is_zero:
            return Scalar.number(1)
        exponents = [dict(monomial) for monomial in self._terms]
        shared = {g for each in exponents for g in each}
        lowest = {g: min(each.get(g, 0) for each in exponents) for g in shared}
        values = self._terms.values()
        size = Fraction(gcd(*(v.numerator for v in values)), lcm(*(v.denominator for v in values)))
        sign = 1 if self.terms[0][1] > 0 else -1
        return Scalar.number(sign * size) * _collected(lowest.items())

    def degree(self, generator: Generator) -> int:
        """Return the highest exponent of a generator."""
        return max((dict(monomial).get(generator, 0) for monomial in self._terms), default=0)

    def generators(self) -> set[Generator]:
        """Return what occurs in it."""
        return {g for monomial in self._terms for g, _ in monomial}

    def map(self, image: Callable[[Generator], Scalar | None]) -> Scalar:
        """Replace each generator for which `image` returns a scalar."""
        total = Scalar({})
        for monomial, c in self._terms.items():
            product = Scalar.number(c)
            for g, e in monomial:
                replaced = image(g)
                product *= Scalar.of(g, e) if replaced is None else replaced**e
            total += product
        return total

    def constant(self) -> Rational | None:
        """Return its value where it is a number."""
        return self._terms.get((), 0) if set(self._terms) <= {()} else None


def factors_of(monomial: Monomial) -> tuple[Expr, ...]:
    """Return the factors of a monomial as formulas."""
    bases = (letter_tree(g) if isinstance(g, str) else Expr("mul", tuple(map(letter_tree, g))) for g, _ in monomial)
    return tuple(base if e == 1 else base**e for base, (_, e) in zip(bases, monomial, strict=True))


def signed_product(c: Rational, factors: Sequence[Expr]) -> Expr:
    """Return a number times factors as a formula."""
    parts = [*([] if c == 1 and factors else [number(c)]), *factors]
    return parts[0] if len(parts) == 1 else Expr("mul", tuple(parts))


def _collected(powers: Iterable[tuple[Generator, int]]) -> Scalar:
    """Return a product of powers, i^2 = -1 applied."""
    sign, monomial = _monomial(dict(powers))
    return Scalar({monomial: sign})


def _monomial(powers: dict[Generator, int]) -> tuple[int, Monomial]:
    """Return the sign and the monomial of a product of powers, i^2 = -1 applied."""
    turns = powers.pop("i", 0) % 4
    if turns % 2:
        powers["i"] = 1
    ordered = [(g, e) for g, e in powers.items() if e]
    try:
        ordered.sort()
    except TypeError:  # symbols and closed words, which Python does not compare with each other
        ordered.sort(key=lambda pair: generator_key(pair[0]))
    return (-1 if turns >= 2 else 1), tuple(ordered)


@lru_cache(maxsize=_KEPT)
def _product(left: Monomial, right: Monomial) -> tuple[int, Monomial]:
    if not left or not right:
        return 1, left or right
    powers = dict(left)
    for g, e in right:
        powers[g] = powers.get(g, 0) + e
    return _monomial(powers)


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
    if not isinstance(letter, Letter):
        return turned
    return Letter(turned, letter.tree.args[0] if letter != base else letter.tree.T)


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

    def __init__(self) -> None:
        self.rules: dict[Word, Free] = {}
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
        piece = tuple(word[start : end + 1])  # or its transpose, the same number; not where z makes it the conjugate
        coefficient *= Scalar.of(piece if {"z", "z*"} & set(piece) else min(piece, reversed_word(piece)))
        del word[start : end + 1]


def _reduced_scalar(value: Scalar, rules: Rules) -> Scalar:
    def image(g: Generator) -> Scalar | None:
        if isinstance(g, str) or (place := rules.place(g)) is None:
            return None
        start, pattern = place
        before, after = Free({g[:start]: Scalar.number(1)}), Free({g[start + len(pattern) :]: Scalar.number(1)})
        return (before * rules.rules[pattern] * after).as_scalar()

    return value.map(image)


def _product_tree(c: Scalar, letters: list[Expr]) -> Expr:
    if c.is_monomial:
        ((monomial, size),) = c.terms
        return signed_product(size, [*factors_of(monomial), *letters])
    return Expr("mul", (c.tree(), *letters)) if letters else c.tree()

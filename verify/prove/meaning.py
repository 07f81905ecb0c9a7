"""What an expression means in the free algebra: a matrix of blocks, each a sum of words, in normal form.

Everything here is valid in every dimension. An inverse is a letter with the two rules that define it; an expectation
replaces what one transition contributes by the expectation table (E[x x^T] = C, E[rho x (x - gamma x')^T] = A, E[rho
R x] = b, E[rho | s] = 1), a rule on words that makes C, A, b, or a letter of its own of it; a gradient is taken piece
by piece. With coverage, E[rho f(s)] = E[f(s)] for what depends on the state alone, so E[rho x x^T] = E[x x^T] = C. F
stands for E[rho x x'^T]; A is C - gamma F.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce, wraps
from operator import mul
from typing import TypeVar

from tdrc_theory.algebra import (
    SYMMETRIC_MARK,
    Free,
    Generator,
    Letter,
    Monomial,
    Rational,
    Rules,
    Scalar,
    Word,
    is_column,
    is_row,
    letter_tree,
    reversed_word,
    transposed,
)
from tdrc_theory.formula.expression import E, Expr, block, inv, symbol
from tdrc_theory.formula.vocabulary import entry, expanded, shape
from tdrc_theory.judgement import Step

SAMPLED = ("x", "x'")
_ROWS = tuple(f"{name}^T" for name in SAMPLED)


def expected(inside: Free) -> Free:
    """Return the expectation of a sum of words in x, x', rho and R.

    Raises:
        OutsideTheAlgebra: a term has more than two sample vectors, or one that has no entry.
    """
    terms = (_term(monomial, c, word) for word, coefficient in inside.terms for monomial, c in coefficient.terms)
    return sum(terms, Free())


def _term(monomial: Monomial, c: Rational, word: Word) -> Free:
    powers = dict(monomial)
    rho, reward = powers.pop("rho", 0), powers.pop("R", 0)
    sampled = [g for g in powers if not isinstance(g, str) and _sample_letters(g)]
    pieces = [g for g in sampled for _ in range(powers[g])]
    rest = Scalar({tuple((g, e) for g, e in powers.items() if g not in sampled): c})
    if any(powers[g] < 0 for g in sampled):
        raise OutsideTheAlgebra("a sample in a denominator")
    return _factor(word, pieces, rho, reward) * rest


def _sample_letters(word: Word) -> list[int]:
    return [i for i, letter in enumerate(word) if letter in SAMPLED or letter in _ROWS]


def _factor(word: Word, pieces: list[Word], rho: int, reward: int) -> Free:
    in_word = _sample_letters(word)
    count = len(in_word) + sum(len(_sample_letters(piece)) for piece in pieces)
    if count == 0:
        if rho in (0, 1) and reward == 0:
            return Free.word(word)
        raise OutsideTheAlgebra(f"E[rho^{rho} R^{reward}]")
    if count == 1:
        return _one_vector(word, pieces, rho, reward)
    if count > 2 or reward:
        raise OutsideTheAlgebra("more than two sample vectors, or a reward with two")
    return _two_vectors(word, pieces, rho)


def _one_vector(word: Word, pieces: list[Word], rho: int, reward: int) -> Free:
    whole = pieces[0] if pieces else word
    place = _sample_letters(whole)[0]
    if (rho, reward) != (1, 1) or whole[place].removesuffix("^T") != "x":
        raise OutsideTheAlgebra("E of one sample vector other than rho R x")
    b = "b" if is_column(whole[place]) else "b^T"
    changed = Free.word((*whole[:place], b, *whole[place + 1 :]))
    return Free.word(word) * changed if pieces else changed


def _two_vectors(word: Word, pieces: list[Word], rho: int) -> Free:
    """Bring the two vectors together as column, row, and put the letter of their expectation there."""
    if not pieces:
        return _inside(word, rho)
    first, *second = pieces
    if second:
        return Free.word(word) * _inside((*_with_row_last(first), *_with_row_first(second[0])), rho)
    if len(_sample_letters(first)) == 2:
        return Free.word(word) * _inside(first, rho)
    place = _sample_letters(word)[0]
    if is_column(word[place]):
        return _inside((*word[: place + 1], *_with_row_first(first), *word[place + 1 :]), rho)
    return _inside((*word[:place], *_with_row_last(first), *word[place:]), rho)


def _inside(word: Word, rho: int) -> Free:
    first, second = _sample_letters(word)
    if second == first + 1 and is_column(word[first]) and is_row(word[second]):
        return Free.word((*word[:first], *_letter(word[first], word[second], rho), *word[second + 1 :]))
    raise OutsideTheAlgebra("sample vectors apart from each other, or a row and a column of one transition")


def _with_row_first(piece: Word) -> Word:
    """Return a closed piece turned so that its sample vector is the row that it starts with."""
    for turned in (piece, reversed_word(piece)):
        if turned[0] in _ROWS:
            return turned
    raise OutsideTheAlgebra("a sample vector inside a word")


def _with_row_last(piece: Word) -> Word:
    """Return a closed piece turned so that its sample vector is the column that it ends with."""
    return reversed_word(_with_row_first(piece))


def _letter(column: str, row: str, rho: int) -> Word:
    left, right = column, row.removesuffix("^T")
    if (left, right) == ("x", "x") and rho in (0, 1):
        return ("C",)
    if rho == 1 and (left, right) != ("x'", "x'"):
        return ("F",) if left == "x" else ("F^T",)
    first, last = (left, right) if left == right else ("x", "x'")
    mark = SYMMETRIC_MARK if left == right else ""
    pair = symbol(first) * symbol(last).T
    letter = Letter(f"[E rho^{rho} {first} {last}^T]{mark}", E(symbol("rho") ** rho * pair if rho else pair))
    return (letter if left == first else transposed(letter),)


Blocks = list[list[Free]]


class OutsideTheAlgebra(Exception):
    """An operation that the free algebra does not have, such as an eigenvalue: another judge may know it."""


class NotProven(Exception):
    """An argument shows nothing."""


T = TypeVar("T")


def needed(value: T | None) -> T:
    """Return a value that is there, or raise `NotProven`."""
    if value is None:
        raise NotProven
    return value


Proof = tuple[str, tuple[Step, ...]]
"""The name of an argument, and its steps."""


def prover(prove: Callable[[Expr], Proof | None]) -> Callable[[Expr], Proof | None]:
    """Return None where a prover finds that its argument does not apply, or shows nothing."""

    @wraps(prove)
    def proven(formula: Expr) -> Proof | None:
        try:
            return prove(formula)
        except (OutsideTheAlgebra, NotProven):
            return None

    return proven


class Meaning:
    """Reads expressions; `rules` grows by the inverses that it meets.

    Args:
        rules: equations that hold by hypothesis.
        sampled: whether expectations occur, so that A stands for C - gamma E[rho x x'^T].
    """

    def __init__(self, rules: Rules | None = None, sampled: bool = False) -> None:
        self.rules = rules or Rules()
        self.scalars: dict[Generator, Scalar] = {}
        self.orthogonal: list[str] = []
        self.sampled = sampled

    def blocks(self, formula: Expr) -> Blocks:
        """Return the blocks of an expression, reduced.

        Raises:
            OutsideTheAlgebra: it has an operation that is not algebra.
        """
        rows = self._blocks(expanded(formula))
        self._vanish(rows)
        return [[cell.map_coefficients(self.scalars).reduced(self.rules) for cell in row] for row in rows]

    def _vanish(self, rows: Blocks) -> None:
        """Add the rules E[... x ...^T]^T z = 0 for the vectors z with x^T z = 0 almost surely."""
        terms = [term for row in rows for cell in row for term in cell.terms]
        closed = [g for _, c in terms for g in c.generators() if not isinstance(g, str)]
        letters = {letter for word in (*(word for word, _ in terms), *closed) for letter in word}
        for letter in letters:
            base = letter.removesuffix("^T")
            if base.startswith("[E") and " x x" in base:
                for z in self.orthogonal:
                    self.rules.add((transposed(base), z), Free())

    def one(self, formula: Expr) -> Free:
        """Return the sum of words of an expression that is one block."""
        return self._only(self.blocks(formula))

    def _blocks(self, formula: Expr) -> Blocks:
        op, args = formula.op, formula.args
        if op == "number":
            return [[Free.scalar(Fraction(formula.name))]]
        if op == "symbol" and formula.name == "I_2d":
            return [[Free.scalar(1), Free()], [Free(), Free.scalar(1)]]
        if op == "symbol":
            return [[self._symbol(formula.name)]]
        if op == "block":
            lines = [[self._blocks(cell) for cell in line.args] for line in args]
            return [[cell for part in line for cell in part[i]] for line in lines for i in range(len(line[0]))]
        parts = [self._blocks(argument) for argument in args]
        if op in ("add", "mul"):
            return reduce(_added if op == "add" else _multiplied, parts)
        if op in ("T", "star"):
            if op == "T" and {"z", "i"} & formula.names():
                raise OutsideTheAlgebra("the transpose of what is complex: the algebra has the conjugate one")
            return _turned(parts[0])
        if op == "norm2":
            return _multiplied(_turned(parts[0]), parts[0])
        return [[self._single(formula, [self._only(part) for part in parts])]]

    def _single(self, formula: Expr, parts: list[Free]) -> Free:
        op = formula.op
        if op == "inv":
            return self.inverse(parts[0].reduced(self.rules))
        if op == "E":
            return expected(parts[0])
        if op == "grad":
            return gradient(parts[0].reduced(self.rules), formula.name)
        if op in ("power", "re", "im"):
            value = parts[0].as_scalar()
            if value is None:
                raise OutsideTheAlgebra(f"{op} of a matrix")
            if op != "power":
                return Free.scalar(complex_parts(value)[op == "im"])
            exponent = formula.args[1]
            if exponent.op != "number" or Fraction(exponent.name).denominator != 1:
                raise OutsideTheAlgebra("an exponent that is not an integer")
            power = int(exponent.name)
            if power < 0 and not value.is_monomial:
                raise OutsideTheAlgebra("a sum in a denominator")
            return Free.scalar(value**power)
        raise OutsideTheAlgebra(op)

    def _symbol(self, name: str) -> Free:
        if name == "I":
            return Free.scalar(1)
        if name == "0":
            return Free()
        if self.sampled and name == "A":
            return Free.letter("C") - Free.letter("F") * Scalar.of("gamma")
        return Free.scalar(Scalar.of(name)) if entry(name).shape == ("1", "1") else Free.letter(name)

    @staticmethod
    def _only(part: Blocks) -> Free:
        if len(part) != 1 or len(part[0]) != 1:
            raise OutsideTheAlgebra("a block matrix where one matrix is needed")
        return part[0][0]

    def inverse(self, matrix: Free) -> Free:
        """Return the inverse of a matrix, by rules for a new letter.

        Raises:
            OutsideTheAlgebra: the matrix is not of a form that has such rules.
        """
        scalar = matrix.as_scalar()
        if scalar is not None and scalar.is_monomial:
            return Free.scalar(scalar.inverse())
        content = matrix.content()
        if scalar is None and content != Scalar.number(1):
            return self.inverse(matrix * content.inverse()) * content.inverse()
        if len(matrix.terms) == 1:
            ((word, c),) = matrix.terms
            if not c.is_monomial or any(is_column(letter) or is_row(letter) for letter in word):
                raise OutsideTheAlgebra("an inverse of what is not a square matrix")
            if all(len({*shape(letter_tree(letter))}) == 1 for letter in word):
                inverses = (self._inverse_letter(Free.letter(letter)) for letter in reversed(word))
                return reduce(mul, inverses, Free.scalar(c.inverse()))
        return self._inverse_letter(matrix)  # of X^T X too, where X has no inverse

    def _inverse_letter(self, matrix: Free) -> Free:
        """Return the letter K with X K = K X = I, and add these two rules."""
        symmetric = matrix == matrix.T
        if not symmetric and str(matrix.T) < str(matrix):
            return self._inverse_letter(matrix.T).T
        leading = next(((w, c) for w, c in matrix.terms if len(w) == 1 and is_never_zero(c)), None)
        if leading is None or max(len(word) for word, _ in matrix.terms) > 1:
            raise OutsideTheAlgebra(f"the inverse of {matrix}")
        name = Letter(f"[{matrix}]^-1{SYMMETRIC_MARK if symmetric else ''}", inv(matrix.tree()))
        K, (word, c) = Free.letter(name), leading
        rest = matrix - Free({word: c})
        self.rules.add((*word, name), (Free.scalar(1) - rest * K) * c.inverse())
        self.rules.add((name, *word), (Free.scalar(1) - K * rest) * c.inverse())
        return K


def is_never_zero(value: Scalar) -> bool:
    """Return whether an equation may be divided by a scalar: it is a product of numbers, i and positive symbols."""
    kinds = [entry(g).domain if isinstance(g, str) and g != "i" else g for g in value.generators()]
    return value.is_monomial and all(kind in ("positive", "i") for kind in kinds)


def gradient(function: Free, variable: str) -> Free:
    """Return the gradient of a scalar with respect to a vector."""
    value = function.as_scalar()
    if value is None:
        raise OutsideTheAlgebra("the gradient of a matrix")
    total = Free()
    for monomial, c in value.terms:
        for place, (generator, exponent) in enumerate(monomial):
            left = (*monomial[:place], *monomial[place + 1 :])
            others = Scalar.of(generator, exponent - 1) * Scalar({left: c * exponent})
            total += _gradient_of_piece(generator, variable) * others
    return total


def _gradient_of_piece(piece: Generator, variable: str) -> Free:
    if isinstance(piece, str):
        return Free()
    last = Free.word(reversed_word(piece[:-1])) if piece[-1] == variable else Free()
    return last + Free.word(piece[1:]) if piece[0] == f"{variable}^T" else last


def cancelling(form: Free, other: Free) -> Iterator[tuple[Word, Scalar]]:
    """Yield words of a sum, each with the multiple of another sum that cancels it."""
    for word, c in form.terms:
        theirs = dict(other.terms).get(word)
        if theirs is not None and is_never_zero(theirs):
            yield word, -c * theirs.inverse()


def complex_parts(value: Scalar) -> tuple[Scalar, Scalar]:
    """Return the real and the imaginary part; generators are real.

    Raises:
        OutsideTheAlgebra: there are closed words with z, which are not known to be.
    """
    if any("z" in g for g in value.generators() if not isinstance(g, str)):
        raise OutsideTheAlgebra("the real part of a form in z")
    conjugate = value.map(lambda g: -Scalar.of("i") if g == "i" else None)
    half = Scalar.number(Fraction(1, 2))
    return (value + conjugate) * half, (conjugate - value) * half * Scalar.of("i")


def _turned(blocks: Blocks) -> Blocks:
    return [[cell.T for cell in column] for column in zip(*blocks, strict=True)]


def _added(left: Blocks, right: Blocks) -> Blocks:
    if len(left) != len(right) or len(left[0]) != len(right[0]):
        raise OutsideTheAlgebra("blocks of different shape")
    return [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(left, right, strict=True)]


def _multiplied(left: Blocks, right: Blocks) -> Blocks:
    if len(left[0]) == len(right):
        return [
            [sum((a * b for a, b in zip(row, column, strict=True)), Free()) for column in zip(*right, strict=True)]
            for row in left
        ]
    if len(left) == 1 and len(left[0]) == 1:
        return [[left[0][0] * cell for cell in row] for row in right]
    if len(right) == 1 and len(right[0]) == 1:
        return [[cell * right[0][0] for cell in row] for row in left]
    raise OutsideTheAlgebra("blocks that do not fit")


def blocks_tree(blocks: Blocks) -> Expr:
    """Return blocks as a formula; one block is the sum that it is."""
    if len(blocks) == 1 and len(blocks[0]) == 1:
        return blocks[0][0].tree()
    return block([[cell.tree() for cell in row] for row in blocks])

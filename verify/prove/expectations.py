"""The expectation table as a rule on words: what one transition contributes becomes C, A, b, or a letter of its own.

With coverage, E[rho f(s)] = E[f(s)] for what depends on the state alone, so E[rho x x^T] = E[x x^T] = C. F stands for
E[rho x x'^T]; A is C - gamma F.
"""

from __future__ import annotations

from tdrc_theory.algebra import (
    SYMMETRIC_MARK,
    Free,
    Letter,
    Monomial,
    Rational,
    Scalar,
    Word,
    is_column,
    is_row,
    reversed_word,
    transposed,
)
from tdrc_theory.formula.expression import E, symbol

SAMPLED = ("x", "x'")
_ROWS = tuple(f"{name}^T" for name in SAMPLED)


class UnknownExpectation(Exception):
    """More of one transition than the table has an entry for."""


def expected(inside: Free) -> Free:
    """Return the expectation of a sum of words in x, x', rho and R.

    Raises:
        UnknownExpectation: a term has more than two sample vectors, or one that has no entry.
    """
    total = Free()
    for word, coefficient in inside.terms:
        for monomial, c in coefficient.terms:
            total += _term(monomial, c, word)
    return total


def _term(monomial: Monomial, c: Rational, word: Word) -> Free:
    powers = dict(monomial)
    rho, reward = powers.pop("rho", 0), powers.pop("R", 0)
    sampled = [g for g in powers if not isinstance(g, str) and _sample_letters(g)]
    pieces = [g for g in sampled for _ in range(powers[g])]
    rest = Scalar.number(c)
    for g, e in powers.items():
        if g not in sampled:
            rest *= Scalar.of(g, e)
    if any(powers[g] < 0 for g in sampled):
        raise UnknownExpectation("a sample in a denominator")
    return _factor(word, pieces, rho, reward) * rest


def _sample_letters(word: Word) -> list[int]:
    return [i for i, letter in enumerate(word) if letter in SAMPLED or letter in _ROWS]


def _factor(word: Word, pieces: list[Word], rho: int, reward: int) -> Free:
    in_word = _sample_letters(word)
    count = len(in_word) + sum(len(_sample_letters(piece)) for piece in pieces)
    if count == 0:
        if rho in (0, 1) and reward == 0:
            return Free.word(word)
        raise UnknownExpectation(f"E[rho^{rho} R^{reward}]")
    if count == 1:
        return _one_vector(word, pieces, rho, reward)
    if count > 2 or reward:
        raise UnknownExpectation("more than two sample vectors, or a reward with two")
    return _two_vectors(word, pieces, rho)


def _one_vector(word: Word, pieces: list[Word], rho: int, reward: int) -> Free:
    whole = pieces[0] if pieces else word
    place = _sample_letters(whole)[0]
    if (rho, reward) != (1, 1) or whole[place].removesuffix("^T") != "x":
        raise UnknownExpectation("E of one sample vector other than rho R x")
    b = "b" if is_column(whole[place]) else "b^T"
    changed = Free.word((*whole[:place], b, *whole[place + 1 :]))
    return Free.word(word) * changed if pieces else changed


def _two_vectors(word: Word, pieces: list[Word], rho: int) -> Free:
    """Bring the two vectors together as column, row, and put the letter of their expectation there."""
    if len(pieces) == 2:
        left, right = (_with_row_last(pieces[0]), _with_row_first(pieces[1]))
        return Free.word(word) * Free.word((*left[:-1], *_letter(left[-1], right[0], rho), *right[1:]))
    if pieces and len(_sample_letters(pieces[0])) == 2:
        return Free.word(word) * _inside(pieces[0], rho)
    if pieces:
        return _into_word(word, pieces[0], rho)
    return _inside(word, rho)


def _inside(word: Word, rho: int) -> Free:
    first, second = _sample_letters(word)
    if second == first + 1 and is_column(word[first]) and is_row(word[second]):
        return Free.word((*word[:first], *_letter(word[first], word[second], rho), *word[second + 1 :]))
    if second == len(word) - 1 and first == 0:  # x^T M x': a trace
        raise UnknownExpectation("the expectation of a product of a row and a column of one transition")
    raise UnknownExpectation("sample vectors apart from each other")


def _into_word(word: Word, piece: Word, rho: int) -> Free:
    place = _sample_letters(word)[0]
    if is_column(word[place]):
        right = _with_row_first(piece)
        return Free.word((*word[:place], *_letter(word[place], right[0], rho), *right[1:], *word[place + 1 :]))
    left = _with_row_last(piece)
    return Free.word((*word[:place], *left[:-1], *_letter(left[-1], word[place], rho), *word[place + 1 :]))


def _with_row_first(piece: Word) -> Word:
    """Return a closed piece turned so that its sample vector is the row that it starts with."""
    for turned in (piece, reversed_word(piece)):
        if turned[0] in _ROWS:
            return turned
    raise UnknownExpectation("a sample vector inside a word")


def _with_row_last(piece: Word) -> Word:
    """Return a closed piece turned so that its sample vector is the column that it ends with."""
    return reversed_word(_with_row_first(piece))


def _letter(column: str, row: str, rho: int) -> Word:
    left, right = column, row.removesuffix("^T")
    if (left, right) == ("x", "x") and rho in (0, 1):
        return ("C",)
    if rho == 1 and (left, right) != ("x'", "x'"):
        return ("F",) if left == "x" else ("F^T",)
    if left == right:
        return (_named(rho, left, left, SYMMETRIC_MARK),)
    letter = _named(rho, "x", "x'")
    return (letter if left == "x" else transposed(letter),)


def _named(rho: int, left: str, right: str, mark: str = "") -> Letter:
    inside = symbol("rho") ** rho * symbol(left) * symbol(right).T if rho else symbol(left) * symbol(right).T
    return Letter(f"[E rho^{rho} {left} {right}^T]{mark}", E(inside))

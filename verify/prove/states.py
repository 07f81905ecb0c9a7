"""The algebra of matrices of states by states: stochastic and diagonal matrices, inverses of sums, completed rules.

An inverse is a letter K with X K = K X = I, whatever words X has: its largest word (long ones first) is rewritten by
the others. What two rules make of one word is equal, so that their difference is a rule too: rules are completed by
these until none is new, up to a number. Every rule is an equation that holds where the inverses exist.
"""

from __future__ import annotations

from collections.abc import Iterator

from tdrc_theory.algebra import (
    COLUMN_MARK,
    SYMMETRIC_MARK,
    Free,
    Letter,
    Scalar,
    Word,
    is_column,
    is_row,
    letter_tree,
    reversed_word,
)
from tdrc_theory.formula.expression import Expr, diag, inv
from tdrc_theory.formula.vocabulary import COLUMN, FAMILIES, VOCABULARY, actions, entry, outside
from verify.prove.meaning import Meaning, OutsideTheAlgebra

_MOST_RULES = 120
_ROUNDS = 4
_DIAGONAL = "diag("
_POLICIES = ("Pi_a", "B_a", "rho_a")
_BEHIND = {letter: 1 + i for i, letter in enumerate(_POLICIES)}


class StatesMeaning(Meaning):
    """Reads formulas over matrices of states; where gamma is a factor it is taken to be other than 0.

    Attributes:
        inverted: the matrix X of each inverse letter.
        vectors: the vector on the diagonal of each letter that is a diagonal matrix.
        sums: the word that each letter which is a sum over actions adds up.
    """

    def __init__(self) -> None:
        super().__init__()
        self.inverted: dict[str, Free] = {}
        self.vectors: dict[str, Free] = {}
        self.sums: dict[str, Word] = {}
        self._diagonals = ["Gamma", "Lambda"]
        ones = Free.letter("ones")
        self.rules.add(("P_pi", "ones"), ones)
        self.rules.add(("d_pi^T", "P_pi"), Free.letter("d_pi^T"))
        for each in VOCABULARY:
            if each.domain in ("stationary", "distribution", "probabilities") and each.shape == COLUMN:
                self.rules.add(("ones^T", each.name), Free.scalar(1))
        self.rules.add(("Lambda", "Gamma"), Free.word(("Gamma", "Lambda")))

    def _symbol(self, name: str) -> Free:
        if name in FAMILIES and ("P_a", "ones") not in self.rules.rules:
            self.rules.add(("P_a", "ones"), Free.letter("ones"))
            self.rules.add(("B_a", "rho_a"), Free.letter("Pi_a"))
            for letter in _POLICIES:
                self._commuting(letter)
                self._diagonals.append(letter)
        return super()._symbol(name)

    def _single(self, formula: Expr, parts: list[Free]) -> Free:
        if formula.op == "actions":
            return self._summed(parts[0].reduced(self.rules))
        if formula.op in ("diagonal", "absolute"):
            matrix = parts[0].reduced(self.rules)
            name = f"{formula.op}({str(matrix).replace(SYMMETRIC_MARK, '')})"
            symmetric = SYMMETRIC_MARK if matrix == matrix.T else ""
            mark = COLUMN_MARK if formula.op == "diagonal" else symmetric
            return Free.letter(Letter(f"{name}{mark}", Expr(formula.op, (matrix.tree(),))))
        if formula.op == "diag":
            return self._diagonal(parts[0].reduced(self.rules))
        return super()._single(formula, parts)

    def _diagonal(self, vector: Free) -> Free:
        """Return the diagonal matrix of a sum, term by term; diag(D v) = D diag(v) for a diagonal D."""
        total = Free()
        for word, c in vector.terms:
            start = next((i for i, letter in enumerate(word) if not self.is_diagonal(letter)), len(word))
            front, rest = word[:start], word[start:]
            if not rest or any(map(is_row, word)):
                raise OutsideTheAlgebra("a diagonal of what is no vector")
            total += Free({front: c}) * self._diagonal_letter(rest)
        return total.reduced(self.rules)

    def _diagonal_letter(self, word: Word) -> Free:
        if word == ("ones",):
            return Free.scalar(1)
        written = f"{_DIAGONAL}{' '.join(word).replace(SYMMETRIC_MARK, '')}){SYMMETRIC_MARK}"
        name = Letter(written, diag(Free.word(word).tree()))
        if name not in self.vectors:
            self.vectors[name] = Free.word(word)
            self.rules.add((name, "ones"), Free.word(word))
            self._commuting(name)
        return Free.letter(name)

    def _commuting(self, name: str) -> None:
        """Add that a diagonal letter commutes with every other one; those of each action stand behind the others."""
        for other in [*self._diagonals, *self.vectors]:
            if other != name:
                first, second = sorted((name, other), key=lambda letter: (_BEHIND.get(letter, 0), letter))
                self.rules.add((second, first), Free.word((first, second)))

    def is_diagonal(self, letter: str) -> bool:
        """Return whether a letter is a diagonal matrix."""
        return letter in ("Gamma", "Lambda", *_POLICIES) or letter.startswith(_DIAGONAL)

    def _summed(self, inside: Free) -> Free:
        """Return the sum over all actions, term by term: what is the same for each of them is taken out."""
        total = Free()
        for word, c in inside.terms:
            for monomial, size in c.terms:
                pieces = [(g, exponent) for g, exponent in monomial if not isinstance(g, str) and _of_an_action(g)]
                others = tuple(pair for pair in monomial if pair not in pieces)
                number = Free.scalar(Scalar({others: size}))
                if _of_an_action(word) and not pieces:
                    total += self._sum_of(word) * number
                elif len(pieces) == 1 and pieces[0][1] == 1 and not _of_an_action(word):
                    total += self._sum_of(pieces[0][0]) * number * Free.word(word)
                else:
                    raise OutsideTheAlgebra(
                        "a sum over actions of what is the same for each, or of a product of numbers"
                    )
        return total.reduced(self.rules)

    def _sum_of(self, word: Word) -> Free:
        """Return the sum of a word over all actions, in which factors at its ends may be the same for each."""
        of_each = [i for i, letter in enumerate(word) if _of_an_action((letter,))]
        start, end = of_each[0], of_each[-1] + 1
        return Free.word(word[:start]) * self._sum_letter(word[start:end]) * Free.word(word[end:])

    def _sum_letter(self, word: Word) -> Free:
        if word in (("B_a",), ("Pi_a",)):
            return Free.scalar(1)
        if is_row(word[0]) and is_column(word[-1]):
            raise OutsideTheAlgebra("a sum of numbers over actions")
        turned, diagonal = reversed_word(word), all(map(self.is_diagonal, word))
        if is_row(word[0]) or (not is_column(word[-1]) and not diagonal and _order(turned) < _order(word)):
            return self._sum_letter(turned).T
        mark = COLUMN_MARK if is_column(word[-1]) else SYMMETRIC_MARK * diagonal
        name = Letter(f"sum_a[{' '.join(word)}]{mark}", actions(Free.word(word).tree()))
        if name not in self.sums:
            self.sums[name] = word
            ones, letter = Free.letter("ones"), Free.letter(name)
            for sums, each in () if is_column(name) else ((letter, Free.word(word)), (letter.T, Free.word(turned))):
                rows = self._summed((each * ones).reduced(self.rules))
                ((left, _),) = (sums * ones).terms
                if rows != sums * ones:
                    self.rules.add(left, rows)
        return Free.letter(name)

    def _inverse_letter(self, matrix: Free) -> Free:
        ((_, c), *_) = [(w, c) for w, c in matrix.terms if not w] or [((), Scalar.number(1))]
        size = c.constant()
        if size is not None and size < 0:
            return -self._inverse_letter(-matrix)
        if len(matrix.terms) == 1 and matrix.terms[0][0][0] in self.vectors:
            return self._of_diagonal(matrix)
        for known, X in self.inverse_letters():
            if any(known in word for word, _ in matrix.terms):
                for product, before in (((X * matrix), True), ((matrix * X), False)):
                    cleared = product.reduced(self.rules)
                    if not any(self._is_inverse(letter) for word, _ in cleared.terms for letter in word):
                        inside = self.inverse(cleared)
                        return inside * X if before else X * inside
        symmetric = matrix == matrix.T
        if not symmetric and str(matrix.T) < str(matrix):
            return self._inverse_letter(matrix.T).T
        written = f"[{str(matrix).replace(SYMMETRIC_MARK, '')}]^-1{SYMMETRIC_MARK if symmetric else ''}"
        name = Letter(written, inv(matrix.tree()))
        if name not in self.inverted:
            self.inverted[name] = matrix
            word, c = matrix.terms[0]
            if not is_divisor(c) or any(is_row(v) or is_column(v) for v in word):
                raise OutsideTheAlgebra(f"the inverse of {matrix}")
            K, rest = Free.letter(name), matrix - Free({word: c})
            self.rules.rules[*word, name] = (Free.scalar(1) - rest * K) * c.inverse()
            self.rules.rules[name, *word] = (Free.scalar(1) - K * rest) * c.inverse()
            turned = Free.letter(name).T.terms[0][0][0]
            if turned != name:
                for pattern in [(*word, name), (name, *word)]:
                    image = self.rules.rules[pattern]
                    self.rules.rules[next(iter(Free({pattern: Scalar.number(1)}).T.terms))[0]] = image.T
        return Free.letter(name)

    def inverse_letters(self) -> list[tuple[str, Free]]:
        """Return each inverse letter, and its transpose, with what it is the inverse of."""
        pairs = [(name, X) for name, X in self.inverted.items()]
        return [*pairs, *((Free.letter(name).T.terms[0][0][0], X.T) for name, X in pairs)]

    @staticmethod
    def _is_inverse(letter: str) -> bool:
        return letter.startswith("[")

    def _of_diagonal(self, matrix: Free) -> Free:
        """Return the inverse of one diagonal letter, which is diagonal too; it commutes with the others."""
        ((word, c),) = matrix.terms
        if len(word) > 1:
            raise OutsideTheAlgebra(f"the inverse of {matrix}")
        name = Letter(f"{_DIAGONAL}1/{word[0].removeprefix(_DIAGONAL)}", inv(letter_tree(word[0])))
        if name not in self.vectors:
            self._commuting(name)
            for pattern in ((word[0], name), (name, word[0])):
                self.rules.rules[pattern] = Free.scalar(1)
            ((vector, size),) = self.vectors[word[0]].terms
            self.rules.add((name, *vector), Free.letter("ones") * size.inverse())
            self.vectors[name] = Free()
        return Free.letter(name) * c.inverse()

    def complete(self) -> None:
        """Add the rules that follow from two rules which apply to one word."""
        for _ in range(_ROUNDS):
            new = 0
            for word, left, right in list(self._overlaps()):
                new += self._solved((left - right).reduced(self.rules), len(word))
            if not new:
                return

    def _solved(self, difference: Free, longest: int) -> bool:
        """Make a rule for the largest word of what is 0; return whether there is a new one."""
        if difference.is_zero or len(self.rules.rules) >= _MOST_RULES:
            return False
        leading, c = difference.terms[0]
        if len(leading) > longest or not is_divisor(c):
            return False
        self.rules.rules[leading] = (Free({leading: c}) - difference) * c.inverse()
        return True

    def _overlaps(self) -> Iterator[tuple[Word, Free, Free]]:
        """Yield words to which two rules, one on an inverse, apply at overlapping places, and what each makes of it."""
        patterns = [(w, image) for w, image in self.rules.rules.items() if not self.vectors.keys() & {*w}]
        for first, image in patterns:
            for second, other in patterns:
                if not any(map(self._is_inverse, (*first, *second))):
                    continue
                for size in range(1, min(len(first), len(second))):
                    if first[-size:] == second[:size]:
                        after, before = second[size:], first[:-size]
                        yield (*first, *after), image * Free.word(after), Free.word(before) * other


def _order(word: Word) -> tuple[int, Word]:
    return (sum(letter.endswith("^T") for letter in word), word)


def _of_an_action(word: Word) -> bool:
    return any(outside(letter_tree(letter)) for letter in word)


def is_divisor(value: Scalar) -> bool:
    """Return whether a scalar is a rational number times powers of symbols that are not 0, gamma being one of them."""
    return value.is_monomial and all(
        isinstance(g, str) and g != "i" and entry(g).domain in ("positive", "discount") for g in value.generators()
    )


def without_discount(formula: Expr) -> Expr:
    """Return a formula at gamma = 0."""
    if formula.op == "symbol" and formula.name == "gamma":
        return Expr("number", (), "0")
    return Expr(formula.op, tuple(without_discount(argument) for argument in formula.args), formula.name)

"""The language in which a claim's formula is data: one kind of tree over the paper's symbols.

A formula is an `Expr`: an operation and its arguments. From it come LaTeX and plain text (`written.py`), its shape, its
JSON, and every mutant; the judges in `verify.paper` read nothing else. Build formulas with Python's operators:

    G, A, beta, eta = symbols("G A beta eta")
    equal(det(G), eta**DIM * det(A.T + beta * I) * det(A))

Operations: `symbol`, `number`, `add`, `mul`, `power` (base, exponent), `T` (transpose), `star` (conjugate transpose),
`inv`, `det`, `block` (of `row`s), `E` (expectation), `grad` (with respect to a vector), `eigmax`, `eigmin`, `sqrt`,
`re`, `im`; relations `=`, `!=`, `<`, `<=`, `>`, `>=`; predicates `posdef`, `hurwitz`; `and`, `or`, `not`, `implies`,
`iff`. Free symbols are quantified over their domains (`vocabulary.py`): that is the meaning of "for all" in every
claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadNumber

RELATIONS = ("=", "!=", "<", "<=", ">", ">=")
PREDICATES = ("posdef", "hurwitz")
CONNECTIVES = ("and", "or", "not", "implies", "iff")


@dataclass(frozen=True, slots=True)
class Expr:
    """One node: an operation, its arguments, and the name of a symbol or the text of a number."""

    op: str
    args: tuple[Expr, ...] = ()
    name: str = ""
    _names: frozenset[str] = field(init=False, repr=False, compare=False)
    _ops: frozenset[str] = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Collect what is asked of a tree again and again from its parts, which know it of themselves."""
        own = {self.name} if self.op == "symbol" else set()
        object.__setattr__(self, "_names", frozenset(own.union(*(argument._names for argument in self.args))))
        object.__setattr__(self, "_ops", frozenset({self.op}.union(*(argument._ops for argument in self.args))))
        object.__setattr__(self, "_hash", hash((self.op, self.args, self.name)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Expr, (self.op, self.args, self.name)  # another process hashes text in another way

    def __add__(self, other: Any) -> Expr:
        return _flat("add", self, expr(other))

    def __radd__(self, other: Any) -> Expr:
        return expr(other) + self

    def __neg__(self) -> Expr:
        if self.op == "number":
            return number(-Fraction(self.name))
        return _flat("mul", number(-1), self)

    def __sub__(self, other: Any) -> Expr:
        return self + -expr(other)

    def __rsub__(self, other: Any) -> Expr:
        return expr(other) + -self

    def __mul__(self, other: Any) -> Expr:
        return _flat("mul", self, expr(other))

    def __rmul__(self, other: Any) -> Expr:
        return expr(other) * self

    def __pow__(self, exponent: Any) -> Expr:
        return Expr("power", (self, expr(exponent)))

    def __truediv__(self, other: Any) -> Expr:
        return self * expr(other) ** -1

    @property
    def T(self) -> Expr:
        """Return the transpose."""
        return Expr("T", (self,))

    @property
    def star(self) -> Expr:
        """Return the conjugate transpose."""
        return Expr("star", (self,))

    def walk(self, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Expr]]:
        """Yield every node with the path to it."""
        yield path, self
        for i, argument in enumerate(self.args):
            yield from argument.walk((*path, i))

    def replaced(self, path: tuple[int, ...], other: Expr) -> Expr:
        """Return the tree with the node at a path replaced."""
        if not path:
            return other
        i = path[0]
        changed = self.args[i].replaced(path[1:], other)
        return Expr(self.op, (*self.args[:i], changed, *self.args[i + 1 :]), self.name)

    def names(self) -> frozenset[str]:
        """Return the names of the symbols in it."""
        return self._names

    def has(self, *ops: str) -> bool:
        """Return whether an operation occurs."""
        return not self._ops.isdisjoint(ops)

    def to_json(self) -> Any:
        """Return nested lists, numbers and symbols as text: what the independent witness checker reads."""
        if self.op in ("symbol", "number"):
            return [self.op, self.name]
        if self.op == "grad":
            return [self.op, self.name, self.args[0].to_json()]
        return [self.op, *(argument.to_json() for argument in self.args)]


_MOST_DIGITS = 4000
"""Of a number in a formula; Python writes 4,300."""
_MOST_BITS = int(_MOST_DIGITS * 3.32)


def expr(value: Any) -> Expr:
    """Return a number as an expression."""
    return value if isinstance(value, Expr) else number(value)


def number(value: int | Fraction) -> Expr:
    """Return a rational number.

    Raises:
        BadNumber: it is too long to be written out.
    """
    value = Fraction(value)
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise BadNumber(f"a number of more than {_MOST_DIGITS} digits: formulas are written with fewer")
    return Expr("number", (), str(value))


def symbol(name: str) -> Expr:
    """Return a symbol of the vocabulary."""
    return Expr("symbol", (), name)


def symbols(names: str) -> tuple[Expr, ...]:
    """Return symbols by names with blanks between."""
    return tuple(symbol(name) for name in names.split())


ZERO = number(0)
I = symbol("I")  # noqa: E741 - what it is called
DIM = symbol("d")
"""The dimension d; in exponents only."""


def det(matrix: Expr) -> Expr:
    """Return a determinant."""
    return Expr("det", (matrix,))


def inv(matrix: Expr) -> Expr:
    """Return an inverse."""
    return Expr("inv", (matrix,))


def E(inside: Expr) -> Expr:
    """Return an expectation over transitions."""
    return Expr("E", (inside,))


def grad(function: Expr, variable: str = "w") -> Expr:
    """Return the gradient with respect to a vector."""
    return Expr("grad", (function,), variable)


def eigmax(matrix: Expr) -> Expr:
    """Return the largest eigenvalue of a matrix whose eigenvalues are real."""
    return Expr("eigmax", (matrix,))


def eigmin(matrix: Expr) -> Expr:
    """Return the smallest eigenvalue of a matrix whose eigenvalues are real."""
    return Expr("eigmin", (matrix,))


def block(rows: Sequence[Sequence[Expr]]) -> Expr:
    """Return a block matrix."""
    return Expr("block", tuple(Expr("row", tuple(row)) for row in rows))


def norm2(vector: Expr) -> Expr:
    """Return the squared Euclidean norm."""
    return Expr("norm2", (vector,))


def equal(left: Any, right: Any) -> Expr:
    """Return left = right."""
    return Expr("=", (expr(left), expr(right)))


def unequal(left: Any, right: Any) -> Expr:
    """Return left != right."""
    return Expr("!=", (expr(left), expr(right)))


def less(left: Any, right: Any) -> Expr:
    """Return left < right."""
    return Expr("<", (expr(left), expr(right)))


def greater(left: Any, right: Any) -> Expr:
    """Return left > right."""
    return Expr(">", (expr(left), expr(right)))


def at_least(left: Any, right: Any) -> Expr:
    """Return left >= right."""
    return Expr(">=", (expr(left), expr(right)))


def at_most(left: Any, right: Any) -> Expr:
    """Return left <= right."""
    return Expr("<=", (expr(left), expr(right)))


def becomes(left: Expr, right: Expr) -> Expr:
    """Return left -> right: a rule that puts the right side for the left one."""
    return Expr("->", (left, right))


def listed(parts: Sequence[Expr]) -> Expr:
    """Return statements beside each other; the one where there is one."""
    return parts[0] if len(parts) == 1 else Expr("list", tuple(parts))


def posdef(matrix: Expr) -> Expr:
    """Return: z^T M z > 0 for every real z other than 0."""
    return Expr("posdef", (matrix,))


def hurwitz(matrix: Expr) -> Expr:
    """Return: every eigenvalue has negative real part."""
    return Expr("hurwitz", (matrix,))


def both(*parts: Expr) -> Expr:
    """Return a conjunction; the part where there is one."""
    return parts[0] if len(parts) == 1 else Expr("and", parts)


def either(*parts: Expr) -> Expr:
    """Return a disjunction."""
    return Expr("or", parts)


def negation(part: Expr) -> Expr:
    """Return: not so."""
    return Expr("not", (part,))


def nonsingular(matrix: Expr) -> Expr:
    """Return det M != 0."""
    return unequal(det(matrix), 0)


def implies(*parts: Expr) -> Expr:
    """Return: the earlier parts, if there are any, together imply the last."""
    *hypotheses, conclusion = parts
    return Expr("implies", (both(*hypotheses), conclusion)) if hypotheses else conclusion


def iff(left: Expr, right: Expr) -> Expr:
    """Return: each implies the other."""
    return Expr("iff", (left, right))


def conjuncts(formula: Expr) -> tuple[Expr, ...]:
    """Return the parts of a conjunction."""
    return formula.args if formula.op == "and" else (formula,)


def _flat(op: str, *parts: Expr) -> Expr:
    """Return a sum or product without nesting; -1 in front of a factor -1 cancels."""
    if op == "mul" and parts[0] == number(-1) and parts[1].op == "mul" and parts[1].args[0] == number(-1):
        rest = parts[1].args[1:]
        return rest[0] if len(rest) == 1 else Expr("mul", rest)
    return Expr(op, tuple(inner for part in parts for inner in (part.args if part.op == op else (part,))))

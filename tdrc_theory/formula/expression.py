"""The expression language of claims: one kind of tree over the paper's symbols.

A formula is an `Expr`: an operation and its arguments. From it come LaTeX and plain text (`written.py`), its shape, its
JSON, and every mutant; the judges in `verify.paper` read nothing else. Build formulas with Python's operators:

    G, A, beta, eta = symbols("G A beta eta")
    equal(det(G), eta**DIM * det(A.T + beta * I) * det(A))

Operations: `symbol`, `number`, `add`, `mul`, `power` (base, exponent), `T` (transpose), `star` (conjugate transpose),
`block` (of `row`s), `grad` (with respect to a vector), `sqrt`, `re`, `im`, those built below, and `actions`
(`vocabulary.py`). Free symbols are quantified over their domains (`vocabulary.py`): that is the meaning of "for all" in
every claim. A formula over time holds where it does at every time t >= 1, a symbol being its value at time t; its
hypotheses are to hold at every time t >= 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadNumber

RELATIONS = ("=", "!=", "<", "<=", ">", ">=")
PREDICATES = ("posdef", "hurwitz", "semidefinite", "diagonalizable")
"""Of square matrices: z^T M z > 0 for every real z but 0; every eigenvalue has a negative real part; z^T M z >= 0 for
every real z; the eigenvectors, complex ones among them, span the whole space."""
ENTRYWISE = ("nonnegative", "positive")
"""Predicates: every entry is at least 0, or above 0."""
ON_WEIGHTED = "definite_where"
"""z^T K z > 0 for every real z that is not 0 at some state of positive weight, and 0 for every other z."""
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
        """Cache names, operations and hash, from those of the parts."""
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
"""2^3.32 < 10, so that a number of no more bits has no more digits."""


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
ones = symbol("ones")
"""The vector whose entries are all 1."""
DIM = symbol("d")
"""The dimension d; in exponents only."""


def operation(op: str) -> Callable[..., Expr]:
    """Return the builder of an operation's nodes from its parts, of which numbers become expressions."""
    return lambda *parts: Expr(op, tuple(map(expr, parts)))


det, inv, E, eigmax, eigmin, norm2 = map(operation, ("det", "inv", "E", "eigmax", "eigmin", "norm2"))
"""Determinant, inverse, expectation over transitions, extreme eigenvalues (of real spectra), squared Euclidean norm."""
diag, diagonal, absolute = map(operation, ("diag", "diagonal", "absolute"))
"""The diagonal matrix of a vector, the diagonal of a matrix, and the absolute values of its entries."""
equal, unequal, less, greater, at_least, at_most = map(operation, ("=", "!=", "<", ">", ">=", "<="))
becomes = operation("->")
"""A rule that puts its right side for its left one."""
posdef, hurwitz, semidefinite, diagonalizable = map(operation, PREDICATES)
nonnegative, positive, definite_where = map(operation, (*ENTRYWISE, ON_WEIGHTED))
either, negation, iff = map(operation, ("or", "not", "iff"))


def grad(function: Expr, variable: str = "w") -> Expr:
    """Return the gradient with respect to a vector."""
    return Expr("grad", (function,), variable)


def block(rows: Sequence[Sequence[Expr]]) -> Expr:
    """Return a block matrix."""
    return Expr("block", tuple(Expr("row", tuple(row)) for row in rows))


def listed(parts: Sequence[Expr]) -> Expr:
    """Return statements beside each other; the one where there is one."""
    return parts[0] if len(parts) == 1 else Expr("list", tuple(parts))


def both(*parts: Expr) -> Expr:
    """Return a conjunction; the part where there is one."""
    return parts[0] if len(parts) == 1 else Expr("and", parts)


def nonsingular(matrix: Expr) -> Expr:
    """Return det M != 0."""
    return unequal(det(matrix), 0)


def implies(*parts: Expr) -> Expr:
    """Return: the earlier parts, if there are any, together imply the last."""
    *hypotheses, conclusion = parts
    return Expr("implies", (both(*hypotheses), conclusion)) if hypotheses else conclusion


def conjuncts(formula: Expr) -> tuple[Expr, ...]:
    """Return the parts of a conjunction."""
    return formula.args if formula.op == "and" else (formula,)


def parted(formula: Expr) -> tuple[tuple[Expr, ...], Expr]:
    """Return the hypotheses of an implication, none of another formula, and what it concludes."""
    return (conjuncts(formula.args[0]), formula.args[1]) if formula.op == "implies" else ((), formula)


def _flat(op: str, *parts: Expr) -> Expr:
    """Return a sum or product without nesting; -1 in front of a factor -1 cancels."""
    if op == "mul" and parts[0] == number(-1) and parts[1].op == "mul" and parts[1].args[0] == number(-1):
        rest = parts[1].args[1:]
        return rest[0] if len(rest) == 1 else Expr("mul", rest)
    return Expr(op, tuple(inner for part in parts for inner in (part.args if part.op == op else (part,))))


IN_TIME = ("before", "earlier")
before, earlier = map(operation, IN_TIME)
"""A value at time t - 1; the sum over k < t of a first argument at k times the product of a second over k < j < t."""


def at_time(formula: Expr, t: int) -> Expr:
    """Return what a formula says at time t, over the values of its symbols at each time, named `rho_t[2]`.

    Raises:
        ValueError: it speaks of a time before 0.

    >>> sorted(at_time(before(symbol("rho_t")), 2).names())
    ['rho_t[1]']
    """
    if t < 0:
        raise ValueError("a time before 0")
    op, args = formula.op, formula.args
    if op == "symbol":
        return Expr("symbol", (), f"{formula.name}[{t}]")
    if op == "before":
        return at_time(args[0], t - 1)
    if op == "earlier":
        terms = (math.prod((at_time(args[1], j) for j in range(k + 1, t)), start=at_time(args[0], k)) for k in range(t))
        return sum(terms, number(0))
    return Expr(op, tuple(at_time(argument, t) for argument in args), formula.name)

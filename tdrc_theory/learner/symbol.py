"""Symbols, on which a function is called so that its arithmetic is recorded instead of done."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.quantity import is_zero, text
from tdrc_theory.learner.record import SUM, Comparison, Node, Record, decide

Result = TypeVar("Result")
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "power": operator.pow,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "matmul": operator.matmul,
}


def _both_ways(apply: Callable[[Symbol, Symbol], Result]) -> tuple[Callable[[Symbol, Any], Result], ...]:
    """Return an operator and its reflection."""
    return lambda self, other: apply(self, self.like(other)), lambda self, other: apply(self.like(other), self)


class Symbol:
    """A number or a vector whose calculation is recorded.

    Attributes:
        record: where.
        node: what it is calculated from.
        of_vectors: whether the function is one of vectors; else it is one of each component, which goes where numbers
            go.
    """

    __slots__ = ("node", "of_vectors", "record")

    def __init__(self, record: Record, node: Node, of_vectors: bool = False) -> None:
        self.record = record
        self.node = node
        self.of_vectors = of_vectors

    def like(self, value: Any) -> Symbol:
        """Return a value as a symbol; what is no number is refused."""
        return value if isinstance(value, Symbol) else self._of(node_of(self.record, value))

    def _of(self, node: Node) -> Symbol:
        return Symbol(self.record, node, self.of_vectors)

    @property
    def _is_vector(self) -> bool:
        return self.of_vectors and self.node.component

    def _calculated(self, operation: str, *operands: Symbol) -> Symbol:
        return self._of(self.record.node(operation, *(operand.node for operand in operands)))

    def _sum(self, operation: str, other: Symbol) -> Symbol:
        if self._is_vector != other._is_vector and not (is_zero(self.node) or is_zero(other.node)):
            added = other if operation == "+" else -other
            vector, number = (self, added) if self._is_vector else (added, self)
            raise BadAlgorithm(
                f"adds the vector {text(vector.node)} and the number {text(number.node)}; a weight or memory that is a "
                'number is named in scalars (@learner(..., scalars="F"))'
            )
        return self._calculated(operation, self, other)

    def _times(self, other: Symbol) -> Symbol:
        if self._is_vector and other._is_vector:
            raise BadAlgorithm(
                f"multiplies two vectors, {text(self.node)} and {text(other.node)}; write dot(a, b) for their inner "
                "product"
            )
        return self._calculated("*", self, other)

    def _over(self, operation: str, divisor: Symbol) -> Symbol:
        if operation != "/":
            _refuse_vectors("divides", self)
        _refuse_vectors("divides by", divisor)
        return self._calculated(operation, self, divisor)

    def _raised(self, exponent: Symbol) -> Symbol:
        if self._is_vector:
            return self._times(self)
        _refuse_vectors("raises to the power", exponent)
        return self._calculated("**", self, exponent)

    __add__, __radd__ = _both_ways(lambda a, b: a._sum("+", b))
    __sub__, __rsub__ = _both_ways(lambda a, b: a._sum("-", b))
    __mul__, __rmul__ = _both_ways(lambda a, b: a._times(b))
    __truediv__, __rtruediv__ = _both_ways(lambda a, b: a._over("/", b))
    __floordiv__, __rfloordiv__ = _both_ways(lambda a, b: a._over("//", b))
    __mod__, __rmod__ = _both_ways(lambda a, b: a._over("%", b))
    __pow__, __rpow__ = _both_ways(lambda a, b: a._raised(b))
    __matmul__, __rmatmul__ = _both_ways(lambda a, b: a._dot(b))
    dot = __matmul__  # as arrays have it
    __lt__, __gt__ = _both_ways(lambda a, b: a._compared("<", b))
    __le__, __ge__ = _both_ways(lambda a, b: a._compared("<=", b))

    def __neg__(self) -> Symbol:
        return self._calculated("neg", self)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return self.applied("abs")

    def __round__(self, digits: int | None = None) -> Symbol:
        if digits is not None:
            raise BadAlgorithm(f"rounds {self} to digits; only to whole numbers is recorded")
        return self.applied("np.rint")

    def applied(self, function: str, *others: Any) -> Symbol:
        """Return a function of it and of others, by the function's name in compiled code; vectors are refused."""
        operands = [self, *(self.like(other) for other in others)]
        _refuse_vectors(f"calls {function} with", *operands)
        return self._calculated(function, *operands)

    def instead_of(self, other: Symbol, below: bool) -> Symbol:
        """Return it where it is less than another number (greater, if not `below`), else the other."""
        _refuse_vectors("branches on", other, self)
        condition = self._calculated("<", *((self, other) if below else (other, self)))
        return self._of(self.record.select(condition.node, self.node, other.node))

    def _dot(self, right: Symbol) -> Symbol:
        for part in (self, right):
            if not part._is_vector and not is_zero(part.node):
                raise BadAlgorithm(f"takes the dot product with {text(part.node)}, which is no vector")
        term = self.record.node("*", self.node, right.node)
        total = self.record.node(SUM, self.record.number(0.0), term) if term.component else self.record.number(0.0)
        return self._of(total)

    def _compared(self, relation: str, other: Symbol) -> bool:
        _refuse_vectors("branches on", self, other)
        return decide(Comparison(self.node, relation, other.node))

    def __eq__(self, other: object) -> bool:
        return self._compared("==", self.like(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return self != 0

    def _refuse(self, *_: Any) -> NoReturn:
        raise BadAlgorithm(
            f"takes {text(self.node)} for a plain number, or for a list, which is not recorded; write arithmetic, min, "
            "max, abs, and functions of math or numpy"
        )

    __float__ = __int__ = __index__ = __iter__ = __len__ = __getitem__ = __contains__ = _refuse

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            raise BadAlgorithm(f"uses numpy.{ufunc.__name__} in a way that is not recorded")
        if ufunc.__name__ in _ARITHMETIC:
            one, other = inputs
            return _ARITHMETIC[ufunc.__name__](self.like(one), other)
        first, *others = (self.like(value) for value in inputs)
        return first.applied(f"np.{ufunc.__name__}", *others)

    def __str__(self) -> str:
        return str(self.node)

    def __repr__(self) -> str:
        return f"<{self}>"


def _refuse_vectors(doing: str, *operands: Symbol) -> None:
    for operand in operands:
        if operand._is_vector:
            raise BadAlgorithm(f"{doing} the vector {text(operand.node)}")


def node_of(record: Record, value: Any) -> Node:
    """Return what a symbol is calculated from, or a constant.

    Raises:
        BadAlgorithm: it is no number.
    """
    if isinstance(value, Symbol):
        return value.node
    if getattr(value, "ndim", None) == 0:  # a number of NumPy's, which is not imported for this
        value = value.item()
    return record.number(value)


def dot(a: Any, b: Any) -> Any:
    """Return the inner product of two vectors: of a learner's when its equation is read, else of arrays or sequences.

    Raises:
        BadAlgorithm: one of them is a number.
    """
    if hasattr(a, "__matmul__") or hasattr(b, "__rmatmul__"):
        return a @ b
    return sum(p * q for p, q in zip(a, b, strict=True))

"""What a learner's function calculates with: vectors and numbers, as sums of products of named ones."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadAlgorithm, NotAffine
from tdrc_theory.learner.coefficient import Coefficient
from tdrc_theory.learner.fork import decide

Atom = tuple[str, ...]
"""A number that is no coefficient: one name, of a weight or memory, or two, whose dot product it is."""

Key = tuple[tuple[Atom, ...], tuple[str, ...]]
"""The factors of a product: its atoms, and the vectors that are multiplied componentwise (one, but in the old form)."""

NUMBER: Key = ((), ())
REWARD: Atom = ("reward",)
"""The reward as a factor, where coefficients do not have it: what is affine in it needs only its mean."""
_ORDER = ("x", "x_next", "h", "delta", "delta_hat")


class Quantity:
    """A sum {factors: coefficient}.

    Attributes:
        terms: none of its coefficients is 0.
        componentwise: whether it belongs to a function of one component, in which products of components are meant.
    """

    __slots__ = ("componentwise", "terms")

    def __init__(self, terms: Mapping[Key, Coefficient], componentwise: bool = False) -> None:
        self.terms = {key: c for key, c in terms.items() if c}
        self.componentwise = componentwise

    @classmethod
    def vector(cls, name: str, componentwise: bool = False) -> Quantity:
        """Return a named vector, or its component."""
        return cls({((), (name,)): Coefficient.of(1)}, componentwise)

    @classmethod
    def atom(cls, *names: str, componentwise: bool = False) -> Quantity:
        """Return a number with a name, or the dot product of two named vectors."""
        return cls({((tuple(sorted(names)),), ()): Coefficient.of(1)}, componentwise)

    @classmethod
    def constant(cls, value: Any, componentwise: bool = False) -> Quantity:
        """Return a coefficient, or a number."""
        return cls({NUMBER: Coefficient.of(value)}, componentwise)

    def is_vector(self) -> bool:
        """Return whether it is a vector; 0 is both."""
        return any(vectors for _, vectors in self.terms)

    def _other(self, value: Any) -> Quantity:
        return value if isinstance(value, Quantity) else Quantity.constant(value, self.componentwise)

    def __add__(self, other: Any) -> Quantity:
        other = self._other(other)
        if not self.componentwise and self.terms and other.terms and self.is_vector() != other.is_vector():
            vector, number = (self, other) if self.is_vector() else (other, self)
            raise BadAlgorithm(
                f"adds the vector {vector} and the number {number}; a weight or memory that is a number is named in "
                'scalars (@learner(..., scalars="F"))'
            )
        total = dict(self.terms)
        for key, c in other.terms.items():
            total[key] = total[key] + c if key in total else c
        return Quantity(total, self.componentwise)

    __radd__ = __add__

    def __neg__(self) -> Quantity:
        return Quantity({key: -c for key, c in self.terms.items()}, self.componentwise)

    def __pos__(self) -> Quantity:
        return self

    def __sub__(self, other: Any) -> Quantity:
        return self + (-self._other(other))

    def __rsub__(self, other: Any) -> Quantity:
        return self._other(other) + (-self)

    def __mul__(self, other: Any) -> Quantity:
        other = self._other(other)
        if not self.componentwise and self.is_vector() and other.is_vector():
            raise BadAlgorithm(f"multiplies two vectors, {self} and {other}; write dot(a, b) for their inner product")
        total: dict[Key, Coefficient] = {}
        for (atoms, vectors), c in self.terms.items():
            for (more, others), d in other.terms.items():
                key = tuple(sorted((*atoms, *more))), tuple(sorted((*vectors, *others), key=_place))
                total[key] = total[key] + c * d if key in total else c * d
        return Quantity(total, self.componentwise)

    __rmul__ = __mul__

    def __matmul__(self, other: Any) -> Quantity:
        return dot(self, other)

    def __rmatmul__(self, other: Any) -> Quantity:
        return dot(other, self)

    def __truediv__(self, other: Any) -> Quantity:
        divisor = self._other(other)
        if set(divisor.terms) - {NUMBER}:
            raise NotAffine(f"divides by {divisor}")
        if not divisor.terms:
            raise BadAlgorithm("divides by 0")
        return Quantity({key: c / divisor.terms[NUMBER] for key, c in self.terms.items()}, self.componentwise)

    def __rtruediv__(self, other: Any) -> Quantity:
        return self._other(other) / self

    def __pow__(self, exponent: Any) -> Quantity:
        if isinstance(exponent, Quantity) and len(names := exponent.parameter()) == 1:
            raise UsedAsExponent(names)
        if not isinstance(exponent, int) or exponent < 0:
            raise BadAlgorithm(f"raises {self} to the power {exponent}; only whole powers are read")
        result = Quantity.constant(1, self.componentwise)
        for _ in range(exponent):
            result = result * self
        return result

    def parameter(self) -> frozenset[str]:
        """Return the names that it depends on, where it is a coefficient."""
        return self.terms[NUMBER].names if set(self.terms) == {NUMBER} else frozenset()

    def __lt__(self, other: Any) -> bool:
        return _compared(self, self._other(other), "<")

    def __le__(self, other: Any) -> bool:
        return _compared(self, self._other(other), "<=")

    def __gt__(self, other: Any) -> bool:
        return _compared(self._other(other), self, "<")

    def __ge__(self, other: Any) -> bool:
        return _compared(self._other(other), self, "<=")

    def __eq__(self, other: object) -> bool:
        return _compared(self, self._other(other), "==")

    def __ne__(self, other: object) -> bool:
        return not _compared(self, self._other(other), "==")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return not _compared(self, self._other(Fraction(0)), "==")

    def __abs__(self) -> Quantity:
        return -self if self < 0 else self

    def __float__(self) -> float:
        raise BadAlgorithm("needs a float where its equation is read; use plain arithmetic, min, max and abs")

    def __str__(self) -> str:
        return " + ".join(term_text(key, c) for key, c in self.terms.items()).replace("+ -", "- ") or "0"


class UsedAsExponent(Exception):
    """A parameter stands in an exponent, so that the update is read at its value only."""


def dot(a: Any, b: Any) -> Any:
    """Return the inner product of two vectors: of a learner's when its equation is read, else of arrays or sequences.

    Raises:
        BadAlgorithm: one of them is a number.
    """
    if not isinstance(a, Quantity) and not isinstance(b, Quantity):
        if hasattr(a, "__matmul__") or hasattr(b, "__rmatmul__"):
            return a @ b
        return sum(p * q for p, q in zip(a, b, strict=True))
    for part in (a, b):
        if not isinstance(part, Quantity) or (part.terms and not part.is_vector()) or part.componentwise:
            raise BadAlgorithm(f"takes the dot product with {part}, which is no vector")
    total: dict[Key, Coefficient] = {}
    for (atoms, (u,)), c in a.terms.items():
        for (more, (v,)), d in b.terms.items():
            key: Key = tuple(sorted((*atoms, *more, tuple(sorted((u, v)))))), ()
            total[key] = total[key] + c * d if key in total else c * d
    return Quantity(total)


def _compared(left: Quantity, right: Quantity, relation: str) -> bool:
    difference = left - right
    if set(difference.terms) - {NUMBER}:
        raise NotAffine(f"branches on the sign of {difference}")
    zero = Coefficient.of(0)
    return decide(left.terms.get(NUMBER, zero), right.terms.get(NUMBER, zero), relation)


def _place(name: str) -> tuple[int, str]:
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)


def term_text(key: Key, c: Coefficient) -> str:
    """Return one product as text, powers collected."""
    atoms, vectors = key
    names = [*vectors, *(f"dot({a[0]}, {a[1]})" if len(a) == 2 else a[0] for a in atoms)]
    ordered = sorted(dict.fromkeys(names), key=_place)
    powers = [n if names.count(n) == 1 else f"{n}^{names.count(n)}" for n in ordered]
    number = str(c)
    if len(c.numerator) > 1 and c.denominator.is_one():
        number = f"({number})"
    if number in ("1", "-1") and powers:
        return number[:-1] + "*".join(powers)
    return "*".join([number, *powers])

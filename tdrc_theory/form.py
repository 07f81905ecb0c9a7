"""Formal polynomials on which an algorithm's function is called, to read its equation off.

A `Form` is a polynomial in one component of x, x_next and h and in the two errors delta and delta_hat. Its
coefficients are numbers, or sympy expressions in rho, gamma and beta. A comparison of coefficients that are not
numbers (V-trace's `min(rho, 1)`) is a fork: `every_path` runs the function once for each way through.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadAlgorithm, NotAffine

GENERATORS = ("x", "x_next", "h", "delta", "delta_hat")
Exponents = tuple[int, int, int, int, int]
CONSTANT: Exponents = (0, 0, 0, 0, 0)

_MAX_PATHS = 64
_seen: ContextVar[Seen | None] = ContextVar("seen", default=None)
_path: ContextVar[Path | None] = ContextVar("path", default=None)


class Form:
    """A polynomial {exponents of GENERATORS: coefficient}."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Exponents, Any]) -> None:
        # Only expanding shows that a sympy coefficient like (rho - 1)(rho + 1) - rho^2 + 1 is 0.
        self.terms = {key: c for key, c in terms.items() if c != 0 and not (hasattr(c, "expand") and c.expand() == 0)}

    @classmethod
    def generator(cls, name: str) -> Form:
        """Return one of GENERATORS as a Form."""
        place = GENERATORS.index(name)
        return cls({tuple(int(i == place) for i in range(len(GENERATORS))): Fraction(1)})  # type: ignore[dict-item]

    @classmethod
    def constant(cls, value: Any) -> Form:
        """Return a coefficient as a Form."""
        return cls({CONSTANT: value})

    def __add__(self, other: Any) -> Form:
        total = dict(self.terms)
        for key, c in _form(other).terms.items():
            total[key] = total[key] + c if key in total else c
        return Form(total)

    __radd__ = __add__

    def __neg__(self) -> Form:
        return Form({key: -c for key, c in self.terms.items()})

    def __pos__(self) -> Form:
        return self

    def __sub__(self, other: Any) -> Form:
        return self + (-_form(other))

    def __rsub__(self, other: Any) -> Form:
        return _form(other) + (-self)

    def __mul__(self, other: Any) -> Form:
        total: dict[Exponents, Any] = {}
        for p, c in self.terms.items():
            for q, d in _form(other).terms.items():
                key: Exponents = tuple(map(int.__add__, p, q))  # type: ignore[assignment]
                total[key] = total[key] + c * d if key in total else c * d
        return Form(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Form:
        divisor = _form(other)
        if set(divisor.terms) - {CONSTANT}:
            raise NotAffine(f"divides by {divisor}")
        if not divisor.terms:
            raise BadAlgorithm("divides by 0")
        inverse = 1 / divisor.terms[CONSTANT]
        return Form({key: c * inverse for key, c in self.terms.items()})

    def __rtruediv__(self, other: Any) -> Form:
        return _form(other) / self

    def __pow__(self, exponent: Any) -> Form:
        if not isinstance(exponent, int) or exponent < 0:
            raise BadAlgorithm(f"raises {self} to the power {exponent}; only whole powers are read")
        result = Form.constant(Fraction(1))
        for _ in range(exponent):
            result = result * self
        return result

    def __lt__(self, other: Any) -> bool:
        return _decide(self, other, "<")

    def __le__(self, other: Any) -> bool:
        return _decide(self, other, "<=")

    def __gt__(self, other: Any) -> bool:
        return _decide(_form(other), self, "<")

    def __ge__(self, other: Any) -> bool:
        return _decide(_form(other), self, "<=")

    def __eq__(self, other: object) -> bool:
        return _decide(self, other, "==")

    def __ne__(self, other: object) -> bool:
        return not _decide(self, other, "==")

    def __bool__(self) -> bool:
        return not _decide(self, Fraction(0), "==")

    def __abs__(self) -> Form:
        return -self if self < 0 else self

    def __float__(self) -> float:
        raise BadAlgorithm("needs a float where its equation is read; use plain arithmetic, min, max and abs")

    def __str__(self) -> str:
        return " + ".join(_term(key, c) for key, c in self.terms.items()).replace("+ -", "- ") or "0"

    def not_affine_term(self) -> str | None:
        """Return the first term of degree above one in (h, delta, delta_hat), as text, or None."""
        for key, c in self.terms.items():
            if key[2] + key[3] + key[4] > 1:
                return _term(key, c)
        return None


class _Watched(Form):
    """A constant that notes when it is calculated with or compared."""

    __slots__ = ("_kept", "_seen")

    def __init__(self, terms: Mapping[Exponents, Any], seen: Seen) -> None:
        self._seen = seen
        super().__init__(terms)

    @property
    def terms(self) -> dict[Exponents, Any]:
        """The terms; whoever asks uses them."""
        self._seen.beta = True
        return self._kept

    @terms.setter
    def terms(self, value: dict[Exponents, Any]) -> None:
        self._kept = value


@dataclass
class Seen:
    """What a function did with its constants: whether it used beta, and whether it compared any."""

    beta: bool = False
    compared: bool = False


@contextmanager
def watched() -> Iterator[Seen]:
    """Note what functions do with beta, and whether they compare constants, while the block runs."""
    seen = Seen()
    token = _seen.set(seen)
    try:
        yield seen
    finally:
        _seen.reset(token)


def watched_beta(value: Any) -> Form:
    """Return beta as a Form, watched within `watched`."""
    seen = _seen.get()
    return Form.constant(value) if seen is None else _Watched({CONSTANT: value}, seen)


class Path:
    """The decisions taken, in order, on comparisons that the symbols leave open."""

    def __init__(self, prefix: list[bool]) -> None:
        self.decisions = prefix
        self.conditions: list[Any] = []

    def decide(self, condition: Any) -> bool:
        """Take the next decision of the prefix, or True beyond it, and note what it assumes.

        A question that was asked before gets the same answer: its opposite is no way through.
        """
        for noted in self.conditions:
            if noted in (condition, ~condition):
                return bool(noted == condition)
        if len(self.conditions) == len(self.decisions):
            self.decisions = [*self.decisions, True]
        taken = self.decisions[len(self.conditions)]
        self.conditions.append(condition if taken else ~condition)
        return taken


def every_path(run: Callable[[], Any]) -> Iterator[tuple[list[Any], Any]]:
    """Call `run` once for each combination of open comparisons; yield (conditions, result)."""
    prefix: list[bool] | None = []
    for _ in range(_MAX_PATHS):
        if prefix is None:
            return
        path = Path(prefix)
        token = _path.set(path)
        try:
            result = run()
        finally:
            _path.reset(token)
        yield path.conditions, result
        taken = path.decisions
        while taken and not taken[-1]:
            taken = taken[:-1]
        prefix = [*taken[:-1], False] if taken else None
    if prefix is not None:
        raise BadAlgorithm(f"branches in more than {_MAX_PATHS} ways")


def _form(value: Any) -> Form:
    if isinstance(value, Form):
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise BadAlgorithm(f"calculates with {value!r}, which is no number")
    if not isinstance(value, numbers.Rational):
        value = float(value)
        if not math.isfinite(value):
            raise BadAlgorithm(f"calculates with {value}, which is no number")
        # A float in an equation means the decimal that is written there.
        return Form.constant(Fraction(float.__repr__(value)))
    return Form.constant(Fraction(int(value.numerator), int(value.denominator)))


def _decide(left: Any, right: Any, relation: str) -> bool:
    difference = _form(left) - right
    if set(difference.terms) - {CONSTANT}:
        raise NotAffine(f"branches on the sign of {difference}")
    value = difference.terms.get(CONSTANT, Fraction(0))
    seen = _seen.get()
    if seen is not None:
        seen.compared = True
    if isinstance(value, int | Fraction):
        return {"<": value < 0, "<=": value <= 0, "==": value == 0}[relation]
    import sympy

    condition = {"<": sympy.Lt, "<=": sympy.Le, "==": sympy.Eq}[relation](_sympy(left), _sympy(right))
    if condition in (sympy.true, sympy.false):
        return bool(condition)
    path = _path.get()
    if path is None:
        raise BadAlgorithm(f"branches on {condition}")
    return path.decide(condition)


def _sympy(value: Any) -> Any:
    return _form(value).terms.get(CONSTANT, Fraction(0))


def _term(key: Exponents, c: Any) -> str:
    powers = [g if e == 1 else f"{g}^{e}" for g, e in zip(GENERATORS, key, strict=True) if e]
    number = str(c).replace("**", "^")
    if getattr(c, "is_Add", False):
        number = f"({number})"
    if number in ("1", "-1") and powers:
        return number[:-1] + "*".join(powers)
    return "*".join([number, *powers])

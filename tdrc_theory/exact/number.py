"""Exact numbers: rationals and sums of square roots, read, compared, enclosed, written, and as python-flint's."""

from __future__ import annotations

import functools
import math
import numbers
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.errors import BadNumber

DEFAULT = 53
"""Bits of balls where nothing else is asked for."""
_turn = threading.RLock()
_depth = 0
"""The number of nested blocks of the thread that holds the lock."""


@contextmanager
def precision(bits: int | None = None) -> Iterator[None]:
    """Set the precision of balls for the block, and keep other threads from theirs meanwhile.

    Every operation that rounds a ball stands in such a block, so that no thread changes the digits of another.

    Args:
        bits: None is as in the block around this one, DEFAULT where there is none.
    """
    global _depth
    with _turn:
        before = flint.ctx.prec
        flint.ctx.prec = bits or (before if _depth else DEFAULT)
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            flint.ctx.prec = before


Rational = int | Fraction

_FLOAT_BITS = 60
"""A double has 53. Terms that nearly cancel leave fewer at the usual precision, and even the wrong sign."""


@functools.total_ordering
class Surd:
    """An irrational element of a field Q(sqrt 2, sqrt 3, sqrt 5, ...): a sum of c_n sqrt(n), n square-free.

    Square roots of different square-free numbers are linearly independent over the rationals, so a value is zero
    exactly when every coefficient is. Arithmetic returns a Fraction as soon as a result is rational, so a Surd is
    never a rational in disguise.

    >>> a = sqrt(2) + 1
    >>> a * (sqrt(2) - 1), 1 / a, a > Fraction(12, 5)
    (Fraction(1, 1), Surd('-1 + sqrt(2)'), True)
    """

    __slots__ = ("_terms",)

    def __init__(self, terms: Mapping[int, Fraction]) -> None:
        self._terms = dict(sorted(terms.items()))

    @property
    def terms(self) -> dict[int, Fraction]:
        """Return {n: c_n}, every c_n nonzero, n square-free, 1 standing for the rational part."""
        return dict(self._terms)

    def __add__(self, other: Any) -> Any:
        theirs = _terms(other)
        if theirs is None:
            return NotImplemented
        total = dict(self._terms)
        for n, c in theirs.items():
            total[n] = total.get(n, Fraction(0)) + c
        return _make(total)

    __radd__ = __add__

    def __neg__(self) -> Surd:
        return Surd({n: -c for n, c in self._terms.items()})

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        theirs = _terms(other)
        if theirs is None:
            return NotImplemented
        total: dict[int, Fraction] = {}
        for n, c in self._terms.items():
            for m, d in theirs.items():
                common, root = root_of_product(n, m)
                total[root] = total.get(root, Fraction(0)) + c * d * common
        return _make(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Surd):
            return self * _inverse(other)
        return self * (1 / Fraction(other)) if isinstance(other, int | Fraction) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return _inverse(self) * other if isinstance(other, int | Fraction) else NotImplemented

    def __pow__(self, exponent: int) -> Any:
        if not isinstance(exponent, int) or exponent < 0:
            return NotImplemented
        return math.prod([self] * exponent, start=Fraction(1))

    def enclosure(self) -> flint.arb:
        """Return a ball that contains the value, at python-flint's working precision."""
        return sum((flint.arb(to_fmpq(c)) * flint.arb(n).sqrt() for n, c in self._terms.items()), flint.arb(0))

    def __float__(self) -> float:
        ball = enclosed(self.enclosure, lambda ball: ball.rel_accuracy_bits() > _FLOAT_BITS)
        value = float(ball)
        if math.isinf(value):
            raise OverflowError("a number too large to convert to float")
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Surd) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(tuple(self._terms.items()))

    def __lt__(self, other: Any) -> bool:
        return sign(self - other) < 0

    def __str__(self) -> str:
        parts = [times_text(str(c), f"sqrt({n})" if n > 1 else "") for n, c in self._terms.items()]
        return " + ".join(parts).replace("+ -", "- ")

    def __repr__(self) -> str:
        return f"Surd({str(self)!r})"


def sqrt(value: Rational) -> Fraction | Surd:
    """Return the exact square root of a nonnegative rational.

    >>> str(sqrt(Fraction(1, 2))), sqrt(Fraction(9, 4))
    ('1/2*sqrt(2)', Fraction(3, 2))
    """
    value = Fraction(value)
    if value < 0:
        raise ValueError(f"sqrt of {value}: only nonnegative rationals have a real square root")
    outside, inside = 1, 1
    for prime, power in flint.fmpz(value.numerator * value.denominator).factor() if value else ():
        outside *= int(prime) ** (power // 2)
        inside *= int(prime) ** (power % 2)
    root = Fraction(outside, value.denominator) if value else Fraction(0)
    return root if inside == 1 else Surd({inside: root})


def root_of_product(n: int, m: int) -> tuple[int, int]:
    """Return (c, r) with sqrt(n) sqrt(m) = c sqrt(r), n, m and r square-free."""
    common = math.gcd(n, m)
    return common, n * m // common**2


def sign(value: Rational | Surd) -> int:
    """Return -1, 0 or 1, exactly: an irrational value is not zero, so some precision tells its sign."""
    if not isinstance(value, Surd):
        return (value > 0) - (value < 0)
    return 1 if enclosed(value.enclosure, lambda ball: bool(ball > 0 or ball < 0)) > 0 else -1


def enclosed(enclosure: Callable[[], flint.arb], enough: Callable[[flint.arb], bool]) -> flint.arb:
    """Return the first of the enclosures of growing precision that is narrow enough; one of them must be."""
    with precision():
        while True:
            ball = enclosure()
            if enough(ball):
                return ball
            flint.ctx.prec *= 2


def _terms(value: Any) -> dict[int, Fraction] | None:
    if isinstance(value, Surd):
        return value._terms
    return {1: Fraction(value)} if isinstance(value, int | Fraction) else None


def _make(terms: dict[int, Fraction]) -> Fraction | Surd:
    kept = {n: c for n, c in terms.items() if c}
    return kept.get(1, Fraction(0)) if set(kept) <= {1} else Surd(kept)


def combined(terms: Iterable[tuple[int, flint.fmpq]]) -> Fraction | Surd:
    """Return a sum of c sqrt(n) from (n, c) pairs, every n square-free and once."""
    return _make({n: from_fmpq(c) for n, c in terms})


def _inverse(value: Fraction | Surd) -> Fraction | Surd:
    if not isinstance(value, Surd):
        return 1 / value
    radicand = max(value._terms)
    prime = int(flint.fmpz(radicand).factor()[0][0])
    conjugate = Surd({n: -c if n % prime == 0 else c for n, c in value._terms.items()})
    return conjugate * _inverse(value * conjugate)


def times_text(number: str, factors: str) -> str:
    """Return a number times factors, where there are any, as text: 1 and -1 as a sign alone."""
    if not factors:
        return number
    return number[:-1] + factors if number in ("1", "-1") else f"{number}*{factors}"


Number = Fraction | Surd

_DIGITS = "[0-9]+(?:_[0-9]+)*"
_DECIMAL = rf"(?:{_DIGITS}(?:\.{_DIGITS})?|\.{_DIGITS})(?:[eE](?P<exponent>[+-]?[0-9]+))?"
_NUMBER = re.compile(f"-?(?:{_DIGITS}/{_DIGITS}|{_DECIMAL})")
LONGEST = 4000
"""Characters of a number that is read, and the most digits that an exponent may stand for."""
ALLOWED = "a number is written as 3, -3, 2/3, 0.25 or 1e-3"


@functools.lru_cache(maxsize=4096)  # a table of transitions has few numbers, many times each
def parse_number(text: str) -> Fraction:
    """Read an integer, a fraction of integers, or a decimal; nothing else is a number.

    A decimal means the decimal that is written; it may begin with its point, and have an exponent. Digits may have
    underscores between them.

    >>> parse_number("0.99"), parse_number("-1/3"), parse_number("-.5e-1"), parse_number("1_000")
    (Fraction(99, 100), Fraction(-1, 3), Fraction(-1, 20), Fraction(1000, 1))

    Raises:
        BadNumber: the text has another form, its denominator is 0, or it has too many digits.
    """
    form = _NUMBER.fullmatch(text)
    if form is None:
        raise BadNumber(f"{_short(text)} is not a number; {ALLOWED}")
    if len(text) > LONGEST:
        raise BadNumber(f"a number of {len(text)} characters; at most {LONGEST} are read")
    if abs(int(form["exponent"] or 0)) > LONGEST:
        raise BadNumber(f"{_short(text)} has too many digits; at most {LONGEST} are read")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise BadNumber(f"{_short(text)} has denominator 0") from None


def total(values: Iterable[Fraction]) -> Fraction:
    """Return a sum, reduced once: of many fractions far cheaper than one after another."""
    listed = [value.as_integer_ratio() for value in values]
    below = math.lcm(*(denominator for _, denominator in listed))
    return Fraction(sum(numerator * (below // denominator) for numerator, denominator in listed), below)


def exact(value: Any) -> Number:
    """Return a Python or NumPy number, or the text of one, as an exact number.

    A float becomes the simplest fraction within four units in its last place (0.99 becomes 99/100).

    Raises:
        BadNumber: a boolean, NaN, an infinity, or something that is no number.
    """
    if isinstance(value, Fraction | Surd):
        return value
    if isinstance(value, str | Decimal):
        return parse_number(str(value))
    if isinstance(value, bool) or type(value).__name__ == "bool":
        raise BadNumber(f"{value} is not a number; {ALLOWED}")
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real):
        unit = None
        if hasattr(value, "dtype"):
            import numpy as np

            narrow: Any = value
            unit = float(abs(np.spacing(narrow)))
        return exact_float(float(value), unit)
    raise BadNumber(f"{_short(value)} is not a number; {ALLOWED}")


def exact_float(value: float, unit: float | None = None) -> Fraction:
    """Return the simplest fraction within four units in the last place of a float; a whole float is itself.

    `unit` is that place where it is not a double's.

    Floats that were meant as fractions come back as those: 1/3, (1 - 1/3)/2 and 0.1 become 1/3, 1/3 and 1/10.

    >>> exact_float(1 / 3), exact_float((1 - 1 / 3) / 2), exact_float(0.99)
    (Fraction(1, 3), Fraction(1, 3), Fraction(99, 100))
    """
    if not math.isfinite(value):
        raise BadNumber(f"{value} is not a number; {ALLOWED}")
    if value.is_integer():
        return Fraction(int(value))  # above 2^50, other integers lie as near and are as simple
    centre, reach = Fraction(value), 4 * Fraction(math.ulp(value) if unit is None else unit)
    return simplest_between(centre - reach, centre + reach)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the smallest denominator in [low, high].

    >>> simplest_between(Fraction(3, 10), Fraction(4, 10))
    Fraction(1, 3)
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    # Their continued fractions, in integers, as far as they agree: the convergents are p / q.
    (a, b), (c, d) = low.as_integer_ratio(), high.as_integer_ratio()
    p_before, q_before, p, q = 0, 1, 1, 0
    while True:
        whole, rest = divmod(a, b)
        last = whole if rest == 0 else whole + 1 if (whole + 1) * d <= c else None
        if last is not None:
            return Fraction(last * p + p_before, last * q + q_before)
        p_before, q_before, p, q = p, q, whole * p + p_before, whole * q + q_before
        a, b, c, d = d, c - whole * d, b, rest


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


_ZERO = Fraction(0)
"""Most entries of most matrices."""


def to_fmpq(value: int | Fraction | flint.fmpq) -> flint.fmpq:
    """Return a rational as python-flint's type."""
    if isinstance(value, Fraction):
        return flint.fmpq(*value.as_integer_ratio())
    return flint.fmpq(value)


def from_fmpq(value: flint.fmpq) -> Fraction:
    """Return a python-flint rational as a Fraction."""
    return Fraction(int(value.p), int(value.q)) if value else _ZERO


def to_arb(value: int | Number) -> flint.arb:
    """Return a ball that contains the value, at the working precision."""
    return value.enclosure() if isinstance(value, Surd) else flint.arb(to_fmpq(value))


def normal_float(value: Number, what: str) -> float:
    """Return the float nearest to a value, with all the digits that floats have.

    Raises:
        BadNumber: the value is not 0, and too small or too large for that; the message begins with what it is.
    """
    try:
        nearest = float(value)
    except OverflowError:
        nearest = math.inf
    if value != 0 and not sys.float_info.min <= abs(nearest) < math.inf:
        raise BadNumber(f"{what}: {short_number(value)} is outside the range of floats, 2.3e-308 to 1.7e308 in size")
    return nearest


def number_text(value: Number) -> str:
    """Return a number as the contract writes it, however many digits it has."""
    return str(value) if isinstance(value, Surd) else str(to_fmpq(value))


def short_number(value: Number) -> str:
    """Return a number in at most a dozen characters: exactly where that is enough, to six digits elsewhere.

    >>> short_number(Fraction(2, 3)), short_number(Fraction(1, 10**30))
    ('2/3', '1.00000e-30')
    """
    text = number_text(value)
    return text if len(text) <= 12 else decimal_text(value, 6)


def rounded_text(value: Number, digits: int = 6) -> str:
    """Return a number to so many digits, as floats are written where it is within their range."""
    try:
        return f"{normal_float(value, ''):.{digits}g}"
    except BadNumber:
        return decimal_text(value, digits)


def decimal_text(value: Number, digits: int) -> str:
    """Return the decimal with so many digits that is nearest to a number of any size."""
    with precision():
        return str(to_arb(value).str(digits, radius=False))

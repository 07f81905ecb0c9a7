"""Numbers and rows as Coq writes them: numerators, integers or sums of square roots, over a common denominator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm

import flint

from tdrc_theory.exact import Number, Surd
from verify.check_certificate import Root

_LONG = 10**15

Numerator = int | Mapping[int, int]
"""An integer, or {n: c} of a sum of c sqrt(n)."""


def cleared(*matrices: Sequence[Sequence[Number | Root]]) -> tuple[int, list[list[list[Numerator]]]]:
    """Return a common positive denominator of matrices, and each of them times it.

    >>> cleared([[Fraction(1, 2), Fraction(1, 3)]])
    (6, [[[3, 2]]])
    """
    values = [value for matrix in matrices for row in matrix for value in row]
    denominator = lcm(*(part.denominator for value in values for part in _parts(value).values()))
    return denominator, [[[_numerator(v, denominator) for v in row] for row in matrix] for matrix in matrices]


def _parts(value: Number | Root) -> Mapping[int, Fraction]:
    """Return {n: c} of a sum of c sqrt(n), every n square-free, 1 standing for the rational part."""
    if isinstance(value, Root):
        return {**_parts(value.a), **{n * value.p: c for n, c in _parts(value.b).items()}}
    return value.terms if isinstance(value, Surd) else {1: value}


def _numerator(value: Number | Root, denominator: int) -> Numerator:
    parts = {n: int(part * denominator) for n, part in _parts(value).items()}
    return parts.get(1, 0) if parts.keys() <= {1} else parts


def surd(value: Numerator) -> str:
    """Return a numerator as a term of type `surd` (surds.v), the largest prime under a root outside.

    >>> surd({1: 5, 2: -1, 6: 4})
    '(Root (Root (Int 5) (Int (-1)) 2) (Root (Int 0) (Int 4) 2) 3)'
    """
    if isinstance(value, int):
        return f"(Int {whole(value)})"
    roots = [n for n in value if n != 1]
    if not roots:
        return surd(value.get(1, 0))
    prime = max(int(factor) for n in roots for factor, _ in flint.fmpz(n).factor())
    without = {n: c for n, c in value.items() if n % prime}
    times_root = {n // prime: c for n, c in value.items() if n % prime == 0}
    return f"(Root {surd(without)} {surd(times_root)} {whole(prime)})"


def whole(value: int) -> str:
    """Return an integer as a term, in hexadecimal where it is long: Coq reads decimals in quadratic time."""
    digits = str(value) if abs(value) < _LONG else hex(value)
    return f"({digits})" if value < 0 else digits


def fraction(value: Fraction) -> str:
    """Return a fraction as a term of type `frac` (fractions.v)."""
    return f"({surd(value.numerator)}, {whole(value.denominator)}%positive)"


def listed(terms: Iterable[str], separator: str = "; ") -> str:
    """Return a list of terms as a term."""
    text = separator.join(terms)
    return f"[:: {text}]" if text else "[::]"


def row(values: Iterable[Numerator]) -> str:
    """Return a row of numerators as a term."""
    known = list(values)
    return f"(ints {_integers(known)})" if _all_integers(known) else listed(map(surd, known))


def rows(matrix: Iterable[Sequence[Numerator]]) -> str:
    """Return rows of numerators as a term, a row a line."""
    known = list(matrix)
    if all(map(_all_integers, known)):
        return f"(int_rows {listed(map(_integers, known), _NEXT_ROW)})"
    return listed(map(row, known), _NEXT_ROW)


_NEXT_ROW = ";\n  "


def _all_integers(values: Sequence[Numerator]) -> bool:
    return all(isinstance(value, int) for value in values)


def _integers(values: Sequence[Numerator]) -> str:
    return listed(whole(value) for value in values if isinstance(value, int))


def positives(values: Iterable[int]) -> str:
    """Return a list of positive integers as a term."""
    return listed(f"{whole(value)}%positive" for value in values)


def boolean(value: bool) -> str:
    """Return a truth value as a term."""
    return "true" if value else "false"


def option(value: int | None) -> str:
    """Return a natural number that may be missing as a term."""
    return "None" if value is None else f"(Some {value}%nat)"

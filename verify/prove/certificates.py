"""Certificates that polynomial signs contradict each other, which a reader can check by expanding a sum.

Given f1 > 0, f2 >= 0, ..., products of these with each other, with monomials that are not negative and with squares
are not negative either. If nonnegative multiples of some add up to 0 identically, and one of these is positive, the
signs contradict each other. A linear programme proposes the multiples in floating point; those that count are then
solved for exactly, and the sum is expanded exactly. All terms of one sum have one degree in every grading in which
the given polynomials are homogeneous, which keeps the programmes small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, islice
from math import lcm

from tdrc_theory.algebra.scalar import Monomial, Scalar
from tdrc_theory.exact import Matrix
from verify.prove.nonnegative_sums import Sign, combination
from verify.prove.sign_facts import Facts, substituted

Degree = tuple[int, ...]
Grading = dict[str, int]

_STAGES = 3
_LONGEST = 60
"""Terms of a polynomial; with longer ones only the simplest certificates are looked for."""

_HIGHEST = 8
"""Degree of a polynomial; the same."""

_LARGEST = 3000
"""Terms of one linear programme; where one would be larger, the search ends."""

_MOST_TRIES = 40


class NotProven(Exception):
    """No certificate was found."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Names for what is known, and the sum that cannot be.

    Attributes:
        named: (name, polynomial, strict): what each letter of the sum stands for.
        total: the sum, in these letters, which is 0 identically.
    """

    named: tuple[tuple[str, Scalar, bool], ...]
    total: str


def contradiction(signs: Sequence[Sign], zeros: Sequence[Scalar], sums: Sequence[Scalar] = ()) -> Certificate:
    """Return a certificate that signs, the last being the supposition, contradict each other.

    Args:
        signs: polynomials in real scalars; the domains of the vocabulary's symbols are known besides.
        zeros: polynomials that are 0.
        sums: polynomials whose squares are worth a try.

    Raises:
        NotProven: none was found.
    """
    facts = substituted(signs, zeros, sums)
    large = any(len(sign.value.terms) > _LONGEST or _total_degree(sign.value) > _HIGHEST for sign in facts.signs)
    tries = 0
    gradings = _gradings([*(sign.value for sign in facts.signs), *facts.zeros])
    for stage in range(1 if large else _STAGES):
        multipliers = _by_degree(_multipliers(facts, stage, gradings), gradings)
        for degree in _targets(facts, gradings, min(stage + 1, 2)):
            tries += 1
            if tries > _MOST_TRIES:
                raise NotProven
            terms = list(islice(_terms(facts, multipliers, degree, gradings), _LARGEST + 1))
            if len(terms) > _LARGEST:
                raise NotProven
            found = combination(terms)
            if found is not None:
                named = [*facts.named, *((sign.name, sign.value, sign.strict) for sign in facts.signs)]
                return Certificate(tuple(named), " + ".join(_written(c, term) for c, term in found))
    raise NotProven


def _written(c: Fraction, term: Sign) -> str:
    return " ".join(part for part in ("" if c == 1 and term.name else str(c), term.name) if part)


def _gradings(values: Sequence[Scalar]) -> list[Grading]:
    """Return a basis of the weights of generators under which every polynomial is homogeneous."""
    names = sorted({str(g) for value in values for g in value.generators()})
    rows = []
    for value in values:
        monomials = [dict(monomial) for monomial, _ in value.terms]
        rows += [[m.get(n, 0) - monomials[0].get(n, 0) for n in names] for m in monomials[1:]]
    kernel = Matrix(rows).null_space() if rows else Matrix.identity(len(names))
    found = []
    for j in range(kernel.shape[1]):
        weights = [Fraction(str(row[j])) for row in kernel.rows]
        scale = lcm(*(w.denominator for w in weights))
        found.append({name: int(w * scale) for name, w in zip(names, weights, strict=True)})
    return found


def _degree(monomial: Monomial, gradings: Sequence[Grading]) -> Degree:
    return tuple(sum(w.get(str(g), 0) * e for g, e in monomial) for w in gradings)


def _total_degree(value: Scalar) -> int:
    return max((sum(e for _, e in monomial) for monomial, _ in value.terms), default=0)


def _degree_of(value: Scalar, gradings: Sequence[Grading]) -> Degree | None:
    degrees = {_degree(monomial, gradings) for monomial, _ in value.terms}
    return degrees.pop() if len(degrees) == 1 else None


def _by_degree(terms: Iterable[Sign], gradings: Sequence[Grading]) -> dict[Degree, list[Sign]]:
    found: dict[Degree, list[Sign]] = {}
    for term in terms:
        degree = _degree_of(term.value, gradings)
        if degree is not None:
            found.setdefault(degree, []).append(term)
    return found


def _targets(facts: Facts, gradings: Sequence[Grading], extra: int) -> Iterator[Degree]:
    """Yield the degrees of the supposition times small monomials, each once."""
    seen = set()
    for multiplier in _monomials(facts, extra):
        degree = _degree_of(facts.signs[-1].value * multiplier.value, gradings)
        if degree is not None and degree not in seen:
            seen.add(degree)
            yield degree


def _terms(
    facts: Facts, multipliers: dict[Degree, list[Sign]], degree: Degree, gradings: Sequence[Grading]
) -> Iterator[Sign]:
    """Yield what is not negative and of one degree; what is 0 is yielded with both signs."""
    seen: list[Scalar] = []

    def times(value: Scalar) -> list[Sign]:
        own = _degree_of(value, gradings)
        return [] if own is None else multipliers.get(tuple(t - o for t, o in zip(degree, own, strict=True)), [])

    for size in (1, 2):
        for chosen in combinations_with_replacement(facts.signs, size):
            product = chosen[0] if size == 1 else _times(*chosen)
            for multiplier in times(product.value):
                term = _times(product, multiplier)
                seen.append(term.value)
                yield term
    for zero in facts.zeros:
        own = _degree_of(zero, gradings)
        for factor in _plain_monomials(facts) if own is not None else ():
            value = zero * factor
            if _degree_of(value, gradings) == degree:
                seen.append(value)
                yield Sign(value, False, f"({zero}) ({factor})")
                yield Sign(-value, False, f"({zero}) ({-factor})")
    for square in multipliers.get(degree, []):
        seen.append(square.value)
        if not square.value.is_monomial:
            yield square
    for monomial in dict.fromkeys(monomial for value in seen for monomial, _ in value.terms):
        strict = _monomial_sign(monomial, facts)
        if strict is not None:
            value = Scalar({monomial: Fraction(1)})
            yield Sign(value, strict, "" if not monomial else str(value))


def _monomial_sign(monomial: Monomial, facts: Facts) -> bool | None:
    """Return whether a monomial is positive, or None where it may be negative."""
    strict = True
    for g, e in monomial:
        if str(g) in facts.symbols:
            strict = strict and facts.symbols[str(g)]
        elif e % 2:
            return None
        else:
            strict = False
    return strict


def _multipliers(facts: Facts, stage: int, gradings: Sequence[Grading]) -> Iterator[Sign]:
    """Yield monomials that are not negative, squares, and, at the last stage, products of these."""
    monomials = list(_monomials(facts, (2, 3, 4)[stage]))
    yield from monomials
    if stage:
        for square in _squares(facts, gradings):
            yield square
            for monomial in monomials if stage > 1 else ():
                if monomial.name:
                    yield _times(monomial, square)


def _monomials(facts: Facts, degree: int) -> Iterator[Sign]:
    """Yield products of symbols that are not negative, and squares of the real ones, up to a degree."""
    atoms = [Sign(Scalar.of(g), strict, g) for g, strict in sorted(facts.symbols.items())]
    atoms += [Sign(Scalar.of(g, 2), False, f"{g}^2") for g in facts.real]
    yield Sign(Scalar.number(1), True, "")
    for size in range(1, degree + 1):
        for chosen in combinations_with_replacement(atoms, size):
            product = chosen[0]
            for factor in chosen[1:]:
                product = _times(product, factor)
            yield product


def _plain_monomials(facts: Facts) -> Iterator[Scalar]:
    """Yield monomials of any sign: what a polynomial that is 0 may be multiplied by."""
    atoms = [Scalar.of(g) for g in (*sorted(facts.symbols), *facts.real)]
    yield Scalar.number(1)
    yield from atoms
    yield from (a * b for a, b in combinations_with_replacement(atoms, 2))


def _squares(facts: Facts, gradings: Sequence[Grading]) -> Iterator[Sign]:
    """Yield homogeneous squares of sums and differences of two symbols, or of a symbol and a product of two."""
    names = [*sorted(facts.symbols), *facts.real]
    bases = [Scalar.of(g) for g in names]
    pairs = [a * b for a, b in combinations_with_replacement([Scalar.of(g) for g in sorted(facts.symbols)], 2)]
    long = [value for value in facts.sums if len(value.terms) > 1 and _degree_of(value, gradings) is not None]
    yield from (Sign(value**power, False, f"({value})^{power}") for value in long for power in (2, 4))
    for i, first in enumerate([*bases, *long]):
        for second in [*bases[:i], *pairs]:
            if _degree_of(first + second, gradings) is None:
                continue
            for k in (1, -1, 2, -2):
                gap = first + second * Scalar.number(k)
                yield Sign(gap**2, False, f"({gap})^2")


def _times(left: Sign, right: Sign) -> Sign:
    name = " ".join(part for part in (left.name, right.name) if part)
    return Sign(left.value * right.value, left.strict and right.strict, name)

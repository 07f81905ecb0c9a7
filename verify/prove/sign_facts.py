"""What signs of polynomials say: a linear hypothesis becomes the sign of a symbol of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tdrc_theory.algebra import Generator, Scalar, letter_tree
from tdrc_theory.formula.vocabulary import entry
from verify.prove.nonnegative_sums import Sign


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known, once linear hypotheses have become symbols of their own.

    Attributes:
        symbols: the generators that are not negative, True where they are positive.
        real: the other generators.
        signs: what else is not negative; the supposition is the last.
        zeros: what is 0.
        sums: what is worth squaring.
        named: what has a name: the name, what it stands for, whether positive.
    """

    symbols: dict[str, bool]
    real: list[str]
    signs: list[Sign]
    zeros: list[Scalar]
    sums: list[Scalar]
    named: list[Sign]


def substituted(signs: Sequence[Sign], zeros: Sequence[Scalar], sums: Sequence[Scalar]) -> Facts:
    """Replace a symbol that a hypothesis bounds linearly, so that the hypothesis is the sign of a new symbol."""
    everything = [*(sign.value for sign in signs), *zeros]
    symbols = _domains({g for value in everything for g in value.generators()})
    for sign in signs[:-1]:
        if _is_symbol(sign.value):
            name = str(sign.value)
            symbols[name] = sign.strict or symbols.get(name, False)
    kept: list[Sign] = []
    named: list[Sign] = []
    image: dict[Generator, Scalar] = {}
    # Those of most terms first: they are the ones that products are needed of.
    for sign in sorted(signs[:-1], key=lambda sign: -len(sign.value.terms)):
        if _is_symbol(sign.value):
            continue
        value = sign.value.map(image.get)
        bounded = _linear_symbol(value, symbols)
        if bounded is None:
            kept.append(sign)
            continue
        name = f"s{len(named) + 1}"
        c = dict(value.terms)[((bounded, 1),)]
        solved = (Scalar.of(name) - (value - Scalar.of(bounded) * Scalar.number(c))) * Scalar.number(c).inverse()
        image = {g: _at(old, bounded, solved) for g, old in image.items()} | {bounded: solved}
        named.append(Sign(sign.value, sign.strict, (letter_tree(name),)))
        if bounded in symbols:
            kept.append(Sign(Scalar.of(bounded), symbols.pop(bounded)))
        symbols[name] = sign.strict
    moved = [Sign(sign.value.map(image.get), sign.strict) for sign in [*kept, signs[-1]]]
    numbered = [Sign(sign.value, sign.strict, (letter_tree(f"f{k}"),)) for k, sign in enumerate(moved, 1)]
    put = [zero.map(image.get) for zero in zeros]
    names = {str(g) for value in [*(sign.value for sign in numbered), *put] for g in value.generators()}
    return Facts(symbols, sorted(names - symbols.keys()), numbered, put, [s.map(image.get) for s in sums], named)


def _is_symbol(value: Scalar) -> bool:
    return len(value.generators()) == 1 and value == Scalar.of(next(iter(value.generators())))


def _at(value: Scalar, symbol: str, image: Scalar) -> Scalar:
    return value.map(lambda g: image if g == symbol else None)


def _linear_symbol(value: Scalar, symbols: dict[str, bool]) -> str | None:
    """Return a symbol of the paper that occurs in one term only, with a number in front; real ones first."""
    candidates = []
    for monomial, _ in value.terms:
        if len(monomial) == 1 and monomial[0][1] == 1:
            g = str(monomial[0][0])
            if sum(g in dict(m) for m, _ in value.terms) == 1 and not _is_new(g):
                candidates.append((g in symbols, g))
    return min(candidates)[1] if candidates else None


def _is_new(name: str) -> bool:
    return name[0] == "s" and name[1:].isdigit()


def _domains(generators: Iterable[Generator]) -> dict[str, bool]:
    domains = {str(g): entry(str(g)).domain for g in sorted(generators, key=str)}
    return {g: domain == "positive" for g, domain in domains.items() if domain in ("positive", "nonnegative")}

"""Implications and equivalences between polynomial inequalities, by certificates that signs contradict each other.

A reader can check a certificate by expanding a sum. Given f1 > 0, f2 >= 0, ..., products of these with each other, with
monomials that are not negative and with squares are not negative either. If nonnegative multiples of some add up to 0
identically, and one of these is positive, the signs contradict each other. A linear programme proposes the multiples in
floating point; those that count are then solved for exactly, and the sum is expanded exactly. All terms of one sum have
one degree in every grading in which the given polynomials are homogeneous, which keeps the programmes small. A linear
hypothesis first becomes the sign of a symbol of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import combinations_with_replacement, islice
from math import gcd, lcm
from operator import add

from tdrc_theory.algebra import Generator, Monomial, Scalar, factors_of, letter_tree, signed_product
from tdrc_theory.exact import Matrix
from tdrc_theory.formula.expression import ZERO, Expr, conjuncts, equal, implies, listed, parted
from tdrc_theory.formula.vocabulary import SCALAR, VOCABULARY, entry, shape
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from verify.prove.knowledge import is_positive
from verify.prove.meaning import Meaning, NotProven, OutsideTheAlgebra, Proof, prover


@dataclass(frozen=True, slots=True)
class Sign:
    """A polynomial that is positive (strict) or at least not negative, and the product that it is written as."""

    value: Scalar
    strict: bool
    factors: tuple[Expr, ...] = ()

    def relation(self) -> Expr:
        """Return what it says as a formula."""
        return Expr(">" if self.strict else ">=", (self.value.tree(), ZERO))


def combination(terms: list[Sign]) -> list[tuple[Fraction, Sign]] | None:
    """Return positive multiples of terms that add up to 0, one strictly positive among them; None if none are found."""
    if not any(term.strict for term in terms):
        return None
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    rows: dict[Monomial, int] = {}
    entries = [
        (rows.setdefault(monomial, len(rows)), j, float(c))
        for j, term in enumerate(terms)
        for monomial, c in term.value.terms
    ]
    entries += [(len(rows), j, 1.0) for j, term in enumerate(terms) if term.strict]
    i, j, values = zip(*entries, strict=True)
    table = csr_matrix((values, (i, j)), shape=(len(rows) + 1, len(terms)))
    right = np.zeros(len(rows) + 1)
    right[-1] = 1.0
    costs = np.array([1.0 + len(term.value.terms) for term in terms])
    result = linprog(costs, A_eq=table, b_eq=right, bounds=(0, None), method="highs-ds")
    if result.status != 0:
        return None
    return _exactly([term for term, value in zip(terms, result.x, strict=True) if value > 1e-9])


def _exactly(terms: list[Sign]) -> list[tuple[Fraction, Sign]] | None:
    """Solve for the multiples exactly, and check the sum by expanding it."""
    monomials = sorted({m for term in terms for m, _ in term.value.terms}, key=str)
    columns = [dict(term.value.terms) for term in terms]
    strict = [Fraction(int(term.strict)) for term in terms]
    system = Matrix([[column.get(m, Fraction(0)) for column in columns] for m in monomials] + [strict])
    solved = system.solve(Matrix.column([0] * len(monomials) + [1]))
    if solved is None:
        return None
    multiples = [Fraction(str(row[0])) for row in solved.rows]
    summands = [(c, term) for c, term in zip(multiples, terms, strict=True) if c]
    total = sum((term.value * Scalar.number(c) for c, term in summands), Scalar({}))
    if not total.is_zero or any(c < 0 for c, _ in summands) or not any(term.strict for _, term in summands):
        return None
    scale = Fraction(lcm(*(c.denominator for c, _ in summands)))
    scale /= gcd(*(int(c * scale) for c, _ in summands))
    return [(c * scale, term) for c, term in summands]


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
    generators = sorted({str(g) for value in everything for g in value.generators()})
    domains = {g: entry(g).domain for g in generators}
    symbols = {g: domain == "positive" for g, domain in domains.items() if domain in ("positive", "nonnegative")}
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
        new: dict[Generator, Scalar] = {bounded: solved}
        image = {g: old.map(new.get) for g, old in image.items()} | new
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


def _linear_symbol(value: Scalar, symbols: dict[str, bool]) -> str | None:
    """Return a symbol of the paper that occurs in one term only, with a number in front; real ones first."""
    candidates = []
    for monomial, _ in value.terms:
        if len(monomial) == 1 and monomial[0][1] == 1:
            g = str(monomial[0][0])
            if sum(g in dict(m) for m, _ in value.terms) == 1 and not (g[0] == "s" and g[1:].isdigit()):
                candidates.append((g in symbols, g))
    return min(candidates)[1] if candidates else None


Degree = tuple[int, ...]

_STAGES = 3
_LONGEST = 60
"""Terms of a polynomial; with longer ones only the simplest certificates are looked for."""

_HIGHEST = 8
"""Degree of a polynomial; the same."""

_LARGEST = 3000
"""Terms of one linear programme; where one would be larger, the search ends."""

_MOST_TRIES = 40

_UNIT = Sign(Scalar.number(1), True)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What each letter stands for, and the sum in these letters that cannot be: it is 0 identically."""

    named: tuple[Sign, ...]
    total: Expr

    def put(self) -> tuple[Expr, ...]:
        """Return what each letter stands for, with its sign, as formulas."""
        return tuple(
            Expr("chain", (*sign.factors, sign.value.tree(), ZERO), f"= {'>' if sign.strict else '>='}")
            for sign in self.named
        )

    def steps(self, supposed: str) -> tuple[Step, Step]:
        """Return the steps that show the contradiction; the first says what is supposed."""
        contradicts = "no term is negative and one is positive, yet the sum is 0"
        return Step.stating(supposed, listed(self.put())), Step.stating(contradicts, equal(0, self.total))


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
    monomials = [sign.value.monomials for sign in facts.signs]
    large = any(len(each) > _LONGEST or any(sum(e for _, e in m) > _HIGHEST for m in each) for each in monomials)
    tries = 0
    gradings = Gradings([*(sign.value for sign in facts.signs), *facts.zeros])
    for stage in range(1 if large else _STAGES):
        multipliers = _by_degree(_multipliers(facts, stage, gradings))
        for degree in _targets(facts, gradings, min(stage + 1, 2)):
            tries += 1
            if tries > _MOST_TRIES:
                raise NotProven
            terms = list(islice(_terms(facts, multipliers, degree, gradings), _LARGEST + 1))
            if len(terms) > _LARGEST:
                raise NotProven
            summands = combination(terms)
            if summands is not None:
                total = [signed_product(c, term.factors) for c, term in summands]
                return Certificate((*facts.named, *facts.signs), reduce(add, total))
    raise NotProven


class Gradings:
    """A basis of the weights of generators under which every one of some polynomials is homogeneous."""

    def __init__(self, values: Sequence[Scalar]) -> None:
        """Solve for the weights."""
        names = sorted({str(g) for value in values for g in value.generators()})
        rows = []
        for value in values:
            monomials = [dict(monomial) for monomial, _ in value.terms]
            rows += [[m.get(n, 0) - monomials[0].get(n, 0) for n in names] for m in monomials[1:]]
        kernel = Matrix(rows).null_space() if rows else Matrix.identity(len(names))
        self._weights: list[dict[str, int]] = []
        for j in range(kernel.shape[1]):
            weights = [Fraction(str(row[j])) for row in kernel.rows]
            scale = lcm(*(w.denominator for w in weights))
            self._weights.append({name: int(w * scale) for name, w in zip(names, weights, strict=True)})
        self._degrees: dict[Monomial, Degree] = {}

    def degree(self, value: Scalar) -> Degree | None:
        """Return the degree of a homogeneous polynomial, None of any other."""
        degrees = {self._degree(monomial) for monomial in value.monomials}
        return degrees.pop() if len(degrees) == 1 else None

    def _degree(self, monomial: Monomial) -> Degree:
        if monomial not in self._degrees:
            weighed = (sum(w.get(str(g), 0) * e for g, e in monomial) for w in self._weights)
            self._degrees[monomial] = tuple(weighed)
        return self._degrees[monomial]


class Multiplier:
    """A homogeneous polynomial that is not negative, expanded where its degree is asked for."""

    def __init__(self, degree: Degree | None, expand: Callable[[], Sign]) -> None:
        """Keep how it is expanded."""
        self.degree = degree
        self._expand = expand

    @cached_property
    def sign(self) -> Sign:
        """The polynomial."""
        return self._expand()

    def times(self, other: Multiplier) -> Multiplier:
        """Return the product; of homogeneous polynomials the degrees add up."""
        known = self.degree is not None and other.degree is not None
        degree = tuple(map(add, self.degree or (), other.degree or ())) if known else None
        return Multiplier(degree, lambda: _times(self.sign, other.sign))


def _by_degree(terms: Iterator[Multiplier]) -> dict[Degree, list[Multiplier]]:
    by_degree: dict[Degree, list[Multiplier]] = {}
    for term in terms:
        if term.degree is not None:
            by_degree.setdefault(term.degree, []).append(term)
    return by_degree


def _targets(facts: Facts, gradings: Gradings, extra: int) -> Iterator[Degree]:
    """Yield the degrees of the supposition times small monomials, each once."""
    seen = set()
    for multiplier in _monomials(facts, extra):
        degree = gradings.degree(facts.signs[-1].value * multiplier.value)
        if degree is not None and degree not in seen:
            seen.add(degree)
            yield degree


def _terms(
    facts: Facts, multipliers: dict[Degree, list[Multiplier]], degree: Degree, gradings: Gradings
) -> Iterator[Sign]:
    """Yield what is not negative and of one degree; what is 0 is yielded with both signs."""
    seen: list[Scalar] = []

    def times(value: Scalar) -> list[Multiplier]:
        own = gradings.degree(value)
        return [] if own is None else multipliers.get(tuple(t - o for t, o in zip(degree, own, strict=True)), [])

    for size in (1, 2):
        for chosen in combinations_with_replacement(facts.signs, size):
            product = chosen[0] if size == 1 else _times(*chosen)
            for multiplier in times(product.value):
                term = _times(product, multiplier.sign)
                seen.append(term.value)
                yield term
    for zero in facts.zeros:
        for factor in _plain_monomials(facts) if gradings.degree(zero) is not None else ():
            value = zero * factor
            if gradings.degree(value) == degree:
                seen.append(value)
                yield Sign(value, False, (zero.tree(), factor.tree()))
                yield Sign(-value, False, (zero.tree(), (-factor).tree()))
    for square in (multiplier.sign for multiplier in multipliers.get(degree, [])):
        seen.append(square.value)
        if not square.value.is_monomial:
            yield square
    for monomial in dict.fromkeys(monomial for value in seen for monomial, _ in value.terms):
        strict = _monomial_sign(monomial, facts)
        if strict is not None:
            value = Scalar({monomial: 1})
            yield Sign(value, strict, factors_of(monomial))


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


def _multipliers(facts: Facts, stage: int, gradings: Gradings) -> Iterator[Multiplier]:
    """Yield monomials that are not negative, squares, and, at the last stage, products of these."""
    monomials = [
        Multiplier(gradings.degree(monomial.value), partial(_times, _UNIT, monomial))
        for monomial in _monomials(facts, (2, 3, 4)[stage])
    ]
    yield from monomials
    if stage:
        for square in _squares(facts, gradings):
            yield square
            for monomial in monomials[1:] if stage > 1 else ():
                yield monomial.times(square)


def _monomials(facts: Facts, degree: int) -> Iterator[Sign]:
    """Yield products of symbols that are not negative, and squares of the real ones, up to a degree."""
    atoms = [Sign(Scalar.of(g), strict, (letter_tree(g),)) for g, strict in sorted(facts.symbols.items())]
    atoms += [Sign(Scalar.of(g, 2), False, (letter_tree(g) ** 2,)) for g in facts.real]
    yield _UNIT
    for size in range(1, degree + 1):
        yield from (reduce(_times, chosen) for chosen in combinations_with_replacement(atoms, size))


def _plain_monomials(facts: Facts) -> Iterator[Scalar]:
    """Yield monomials of any sign: what a polynomial that is 0 may be multiplied by."""
    atoms = [Scalar.of(g) for g in (*sorted(facts.symbols), *facts.real)]
    yield Scalar.number(1)
    yield from atoms
    yield from (a * b for a, b in combinations_with_replacement(atoms, 2))


def _squares(facts: Facts, gradings: Gradings) -> Iterator[Multiplier]:
    """Yield homogeneous squares of sums and differences of two symbols, or of a symbol and a product of two."""
    names = [*sorted(facts.symbols), *facts.real]
    bases = [Scalar.of(g) for g in names]
    pairs = [a * b for a, b in combinations_with_replacement([Scalar.of(g) for g in sorted(facts.symbols)], 2)]
    long = [value for value in facts.sums if len(value.monomials) > 1 and gradings.degree(value) is not None]
    yield from (_even_power(value, power, gradings) for value in long for power in (2, 4))
    for i, first in enumerate([*bases, *long]):
        for second in [*bases[:i], *pairs]:
            if gradings.degree(first + second) is None:
                continue
            for k in (1, -1, 2, -2):
                yield _even_power(first + second * Scalar.number(k), 2, gradings)


def _even_power(base: Scalar, power: int, gradings: Gradings) -> Multiplier:
    own = gradings.degree(base)
    degree = None if own is None else tuple(power * part for part in own)
    return Multiplier(degree, lambda: Sign(base**power, False, (base.tree() ** power,)))


def _times(left: Sign, right: Sign) -> Sign:
    return Sign(left.value * right.value, left.strict and right.strict, left.factors + right.factors)


_SHORT = 3
"""Terms of a sum whose square is worth a try."""


@prover
def prove_entailment(formula: Expr) -> Proof | None:
    """Prove a conjunction, implication or equivalence of polynomial relations between real scalars."""
    steps: list[Step] = []
    sums = _sums(formula)
    for hypotheses, goal in sequents(formula):
        premises = " and ".join(text(h) for h in hypotheses) or "nothing but the domains"
        steps.append(Step("to show", f"{premises} => {text(goal)}", implies(*hypotheses, goal)))
        signs, zeros = known_signs(hypotheses)
        steps += _entailed_by_way_of(signs, zeros, goal, sums)
    return "sums of nonnegative terms that would have to be 0", tuple(steps)


@prover
def prove_vacuous(formula: Expr) -> Proof | None:
    """Prove an implication whose hypotheses about scalars contradict each other or the domains."""
    signs: list[Sign] = []
    zeros: list[Scalar] = []
    for hypothesis in parted(formula)[0]:
        with suppress(OutsideTheAlgebra):
            more, nought = known_signs((hypothesis,))
            signs, zeros = signs + more, zeros + nought
    used = {g for value in (*(sign.value for sign in signs), *zeros) for g in value.generators()}
    for each in VOCABULARY:
        if each.domain == "discount" and each.name in used:
            signs.append(Sign(Scalar.number(1) - Scalar.of(each.name), False))
    if not signs and not zeros:
        return None
    certificate = contradiction(signs or [_UNIT], zeros)
    shown = listed((equal(0, certificate.total), *certificate.put()))
    return "hypotheses that contradict each other", (Step.stating("these hypotheses cannot hold together", shown),)


def sequents(formula: Expr) -> Iterator[tuple[tuple[Expr, ...], Expr]]:
    """Yield (hypotheses, one conclusion) pairs that together make up the formula."""
    if formula.op == "iff":
        left, right = formula.args
        yield from sequents(Expr("implies", (left, right)))
        yield from sequents(Expr("implies", (right, left)))
    elif formula.op == "implies":
        for hypotheses, goal in sequents(formula.args[1]):
            yield (*conjuncts(formula.args[0]), *hypotheses), goal
    elif formula.op == "and":
        for part in formula.args:
            yield from sequents(part)
    else:
        yield (), formula


def scalar_of(formula: Expr) -> Scalar:
    """Return a real scalar expression as a polynomial.

    Raises:
        OutsideTheAlgebra: it is none.
    """
    value = Meaning().one(formula).as_scalar()
    if value is None or any(not isinstance(g, str) or g == "i" for g in value.generators()):
        raise OutsideTheAlgebra("not a polynomial in real scalars")
    return value


def known_signs(relations: Sequence[Expr]) -> tuple[list[Sign], list[Scalar]]:
    """Return the polynomials that relations say are not negative, and those that they say are 0.

    Raises:
        OutsideTheAlgebra: one is no relation between polynomials.
    """
    signs: list[Sign] = []
    zeros: list[Scalar] = []
    for relation in relations:
        if relation.op not in ("=", "<", "<=", ">", ">="):
            raise OutsideTheAlgebra(relation.op)
        left, right = (scalar_of(side) for side in relation.args)
        if relation.op == "=":
            zeros.append(left - right)
        else:
            gap = left - right if relation.op in (">", ">=") else right - left
            signs.append(Sign(gap, relation.op in ("<", ">")))
    return signs, zeros


def _sums(formula: Expr) -> list[Scalar]:
    """Return the short sums that a formula is written with."""
    sums: list[Scalar] = []
    for _, node in formula.walk():
        if node.op in ("add", "symbol") and shape(node) == SCALAR:
            value = scalar_of(node)
            if 1 < len(value.terms) <= _SHORT and value not in sums:
                sums.append(value)
    return sums


def _entailed_by_way_of(
    signs: Sequence[Sign], zeros: Sequence[Scalar], goal: Expr, sums: Sequence[Scalar]
) -> list[Step]:
    """Return the steps that prove a relation as `entailed` does, or first that sums in it are positive, and then it."""
    try:
        return entailed(signs, zeros, goal, sums)
    except NotProven:
        steps: list[Step] = []
        known = list(signs)
        wanted = [value for value in _sums(goal) if value not in [sign.value for sign in signs if sign.strict]]
        if not _follows(goal, [*signs, *(Sign(value, True) for value in wanted)]):
            raise
        for value in wanted:
            certificate = contradiction([*signs, Sign(-value, False)], zeros, sums)
            known.append(Sign(value, True))
            steps += certificate.steps(f"first, {value} > 0: suppose not, and put")
            if _follows(goal, known):
                break
        if not _follows(goal, known):
            raise
        return [*steps, Step.stating("every term is then positive", goal)]


def _follows(goal: Expr, signs: Sequence[Sign]) -> bool:
    return goal.op == ">" and goal.args[1].name == "0" and _is_positive(goal.args[0], signs)


def _is_positive(term: Expr, signs: Sequence[Sign]) -> bool:
    """Return whether a term is made by sums, products and powers of what is positive."""
    if term.op in ("add", "mul", "power"):
        return all(_is_positive(part, signs) for part in (term.args[:1] if term.op == "power" else term.args))
    if term.op == "number":
        return Fraction(term.name) > 0
    value = scalar_of(term)
    return is_positive(value) or any(sign.strict and sign.value == value for sign in signs)


def entailed(signs: Sequence[Sign], zeros: Sequence[Scalar], goal: Expr, sums: Sequence[Scalar] = ()) -> list[Step]:
    """Return the steps that prove a relation from signs: its negation contradicts them.

    Raises:
        NotProven: no certificate was found.
        OutsideTheAlgebra: the goal is no inequality between polynomials.
    """
    (wanted, *_), _ = known_signs((goal,)) if goal.op != "=" else ((None,), ())
    if wanted is None:
        raise OutsideTheAlgebra("an equation between scalars is an identity, or false")
    certificate = contradiction([*signs, Sign(-wanted.value, not wanted.strict)], zeros, sums)
    return list(certificate.steps("suppose not, and put"))

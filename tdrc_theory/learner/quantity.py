"""The algebra of affine quantities: the record of a learner, read as sums of products of named data.

Coefficients are rational functions of what a step offers as numbers and of the learner's parameters.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import flint

from tdrc_theory.errors import BadAlgorithm, NotAffine
from tdrc_theory.exact.number import from_fmpq, times_text, to_fmpq
from tdrc_theory.learner.record import LEAF, NUMBER, SELECT, SUM, Comparison, Node, Rate, decide, first_way, leaves
from tdrc_theory.learner.step_data import NUMBERS
from tdrc_theory.notation import NONNEGATIVE, scalar_symbol
from tdrc_theory.parameters import RANGES

STEP_NUMBERS = tuple(sorted((*NUMBERS, *RANGES)))
"""Names that every ring has: the numbers of a step, and the parameters that learners share."""

_ring: ContextVar[flint.fmpq_mpoly_ctx] = ContextVar("ring")


@contextmanager
def ring(parameters: tuple[str, ...]) -> Iterator[None]:
    """Make coefficients in these parameters besides the numbers of a step while the block runs."""
    names = (*STEP_NUMBERS, *sorted(set(parameters) - set(STEP_NUMBERS)))
    token = _ring.set(flint.fmpq_mpoly_ctx.get(names, "lex"))
    try:
        yield
    finally:
        _ring.reset(token)


Monomials = tuple[tuple[flint.fmpq, tuple[tuple[str, int], ...]], ...]
"""A polynomial: (number, ((name, exponent), ...)) for each of its terms."""


class Coefficient:
    """A quotient of polynomials with rational coefficients, reduced, the denominator's leading coefficient 1."""

    __slots__ = ("_listed", "denominator", "numerator")

    def __init__(self, numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly | None = None) -> None:
        self._listed: tuple[Monomials, Monomials] | None = None
        one = numerator.context().constant(1)
        if denominator is None or denominator.is_one():
            self.numerator, self.denominator = numerator, one
            return
        common = numerator.gcd(denominator)
        numerator, denominator = numerator // common, denominator // common
        lead = denominator.leading_coefficient()
        self.numerator, self.denominator = numerator / lead, denominator / lead

    @classmethod
    def named(cls, name: str) -> Coefficient:
        """Return the coefficient that is one of the ring's names."""
        context = _ring.get()
        return cls(context.gens()[context.names().index(name)])

    @classmethod
    def of(cls, value: Any) -> Coefficient:
        """Return an exact number as a coefficient; a coefficient is one."""
        return value if isinstance(value, Coefficient) else cls(_ring.get().constant(to_fmpq(value)))

    @property
    def names(self) -> frozenset[str]:
        """The names that it depends on."""
        return frozenset(name for part in self._monomials for _, powers in part for name, _ in powers)

    def at(self, values: Mapping[str, Fraction]) -> Fraction:
        """Return its value where every name that it depends on has one; BadAlgorithm where it divides by 0."""
        return from_fmpq(self.at_point({name: to_fmpq(value) for name, value in values.items()}))

    def at_point(self, point: Mapping[str, flint.fmpq]) -> flint.fmpq:
        """Return its value where every name that it depends on has one; see `at`."""
        top, below = (_evaluated(part, point) for part in self._monomials)
        if below == 0:
            raise BadAlgorithm("divides by 0")
        return top if self.denominator.is_one() else top / below

    @property
    def _monomials(self) -> tuple[Monomials, Monomials]:
        """Both parts as monomials, cheaper to evaluate than polynomials in every name of the ring."""
        if self._listed is None:
            self._listed = _monomials(self.numerator), _monomials(self.denominator)
        return self._listed

    def bound(self, values: Mapping[str, Fraction]) -> Coefficient:
        """Return it with numbers for some of its names."""
        used: dict[Any, Any] = {name: to_fmpq(v) for name, v in values.items() if name in self.names}
        if not used:
            return self
        below = self.denominator.subs(used)
        if not below:
            raise BadAlgorithm("divides by 0")
        return Coefficient(self.numerator.subs(used), below)

    def degree(self, name: str) -> tuple[int, int]:
        """Return the degrees of numerator and denominator in a name."""
        place = self.numerator.context().names().index(name)
        top, below = (max(int(part.degrees()[place]), 0) for part in (self.numerator, self.denominator))
        return top, below

    def split(self, name: str) -> tuple[Coefficient, Coefficient] | None:
        """Return (a, b) with self = a + b name, both without the name; None where it is not affine in it."""
        if name not in self.names:
            return self, Coefficient(self.numerator.context().constant(0))
        if self.degree(name) != (1, 0):
            return None
        return self.bound({name: Fraction(0)}), Coefficient(self.numerator.derivative(name), self.denominator)

    def divided_by(self, other: Coefficient) -> Coefficient | None:
        """Return the quotient where it needs no denominator that is not there already, else None."""
        if not other:
            return None
        quotient = self / other
        return quotient if self.denominator.gcd(quotient.denominator) == quotient.denominator else None

    def __add__(self, other: Coefficient) -> Coefficient:
        if self.denominator == other.denominator:
            return Coefficient(self.numerator + other.numerator, self.denominator)
        top = self.numerator * other.denominator + other.numerator * self.denominator
        return Coefficient(top, self.denominator * other.denominator)

    def __neg__(self) -> Coefficient:
        return Coefficient(-self.numerator, self.denominator)

    def __sub__(self, other: Coefficient) -> Coefficient:
        return self + (-other)

    def __mul__(self, other: Coefficient) -> Coefficient:
        return Coefficient(self.numerator * other.numerator, self.denominator * other.denominator)

    def __truediv__(self, other: Coefficient) -> Coefficient:
        if not other:
            raise BadAlgorithm("divides by 0")
        return Coefficient(self.numerator * other.denominator, self.denominator * other.numerator)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Coefficient):
            return NotImplemented
        if self.numerator.context() is not other.numerator.context():
            return self._terms == other._terms
        return bool(self.numerator == other.numerator and self.denominator == other.denominator)

    @property
    def _terms(self) -> tuple[frozenset[Any], ...]:
        """Both parts, whatever the ring."""
        return tuple(frozenset((int(c.p), int(c.q), powers) for c, powers in part) for part in self._monomials)

    def __hash__(self) -> int:
        return hash(self._terms)

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def sign(self) -> int | None:
        """Return its sign where that is the same for all values in range, else None."""
        if not self:
            return 0
        product = _monomials(self.numerator * self.denominator)
        if not self.names <= NONNEGATIVE or all(powers for _, powers in product):
            return None
        return 1 if all(c > 0 for c, _ in product) else -1 if all(c < 0 for c, _ in product) else None

    def to_sympy(self) -> Any:
        """Return it as an expanded sympy expression."""
        import sympy

        def polynomial(monomials: Monomials) -> Any:
            parts = ((sympy.Rational(int(c.p), int(c.q)), (scalar_symbol(n) ** e for n, e in p)) for c, p in monomials)
            return sympy.Add(*(sympy.Mul(number, *powers) for number, powers in parts))

        top, below = map(polynomial, self._monomials)
        return top if below == 1 else top / sympy.factor(below)

    def __str__(self) -> str:
        return str(self.to_sympy()).replace("**", "^")

    __repr__ = __str__

    def __reduce__(self) -> Any:
        raise TypeError("a coefficient belongs to the trace that it was read in; pickle the algorithm")


def _monomials(polynomial: flint.fmpq_mpoly) -> Monomials:
    names = polynomial.context().names()
    return tuple(
        (c, tuple((name, int(e)) for name, e in zip(names, powers, strict=True) if e))
        for powers, c in polynomial.to_dict().items()
    )


def _evaluated(monomials: Monomials, point: Mapping[str, flint.fmpq]) -> flint.fmpq:
    total = flint.fmpq(0)
    for c, powers in monomials:
        for name, e in powers:
            c *= point[name] if e == 1 else point[name] ** e
        total += c
    return total


_RELATIONS: dict[str, Callable[[Any, int], bool]] = {"<": operator.lt, "<=": operator.le, "==": operator.eq}


class Condition(Comparison):
    """A comparison of coefficients."""

    @property
    def difference(self) -> Coefficient:
        """What is compared with 0."""
        return self.left - self.right

    @property
    def names(self) -> frozenset[str]:
        """The names that it depends on."""
        return self.difference.names

    def holds(self, values: Mapping[str, Fraction]) -> bool:
        """Return whether it holds at these values."""
        return self.taken is _RELATIONS[self.relation](self.difference.at(values), 0)

    def bound(self, values: Mapping[str, Fraction]) -> Condition:
        """Return it with numbers for some of its names."""
        return replace(self, left=self.left.bound(values), right=self.right.bound(values))

    def decided(self) -> bool | None:
        """Return whether it holds for all values in range, or for none; None where that depends on them."""
        sign = self.difference.sign()
        return None if sign is None else self.taken is _RELATIONS[self.relation](sign, 0)

    def to_sympy(self) -> Any:
        """Return it as a sympy relation."""
        import sympy

        relation = sympy.Rel(self.left.to_sympy(), self.right.to_sympy(), self.relation)
        return relation if self.taken else ~relation

    def question(self) -> tuple[str, Any, bool]:
        """Return one key for a comparison and its opposite, and its answer: d <= 0 is that -d < 0 does not hold."""
        if self.relation == "<=":
            return "<", -self.difference, not self.taken
        return self.relation, self.difference, self.taken


Atom = tuple[str, ...]
"""A number that is no coefficient: one name, of a weight or memory, or two, whose dot product it is."""

Key = tuple[tuple[Atom, ...], tuple[str, ...]]
"""The factors of a product: its atoms, and the vectors that are multiplied componentwise (one, but in the old form)."""

Quantity = dict[Key, Coefficient]
"""A sum {factors: coefficient}, a vector or a number; none of its coefficients is 0."""

ALONE: Key = ((), ())
"""The factors of a coefficient that stands alone."""
REWARD: Atom = ("reward",)
"""The reward as a factor, where coefficients do not have it: what is affine in it needs only its mean."""
_ORDER = ("x", "x_next", "h", "delta", "delta_hat")


def read(node: Node, known: dict[Node, Any]) -> Quantity:
    """Return what a node of a record is; of a selection only what is selected on the way that is being taken is read.

    What is read is added to `known`.

    Raises:
        NotAffine: it divides by a vector, weights or memory, or compares them.
        BadAlgorithm: it is no arithmetic of these.
    """
    waiting = [node]
    while waiting:
        top = waiting[-1]
        operands = _operands(top, known)
        if missing := [operand for operand in operands if operand not in known]:
            waiting += reversed(missing)
        else:
            waiting.pop()
            if top not in known:
                known[top] = _value(top, [known[operand] for operand in operands])
    quantity: Quantity = known[node]
    return quantity


def _operands(node: Node, known: Mapping[Node, Any]) -> tuple[Node, ...]:
    """Return what has to be known of a node's operands; of a sum, its start and the two vectors."""
    if node.operation == SELECT:
        condition, if_true, if_false = node.operands
        return (condition, if_true if known[condition] else if_false) if condition in known else (condition,)
    return (node.operands[0], *node.operands[1].operands) if node.operation == SUM else node.operands


def _value(node: Node, operands: list[Any]) -> Any:
    if node.operation == NUMBER:
        if isinstance(node.value, (bool, float)):
            raise BadAlgorithm(f"calculates with {node.value}, which is no number")
        return constant(node.value)
    if node.operation == LEAF:
        if node.component:
            return {((), (node.value,)): Coefficient.of(1)}
        return constant(Coefficient.named(node.value)) if _is_coefficient(node) else atom(node.value)
    if node.operation == SELECT:
        return operands[1]
    if node.operation == SUM:
        return _total(operands[0], _dot(*operands[1:]))
    if node.operation == "**":
        return _power(operands[0], operands[1], node.operands[1])
    if node.operation not in _OPERATIONS:
        raise BadAlgorithm("needs a float where its equation is read; use plain arithmetic, min, max and abs")
    return _OPERATIONS[node.operation](*operands)


def _is_coefficient(leaf: Node) -> bool:
    """Return whether a leaf is a number of the step or a parameter, not a weight or memory."""
    return not leaf.component and not (leaf.lane and leaf.rate is Rate.SAMPLE)


def constant(value: Any) -> Quantity:
    """Return a coefficient, or a number."""
    return _collected([(ALONE, Coefficient.of(value))])


def atom(name: str) -> Quantity:
    """Return a number that has a name and is no coefficient."""
    return {(((name,),), ()): Coefficient.of(1)}


def _collected(terms: Iterable[tuple[Key, Coefficient]]) -> Quantity:
    """Return the sum of terms."""
    collected: Quantity = {}
    for key, c in terms:
        collected[key] = collected[key] + c if key in collected else c
    return {key: c for key, c in collected.items() if c}


def _total(left: Quantity, right: Quantity) -> Quantity:
    return _collected([*left.items(), *right.items()])


def _negated(quantity: Quantity) -> Quantity:
    return {key: -c for key, c in quantity.items()}


def _difference(left: Quantity, right: Quantity) -> Quantity:
    return _total(left, _negated(right))


def product(left: Quantity, right: Quantity) -> Quantity:
    """Return a product, of vectors by component."""
    return _expanded(
        left, right, lambda a, b: (tuple(sorted((*a[0], *b[0]))), tuple(sorted((*a[1], *b[1]), key=_place)))
    )


def _dot(left: Quantity, right: Quantity) -> Quantity:
    """Return the inner product of two vectors, each of one factor."""
    return _expanded(left, right, lambda a, b: (tuple(sorted((*a[0], *b[0], tuple(sorted((*a[1], *b[1])))))), ()))


def _expanded(left: Quantity, right: Quantity, joined: Callable[[Key, Key], Key]) -> Quantity:
    return _collected((joined(one, other), c * d) for one, c in left.items() for other, d in right.items())


def _quotient(left: Quantity, divisor: Quantity) -> Quantity:
    if set(divisor) - {ALONE}:
        raise NotAffine(f"divides by {quantity_text(divisor)}")
    if not divisor:
        raise BadAlgorithm("divides by 0")
    return {key: c / divisor[ALONE] for key, c in left.items()}


def _power(base: Quantity, exponent: Quantity, written: Node) -> Quantity:
    c = exponent.get(ALONE, Coefficient.of(0))
    times = None if set(exponent) - {ALONE} or c.names else c.at({})
    if times is None or times < 0 or times.denominator != 1:
        shown = written if written.operation == NUMBER else quantity_text(exponent)
        raise BadAlgorithm(f"raises {quantity_text(base)} to the power {shown}; only whole powers are read")
    return reduce(product, [base] * int(times), constant(1))


def _compared(relation: str, left: Quantity, right: Quantity) -> bool:
    difference = _difference(left, right)
    if set(difference) - {ALONE}:
        raise NotAffine(f"branches on the sign of {quantity_text(difference)}")
    zero = Coefficient.of(0)
    condition = Condition(left.get(ALONE, zero), relation, right.get(ALONE, zero))
    decided = condition.decided()
    return decide(condition) if decided is None else decided


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": _total,
    "-": _difference,
    "*": product,
    "/": _quotient,
    **dict.fromkeys(("neg", "np.negative"), _negated),
    **{relation: partial(_compared, relation) for relation in _RELATIONS},
    **dict.fromkeys(("abs", "np.absolute"), lambda a: _negated(a) if _compared("<", a, {}) else a),
    "np.minimum": lambda a, b: a if _compared("<=", a, b) else b,
    "np.maximum": lambda a, b: a if _compared("<=", b, a) else b,
    "np.square": lambda a: product(a, a),
    "np.sign": lambda a: constant(-1 if _compared("<", a, {}) else 0 if _compared("==", a, {}) else 1),
}
"""What is read of an operation on quantities; none other is affine where its operands are not numbers."""


def on_first_way(node: Node) -> Quantity | None:
    """Return what a node is on the first way through its comparisons; None where it is no quantity."""
    names = tuple(str(leaf) for leaf in leaves([node]) if _is_coefficient(leaf) and leaf.value not in STEP_NUMBERS)
    try:
        with ring(names), first_way():
            return read(node, {})
    except BadAlgorithm:
        return None


def is_zero(node: Node) -> bool:
    """Return whether a node is 0, a number and a vector at once."""
    return on_first_way(node) == {}


def text(node: Node) -> str:
    """Return a node as a quantity is written, or as it is calculated where it is none."""
    quantity = on_first_way(node)
    return str(node) if quantity is None else quantity_text(quantity)


def quantity_text(quantity: Quantity) -> str:
    """Return a quantity as text."""
    return " + ".join(term_text(key, c) for key, c in quantity.items()).replace("+ -", "- ") or "0"


def _place(name: str) -> tuple[int, str]:
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)


def names_of(key: Key) -> list[str]:
    """Return the names of a product's factors; one that is there twice, twice."""
    return [name for factors in (*key[0], key[1]) for name in factors]


def split(key: Key, weights: Set[str]) -> tuple[str | None, str | None, Key]:
    """Return the weight in a product, the other vector of its dot product, if it is in one, and the other factors."""
    atoms, vectors = key
    for place, atom in enumerate(atoms):
        for name in weights & set(atom):
            other = next((n for n in atom if n != name), None)
            return name, other, (atoms[:place] + atoms[place + 1 :], vectors)
    for place, name in enumerate(vectors):
        if name in weights:
            return name, None, (atoms, vectors[:place] + vectors[place + 1 :])
    return None, None, key


def term_text(key: Key, c: Coefficient) -> str:
    """Return one product as text, powers collected."""
    atoms, vectors = key
    names = [*vectors, *(f"dot({a[0]}, {a[1]})" if len(a) == 2 else a[0] for a in atoms)]
    ordered = sorted(dict.fromkeys(names), key=_place)
    powers = [n if names.count(n) == 1 else f"{n}^{names.count(n)}" for n in ordered]
    is_sum = len(c.numerator) > 1 and c.denominator.is_one()
    return times_text(f"({c})" if is_sum else str(c), "*".join(powers))

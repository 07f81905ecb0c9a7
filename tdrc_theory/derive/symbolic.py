"""The letters' reader of the normal form: a learner's equation and expected update for every dimension.

Letters stand for expectations in any dimension; coefficients are sympy's. Of problems with a constant discount and an
interest of 1: letters do not tell gamma_t from gamma_t+1. What is shown of a learner has one coefficient a term, with
names for the TD error and for memory after the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add, mul
from typing import Any

import sympy

from tdrc_theory.formula.expression import ZERO, E, Expr, block, diag, equal, number, symbol, symbols
from tdrc_theory.formula.written import text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.quantity import REWARD, STEP_NUMBERS, Atom, Condition, Key, Quantity, names_of, split
from tdrc_theory.learner.step_data import NUMBERS
from tdrc_theory.learner.trace import Way
from tdrc_theory.notation import scalar_symbol, sympy_symbols

Direction = dict[Key, Any]

ERRORS = {("delta",): "x_next", ("delta_bar",): "x_bar"}
"""The atoms that stand for R + gamma w.y - w.x, with y."""


def memory_after(way: Way, algorithm: Algorithm) -> Way:
    """Return a way in which the directions have memory after the step where that leaves none before it."""
    rows = dict(way.rows)
    for name in algorithm.memory:
        for weight in algorithm.stacked:
            rows[weight] = _after(rows[weight], name, way.rows[name])
    return Way(way.conditions, rows)


def _after(terms: Quantity, name: str, row: Quantity) -> Quantity:
    """Replace a memory before the step: with e' = c e + u, a term q c e is q e' - q u."""
    own: Key = (((name,),), ()) if (((name,),), ()) in row else ((), (name,))
    c, result = row.get(own), dict(terms)
    # Where a product with a dot product of memory comes from memory after the step, replacing others cancels it.
    for key in sorted((key for key in terms if name in names_of(key)), key=lambda key: len(key[0])):
        value = result.get(key)
        if c is None or not value:
            continue
        q = value.divided_by(c)
        if q is None:
            return terms
        for other, d in row.items():
            place = _replaced(key, name, other)
            result[place] = result[place] - q * d if place in result else -(q * d)
        after = _replaced(key, name, ((own[0] and ((name + "'",),)) or (), (own[1] and (name + "'",)) or ()))
        result[after] = result[after] + q if after in result else q
    kept = {key: value for key, value in result.items() if value}
    if any(name in names_of(key) for key in kept):
        return terms
    return {_renamed(key, name + "'", name): value for key, value in kept.items()}


def _renamed(key: Key, old: str, new: str) -> Key:
    atoms = (tuple(sorted(new if n == old else n for n in atom)) for atom in key[0])
    return tuple(sorted(atoms)), tuple(new if n == old else n for n in key[1])


def _replaced(key: Key, name: str, by: Key) -> Key:
    """Return a product with a factor of the memory replaced by a product that is of its kind."""
    atoms, vectors = key
    more, put = by
    if name in vectors:
        place = vectors.index(name)
        return tuple(sorted((*atoms, *more))), (*vectors[:place], *put, *vectors[place + 1 :])
    place = next(i for i, atom in enumerate(atoms) if name in atom)
    inside = [tuple(sorted((other, put[0]))) for other in atoms[place] if other != name]
    return tuple(sorted((*atoms[:place], *atoms[place + 1 :], *more, *inside))), vectors


def merged(ways: list[Way], algorithm: Algorithm) -> dict[str, Direction]:
    """Return one coefficient a term: piecewise where the function branches, as min or max where it is one."""
    result: dict[str, Direction] = {}
    for name in (*algorithm.stacked, *algorithm.memory):
        branches = [(way.conditions, _by_reward(way.rows[name])) for way in ways]
        keys = list(dict.fromkeys(key for _, terms in branches for key in terms))
        coefficients = (_one([(way, terms.get(key, sympy.Integer(0))) for way, terms in branches]) for key in keys)
        row = {key: c for key, c in zip(keys, coefficients, strict=True) if c != 0}
        result[name] = _with_errors(row, algorithm.stacked[-1]) if name in algorithm.stacked else row
    return result


def _by_reward(terms: Quantity) -> Direction:
    """Return a row with sympy coefficients, in which the reward is an atom, gamma' = gamma, and the interest is 1."""
    reward = scalar_symbol("reward")
    constants = {scalar_symbol(name): scalar_symbol("gamma") for name in ("gamma_next", "gamma_next_2")}
    constants[scalar_symbol("interest")] = 1
    result: Direction = {}
    for (atoms, vectors), c in terms.items():
        for term in sympy.Add.make_args(sympy.expand(c.to_sympy().subs(constants))):
            scale, power = term.as_coeff_exponent(reward)
            key: Key = tuple(sorted((*atoms, *[REWARD] * int(power)))), vectors
            result[key] = result.get(key, sympy.Integer(0)) + scale
    return result


def _with_errors(row: Direction, value: str) -> Direction:
    """Return a row in which R + gamma w.x' - w.x, with x' or x_bar, is an atom, wherever it is a factor."""
    gamma, result = scalar_symbol("gamma"), dict(row)
    for (factors, vectors), of_reward in row.items():
        if factors.count(REWARD) != 1:
            continue
        atoms = tuple(atom for atom in factors if atom != REWARD)
        for error, arrived in ERRORS.items():
            here, there = ((*atoms, tuple(sorted((value, v)))) for v in ("x", arrived))
            keys = [(tuple(sorted(a)), vectors) for a in (here, there)]
            now, later = (result.get(key, sympy.Integer(0)) for key in keys)
            if sympy.expand(now + of_reward) != 0 or sympy.expand(later - gamma * of_reward) != 0:
                continue
            for key in (*keys, (factors, vectors)):
                result.pop(key, None)
            result[tuple(sorted((*atoms, error))), vectors] = of_reward
            break
    return result


def _one(branches: list[tuple[tuple[Condition, ...], Any]]) -> Any:
    first = branches[0][1]
    if all(sympy.expand(value - first) == 0 for _, value in branches):
        return sympy.expand(first)
    if len(branches) == 2:
        (first_condition,), low, high = branches[0][0], *(value for _, value in branches)
        condition = first_condition.to_sympy()
        sides = condition.args
        for clip in (sympy.Min(*sides), sympy.Max(*sides)):
            for side, other in (sides, sides[::-1]):
                if not side.is_Symbol:
                    continue
                clipped = high.subs(side, clip) if high.has(side) else low.subs(side, clip)
                ends = {sympy.expand(clipped.subs(clip, end)) for end in (side, other)}
                agrees = _agrees(clipped, condition, low, high)
                if ends == {sympy.expand(low), sympy.expand(high)} and agrees:
                    return clipped
    return sympy.Piecewise(*((value, sympy.And(*(c.to_sympy() for c in conditions))) for conditions, value in branches))


def _agrees(clipped: Any, condition: Any, low: Any, high: Any) -> bool:
    """Return whether a clipped form takes the right branch on both sides of the condition, at sample points."""
    free = sorted(condition.free_symbols | low.free_symbols | high.free_symbols, key=str)
    for shift in (sympy.Rational(1, 7), sympy.Rational(3, 2), sympy.Integer(5)):
        point = {symbol: shift + sympy.Rational(i, 11) for i, symbol in enumerate(free)}
        expected = low if condition.subs(point) == sympy.true else high
        if sympy.expand((clipped - expected).subs(point)) != 0:
            return False
    return True


_SHARED = {*STEP_NUMBERS, "R", "R_2"}
_RENAMED = {"x_next": "x'", "reward": "R", "reward_2": "R_2"}
_SYMBOLS = {"x", "x'", "x_next_2", "x_bar", "x_bar_2", "w", "h", "delta", "delta_bar", "R", "R_2"}
"""What is called so in formulas too; any other name is a learner's own."""
_FUNCTIONS = {sympy.Min: "min", sympy.Max: "max", sympy.And: "and", sympy.Or: "or"}


def coefficient(value: Any) -> Expr:
    """Return a sympy expression as a formula, in the order in which sympy prints it.

    >>> from tdrc_theory.formula.written import text
    >>> rho, gamma = sympy.symbols("rho gamma")
    >>> text(coefficient(gamma * sympy.Min(rho, 1) ** 2 / 2 - 1))
    '1/2 gamma min(1, rho)^2 - 1'
    """
    if value.is_Symbol:
        return symbol(value.name) if value.name in _SHARED else Expr("scalar", (), value.name)
    if value.is_Rational:
        return number(Fraction(int(value.p), int(value.q)))
    if value.is_Add:
        return reduce(add, map(coefficient, value.as_ordered_terms()))
    if value.is_Mul:
        return reduce(mul, map(coefficient, value.as_ordered_factors()))
    if value.is_Pow:
        return coefficient(value.base) ** coefficient(value.exp)
    if isinstance(value, sympy.Piecewise):  # a value and its condition; the value alone of what is left
        pieces = (piece.args[:1] if piece.args[1] == sympy.true else piece.args for piece in value.args)
        return Expr("cases", tuple(Expr("row", tuple(map(coefficient, piece))) for piece in pieces))
    if value.is_Relational:
        return Expr("=" if value.rel_op == "==" else value.rel_op, tuple(map(coefficient, value.args)))
    return Expr(_FUNCTIONS[value.func], tuple(map(coefficient, sorted(value.args, key=str))))


def combination(parts: Sequence[tuple[Any, Expr]], zero: Expr = ZERO) -> Expr:
    """Return c1 v1 + c2 v2 - ..., `zero` where there is nothing to add."""
    terms = []
    for c, value in parts:
        negative = c.could_extract_minus_sign()
        size = -c if negative else c
        term = value if size == 1 else coefficient(size) * value
        terms.append(-term if negative else term)
    return reduce(add, terms) if terms else zero


def named(name: str, scalar: bool = False) -> Expr:
    """Return a vector or a number by its name."""
    name = _RENAMED.get(name, name)
    return symbol(name) if name in _SYMBOLS else Expr("scalar" if scalar else "vector", (), name)


def componentwise(vectors: tuple[str, ...]) -> Expr:
    """Return a componentwise product."""
    return named(vectors[0]) if len(vectors) == 1 else Expr("entrywise", tuple(map(named, vectors)))


def number_of(atom: Atom) -> Expr:
    """Return a number, by name or as a dot product."""
    if atom == ("h", "x"):
        return symbol("delta_hat")
    return named(atom[0], scalar=True) if len(atom) == 1 else named(atom[0]).T * named(atom[1])


def product_of(factors: Sequence[Expr]) -> Expr:
    """Return a product in which each factor stays one; 1 of none."""
    if not factors:
        return number(1)
    return factors[0] if len(factors) == 1 else Expr("mul", tuple(factors))


def sample(key: Key) -> Expr:
    """Return a product of numbers and at most one vector."""
    return product_of([*map(number_of, key[0]), *([componentwise(key[1])] if key[1] else [])])


I, A, C, B = symbols("I A C b")  # noqa: E741 - what it is called
A_T = A.T
A_B, B_B = symbols("A_b b_b")
"""E[x (x - gamma x')^T] and E[R x] under the behaviour policy, without importance ratios."""
A_B_T = A_B.T


class MatrixSum:
    """A linear combination of letters; coefficients are sympy expressions in eta, beta and gamma.

    >>> eta, beta = sympy.symbols("eta beta")
    >>> str(MatrixSum({C: -eta, I: -eta * beta}))
    '-eta C - beta eta I'
    """

    __slots__ = ("parts",)

    def __init__(self, parts: dict[Expr, Any] | None = None) -> None:
        self.parts = {letter: c for letter, c in (parts or {}).items() if c != 0}

    def __add__(self, other: MatrixSum) -> MatrixSum:
        total = dict(self.parts)
        for letter, c in other.parts.items():
            total[letter] = sympy.expand(total.get(letter, 0) + c)
        return MatrixSum(total)

    def __str__(self) -> str:
        return text(self.tree())

    def tree(self, zero: Expr = ZERO) -> Expr:
        """Return it as a formula, `zero` where it has no part: what is added first, then what is taken away."""

        def place(part: tuple[Expr, Any]) -> tuple[bool, int, str]:
            written = text(part[0])
            return part[1].could_extract_minus_sign(), len(written), written

        return combination([(c, letter) for letter, c in sorted(self.parts.items(), key=place)], zero)


Rest = tuple[tuple[str, ...], ...]
"""The numbers that are factors of a product."""

RHO, GAMMA, ETA = sympy_symbols("rho", "gamma", "eta")
OF_STEP = [scalar_symbol(name) for name in NUMBERS if not name.startswith(("gamma", "interest"))]
"""What differs between steps, in a coefficient."""


@dataclass(frozen=True)
class SymbolicUpdate:
    """What follows from a learner's function for every problem of constant discount and interest 1, and dimension.

    Attributes:
        algorithm: whose it is.
        directions: of weights, and values of memory, by name: {factors: sympy coefficient}, with the atoms `delta`
            and `delta_bar` for the TD error; memory in them is that after the step, but in its own row that before it.
        G: rows of blocks, in the order of `Algorithm.stacked`.
        g: one vector a row.
    """

    algorithm: Algorithm
    directions: dict[str, Direction]
    G: tuple[tuple[MatrixSum, ...], ...]
    g: tuple[MatrixSum, ...]

    def equations(self) -> dict[str, Expr]:
        """Return what a step does to each weight and memory."""
        result = {}
        for name, value, is_added in self._steps():
            kind = "scalar" if name in self.algorithm.scalars else "vector"
            now, after = (Expr(time, (Expr(kind, (), name),)) for time in ("now", "next"))
            result[name] = equal(after, now + value if is_added else value)
        return result

    def update_text(self) -> dict[str, str]:
        """Return what a step does to each weight and memory as plain text, with `+=` for what is added to weights."""
        return {name: f"{name} {'+=' if is_added else '='} {text(value)}" for name, value, is_added in self._steps()}

    def _steps(self) -> Iterable[tuple[str, Expr, bool]]:
        """Yield (name, value, whether that is added); memory, to which it is not, first, then w."""
        for name in self.algorithm.memory:
            yield name, _written(self.directions[name]), False
        for name in reversed(self.algorithm.stacked):
            direction, relative = self.step(name)
            alpha = symbol("alpha")
            yield name, (symbol("eta") * alpha if relative else alpha) * _written(direction), True

    def step(self, name: str) -> tuple[Direction, bool]:
        """Return the direction of a weight, and whether eta multiplies alpha: where every term has it as a factor."""
        direction = self.directions[name]
        eta = self.algorithm.fixed.get("eta", ETA)
        scaled = {key: sympy.expand(sympy.cancel(c / eta)) for key, c in direction.items()}
        of_components = not self.algorithm.weights and name == "h"
        if of_components or (direction and not any(c.has(ETA) for c in scaled.values())):
            return scaled, True
        return direction, False

    def direction(self, name: str) -> Expr:
        """Return the direction of a weight, without eta where every term has it as a factor."""
        return _written(self.step(name)[0])

    def G_tree(self, zero: Expr = ZERO) -> Expr:
        """Return G as a block matrix, with `zero` where a block is 0."""
        return block([[cell.tree(zero) for cell in row] for row in self.G])

    def g_tree(self, zero: Expr = ZERO) -> Expr:
        """Return g as a block vector, with `zero` where a block is 0."""
        return block([[cell.tree(zero)] for cell in self.g])

    def __str__(self) -> str:
        names = self.algorithm.stacked
        lines = [f"{self.algorithm.name} ({self.algorithm.source})"]
        lines += [f"  {line}" for line in self.update_text().values()]
        for name, row, constant in zip(names, self.G, self.g, strict=True):
            columns = zip(row, names, strict=True)
            parts = [
                cell.tree() * named(column, column in self.algorithm.scalars) for cell, column in columns if cell.parts
            ]
            parts += [constant.tree()] if constant.parts else []
            lines.append(f"  E[d{name}] = {text(reduce(add, parts) if parts else ZERO)}")
        return "\n".join(lines)


def derive(algorithm: Algorithm) -> SymbolicUpdate:
    """Return a learner's equation, expected update, G and g with symbols.

    Raises:
        NotAffine: the update is not affine in the weights.

    >>> from tdrc_theory.algorithms import TD
    >>> print(derive(TD))
    td (Ghiassian et al. 2020, eq. 2, with importance sampling)
      w += alpha rho delta x
      E[dw] = -A w + b
    """
    ways = algorithm.bound(algorithm.fixed)
    directions = merged([memory_after(way, algorithm) for way in ways], algorithm)
    names = algorithm.stacked
    rows = [_expected(directions[name], algorithm) for name in names]
    G = tuple(tuple(blocks[column] for column in names) for blocks, _ in rows)
    return SymbolicUpdate(algorithm, directions, G, tuple(constant for _, constant in rows))


def _expected(direction: Direction, algorithm: Algorithm) -> tuple[dict[str, MatrixSum], MatrixSum]:
    """Return what multiplies each weight, and the constant, in the expectation of a direction."""
    blocks = {name: MatrixSum() for name in algorithm.stacked}
    value, constant = algorithm.stacked[-1], MatrixSum()
    for key, c in direction.items():
        weight, v, (rest, phi) = split(key, frozenset(blocks))
        for ratio, scale in _by_ratio(c).items():
            error = next((atom for atom in rest if atom in ERRORS), None)
            if error is not None:
                others = tuple(atom for atom in rest if atom != error)
                of_value = _letter(ratio, phi, _away(ERRORS[error]).T, others, algorithm)
                blocks[value] += MatrixSum({of_value: -scale})
                constant += MatrixSum({_letter(ratio, phi, symbol("R"), others, algorithm): scale})
            elif weight is None:
                of_state = _state_ratio(ratio, phi, None, rest, algorithm)
                constant += MatrixSum({_letter(of_state, phi, None, rest, algorithm): scale})
            elif v is None:
                blocks[weight] += MatrixSum({_diagonal_letter(ratio, phi, rest, algorithm): scale})
            else:
                blocks[weight] += _product(scale, ratio, phi, v, rest, algorithm)
    return {name: _differences(block, algorithm) for name, block in blocks.items()}, constant


def _differences(block: MatrixSum, algorithm: Algorithm) -> MatrixSum:
    """Return a block with c E[x e^T] - c gamma E[x' e^T] as c E[(x - gamma x') e^T]."""
    for name, arrived, first in product(algorithm.memory, ERRORS.values(), (False, True)):
        vectors, e = (symbol("x"), named(arrived), _away(arrived)), named(name)
        here, there, both = (E(product_of((e, v.T) if first else (v, e.T))) for v in vectors)
        c = block.parts.get(here)
        if c is not None and sympy.expand(block.parts.get(there, 0) + GAMMA * c) == 0:
            rest = {letter: value for letter, value in block.parts.items() if letter not in (here, there)}
            block = MatrixSum(rest) + MatrixSum({both: c})
    return block


def _by_ratio(c: Any) -> dict[Any, Any]:
    """Split a coefficient into {function of the numbers of a step: factor free of them}, products that add up to it."""
    parts: dict[Any, Any] = {}
    for term in sympy.Add.make_args(sympy.expand(c)):
        scale, ratio = term.as_independent(*OF_STEP)
        parts[ratio] = parts.get(ratio, 0) + scale
    return parts


def _away(arrived: str) -> Expr:
    return symbol("x") - symbol("gamma") * named(arrived)


def _product(scale: Any, ratio: Any, phi: tuple[str, ...], v: str, rest: Rest, algorithm: Algorithm) -> MatrixSum:
    """E[c phi v^T]: gamma E[rho x x'^T] is C - A, without rho it is C - A_b, and a trace has its own A.

    Of action values, gamma E[x x_bar^T] is C - A.
    """
    ratio = _state_ratio(ratio, phi, v, rest, algorithm)
    without_gamma = sympy.cancel(scale / GAMMA)
    if not rest and {*phi, v} == {"x", "x_bar"} and ratio == 1 and sympy.denom(without_gamma).is_number:
        return MatrixSum({C: without_gamma, (A if v == "x_bar" else A_T): -without_gamma})
    by_state = not algorithm.for_action_values and sympy.denom(without_gamma).is_number
    if not rest and sorted((*phi, v)) == ["x", "x_next"] and ratio in (RHO, 1) and by_state:
        plain, transposed = (A, A_T) if ratio == RHO else (A_B, A_B_T)
        return MatrixSum({C: without_gamma, (plain if v == "x_next" else transposed): -without_gamma})
    decay = None if algorithm.for_action_values else _decay(v, algorithm)
    if not rest and phi == ("x_next",) and ratio == 1 and decay is not None:
        without = sympy.cancel(scale / (GAMMA - decay[0]))
        if sympy.denom(without).is_number:
            transposed = E(product_of((_away("x_next"), named(v).T)))
            return MatrixSum({C: sympy.expand(without * decay[1]), transposed: sympy.expand(-without)})
    return MatrixSum({_letter(ratio, phi, named(v).T, rest, algorithm): scale})


def _decay(name: str, algorithm: Algorithm) -> tuple[Any, Any] | None:
    """Return (a, c) of a trace e = rho (a e + c x), else None.

    E[rho | state, e] = 1 gives E[x e'^T] = a E[x e^T] + c C, e' after the step, and E[x e^T] = E[x' e'^T] where the
    chain is stationary. So E[(x - gamma x') e'^T] = c C - (gamma - a) E[x' e'^T].
    """
    if name not in algorithm.memory or len(ways := algorithm.bound(algorithm.fixed)) > 1:
        return None
    row = {key: c.to_sympy() / RHO for key, c in ways[0].rows[name].items()}
    own, driven = ((), (name,)), ((), ("x",))
    if set(row) - {own, driven} or any(c.has(*OF_STEP) for c in row.values()):
        return None
    return row.get(own, sympy.Integer(0)), row.get(driven, sympy.Integer(0))


def _diagonal_letter(ratio: Any, phi: tuple[str, ...], rest: Rest, algorithm: Algorithm) -> Expr:
    ratio = _state_ratio(ratio, phi, None, rest, algorithm)
    if not phi and not rest and ratio == 1:
        return I
    inner = _expectation(ratio, phi, None, rest)
    if phi:
        return inner if algorithm.weights else diag(inner)
    return product_of((inner, I)) if algorithm.weights or rest else diag(inner)


def _state_ratio(ratio: Any, phi: tuple[str, ...], v: str | None, rest: Rest, algorithm: Algorithm) -> Any:
    """E[rho | s] = 1, so a lone rho drops out of what depends on the state only."""
    if algorithm.for_action_values:  # whose x depends on the action
        return ratio
    names = {*phi, *([v] if v else []), *(name for atom in rest for name in atom)}
    return sympy.Integer(1) if ratio == RHO and names <= {"x"} else ratio


def _expectation(ratio: Any, phi: tuple[str, ...], psi: Expr | None, rest: Rest = ()) -> Expr:
    factors = [*map(number_of, rest), *([componentwise(phi)] if phi else []), *([] if psi is None else [psi])]
    if ratio == 1:
        return E(product_of(factors)) if factors else number(1)
    return E(coefficient(ratio) * product_of(factors) if factors else coefficient(ratio))


def _lettered(ratio: Any, arrived: str, matrix: Expr, vector: Expr) -> dict[Expr, Expr]:
    """Return {E[c(rho) x (x - gamma x')^T]: matrix, E[c(rho) R x]: vector}, with x' or x_bar."""
    rewards = _expectation(ratio, ("x",), symbol("R")), _expectation(ratio, ("x",), None, (REWARD,))
    return {_expectation(ratio, ("x",), _away(arrived).T): matrix, **dict.fromkeys(rewards, vector)}


_ONE = sympy.Integer(1)
_C = {_expectation(_ONE, ("x",), named("x").T): C}
_LETTERS = {
    False: _lettered(RHO, "x_next", A, B) | _lettered(_ONE, "x_next", A_B, B_B) | _C,
    True: _lettered(_ONE, "x_bar", A, B) | _C,
}
"""The expectations that have letters, of features by state, and of action values."""


def _letter(ratio: Any, phi: tuple[str, ...], psi: Expr | None, rest: Rest, algorithm: Algorithm) -> Expr:
    """Return E[c(rho) phi psi^T] times other numbers, by its letter where it has one."""
    expectation = _expectation(ratio, phi, psi, rest)
    return _LETTERS[algorithm.for_action_values].get(expectation, expectation)


def _written(direction: Direction) -> Expr:
    """Return a direction as a formula: the TD error first, then corrections, then weights alone; x before x'."""

    def place(item: tuple[Key, Any]) -> tuple[Any, ...]:
        (atoms, vectors), _ = item
        return not set(ERRORS) & set(atoms), not atoms, vectors.count("x_next"), text(sample(item[0])).lstrip("(")

    return combination([(c, sample(key)) for key, c in sorted(direction.items(), key=place)])

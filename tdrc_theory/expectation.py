"""From one sampled update to its expectation, on a given problem, exactly.

With delta = R + gamma w.x' - w.x and delta_hat = h.x, every term of a direction is c(rho) phi(x, x') times delta,
delta_hat, a component of h, or 1, where phi is a product of powers of components. Its expectation is an entry of one
table, E[c phi psi^T] with psi one of x, x', R and 1; G and g collect those entries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import flint

from tdrc_theory.algorithm import Algorithm
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.form import Exponents
from tdrc_theory.problem import Problem

Coefficient = Callable[[Fraction], Fraction] | Sequence[Fraction]
"""A function of the importance ratio: as such, or by its values at the table's ratios."""


class ExpectedUpdate(NamedTuple):
    """E[(dh, dw)] = G varrho + g, with varrho = (h, w), or w where there is no h (eq. 10 of the paper's appendix)."""

    G: Matrix
    g: Matrix


class ExpectationTable:
    """The expectations of one problem, under d, the behaviour policy and the transitions."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._x = Matrix(problem.features)
        zeros = [Fraction(0)] * problem.k
        self._x_next = Matrix([*problem.features, zeros])  # the last row is where the episode has ended
        self._ones = Matrix.column([1] * problem.states)
        # One row (s, s_next, d b p, place of rho among the ratios, R) for each step that can be taken.
        weights = [to_fmpq(weight) for weight in problem.d]
        masses: dict[tuple[int, int], flint.fmpq] = {}
        rhos: dict[tuple[int, int], Fraction] = {}
        for s, row in enumerate(problem.behaviour):
            for a, b in enumerate(row):
                if problem.d[s] and b:
                    masses[s, a], rhos[s, a] = weights[s] * to_fmpq(b), problem.rho(s, a)
        self.ratios = sorted(set(rhos.values()))
        place = {rho: i for i, rho in enumerate(self.ratios)}
        places = {step: place[rho] for step, rho in rhos.items()}
        self._steps = [
            (
                t.s,
                problem.states if problem.ends(t.s_next) else t.s_next,
                masses[t.s, t.a] * to_fmpq(t.probability),
                places[t.s, t.a],
                to_fmpq(t.reward),
            )
            for t in problem.transitions
            if (t.s, t.a) in masses
        ]
        self._entries: dict[object, Matrix] = {}

    def with_x(self, coefficient: Coefficient, powers: tuple[int, int] = (1, 0)) -> Matrix:
        """Return E[c(rho) phi x^T], phi = x^a x'^b by component and `powers` = (a, b)."""
        return self._entry("x", coefficient, powers)

    def with_x_next(self, coefficient: Coefficient, powers: tuple[int, int] = (1, 0)) -> Matrix:
        """Return E[c(rho) phi x'^T]."""
        return self._entry("x_next", coefficient, powers)

    def with_reward(self, coefficient: Coefficient, powers: tuple[int, int] = (1, 0)) -> Matrix:
        """Return E[c(rho) phi R], a column."""
        return self._entry("R", coefficient, powers)

    def alone(self, coefficient: Coefficient, powers: tuple[int, int] = (1, 0)) -> Matrix:
        """Return E[c(rho) phi], a column."""
        return self._entry("1", coefficient, powers)

    def _entry(self, psi: str, coefficient: Coefficient, powers: tuple[int, int]) -> Matrix:
        """Return an entry of the table; what was asked for before is not computed again."""
        values = [coefficient(rho) for rho in self.ratios] if callable(coefficient) else coefficient
        key = (psi, powers, tuple((v.numerator, v.denominator) for v in values))  # cheaper to hash than fractions
        if key not in self._entries:
            self._entries[key] = self._computed(psi, values, powers)
        return self._entries[key]

    def _computed(self, psi: str, values: Sequence[Fraction], powers: tuple[int, int]) -> Matrix:
        mass, (a, b) = self._mass(values, rewarded=psi == "R"), powers
        if psi == "x_next":
            left = mass.T @ self._x.power(a)
            return (left if b == 0 else self._x_next.power(b).hadamard(left)).T @ self._x_next
        arrived = mass @ self._x_next.power(b)
        left = arrived if a == 0 else self._x.power(a).hadamard(arrived)
        return left.T @ (self._x if psi == "x" else self._ones)

    def _mass(self, values: Sequence[Fraction], rewarded: bool) -> Matrix:
        """Return the (S, S + 1) matrix of d b p c(rho), or of that times R, by state and next state."""
        factors = [to_fmpq(value) for value in values]
        mass = flint.fmpq_mat(self.problem.states, self.problem.states + 1)
        for s, arrival, probability, place, reward in self._steps:
            share = probability * factors[place]
            mass[s, arrival] += share * reward if rewarded else share
        return Matrix.of_flint(mass)


def expected_update(
    table: ExpectationTable | Problem, algorithm: Algorithm, beta: Fraction | None, eta: Fraction | None
) -> ExpectedUpdate:
    """Return G and g of an algorithm on a problem, derived from its function.

    Args:
        table: the problem, or its expectations where more than one update is asked for.
        algorithm: any algorithm.
        beta, eta: exact; as `algorithm.parameters` returns them.

    Returns:
        G (2k, 2k) and g (2k, 1), rows and columns ordered (h, w); k x k and k x 1 without h.

    Raises:
        NotAffine: the update is not affine in (w, h).
        BadAlgorithm: the function is not arithmetic on its arguments, or its use of h was not seen.
    """
    if isinstance(table, Problem):
        table = ExpectationTable(table)
    gamma = table.problem.gamma
    terms = [algorithm.terms(rho, gamma, beta or Fraction(0)) for rho in table.ratios]
    row_w = _expected_direction(table, [t.w for t in terms])
    if not algorithm.has_h:
        if any(t.h for t in terms) or not row_w.of_h.is_zero():
            raise BadAlgorithm(f"{algorithm.name} uses h here, though not in general; let it always return dh")
        return ExpectedUpdate(row_w.of_w, row_w.constant)
    scale = Fraction(1) if eta is None else eta
    row_h = _expected_direction(table, [t.h for t in terms])
    G = Matrix.block([[row_h.of_h * scale, row_h.of_w * scale], [row_w.of_h, row_w.of_w]])
    g = Matrix.block([[row_h.constant * scale], [row_w.constant]])
    return ExpectedUpdate(G, g)


class _Direction(NamedTuple):
    of_h: Matrix
    of_w: Matrix
    constant: Matrix


def _expected_direction(table: ExpectationTable, terms: list[dict[Exponents, Any]]) -> _Direction:
    """Collect the expectations of a direction's terms, given at each of the table's ratios."""
    k, gamma = table.problem.k, table.problem.gamma
    of_h, of_w, constant = Matrix.zeros(k, k), Matrix.zeros(k, k), Matrix.zeros(k, 1)
    for key in sorted({key for each in terms for key in each}):
        a, b, h, delta, delta_hat = key
        powers = (a, b)
        coefficient = [each.get(key, Fraction(0)) for each in terms]
        if delta:
            constant += table.with_reward(coefficient, powers)
            of_w += table.with_x_next(coefficient, powers) * gamma - table.with_x(coefficient, powers)
        elif delta_hat:
            of_h += table.with_x(coefficient, powers)
        elif h:
            of_h += Matrix.diagonal([row[0] for row in table.alone(coefficient, powers).rows])
        else:
            constant += table.alone(coefficient, powers)
    return _Direction(of_h, of_w, constant)

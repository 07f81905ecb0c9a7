"""One algorithm on one problem, and the exact matrices that every condition speaks of.

Among them is where an expected update rests, and whether TD rests there too: both linear systems are solved exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint

from tdrc_theory.algorithms import TDRC
from tdrc_theory.exact import Matrix, Number, Polynomial, Surd
from tdrc_theory.exact.number import number_text, rounded_text
from tdrc_theory.frozen import Frozen
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import ExpectationTable, ExpectedUpdate, expected_update, table_for
from tdrc_theory.learner.key_update import KeyUpdate, key_update
from tdrc_theory.learner.modes import check_offered, needs_chain
from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import KeyMatrices, key_matrices
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import find_problem
from verify.exact.definiteness import Inertia, inertia, is_positive_definite

LONGEST = 200
"""Characters of an exact number up to which it is written out; a longer one is of no use to a reader."""


class FixedPoints:
    """The solutions of G varrho + g = 0 beside those of A w = b, exactly.

    Attributes:
        w: the w of one solution of G varrho + g = 0, (k, 1); None where there is none.
        td_w: one solution of A w = b; None where there is none.
        offset: w - w_TD where both exist.
        directions: the dimension of the set of solutions of G varrho + g = 0.
        spurious: a direction in w along which the algorithm rests and A w changes, or None.
        solve_td: whether there are solutions, and each satisfies A w = b.
        equal: whether both sets of w are the same.
    """

    def __init__(self, key: KeyMatrices, update: ExpectedUpdate) -> None:
        """Solve both systems exactly."""
        (A, b, _), (G, g) = key, update
        k, size = A.shape[0], G.shape[0]
        w_rows = range(size - k, size)
        solution, kernel = G.solve(-g), G.null_space()
        self.w = None if solution is None else solution.select(w_rows, [0])
        self.td_w = A.solve(b)
        self.offset = None if self.w is None or self.td_w is None else self.w - self.td_w
        directions = [kernel.select(w_rows, [j]) for j in range(kernel.shape[1])]
        self.directions = len(directions)
        self.spurious = next((v for v in directions if not (A @ v).is_zero()), None)
        self.solve_td = self.w is not None and self.spurious is None and A @ self.w == b
        dimension = Matrix.block([directions]).rank() if directions else 0
        neither = self.w is None and self.td_w is None
        self.equal = neither or (self.solve_td and dimension == k - A.rank())


def vector_text(z: Matrix) -> str:
    """Return a column as one line, shortened where it is long."""
    texts = z.column_texts()
    shown = texts if len(texts) <= 12 else [*texts[:12], "..."]
    line = ", ".join(shown)
    return f"({line})" if len(line) <= 160 else f"({', '.join(rounded_text(v) for (v,) in z.rows[:12])}, ...)"


def limited(value: Number) -> str | None:
    """Return an exact number as text, None where that has more than 200 characters."""
    text = number_text(value)
    return text if len(text) <= LONGEST else None


def limited_texts(column: Matrix) -> list[str | None]:
    """Return the entries of a column as text, None in the place of what is longer than 200 characters."""
    return [limited(value) for (value,) in column.rows]


LARGEST_EXACT = 128
"""Size of G beyond which exact arithmetic takes minutes, so that nothing is decided from it."""
MOST_WORK = 6 * 10**9
"""Operations on bits, n^4 for a G of size n and each bit of its longest number, beyond which it takes minutes too.

Elimination takes n^3 products of numbers that grow to n times the length of those in G.
"""


def past_exact_reach(size: int, G: Callable[[], Matrix], largest: int) -> str:
    """Return why a matrix of some size is past exact arithmetic; empty where it is within.

    `G` returns it, and is called where the size is at most `largest`.
    """
    if size > largest:
        return f"G is {size} x {size}, past exact arithmetic (at most {largest})"
    bits = longest(G())
    if size**4 * bits <= MOST_WORK:
        return ""
    digits, most = digits_of(bits), digits_of(MOST_WORK // size**4)
    return (
        f"G is {size} x {size} with numbers of up to {digits} digits, past exact arithmetic (at most {most} at this"
        " size); a problem whose numbers have fewer digits is within"
    )


def digits_of(bits: int) -> int:
    """Return how many decimal digits so many bits are."""
    return int(bits * math.log10(2)) + 1


def longest(M: Matrix) -> int:
    """Return the length of a matrix's longest numerator or denominator, in bits."""
    if M.rational is not None:
        return max(map(flint.fmpq.height_bits, M.rational.entries()), default=0)
    parts = [n for row in M.rows for v in row for n in (v.terms.values() if isinstance(v, Surd) else (v,))]
    return max((n.bit_length() for part in parts for n in part.as_integer_ratio()), default=0)


@dataclass(frozen=True)
class Setting:
    """What is judged: a problem, an algorithm, and the parameters that it uses, by name."""

    problem: Problem | MatrixProblem
    algorithm: Algorithm
    parameters: Mapping[str, Fraction]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", Frozen(self.parameters))

    @property
    def process(self) -> Problem:
        """The problem, of which more than A, b and C is known.

        Raises:
            BadProblem: it is not.
        """
        return find_problem(self.problem)

    @property
    def beta(self) -> Fraction:
        """The regulariser; 0 where the algorithm has none."""
        return self.parameters.get("beta", Fraction(0))

    @property
    def eta(self) -> Fraction:
        """The step of h over that of w; 1, that both move by alpha, where the algorithm has no such parameter."""
        return self.parameters.get("eta", Fraction(1))

    @classmethod
    def of(
        cls,
        problem: Problem | MatrixProblem,
        algorithm: Algorithm,
        beta: Any = None,
        eta: Any = None,
        others: Mapping[str, Any] | None = None,
    ) -> Setting:
        """Return the setting in which the algorithm's own parameters override those asked for; None is a default.

        Raises:
            BadOption: a parameter is out of its range, or the algorithm has no such one.
        """
        return cls(problem, algorithm, algorithm.parameters({"beta": beta, "eta": eta, **(others or {})}))

    def at(self, **parameters: Fraction) -> Setting:
        """Return the setting with other parameters; what depends on the problem alone is not computed again."""
        other = replace(self, parameters={**self.parameters, **parameters})
        known = {name: value for name, value in self.__dict__.items() if name in ("table", "key")}
        other.__dict__.update(known)
        return other

    def of_other(self, algorithm: Algorithm) -> Setting:
        """Return another algorithm's setting at those parameters that it has; A, b and C are computed once."""
        used = {name: value for name, value in self.parameters.items() if name in ("beta", *algorithm.own_parameters)}
        other = Setting(self.problem, algorithm, algorithm.parameters(used))
        other.__dict__["key"] = self.key
        return other

    @cached_property
    def table(self) -> ExpectationTable | MatrixProblem:
        """The problem's expectations."""
        if isinstance(self.problem, MatrixProblem):
            return self.problem
        return table_for(self.problem, self.algorithm)

    @cached_property
    def key(self) -> KeyMatrices:
        """A, b and C."""
        return key_matrices(self.problem)

    @cached_property
    def update(self) -> ExpectedUpdate:
        """G and g: from A, b and C where these give them, else step by step."""
        if self.form is None:
            return expected_update(self.table, self.algorithm, self.parameters)
        return ExpectedUpdate(*self.form.at(self.key))

    @cached_property
    def form(self) -> KeyUpdate | None:
        """G and g as sums of A, b and C; None where these do not give them."""
        if not isinstance(self.problem, Problem) or self.problem.action_values:
            return None
        form = key_update(self.algorithm, self.parameters)
        if not isinstance(form, KeyUpdate):
            return None
        check_offered(self.problem, self.algorithm)
        return form

    @property
    def within_exact_reach(self) -> bool:
        """Whether G is small enough, and its numbers short enough, for exact arithmetic."""
        return not self.past_exact_reach

    @cached_property
    def past_exact_reach(self) -> str:
        """Why G is past exact arithmetic; empty where it is within."""
        size = self.algorithm.size(self.problem.k)
        return past_exact_reach(size, lambda: self.update.G, LARGEST_EXACT)

    @cached_property
    def charpoly(self) -> Polynomial:
        """The characteristic polynomial of G."""
        return self.update.G.charpoly()

    @cached_property
    def whole_charpoly(self) -> Polynomial:
        """The characteristic polynomial of a positive multiple of G, whole where G is rational; quicker to judge."""
        rational = self.update.G.rational
        if rational is None:
            return self.charpoly
        return Polynomial.of_flint(flint.fmpq_poly(rational.numer_denom()[0].charpoly()))

    @cached_property
    def rank_G(self) -> int:
        """The rank of G."""
        return self.update.G.rank()

    @cached_property
    def equation(self) -> KeyMatrices:
        """A, b (and C) of the equation A w = b that the learner is made to solve: TD's, or the one that it names."""
        if self.algorithm.solves is None:
            return self.key
        G, g = self.of_other(self.algorithm.solves).update
        return KeyMatrices(-G, g, self.key.C)

    @cached_property
    def has_td_rows(self) -> bool:
        """Whether each block row of G and g is (..., -c A | c b) for a number c, exactly."""
        if self.algorithm.solves is None and self.form is not None and self.form.has_td_rows:
            return True
        (A, b, _), (G, g) = self.equation, self.update
        k, size = A.shape[0], G.shape[0]
        lead = next(((i, j) for i in range(k) for j in range(k) if A[i, j] != 0), None)
        columns = range(size - k, size)
        for start in range(0, size, k):
            rows = range(start, start + k)
            block, constant = G.select(rows, columns), g.select(rows, [0])
            c = -block[lead] / A[lead] if lead is not None else Fraction(0)
            if not ((block + A * c).is_zero() and (constant - b * c).is_zero()):
                return False
        return True

    @cached_property
    def resting(self) -> FixedPoints:
        """Where the expected update rests, beside where the equation's solutions are."""
        return self.fixed_points if self.algorithm.solves is None else FixedPoints(self.equation, self.update)

    @cached_property
    def fixed_points(self) -> FixedPoints:
        """Where the expected update rests, beside where TD does."""
        return FixedPoints(self.key, self.update)

    @cached_property
    def C_singular(self) -> bool:
        """Whether C is singular."""
        return self.key.C.rank() < self.problem.k

    @cached_property
    def is_tdrc(self) -> bool:
        """Whether the update is TDRC's on every step that this problem can take, so that Theorem 3.1 speaks of it."""
        if self.algorithm.direction is TDRC.direction:
            return True
        if self.algorithm.stacked != TDRC.stacked or needs_chain(self.problem, self.algorithm):
            return False
        used = {"beta": self.beta, "eta": self.eta}
        own = {**self.parameters, **used}
        table = self.table
        if isinstance(table, MatrixProblem):
            return self.algorithm.bound(own) == TDRC.bound(used)
        points = [({**own, **point}, {**used, **point}) for point in table.modes.points]
        return all(self.algorithm.at(a) == TDRC.at(b) for a, b in points)

    @cached_property
    def everywhere(self) -> Forms:
        """The quadratic forms of Theorem 3.1, on all vectors."""
        return self._forms(Matrix.identity(self.problem.k))

    @cached_property
    def on_range(self) -> Forms:
        """The same forms on range(C), which is everything where C is nonsingular.

        That range(C) decides, even where next features leave it, is the theorem `singular_C_convergence`.
        """
        return self._forms(self.key.C.column_basis()) if self.C_singular else self.everywhere

    def _forms(self, V: Matrix) -> Forms:
        A, _, C = self.key
        return Forms(V, V.T @ C @ V, V.T @ A @ V, V.T @ (A @ A.T) @ V, self.beta, self.eta)


@dataclass(frozen=True)
class Forms:
    """C, A and A A^T seen through a basis V: the forms of z = V y, and those that C1, C2 and C3 combine.

    With z*z = 1: z*Cz = b_c, z*Az = lambda_r + i lambda_c, z*AA^Tz = b_a. The conditions are homogeneous in z, so
    they are stated for M, L, N, S and the Gram matrix E = V^T V:

        C1: m > 0,    C2: m^2 + lambda_c^2 + 4 eta n e > 0,    C3: m^2 n + beta lambda_c^2 l > 0
    """

    V: Matrix
    C: Matrix
    A: Matrix
    AAT: Matrix
    beta: Fraction
    eta: Fraction

    @cached_property
    def E(self) -> Matrix:
        """Gram matrix, e = z*z."""
        return self.V.T @ self.V

    @cached_property
    def H(self) -> Matrix:
        """Symmetric part of A, z*Hz = lambda_r e."""
        return (self.A + self.A.T) * Fraction(1, 2)

    @cached_property
    def S(self) -> Matrix:
        """Antisymmetric part of A; z = u + iv has lambda_c e = 2 u^T S v."""
        return (self.A - self.A.T) * Fraction(1, 2)

    @cached_property
    def L(self) -> Matrix:
        """Form of l = eta b_c + lambda_r."""
        return self.C * self.eta + self.H

    @cached_property
    def M(self) -> Matrix:
        """Form of m = eta beta + eta b_c + lambda_r."""
        return self.E * (self.eta * self.beta) + self.L

    @cached_property
    def N(self) -> Matrix:
        """Form of n = beta lambda_r + b_a."""
        return self.H * self.beta + self.AAT

    @cached_property
    def N_inertia(self) -> Inertia:
        """Inertia of N: beta is below its corrected bound exactly when all are positive."""
        return inertia(self.N)

    @cached_property
    def H_inertia(self) -> Inertia:
        """Inertia of H."""
        return inertia(self.H)

    @cached_property
    def within_floats(self) -> bool:
        """Whether floats can hold the forms and products of a few of them, so that candidates can be looked for."""
        import numpy as np

        return all(np.abs(F.to_float()).max(initial=0) < 1e60 for F in (self.M, self.N, self.L))

    @cached_property
    def L_positive(self) -> bool:
        """Whether L is positive definite: eta is above its bound exactly then."""
        return is_positive_definite(self.L)

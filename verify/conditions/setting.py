"""One algorithm on one problem, and the exact matrices that every condition speaks of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from tdrc_theory.algorithms import TDRC
from tdrc_theory.exact import Matrix, Polynomial
from tdrc_theory.expectation import ExpectedUpdate, expected_update
from tdrc_theory.key_matrices import KeyMatrices, key_matrices
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.table import ExpectationTable
from tdrc_theory.parameters import check_ranges
from tdrc_theory.problem import Problem
from verify.exact.definiteness import Inertia, inertia, is_positive_definite
from verify.fixed_points import FixedPoints, fixed_points

LARGEST_EXACT = 128
"""Size of G beyond which exact arithmetic takes minutes, so that nothing is decided from it."""


@dataclass(frozen=True)
class Setting:
    """What is judged: a problem, an algorithm, and the beta and eta that it uses (None where it has none)."""

    problem: Problem
    algorithm: Algorithm
    beta: Fraction | None
    eta: Fraction | None

    @classmethod
    def of(cls, problem: Problem, algorithm: Algorithm, beta: Fraction, eta: Fraction) -> Setting:
        """Return the setting in which the algorithm's own parameters override the given ones.

        Raises:
            BadOption: beta is negative, or eta not positive.
        """
        check_ranges(beta, eta)
        return cls(problem, algorithm, *algorithm.parameters(beta, eta))

    def at(self, beta: Fraction | None, eta: Fraction | None) -> Setting:
        """Return the setting with other parameters; what depends on the problem alone is not computed again."""
        other = replace(self, beta=beta, eta=eta)
        known = {name: value for name, value in self.__dict__.items() if name in ("table", "key")}
        other.__dict__.update(known)
        return other

    @cached_property
    def table(self) -> ExpectationTable:
        """The problem's expectations."""
        return ExpectationTable(self.problem)

    @cached_property
    def key(self) -> KeyMatrices:
        """A, b and C."""
        return key_matrices(self.table)

    @cached_property
    def update(self) -> ExpectedUpdate:
        """G and g."""
        return expected_update(self.table, self.algorithm, self.beta, self.eta)

    @cached_property
    def within_exact_reach(self) -> bool:
        """Whether G is small enough for exact arithmetic."""
        return self.problem.k * (2 if self.algorithm.has_h else 1) <= LARGEST_EXACT

    @cached_property
    def charpoly(self) -> Polynomial:
        """The characteristic polynomial of G."""
        return self.update.G.charpoly()

    @cached_property
    def rank_G(self) -> int:
        """The rank of G."""
        return self.update.G.rank()

    @cached_property
    def fixed_points(self) -> FixedPoints:
        """Where the expected update rests, beside where TD does."""
        return fixed_points(self.key, self.update)

    @cached_property
    def C_singular(self) -> bool:
        """Whether C is singular."""
        return self.key.C.rank() < self.problem.k

    @cached_property
    def is_tdrc(self) -> bool:
        """Whether the update is TDRC's on every step that this problem can take, so that Theorem 3.1 speaks of it."""
        if not self.algorithm.has_h or self.eta is None:
            return False
        gamma, beta = self.problem.gamma, self.beta or Fraction(0)
        return all(self.algorithm.terms(rho, gamma, beta) == TDRC.terms(rho, gamma, beta) for rho in self.table.ratios)

    @cached_property
    def everywhere(self) -> Forms:
        """The quadratic forms of Theorem 3.1, on all vectors."""
        return self._forms(Matrix.identity(self.problem.k))

    @cached_property
    def on_range(self) -> Forms:
        """The same forms on range(C), which is everything where C is nonsingular."""
        return self._forms(self.key.C.column_basis()) if self.C_singular else self.everywhere

    def _forms(self, V: Matrix) -> Forms:
        A, _, C = self.key
        assert self.eta is not None
        return Forms(V, V.T @ C @ V, V.T @ A @ V, V.T @ (A @ A.T) @ V, self.beta or Fraction(0), self.eta)


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

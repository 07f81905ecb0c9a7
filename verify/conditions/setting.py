"""One algorithm on one problem, and the exact matrices that every condition speaks of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tdrc_theory.algorithms import TDRC
from tdrc_theory.exact import Matrix, Polynomial, Surd
from tdrc_theory.expectation import ExpectedUpdate, expected_update, table_for
from tdrc_theory.frozen import Frozen
from tdrc_theory.key_matrices import KeyMatrices, key_matrices
from tdrc_theory.key_update import KeyUpdate, key_update
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import needs_chain
from tdrc_theory.learner.offered import check_offered
from tdrc_theory.learner.table import ExpectationTable
from tdrc_theory.matrix_problem import MatrixProblem
from tdrc_theory.parameters import asked_parameters
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem
from verify.conditions.exact_reach import LARGEST_EXACT, past_exact_reach
from verify.exact.definiteness import Inertia, inertia, is_positive_definite
from verify.fixed_points import FixedPoints, fixed_points

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
    def beta(self) -> Fraction | None:
        """The regulariser; None where the algorithm has none."""
        return self.parameters.get("beta")

    @property
    def eta(self) -> Fraction | None:
        """The step of h over that of w; None where the algorithm has none."""
        return self.parameters.get("eta")

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
        return cls(problem, algorithm, algorithm.parameters(asked_parameters(beta, eta, others)))

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
        """G and g."""
        return self._update_of(self.algorithm, self.parameters)

    def _update_of(self, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> ExpectedUpdate:
        """Return G and g of a learner on the problem: from A, b and C where these give them, else step by step."""
        if isinstance(self.problem, Problem) and not self.problem.action_values:
            found = key_update(algorithm, parameters)
            if isinstance(found, KeyUpdate):
                check_offered(self.problem, algorithm)
                return ExpectedUpdate(*found.at(self.key))
        return expected_update(self.table, algorithm, parameters)

    @property
    def within_exact_reach(self) -> bool:
        """Whether G is small enough, and its numbers short enough, for exact arithmetic."""
        return not self.past_exact_reach

    @cached_property
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

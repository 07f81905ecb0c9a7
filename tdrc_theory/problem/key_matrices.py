"""The key matrices A, b and C of a problem, exact (the definitions below eq. 7)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.matrix import SparseTable, is_sparse, sparse_table, whole
from tdrc_theory.exact.number import to_fmpq
from tdrc_theory.learner.expectation import ExpectationTable
from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.steps import rows_after

_ZERO = flint.fmpq(0)


class KeyMatrices(NamedTuple):
    """A = E[rho x (x - gamma x')^T] (k, k), b = E[rho R x] (k, 1) and C = E[x x^T] (k, k), in expectation over d.

    gamma is the discount of the transition. For action values A = E[x (x - gamma x_bar)^T] and b = E[R x], in
    expectation over d(s) b(a|s), with x_bar = sum_a' pi(a'|s') x(s', a').
    """

    A: Matrix
    b: Matrix
    C: Matrix

    @property
    def H(self) -> Matrix:
        """Return the symmetric part of A."""
        return (self.A + self.A.T) * Fraction(1, 2)


def key_matrices(problem: Problem | MatrixProblem | ExpectationTable) -> KeyMatrices:
    """Return A, b and C of a problem.

    With X the features, D the weights, P_gamma the target policy's transitions times their discounts and r its mean
    rewards, C = X^T D X, A = C - X^T D P_gamma X and b = X^T D r: every ratio rho is one of b where that is not 0.

    >>> from tdrc_theory.problems import find_problem
    >>> key_matrices(find_problem("two-state"))
    KeyMatrices(A=Matrix([['-47/100']]), b=Matrix([['0']]), C=Matrix([['5/2']]))
    """
    if isinstance(problem, MatrixProblem):
        return KeyMatrices(problem.A, problem.b, problem.C)
    if isinstance(problem, ExpectationTable):
        problem = problem.problem
    weights = [to_fmpq(weight) for weight in problem.weights]
    after_rows = rows_after(problem)["x_bar"][:-1] if problem.action_values else problem.rows
    P_gamma, rewards = _target_transitions(problem)
    sparse = is_sparse(sum(map(len, P_gamma)), len(P_gamma), len(P_gamma))
    if sparse and (x := sparse_table(problem.rows)) is not None:
        x_after = x if after_rows is problem.rows else sparse_table(after_rows)
        if x_after is not None:
            rewarded = SparseTable.of([{0: reward} for reward in rewards], 1)
            return _of_sparse(SparseTable.of(P_gamma, len(P_gamma)), x, x_after, weights, rewarded)
    X = Matrix(problem.rows)
    after = X if after_rows is problem.rows else Matrix(after_rows)
    if sparse and X.rational is not None:
        onward = _averaged_rows(P_gamma, after)
    else:
        flat = [row.get(j, _ZERO) for row in P_gamma for j in range(len(P_gamma))]
        onward = Matrix.of_flint(flint.fmpq_mat(len(P_gamma), len(P_gamma), flat)) @ after
    left, r = X.scaled_rows(weights).T, Matrix.of_flint(flint.fmpq_mat(len(rewards), 1, rewards))
    return KeyMatrices(left @ (X - onward), left @ r, left @ X)


def _target_transitions(problem: Problem) -> tuple[list[dict[int, flint.fmpq]], list[flint.fmpq]]:
    """Return (places, {place: gamma times probability}) and the mean reward of each place, under the target policy.

    For action values a place has its action already; of the places of the next state the first stands for all.
    """
    by_pair, actions, over = problem.action_values, problem.actions, {END, *problem.terminal}
    gamma = to_fmpq(problem.gamma) if isinstance(problem.gamma, Fraction) else None
    shares = [[to_fmpq(share) for share in row] for row in problem.target]
    P_gamma: list[dict[int, flint.fmpq]] = [{} for _ in range(problem.places)]
    rewards = [_ZERO] * problem.places
    for transition in problem.transitions:
        s, a, s_next, probability, reward, own = transition
        p = flint.fmpq(*probability.as_integer_ratio())
        if by_pair:
            place, arrival = s * actions + a, s_next * actions
        else:
            place, arrival, share = s, s_next, shares[s][a]
            if not share:
                continue
            p *= share
        if reward:
            rewards[place] += p * flint.fmpq(*reward.as_integer_ratio())
        if s_next not in over:
            mass = p * (gamma if gamma is not None and own is None else to_fmpq(problem.discount(transition)))
            row = P_gamma[place]
            row[arrival] = row[arrival] + mass if arrival in row else mass
    return P_gamma, rewards


def _averaged_rows(P_gamma: list[dict[int, flint.fmpq]], after: Matrix) -> Matrix:
    """Return P_gamma X', of a sparse P_gamma: each row has the denominators of its own numbers only."""
    rational = after.rational
    assert rational is not None
    rows, width = rational.tolist(), after.shape[1]
    flat: list[flint.fmpq] = []
    for entries in P_gamma:
        total = [_ZERO] * width
        for j, p in entries.items():
            total = [value + p * x if x else value for value, x in zip(total, rows[j], strict=True)]
        flat += total
    return Matrix.of_flint(flint.fmpq_mat(len(P_gamma), width, flat))


def _of_sparse(
    P_gamma: SparseTable, x: SparseTable, after: SparseTable, weights: list[flint.fmpq], r: SparseTable
) -> KeyMatrices:
    """Return A, b and C from sparse tables, without a dense matrix of places."""
    left = x.scaled_rows(*whole(weights)).T
    C = Matrix.of_flint((left @ x).dense())
    onward = Matrix.of_flint((left @ (P_gamma @ after)).dense())
    return KeyMatrices(C - onward, Matrix.of_flint((left @ r).dense()), C)

"""The key matrices A, b and C of a problem, exact (the definitions below eq. 7)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.matrix import SparseTable, is_sparse, sparse_table, whole
from tdrc_theory.exact.number import to_fmpq
from tdrc_theory.learner.expectation import ExpectationTable
from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.steps import rows_after


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
    rows = problem.rows
    after = rows_after(problem)["x_bar"][:-1] if problem.action_values else rows
    onward = _target_transitions(problem)
    places = len(onward.moves)
    sparse = is_sparse(sum(map(len, onward.moves)), places, places)
    if sparse and (x := sparse_table(rows)) is not None:
        x_after = x if after is rows else sparse_table(after)
        if x_after is not None:
            return _of_sparse(onward, x, x_after)
    if problem.is_rational:
        return _of_whole(onward, rows if after is rows else (*rows, *after), sparse)
    X, X_after = Matrix(rows), Matrix(after)
    over = [flint.fmpq(1, below) for below in onward.below]
    flat = [flint.fmpq(row.get(j, 0)) for row in onward.moves for j in range(places)]
    P_gamma = Matrix.of_flint(flint.fmpq_mat(places, places, flat)).scaled_rows(over)
    left = X.scaled_rows([to_fmpq(weight) for weight in problem.weights]).T
    r = Matrix.column(onward.rewards).scaled_rows(over)
    return KeyMatrices(left @ (X - P_gamma @ X_after), left @ r, left @ X)


class _Onward(NamedTuple):
    """What comes after each place under the target policy, in whole numbers.

    Attributes:
        moves: of each place {place of the next state: gamma times probability}, times `below`.
        rewards: the mean reward of each place, times `below`.
        below: a denominator for each place.
        weights: of the places, over `below` and times `total`: D = diag(weights below) / total.
        total: the denominator of the weights.
    """

    moves: list[dict[int, int]]
    rewards: list[int]
    below: list[flint.fmpz]
    weights: list[flint.fmpz]
    total: flint.fmpz


def _target_transitions(problem: Problem) -> _Onward:
    """Return what comes after each place.

    For action values a place has its action already; of the places of the next state the first stands for all.
    """
    by_pair, actions, ends = problem.action_values, problem.actions, {END, *problem.terminal}
    gamma = problem.gamma.as_integer_ratio() if isinstance(problem.gamma, Fraction) else None
    shares = [[share.as_integer_ratio() for share in row] for row in problem.target]
    moved: list[list[tuple[int, int, int]]] = [[] for _ in range(problem.places)]
    gained: list[list[tuple[int, int]]] = [[] for _ in range(problem.places)]
    for transition in problem.transitions:
        s, a, s_next, probability, reward, own = transition
        above, below = probability.as_integer_ratio()
        if by_pair:
            place, arrival = s * actions + a, s_next * actions
        else:
            place, arrival, share = s, s_next, shares[s][a]
            if not share[0]:
                continue
            above, below = above * share[0], below * share[1]
        if reward:
            up, down = reward.as_integer_ratio()
            gained[place].append((above * up, below * down))
        if s_next not in ends:
            up, down = gamma if gamma and own is None else problem.discount(transition).as_integer_ratio()
            moved[place].append((arrival, above * up, below * down))
    moves, rewards, common = [], [], []
    for onward, gains in zip(moved, gained, strict=True):
        below = math.lcm(*[d for _, _, d in onward], *[d for _, d in gains])
        row: dict[int, int] = {}
        for arrival, above, d in onward:
            row[arrival] = row.get(arrival, 0) + above * (below // d)
        moves.append(row)
        rewards.append(sum([above * (below // d) for above, d in gains]))
        common.append(flint.fmpz(below))
    shared = zip(problem.weights, common, strict=True)
    return _Onward(moves, rewards, common, *whole([to_fmpq(weight) / below for weight, below in shared]))


def _of_whole(onward: _Onward, rows: Sequence[Sequence[Any]], sparse: bool) -> KeyMatrices:
    """Return A, b and C of rational features, in whole numbers: each feature has a denominator of its own.

    `rows` are the features of the places, with those after them below where they are others.
    """
    places, k = len(onward.moves), len(rows[0])
    ratios = [[value.as_integer_ratio() for value in row] for row in rows]
    below = [math.lcm(*[d for _, d in column]) for column in zip(*ratios, strict=True)]
    table = [[n * (over // d) for (n, d), over in zip(row, below, strict=True)] for row in ratios]
    x, after = table[:places], table[-places:]
    left = flint.fmpz_mat(k, places, [row[j] * w for j in range(k) for row, w in zip(x, onward.weights, strict=True)])
    here = flint.fmpz_mat(places, k, [v * d for row, d in zip(x, onward.below, strict=True) for v in row])
    if sparse:
        then = flint.fmpz_mat([_total(row, after, k) for row in onward.moves])
    else:
        P_gamma = flint.fmpz_mat(places, places)
        for i, row in enumerate(onward.moves):
            for j, p in row.items():
                P_gamma[i, j] = p
        then = P_gamma * flint.fmpz_mat(places, k, [v for row in after for v in row])
    A, b, C = (
        Matrix.of_flint(flint.fmpq_mat(left * right) / onward.total)
        for right in (here - then, flint.fmpz_mat(places, 1, onward.rewards), here)
    )
    if max(below) == 1:
        return KeyMatrices(A, b, C)
    each = Matrix.diagonal([Fraction(1, d) for d in below])
    return KeyMatrices(each @ A @ each, each @ b, each @ C @ each)


def _total(row: Mapping[int, int], after: Sequence[Sequence[int]], k: int) -> list[int]:
    """Return the sum of the rows after a place, times their numerators."""
    total = [0] * k
    for arrival, p in row.items():
        total = [value + p * v for value, v in zip(total, after[arrival], strict=True)]
    return total


def _of_sparse(onward: _Onward, x: SparseTable, after: SparseTable) -> KeyMatrices:
    """Return A, b and C from sparse tables, without a dense matrix of places."""
    one, places = flint.fmpz(1), len(onward.moves)
    left = x.scaled_rows(onward.weights, onward.total).T
    C = Matrix.of_flint((left @ x.scaled_rows(onward.below, one)).dense())
    P_gamma = SparseTable([{j: flint.fmpz(p) for j, p in row.items()} for row in onward.moves], one, places)
    r = SparseTable([{0: flint.fmpz(reward)} if reward else {} for reward in onward.rewards], one, 1)
    then, b = (Matrix.of_flint((left @ right).dense()) for right in (P_gamma @ after, r))
    return KeyMatrices(C - then, b, C)

"""The exact values of the target policy, which features are to represent (eq. 1)."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.exact import Matrix, Number
from tdrc_theory.problem import Problem
from tdrc_theory.problem.steps import steps_of


def target_values(problem: Problem) -> Matrix | None:
    """Return v_pi (S, 1), a solution of v = r + gamma P v under the target policy, 0 in terminal states.

    For action values it is q_pi (S A, 1), by the pairs that behaviour takes, 0 elsewhere. It is the only solution where
    gamma < 1 or every episode ends; elsewhere there may be none, which is None.
    """
    bellman, r = _bellman(problem)
    return bellman.solve(r)


def values_are_unique(problem: Problem) -> bool:
    """Return whether v = r + gamma P v has one solution, whatever the rewards: gamma < 1, or every episode ends."""
    bellman, _ = _bellman(problem)
    return bellman.rank() == problem.places


def differential_values(problem: Problem) -> tuple[Number, Matrix] | None:
    """Return the average reward r of the target policy and its differential values v (S, 1), with v + r = E[R + v'].

    A constant may be added to v. None where episodes end, or the target policy's chain has no single
    average reward.
    """
    if any(step.arrival == problem.places for step in steps_of(problem)) or problem.terminal:
        return None
    n = problem.places
    stay, rewards = _bellman(problem, discounted=False)
    if stay.rank() != n - 1:
        return None
    result = Matrix.block([[stay, Matrix.column([1] * n)]]).solve(rewards)
    return None if result is None else (result[n, 0], result.select(range(n), [0]))


def _bellman(problem: Problem, discounted: bool = True) -> tuple[Matrix, Matrix]:
    """Return I - gamma P, or I - P, and r."""
    P = [[Fraction(0)] * problem.places for _ in range(problem.places)]
    r = [Fraction(0)] * problem.places
    for step in steps_of(problem):
        # Under behaviour the next action, or for state values this one, has its ratio too often.
        mass = step.probability * step.numbers["rho_next" if problem.action_values else "rho"]
        r[step.place] += mass * step.numbers["reward"]
        if step.arrival != problem.places:
            P[step.place][step.arrival] += mass * (step.numbers["gamma_next"] if discounted else 1)
    return Matrix.identity(problem.places) - Matrix(P), Matrix.column(r)

"""Mean weights where A, b and C alone are given: the expected update, iterated; second moments take the process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.finite import finite, finite_list
from tdrc_theory.default_step_size import StepSizes, above_limit, chosen_lines
from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.parameters import step_size_of
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.sampling import IID
from verify.check import Proof
from verify.exact.roots import is_hurwitz
from verify.predict.curve import MeanCurve, iterated, recorded_steps, shown
from verify.predict.prediction import check_steps

ASSUMPTIONS = (
    "independent samples, a constant step size, every update uses one transition, and w starts at the problem's "
    "initial weights, other weights at 0",
    "A, b and C alone are given: the mean weights are the expected update, iterated; second moments, with E[MSPBE], "
    "take the process",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanPrediction(MeanCurve):
    """Mean weights under a constant step size and independent samples.

    Attributes, besides those of a curve of mean weights:
        limit: the largest step size at which mean weights stay bounded; None where there is none.
        reason: why there is none; empty where there is one.
    """

    problem: MatrixProblem
    limit: float | None
    reason: str

    @property
    def answer(self) -> str:
        """Return whether mean weights stay bounded, and how far they get, in one sentence."""
        at = f"alpha = {number_text(self.alpha)}"
        if self.limit is None:
            bounded = f"No step size keeps the mean weights bounded, or none is needed: {self.reason}"
        elif self.alpha > self.limit:
            bounded = above_limit(self.alpha, self.limit, Proof.FLOAT.value, "mean")
        else:
            below = f"below the mean limit {self.limit:.3g}"
            bounded = f"Mean weights of {self.algorithm.name} stay bounded at {at}, {below} ({Proof.FLOAT.value})"
        return f"{bounded}; the MSPBE of the mean weights {self.course}."

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object; what takes the process is null."""
        return {
            "answer": self.answer,
            "why_alpha": self.why_alpha or None,
            **self.asked_json(),
            "mspbe": None,
            "mspbe_of_mean_weights": finite_list(self.mspbe_of_mean),
            "limits": {"mean": None if self.limit is None else finite(self.limit), "mean_square": None},
            "proof": {"curve": Proof.FLOAT.value},
            "assumptions": list(ASSUMPTIONS),
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of text."""
        yield self.answer
        yield from chosen_lines(self.alpha, self.why_alpha)
        yield from self.heading(f", mean weights ({Proof.FLOAT.value})")
        yield from self.table.text().splitlines()
        limit = f"none; {self.reason}" if self.limit is None else f"{shown(self.limit, 8)} ({Proof.FLOAT.value})"
        yield f"mean limit of alpha: {limit}"
        yield from (f"assumed: {line}" for line in ASSUMPTIONS)


def predict_mean(
    problem: MatrixProblem,
    algorithm: Algorithm | str = "tdrc",
    *,
    alpha: Any = None,
    steps: int,
    sampling: str | None = None,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
    every: int = 1,
) -> MeanPrediction:
    """Predict the mean weights of a learner whose expected update A, b and C determine.

    Args:
        problem: A, b and C.
        algorithm, alpha, steps, beta, eta, parameters, every: as `predict` takes them.
        sampling: `iid` or None; `markov` needs a chain.

    Raises:
        BadOption: A, b and C do not determine the expected update, or a value is not allowed.

    >>> problem = MatrixProblem(name="one", A=[[1]], b=[1], C=[[2]])
    >>> predict_mean(problem, "td", alpha="1/2", steps=2).mean_weights.tolist()
    [[0.0], [0.5], [0.75]]
    """
    if sampling == "markov":
        raise BadOption(f"--sampling: markov needs a chain, and {problem.name} is given by A, b and C alone")
    used = find_algorithm(algorithm)
    check_steps(steps, every)
    chosen = used.parameters({"beta": beta, "eta": eta, **(parameters or {})})
    G, g = expected_update(problem, used, chosen)
    size, why = (step_size_of(alpha), "") if alpha is not None else StepSizes(problem, used, chosen, IID).default(steps)
    n, k, a, recorded = G.shape[0], problem.k, float(size), recorded_steps(steps, every)
    start = Matrix.column([*[0] * (n - k), *problem.initial_weights])
    y = iterated(np.eye(n) + a * G.to_float(), a * g.to_float()[:, 0], start.to_float()[:, 0], recorded)
    w = y[:, n - k :]
    limit, reason = _limit(G, g)
    return MeanPrediction(
        problem=problem,
        algorithm=used,
        parameters=chosen,
        alpha=size,
        steps=steps,
        sampling="iid",
        recorded=recorded,
        mean_weights=w,
        mspbe_of_mean=_mspbe(problem, w),
        limit=limit,
        reason=reason,
        at_rest=(G @ start + g).is_zero(),
        why_alpha=why,
    )


def _limit(G: Matrix, g: Matrix) -> tuple[float | None, str]:
    """Return the least -2 Re / |.|^2 over the eigenvalues of G that are not 0, or why there is no limit."""
    if G.solve(-g) is None:
        return None, "the expected update rests nowhere (exact)"
    zeros, rest = G.charpoly().split_zero()
    if not rest.degree:
        return None, "the expected update has no eigenvalue but 0 (exact)"
    if not is_hurwitz(rest) or (G @ G).rank() < G.rank():
        return None, "the expected update has an eigenvalue without negative real part, or a defective 0 (exact)"
    values = sorted(np.linalg.eigvals(G.to_float()), key=abs)[zeros:]
    return float(min(-2 * value.real / abs(value) ** 2 for value in values)), ""


def _mspbe(problem: MatrixProblem, w: np.ndarray) -> np.ndarray:
    F = problem.C.column_basis()
    if not F.shape[1]:
        return np.zeros(len(w))
    solved = (F.T @ problem.C @ F).solve(F.T)
    assert solved is not None  # F^T C F is nonsingular: C is semidefinite, F a basis of its range
    W, A, b = (F @ solved).to_float(), problem.A.to_float(), problem.b.to_float()[:, 0]
    with np.errstate(all="ignore"):  # what leaves the range of floats is null in JSON
        off = b - w @ A.T
        return np.asarray(np.einsum("ti,ij,tj->t", off, W, off))

"""The whole answer for one algorithm on one problem, as a frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.command import printable
from tdrc_theory.frozen import Frozen
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import TWICE
from tdrc_theory.parameters import parameter_texts, setting_text
from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import KeyMatrices
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import find_problem_or_matrices
from tdrc_theory.tables.shown import Shown
from verify.check import Check, Proof, Status, check_of
from verify.conditions.answer import answer
from verify.conditions.bounds import BOUNDS, NOT_OF_THE_THEOREM, Bound, all_bounds
from verify.conditions.estimate import Estimate, estimate
from verify.conditions.fixed_points import Bias, bias, fixed_point_checks
from verify.conditions.hypotheses import theorem_checks
from verify.conditions.quadratic import quadratic_checks
from verify.conditions.setting import Setting
from verify.conditions.trace_variance import trace_variance
from verify.conditions.verdict import verdict
from verify.outcome import Verdict

ASSUMPTIONS = (
    "the verdict is on the expected update; for the learner itself, independent samples and step sizes whose sum "
    "diverges and whose squares' sum converges are assumed too, as in Theorem 3.1"
)
OF_MEMORY = (
    "the verdict is on the expected update, the chain and the memory that it drives being stationary; that the learner "
    "itself follows it is not claimed: its samples are dependent, and its memory may have infinite variance "
    "(trace-variance)"
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConditionsReport(Shown):
    """What `check_conditions` returns.

    Attributes:
        problem, algorithm: what was judged.
        parameters: the values used, by name.
        ranks: of A, C and G.
        key: A, b and C of the problem, exact.
        bounds: by name, see `BOUNDS`.
        checks: one for each statement.
        verdict: on the expected update.
        bias: what is to stand beside it, where the update converges elsewhere than TD does.
        setting: the problem, the algorithm and the parameters, with their matrices.
    """

    problem: Problem | MatrixProblem
    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    ranks: Mapping[str, int | None]
    key: KeyMatrices
    bounds: Mapping[str, Bound]
    checks: tuple[Check, ...]
    verdict: Verdict
    bias: Bias | None
    setting: Setting = field(repr=False)

    def __post_init__(self) -> None:
        """Freeze what is a mapping."""
        object.__setattr__(self, "ranks", Frozen(self.ranks))
        object.__setattr__(self, "bounds", Frozen(self.bounds))

    @property
    def beta(self) -> Fraction | None:
        """The regulariser; None where the algorithm has none."""
        return self.parameters.get("beta")

    @property
    def eta(self) -> Fraction | None:
        """The step of h over that of w; None where the algorithm has none."""
        return self.parameters.get("eta")

    @property
    def estimate(self) -> Estimate | None:
        """What the update estimates at a fixed point; None where it has none, or G is past exact arithmetic."""
        return estimate(self.setting)

    @property
    def answer(self) -> str:
        """The verdict in one plain sentence, safe to show: where it converges, for which step sizes, what was promised.

        >>> print(check_conditions("two-state", "td").answer.split(": ")[0])
        The expected update of td on two-state does not converge
        """
        return answer(self.setting, self.verdict, self.bias, self.bounds, self.checks)

    @property
    def assumptions(self) -> str:
        """What the verdict supposes, or does not say, of the learner itself."""
        supposed = OF_MEMORY if self.algorithm.memory else ASSUMPTIONS
        return f"{supposed}; {TWICE}" if self.algorithm.second else supposed

    def __getitem__(self, claim: str) -> Check:
        """Return the check of a claim."""
        return check_of(self.checks, claim)

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object; every exact number is text."""
        (A, b, C), estimated = self.key, self.estimate
        return {
            "answer": self.answer,
            "problem": self.problem.to_json(),
            "algorithm": {
                "name": self.algorithm.name,
                **parameter_texts(self.parameters),
                "source": self.algorithm.source,
            },
            "ranks": dict(self.ranks),
            "matrices": {"A": A.texts(), "b": b.column_texts(), "C": C.texts()},
            "bounds": {name: bound.to_json() for name, bound in self.bounds.items()},
            "checks": [check.to_json() for check in self.checks],
            "verdict": self.verdict.to_json(),
            "estimate": None if estimated is None else estimated.to_json(),
            "assumptions": self.assumptions,
        }

    def setting_text(self) -> str:
        """Return the algorithm and the parameters used, on one line."""
        return setting_text(self.algorithm.name, self.parameters)

    def verdict_text(self) -> str:
        """Return the verdict, its proof and the bias, in a few words."""
        words = f"{self.verdict.status.value} ({self.verdict.proof.value})"
        return words if self.bias is None else f"{words}, {self.bias.word}"

    def reasons(self) -> list[str]:
        """Return what the bias means, where there is one, why the verdict is what it is, and the problem's warnings."""
        warnings = [f"warning: {line}" for line in self.problem.warnings]
        return [*([] if self.bias is None else [str(self.bias)]), self.verdict.reason, *warnings]

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return (claim, status, proof, reason) for every check."""
        return [(c.claim, c.status.value, c.proof.value, c.reason) for c in self.checks]

    @property
    def line(self) -> str:
        """The setting and the verdict, on one line."""
        return f"{self.setting_text()} on {printable(self.problem.name)}: {self.verdict_text()}"

    def __str__(self) -> str:
        lines = [self.line]
        lines += [f"  {line}" for line in self.reasons()]
        lines += [f"  {status:9} {proof:8} {claim}: {reason}" for claim, status, proof, reason in self.rows()]
        return "\n".join(lines)


def check_conditions(
    problem: Problem | MatrixProblem | str,
    algorithm: Algorithm | str = "tdrc",
    *,
    beta: Any = None,
    eta: Any = None,
    parameters: Mapping[str, Any] | None = None,
) -> ConditionsReport:
    """Judge whether an algorithm's expected update converges on a problem, and what Theorem 3.1 says of it.

    Args:
        problem: a Problem, a MatrixProblem, or what `find_problem` takes: a built-in name, a path, `gymnasium:ID`.
        algorithm: an Algorithm, or what `find_algorithm` takes: a name, or `FILE.py:FUNCTION`.
        beta: regulariser, at least 0, exact; ignored by an algorithm that fixes it or has none. Default: that of the
            algorithm's function, else 1.
        eta: step size of h over that of w, above 0, exact; likewise.
        parameters: others by name; those that are left out have their defaults.

    Raises:
        TheoryError: the problem, the algorithm or a parameter is not valid.

    >>> check_conditions("two-state", "tdc").verdict.status.value
    'convergent'
    """
    setting = Setting.of(find_problem_or_matrices(problem), find_algorithm(algorithm), beta, eta, parameters)
    decided = verdict(setting)
    reachable = setting.within_exact_reach
    bounds: Mapping[str, Bound]
    if not setting.is_tdrc:
        bounds = dict.fromkeys(BOUNDS, NOT_OF_THE_THEOREM)
    elif not reachable:
        bounds = dict.fromkeys(BOUNDS, Bound(reason="the matrices are past exact arithmetic"))
    else:
        bounds = all_bounds(setting)
    checks: list[Check] = []
    if not reachable:
        checks.append(_past_reach(setting))
    else:
        if setting.is_tdrc:
            checks += theorem_checks(setting, bounds, decided)
            checks += quadratic_checks(setting)
        checks += fixed_point_checks(setting)
        if setting.algorithm.memory:
            checks.append(trace_variance(setting))
    A, _, C = setting.key
    return ConditionsReport(
        problem=setting.problem,
        algorithm=setting.algorithm,
        parameters=setting.parameters,
        ranks={"A": A.rank(), "C": C.rank(), "G": setting.rank_G if reachable else None},
        key=setting.key,
        bounds=bounds,
        checks=tuple(checks),
        verdict=decided,
        bias=bias(setting, decided),
        setting=setting,
    )


def _past_reach(setting: Setting) -> Check:
    return Check(
        claim="theorem-3.1.implies-convergence",
        source="Theorem 3.1, corrected",
        status=Status.UNDECIDED,
        proof=Proof.FLOAT,
        reason=f"not examined: {setting.past_exact_reach}",
    )

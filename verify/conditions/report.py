"""The whole answer for one algorithm on one problem, as a frozen value, and its verdict in one plain sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.command import printable
from tdrc_theory.errors import Unseparated
from tdrc_theory.frozen import Frozen
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import TWICE
from tdrc_theory.parameters import parameter_texts, setting_text
from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import KeyMatrices
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import find_problem_or_matrices
from tdrc_theory.tables.shown import Shown
from verify.check import CONVERGES, Check, Outcome, Proof, Status, Verdict, check_of
from verify.conditions.fixed_points import Bias, Estimate, bias, fixed_point_checks
from verify.conditions.quadratic import quadratic_checks
from verify.conditions.setting import Setting
from verify.conditions.theorem import BOUNDS, NOT_OF_THE_THEOREM, VACUOUS, Bound, all_bounds, theorem_checks
from verify.conditions.trace_variance import trace_variance
from verify.conditions.verdict import verdict
from verify.exact.roots import Enclosure, largest_step_size

SLOW = 0.01
"""Share of the slowest error that one update removes, at the largest step size, up to which convergence is slow."""
_RUNS = f"{Proof.ENCLOSED.value}; single runs may need smaller ones"
THEOREM = "the paper's Theorem 3.1"
_SETS = {1: "the line", 2: "the plane"}
"""Words for a set of solutions, by its dimension."""
_UNMET = {
    "coverage": "the target policy takes an action that behaviour does not",
    "A-plus-beta-I-nonsingular": "A + beta I is singular",
    "C-nonsingular": "C is singular",
}


def answer(
    setting: Setting, verdict: Verdict, bias: Bias | None, bounds: Mapping[str, Bound], checks: Sequence[Check]
) -> str:
    """Return a verdict as one sentence, safe to show; it says what was checked, and what was not decided."""
    who = f"expected update of {setting.algorithm.name} on {setting.problem.name}"
    if verdict.status is Outcome.UNDECIDED:
        parts = [f"It is undecided whether the {who} converges"]
    elif verdict.status is Outcome.NOT_CONVERGENT:
        parts = [f"The {who} does not converge: {verdict.effect or verdict.reason}"]
    else:
        where = _elsewhere(setting, bias) if bias is not None else _solutions(setting, verdict)
        parts = [f"The {who} converges {where}{_speed(setting, verdict)}"]
        if any(c.claim == "trace-variance" and c.status is Status.FAILS for c in checks):
            parts.append("single runs need not follow it, since the variance of its memory is infinite")
    if setting.is_tdrc:
        parts.append(_theorem(bounds, checks))
    return printable("; ".join(parts) + ".")


def expected_step_limit(setting: Setting, verdict: Verdict) -> Enclosure | None:
    """Enclose the largest constant step size at which the expected update, iterated, converges.

    None where it does not converge, where every step size will do, or where G is past exact arithmetic.
    """
    if verdict.status not in CONVERGES or not setting.within_exact_reach:
        return None
    try:
        return largest_step_size(setting.charpoly.split_zero()[1])
    except Unseparated:
        return None


def _solutions(setting: Setting, verdict: Verdict) -> str:
    """Return which of TD's solutions an update without bias converges to: all of them."""
    if verdict.status is Outcome.CONVERGENT:
        return "to TD's solution"
    if not setting.within_exact_reach:
        return "to the set of TD's solutions"
    dimension = setting.problem.k - setting.key.A.rank()
    if not dimension:
        return "to TD's solution"
    return f"to {_SETS.get(dimension, f'the set, of dimension {dimension},')} of TD's solutions"


def _elsewhere(setting: Setting, bias: Bias) -> str:
    """Return where a biased update converges to."""
    other = setting.algorithm.solves
    if bias.word == "own equation":
        whose = "its own equation" if other is None else f"the equation of {other.name}"
        return f"to a solution of {whose}, not of TD's"
    if bias.word == "selective":
        return "to some of TD's solutions, not to all of them"
    if bias.word == "bias unknown":
        return "to points that were not compared with TD's solutions"
    if setting.fixed_points.td_w is None:
        return "though TD has no solution"
    if setting.fixed_points.spurious is not None:
        return "to a set of points of which not all are solutions of TD"
    return "to a point that is not TD's solution"


def _speed(setting: Setting, verdict: Verdict) -> str:
    """Return how fast, where that is slow, and for which step sizes, with a limit rounded to the safe side."""
    limit, rate = expected_step_limit(setting, verdict), verdict.spectral_abscissa
    if limit is None or limit.lower <= 0:
        return ", for small enough step sizes"
    slow = rate is not None and -rate.lower * limit.upper < SLOW
    return f"{', slowly' if slow else ''}, for step sizes below {rounded_down(limit.lower)} ({_RUNS})"


def rounded_down(value: float, digits: int = 3) -> str:
    """Return a positive number to so many digits, never above it.

    >>> rounded_down(0.036899), rounded_down(2.0), rounded_down(1234.5)
    ('0.0368', '2', '1230')
    """
    short = Context(prec=digits, rounding=ROUND_FLOOR).create_decimal_from_float(value).normalize()
    return f"{short:f}" if 1e-4 <= value < 1e9 else str(short).lower()


def _theorem(bounds: Mapping[str, Bound], checks: Sequence[Check]) -> str:
    """Return what the paper's theorem promises of TDRC here, as printed and as corrected."""
    known = {check.claim.removeprefix("theorem-3.1."): check for check in checks}
    if "printed.implies-convergence" not in known:
        return f"{THEOREM} was not examined"
    printed = known["printed.implies-convergence"]
    why = [text for name, text in _UNMET.items() if known[name].status is not Status.HOLDS]
    if all(known[name].status is not Status.HOLDS for name in ("case-i", "case-ii.printed")):
        why.append(_unmet_case(bounds["beta_printed"], known["case-ii.printed"]))
    if not why:
        return f"{THEOREM} promises convergence{', wrongly' if printed.status is Status.FAILS else ''}"
    but = "; the corrected theorem does" if known["implies-convergence"].status is Status.HOLDS else ""
    return f"{THEOREM} does not cover it: {', '.join(why[:-1])}{' and ' if why[:-1] else ''}{why[-1]}{but}"


def _unmet_case(bound: Bound, check: Check) -> str:
    """Return why neither case of the theorem, as printed, is met: A is not positive definite, and which bound fails."""
    if bound.no_value and bound.reason.startswith(VACUOUS):
        return "its bound on beta is negative"
    failed = [part for part in check.reason.removesuffix(" on range(C)").split(", ") if " is not " in part]
    return (
        f"A is not positive definite and {' and '.join(failed)}" if failed else check.reason.replace(": ", ", since ")
    )


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

    beta = property(lambda self: self.parameters.get("beta"), doc="The regulariser; None where the algorithm has none.")
    eta = property(
        lambda self: self.parameters.get("eta"), doc="The step of h over that of w; None where the algorithm has none."
    )

    @property
    def estimate(self) -> Estimate | None:
        """What the update estimates at a fixed point; None where it has none, or G is past exact arithmetic."""
        rests = self.setting.within_exact_reach and self.setting.fixed_points.w is not None
        return Estimate(self.setting) if rests else None

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
        claim, source = "theorem-3.1.implies-convergence", "Theorem 3.1, corrected"
        reason = f"not examined: {setting.past_exact_reach}"
        checks.append(Check(claim=claim, source=source, status=Status.UNDECIDED, proof=Proof.FLOAT, reason=reason))
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

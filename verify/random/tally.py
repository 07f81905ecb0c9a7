"""What is counted on one random problem, and what adds up over many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from fractions import Fraction
from operator import iadd
from typing import Any

from tdrc_theory.algorithms import TDC, TDRC
from tdrc_theory.errors import BadOption
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from verify.check import CONVERGES, Outcome, Status
from verify.conditions.report import ConditionsReport, check_conditions
from verify.conditions.setting import Setting
from verify.conditions.verdict import decide
from verify.exact.roots import Enclosure

CONVERGED = tuple(outcome.value for outcome in CONVERGES)
DIVERGED = Outcome.NOT_CONVERGENT.value
# The hypotheses of Theorem 3.1, corrected, but for the one on beta.
_FOR_A_RATIO = ("C-nonsingular", "A-nonsingular")


@dataclass(slots=True)
class Tally:
    """Counts over some problems.

    Attributes:
        problems: how many were judged.
        verdicts: (verdict on TDRC, verdict on TDC) -> problems.
        checks: (claim, status) -> problems.
        printed: what the printed bound on beta is, where A is not positive definite -> problems.
        corrected: what the corrected bound on beta is, likewise, and how it compares -> problems.
        ratios: corrected bound over exact limit, one a problem that has both.
        not_judged: items whose arithmetic did not come to an end, with the reason.
    """

    problems: int = 0
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    checks: Counter[tuple[str, str]] = field(default_factory=Counter)
    printed: Counter[str] = field(default_factory=Counter)
    corrected: Counter[str] = field(default_factory=Counter)
    ratios: list[float] = field(default_factory=list)
    not_judged: list[tuple[int, str]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Return how many problems were looked at."""
        return self.problems + len(self.not_judged)

    def add(self, other: Tally) -> None:
        """Add another tally's counts to these."""
        for each in fields(self):
            setattr(self, each.name, iadd(getattr(self, each.name), getattr(other, each.name)))

    def to_json(self) -> dict[str, Any]:
        """Return the counts as JSON types, in one order whatever order they came in."""
        return {
            "problems": self.problems,
            "verdicts": [[*pair, n] for pair, n in sorted(self.verdicts.items())],
            "checks": [[*pair, n] for pair, n in sorted(self.checks.items())],
            "printed": dict(sorted(self.printed.items())),
            "corrected": dict(sorted(self.corrected.items())),
            "ratios": self.ratios,
            "not_judged": self.not_judged,
        }

    @classmethod
    def of_json(cls, data: dict[str, Any]) -> Tally:
        """Return what `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: the data are something else.
        """
        return cls(
            problems=int(data["problems"]),
            verdicts=Counter({(tdrc, tdc): int(n) for tdrc, tdc, n in data["verdicts"]}),
            checks=Counter({(claim, status): int(n) for claim, status, n in data["checks"]}),
            printed=Counter({str(what): int(n) for what, n in data["printed"].items()}),
            corrected=Counter({str(what): int(n) for what, n in data["corrected"].items()}),
            ratios=[float(ratio) for ratio in data["ratios"]],
            not_judged=[(int(item), str(reason)) for item, reason in data["not_judged"]],
        )


def judge_all(items: Iterable[tuple[int, Problem]], beta: Fraction, eta: Fraction, only_verdicts: bool) -> Tally:
    """Return the tally of numbered problems."""
    total, of_one = Tally(), judge_verdicts if only_verdicts else judge
    for item, problem in items:
        try:
            total.add(of_one(problem, beta, eta))
        except ArithmeticError as error:
            total.not_judged.append((item, " ".join(str(error).split())[:200]))
    return total


def judge_verdicts(problem: Problem, beta: Fraction, eta: Fraction) -> Tally:
    """Return the tally of one problem with nothing but the exact verdicts.

    Raises:
        ArithmeticError: roots could not be separated.
    """
    setting = Setting.of(problem, TDRC, beta, eta)
    tdrc, tdc = (decide(each).status.value for each in (setting, setting.of_other(TDC)))
    return Tally(problems=1, verdicts=Counter([(tdrc, tdc)]))


def judge(problem: Problem, beta: Fraction, eta: Fraction) -> Tally:
    """Return the tally of one problem: exact verdicts, every check, both bounds, and the limit they stand for.

    Raises:
        ArithmeticError: roots could not be separated.
    """
    report = check_conditions(problem, TDRC, beta=beta, eta=eta)
    tdc = decide(report.setting.of_other(TDC)).status.value
    tally = Tally(problems=1)
    tally.verdicts[report.verdict.status.value, tdc] += 1
    for check in report.checks:
        tally.checks[check.claim, check.status.value] += 1
    if not _met(report, "case-i"):
        printed = report.bounds["beta_printed"]
        tally.printed["vacuous" if printed.no_value else "none" if printed.value is None else "positive"] += 1
        _compare(tally, report, eta)
    return tally


def _met(report: ConditionsReport, name: str) -> bool:
    claim = f"theorem-3.1.{name}"
    return any(check.claim == claim and check.status is Status.HOLDS for check in report.checks)


def _compare(tally: Tally, report: ConditionsReport, eta: Fraction) -> None:
    """Count what the corrected bound is, and hold it against the exact limit where the corrected theorem speaks.

    It speaks where C and A are nonsingular and eta is above its own bound: there every beta below the bound converges,
    and the ratio is at most 1.
    """
    bound, eta_bound = report.bounds["beta_corrected"], report.bounds["eta"].enclosure
    if bound.value is None:
        tally.corrected["every beta" if bound.every_value else "none"] += 1
        return
    if not all(_met(report, name) for name in _FOR_A_RATIO) or eta_bound is None:
        case = "C or A singular"
    elif eta <= Fraction(eta_bound.upper):
        case = "eta too small"
    elif (limit := exact_limit(report.problem, eta)) is None:
        case = "limit unknown"
    elif math.isinf(limit.upper):
        case = "every beta converges"
    elif bound.enclosure is None or bound.enclosure.lower > limit.upper:
        case = "above the limit"  # would refute the corrected theorem
    else:
        case = "compared"
        tally.ratios.append(min(1.0, bound.value / limit.middle))
    tally.corrected.update(["finite", f"finite, {case}"])


def exact_limit(problem: Problem | MatrixProblem, eta: Fraction) -> Enclosure | None:
    """Return an enclosure of the beta up to which TDRC converges from beta = 0 on; infinite ends for every beta.

    None where it does not converge at 0, or the problem is past what regions are computed for.
    """
    from verify.region import region

    try:
        intervals = region(problem, TDRC, eta=eta).intervals
    except BadOption:
        return None
    for interval in intervals:
        if interval.lower_closed and interval.lower.rational == 0:
            return Enclosure(math.inf, math.inf) if interval.upper is None else interval.upper.enclosure
    return None

"""The verdict in one plain sentence: does it converge, where to, for which step sizes, and what was promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_FLOOR, Context

from tdrc_theory.cli.command import printable
from tdrc_theory.errors import Unseparated
from verify.check import Check, Proof, Status
from verify.conditions.bounds import VACUOUS, Bound
from verify.conditions.fixed_points import Bias
from verify.conditions.setting import Setting
from verify.exact.enclosure import Enclosure, largest_step_size
from verify.outcome import CONVERGES, Outcome, Verdict

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
    """Return a verdict as one sentence, safe to show; it says what was checked, and what was not decided.

    Args:
        setting, verdict, bias, bounds, checks: as a `ConditionsReport` has them.
    """
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

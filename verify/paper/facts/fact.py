"""A claim of the paper in words: about problems, parameters, or what stands where. No formula over matrices says it.

Its evidence is still exact: verdicts on problems, roots, sums of series, identities that the judge of formulas proves
in every dimension. A statement about all problems is refuted by one, and holds only by a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.claims.claim import BadClaim, Role
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import latex, text
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem
from verify.check import Proof, Status
from verify.conditions.setting import Setting
from verify.conditions.verdict import verdict
from verify.outcome import Outcome, Verdict
from verify.paper.facts.recheck import confirms
from verify.paper.judge import judge
from verify.paper.judgement import Judgement, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement of the paper, in our words.

    Attributes:
        id, title, source, role, erratum, remark: as a Claim has them.
        printed: what the paper says.
        corrected: what is true, where that is not.
        examine: judges what is printed.
        confirm: judges what is corrected.
    """

    id: str
    title: str
    source: str
    role: Role
    printed: str
    examine: Callable[[], Judgement]
    corrected: str | None = None
    confirm: Callable[[], Judgement] | None = None
    erratum: str | None = None
    remark: str = ""
    theorem: None = None

    def __post_init__(self) -> None:
        """Check that a correction belongs to an error and is judged."""
        if (self.corrected is None) != (self.confirm is None) or (self.corrected is not None and not self.erratum):
            raise BadClaim(f"{self.id}: a correction needs an erratum and a judge")

    @property
    def expected(self) -> tuple[str, str | None]:
        """Return the statuses that the registry expects of what is printed and what is corrected."""
        return ("holds" if self.erratum is None else "fails", None if self.corrected is None else "holds")


Steps = Sequence[tuple[str, str]]


def refuted(shown: bool, rule: str, steps: Steps, witness: dict[str, Any], proof: Proof = Proof.EXACT) -> Judgement:
    """Return that a statement fails, where what was computed shows it; undecided elsewhere.

    Raises:
        AssertionError: the independent check finds other verdicts on the witness, which is a bug of ours.
    """
    status = Status.FAILS if shown else Status.UNDECIDED
    assert not shown or confirms(witness), "the independent check does not confirm the verdicts"
    return Judgement(status, proof, rule, _steps(steps), witness if shown else None)


def confirmed(shown: bool, rule: str, steps: Steps, proof: Proof = Proof.EXACT) -> Judgement:
    """Return that a statement holds, where what was computed shows it; undecided elsewhere."""
    return Judgement(Status.HOLDS if shown else Status.UNDECIDED, proof, rule, _steps(steps))


def proven(rule: str, lemmas: Sequence[Expr], steps: Steps, also: bool = True) -> Judgement:
    """Return that a statement holds in every dimension: lemmas that the judge of formulas proves, and an argument."""
    judged = [(lemma, judge(lemma)) for lemma in lemmas]
    shown = also and all(answer.status is Status.HOLDS for _, answer in judged)
    first = tuple(Step(f"proven by {answer.rule}", text(lemma), latex(lemma)) for lemma, answer in judged)
    status = Status.HOLDS if shown else Status.UNDECIDED
    return Judgement(status, Proof.EXACT, rule, (*first, *_steps(steps)))


def _steps(steps: Steps) -> tuple[Step, ...]:
    return tuple(Step(reason, said) for reason, said in steps)


def outcome(problem: Problem | str, algorithm: str, beta: Any = 0, eta: Any = 1) -> Verdict:
    """Return the verdict on an algorithm's expected update."""
    return verdict(Setting.of(find_problem(problem), find_algorithm(algorithm), Fraction(beta), Fraction(eta)))


def told(problem: Problem | str, algorithm: str, beta: Any = 0, eta: Any = 1) -> tuple[str, str]:
    """Return a step that says what an algorithm does on a problem."""
    chosen = find_problem(problem)
    found = outcome(chosen, algorithm, beta, eta)
    used = {"td": "", "vtrace": ""}.get(algorithm, f", beta = {beta}, eta = {eta}")
    return f"{algorithm}{used} on {chosen.name}: {found.status.value}", found.reason


_DOES = {
    Outcome.CONVERGENT: "stable",
    Outcome.CONVERGENT_TO_A_SET: "resting",
    Outcome.NOT_CONVERGENT: "unstable",
}

Run = tuple[str, Any, Any]
"""An algorithm's name, beta and eta."""


def as_witness(problem: Problem | str, *runs: Run, **facts: Any) -> dict[str, Any]:
    """Return a problem as data, with what algorithms do on it, so that others can check it without this code."""
    verdicts = [
        {"algorithm": name, "beta": str(beta), "eta": str(eta), "does": _DOES[outcome(problem, name, beta, eta).status]}
        for name, beta, eta in runs
    ]
    chosen = find_problem(problem)
    return {
        "problem": chosen.name,
        "gamma": str(chosen.gamma),
        "features": [[str(v) for v in row] for row in chosen.features],
        "transitions": [[t.s, t.a, t.s_next, str(t.probability), str(t.reward)] for t in chosen.transitions],
        "behaviour": [[str(v) for v in row] for row in chosen.behaviour],
        "target": [[str(v) for v in row] for row in chosen.target],
        "d": [str(v) for v in chosen.d],
        "verdicts": verdicts,
        **{name: str(value) for name, value in facts.items()},
    }

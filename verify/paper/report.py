"""The referee's report: every claim judged, and compared with what the registry expects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tdrc_theory.claims import Claim
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import latex, text
from verify.check import Proof, Status
from verify.paper.facts import Fact
from verify.paper.facts.words import words_as_latex
from verify.paper.finding import Finding, finding
from verify.paper.judge import judge
from verify.paper.judgement import Judgement, Step
from verify.paper.kernel import KernelResult
from verify.paper.realised import realised
from verify.paper.step_latex import step_latex


@dataclass(frozen=True, slots=True)
class Answer:
    """What is found of a claim.

    Attributes:
        claim: the claim.
        printed: the judgement of what is printed.
        corrected: that of the corrected one, where there is one.
        kernel: the statement that the proof assistant accepted here, or None where it was not run.
    """

    claim: Claim | Fact
    printed: Judgement
    corrected: Judgement | None
    kernel: str | None = None

    @property
    def as_expected(self) -> bool:
        """Return whether both formulas came out as the registry says."""
        corrected = None if self.corrected is None else self.corrected.status.value
        return (self.printed.status.value, corrected) == self.claim.expected

    @property
    def judgement(self) -> Judgement:
        """Return the judgement of the formula that should be true."""
        return self.printed if self.corrected is None else self.corrected

    @property
    def finding(self) -> Finding | None:
        """Return whether this is an error, a contradiction or overstated; None for what holds as printed."""
        return finding(self.claim.erratum)

    @property
    def proof(self) -> Proof:
        """Return the strongest evidence for it; a kernel's only where it proves what holds."""
        known = self.kernel is not None and self.judgement.status is Status.HOLDS
        return Proof.KERNEL if known else self.judgement.proof

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object."""
        claim = self.claim
        return {
            "claim": claim.id,
            "title": claim.title,
            "source": claim.source,
            "role": claim.role.value,
            "printed": self.printed.status.value,
            "corrected": None if self.corrected is None else self.corrected.status.value,
            "proof": self.proof.value,
            "witness": None if self.printed.witness is None else dict(self.printed.witness),
            "expected": self.as_expected,
            "erratum": claim.erratum,
            "finding": None if self.finding is None else self.finding.value,
            "formula": _written(claim.printed),
            "correction": None if claim.corrected is None else _written(claim.corrected),
            "rule": self.judgement.rule,
            "derivation": [
                {"reason": step.reason, "text": step.text, "latex": step.latex or step_latex(step.text)}
                for step in self.judgement.steps
            ],
            "kernel_statement": self.kernel,
        }


def _written(statement: Expr | str) -> dict[str, str]:
    """Return a statement as text and LaTeX."""
    if isinstance(statement, str):
        return {"text": statement, "latex": words_as_latex(statement)}
    return {"text": text(statement), "latex": latex(statement)}


def answer(claim: Claim | Fact, kernel: Mapping[str, KernelResult] | None = None) -> Answer:
    """Judge one claim; what the proof assistant says of its theorem is taken from `kernel`."""
    if isinstance(claim, Fact):
        return Answer(claim, claim.examine(), None if claim.confirm is None else claim.confirm())
    corrected = None if claim.corrected is None else judge(claim.corrected)
    found = (kernel or {}).get(claim.theorem or "")
    statement = str(found.theorem) if found is not None and found.accepted else None
    return Answer(claim, _as_a_problem(judge(claim.printed)), corrected, statement)


def _as_a_problem(judgement: Judgement) -> Judgement:
    """Return the judgement with a Markov chain that has the matrices of its counterexample, where it is in matrices."""
    witness = judgement.witness
    problem = None if witness is None else realised(witness["values"])
    if witness is None or problem is None:
        return judgement
    mrp = problem["mrp"]
    states = len(problem["features"])
    told = f"features {problem['features']}, P {mrp['P']}, r {mrp['r']}, d {mrp['d']}, gamma {problem['gamma']}"
    reason = f"a Markov chain of {states} states, weighted by the d given, has these matrices"
    step = Step(reason, told.replace("'", ""))
    return replace(judgement, steps=(step, *judgement.steps), witness={**witness, "problem": problem})


def answers(claims: Iterable[Claim | Fact], kernel: Mapping[str, KernelResult] | None = None) -> list[Answer]:
    """Judge claims, in order."""
    return [answer(claim, kernel) for claim in claims]

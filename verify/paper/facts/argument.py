"""What is no single statement of the language: a formula, and an argument between lemmas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from tdrc_theory.formula.expression import Expr
from tdrc_theory.judgement import Judgement, Step
from verify.check import Proof, Status, weakest
from verify.paper.facts.truth import Statement
from verify.paper.judge import judge as judge_formula


@cache
def judge(formula: Expr) -> Judgement:
    """Judge a formula once: claims and several arguments rest on the same ones."""
    return judge_formula(formula)


@dataclass(frozen=True, slots=True)
class Argument:
    """A sentence that a person concludes from lemmas which the machine checks: `argued`, never more.

    Attributes:
        claims: the sentence.
        lemmas: formulas, or statements of the language; all are to hold.
        steps: (reason, what follows) pairs, in words.
        refuted: whether the argument is that the sentence is false.
    """

    claims: str
    lemmas: tuple[Expr | Statement, ...]
    steps: tuple[tuple[str, str], ...]
    refuted: bool = False

    rule: ClassVar[str] = "an argument between lemmas"

    def sentence(self) -> str:
        """Return the sentence."""
        return self.claims

    def judged(self) -> Judgement:
        """Return that it holds (or fails) as far as an argument shows, where every lemma holds; undecided elsewhere."""
        result = [(lemma, judge(lemma) if isinstance(lemma, Expr) else lemma.judged()) for lemma in self.lemmas]
        known = all(each.status is Status.HOLDS for _, each in result)
        status = Status.UNDECIDED if not known else Status.FAILS if self.refuted else Status.HOLDS
        steps = (*(step for each in result for step in _lemma(*each)), *(Step(*step) for step in self.steps))
        proofs = [Proof.ARGUED, *(each.proof for _, each in result if each.proof is not None)]
        return Judgement(status, weakest(proofs), self.rule, steps)


def _lemma(lemma: Expr | Statement, judgement: Judgement) -> Iterable[Step]:
    if isinstance(lemma, Expr):
        yield Step.stating(f"lemma {judgement.status.value} ({_kind(judgement)}), by {judgement.rule}", lemma)
    else:
        yield Step(f"lemma {judgement.status.value} ({_kind(judgement)}), by {judgement.rule}", lemma.sentence())
        yield from judgement.steps


def _kind(judgement: Judgement) -> str:
    return "" if judgement.proof is None else judgement.proof.value

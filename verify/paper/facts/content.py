"""What a claim says, ready to be judged: a formula, a statement, an argument between lemmas, or two places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Judgement, Step
from tdrc_theory.papers.claim import Content, Paper, Places, Text, Words
from verify.check import Proof, Status, weakest
from verify.paper.facts.functions import Context
from verify.paper.facts.statement import Statement
from verify.paper.facts.statement_reader import read_statement
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

    def __str__(self) -> str:
        return self.claims

    def judged(self) -> Judgement:
        """Return that it holds (or fails) as far as an argument shows, where every lemma holds; undecided elsewhere."""
        result = [(lemma, judge(lemma) if isinstance(lemma, Expr) else lemma.judged()) for lemma in self.lemmas]
        known = all(each.status is Status.HOLDS for _, each in result)
        status = Status.UNDECIDED if not known else Status.FAILS if self.refuted else Status.HOLDS
        steps = (*(step for each in result for step in _lemma_steps(*each)), *(Step(*step) for step in self.steps))
        proofs = [Proof.ARGUED, *(each.proof for _, each in result if each.proof is not None)]
        return Judgement(status, weakest(proofs), self.rule, steps)


def _lemma_steps(lemma: Expr | Statement, judgement: Judgement) -> Iterable[Step]:
    kind = "" if judgement.proof is None else judgement.proof.value
    why = f"lemma {judgement.status.value} ({kind}), by {judgement.rule}"
    if isinstance(lemma, Expr):
        return [Step.stating(why, lemma)]
    return [Step(why, str(lemma)), *judgement.steps]


Assertion = Statement | Argument | Places | Expr
"""What can be judged."""


def ready(content: Content, paper: Paper) -> Assertion:
    """Return what a claim of a paper says, its texts read.

    Raises:
        BadStatement: a text is no statement.
    """
    context = Context(paper.definitions, paper.folder)
    if isinstance(content, Text):
        return read_statement(content.text, context)
    if isinstance(content, Words):
        lemmas = (each if isinstance(each, Expr) else read_statement(each.text, context) for each in content.lemmas)
        return Argument(content.says, tuple(lemmas), content.steps, content.refuted)
    return content


def sentence(statement: Assertion) -> str:
    """Return a statement as one sentence; a formula as plain text."""
    if isinstance(statement, Places):
        return f"{statement.quantity}: the same in both places"
    return text(statement) if isinstance(statement, Expr) else str(statement)


def judged(statement: Assertion, witness: Mapping[str, Any] | None = None) -> Judgement:
    """Judge a statement; a witness, of a formula, is tried first.

    Of two places no proof is claimed: they do not agree where the values listed differ.
    """
    if witness is not None and isinstance(statement, Expr):
        return judge_formula(statement, witness)
    if isinstance(statement, Places):
        status = Status.FAILS if statement.here[1] != statement.there[1] else Status.UNDECIDED
        steps = (Step(*statement.here), Step(*statement.there))
        return Judgement(status, None, "two places", steps, dict((statement.here, statement.there)))
    return judge(statement) if isinstance(statement, Expr) else statement.judged()

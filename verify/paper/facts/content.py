"""What a claim says, ready to be judged: a formula, a statement, an argument between lemmas, or two places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Judgement, Step
from tdrc_theory.papers.claim import Content, Paper, Places, Text, Words
from verify.check import Status
from verify.paper.facts.argument import Argument, judge
from verify.paper.facts.arguments import Context
from verify.paper.facts.statement_reader import read_statement
from verify.paper.facts.truth import Statement
from verify.paper.judge import judge as judge_formula

Said = Statement | Argument | Places | Expr
"""What can be judged."""


def ready(content: Content, paper: Paper) -> Said:
    """Return what a claim of a paper says, its texts read.

    Raises:
        BadStatement: a text is no statement.
    """
    if isinstance(content, Text):
        return read_statement(content.text, Context(paper.definitions, paper.folder))
    if isinstance(content, Words):
        lemmas = tuple(_lemma(each, paper) for each in content.lemmas)
        return Argument(content.says, lemmas, content.steps, content.refuted)
    return content


def _lemma(lemma: Expr | Text, paper: Paper) -> Expr | Statement:
    if isinstance(lemma, Expr):
        return lemma
    return read_statement(lemma.text, Context(paper.definitions, paper.folder))


def sentence(said: Said) -> str:
    """Return what is said as one sentence; a formula as plain text."""
    if isinstance(said, Places):
        return f"{said.quantity}: the same in both places"
    return text(said) if isinstance(said, Expr) else said.sentence()


def judged(said: Said, witness: Mapping[str, Any] | None = None) -> Judgement:
    """Judge what is said. Of two places no proof is claimed: they do not agree where the values listed differ.

    Args:
        said: what is judged.
        witness: a counterexample to a formula that is tried first.
    """
    if witness is not None and isinstance(said, Expr):
        return judge_formula(said, witness)
    if isinstance(said, Places):
        status = Status.FAILS if said.here[1] != said.there[1] else Status.UNDECIDED
        steps = (Step(*said.here), Step(*said.there))
        return Judgement(status, None, "two places", steps, dict((said.here, said.there)))
    return judge(said) if isinstance(said, Expr) else said.judged()

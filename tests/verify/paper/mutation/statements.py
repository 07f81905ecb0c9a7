"""Statements with one datum altered: what evaluation must notice, since the sentence is made from the same data.

A mutant differs in one place: an outcome, a relation, a number, a learner, a problem, a property, a value that a list
has or lacks, a connective, the two sides of an implication, a negation. Witnesses are no part of a sentence and stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from tdrc_theory.formula.expression import Expr
from verify.paper.facts.atoms import HYPOTHESES, PLAIN, TITLES, Plain
from verify.paper.facts.cells import TABLES
from verify.paper.facts.content import Argument, Assertion
from verify.paper.facts.emphasis import QUANTITIES
from verify.paper.facts.statement import RELATIONS, All, Either, ForEach, ForEvery, If, Not, Over, Statement

_OTHERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "learner": (("td", "vtrace"), ("tdc", "htd", "gtd2"), ("tdrc", "tdc++")),
    "learners": (tuple(TITLES),),
    "others": (tuple(TITLES),),
    "other": (tuple(TITLES),),
    "tables": (tuple(TABLES),),
    "table": (tuple(TABLES),),
    "against": (tuple(TABLES),),
    "relation": (tuple(RELATIONS),),
    "problem": (("baird", "two-state"), ("random-walk-tabular", "skewed", "steep", "two-state", "baird")),
    "matrix": (("A", "C"),),
    "policy": (("behaviour", "target"),),
    "check": (tuple(HYPOTHESES),),
    "plain": (tuple(PLAIN),),
    "by": (("td", "emphatic-td"),),
    "at": (("td", "emphatic-td", "least"),),
    "what": (tuple(QUANTITIES),),
}
"""What a word can become, by its role: the others of the first group that it is in, else those of the last."""


@dataclass(frozen=True, slots=True)
class StatementMutant:
    """A changed statement, and what was changed.

    Attributes:
        kind: what was changed.
        statement: the changed statement, or the argument with the changed lemma.
        altered: the statement in which the change is: itself, or that lemma.
    """

    kind: str
    statement: Statement | Argument
    altered: Statement


def statement_mutants(statement: Assertion) -> Iterator[StatementMutant]:
    """Yield the mutants of a statement, or of an argument's lemmas in the language, each once."""
    if isinstance(statement, Argument):
        for i, part in enumerate(statement.lemmas):
            if isinstance(part, Statement):
                for kind, changed in _different(part):
                    lemmas = (*statement.lemmas[:i], changed, *statement.lemmas[i + 1 :])
                    yield StatementMutant(kind, replace(statement, lemmas=lemmas), changed)
    elif isinstance(statement, Statement):
        yield from (StatementMutant(kind, changed, changed) for kind, changed in _different(statement))


def _different(statement: Statement) -> Iterator[tuple[str, Statement]]:
    seen = {statement}
    for kind, changed in _changed(statement, "statement"):
        if changed not in seen:
            seen.add(changed)
            yield kind, changed


def _changed(value: Any, role: str) -> Iterator[tuple[str, Any]]:
    """Yield (kind, other value) pairs; `role` is what the value is, "" where it is not to be changed."""
    if not role or isinstance(value, Expr):  # formulas have mutants of their own
        return
    if isinstance(value, Statement):
        yield from _restructured(value)
    if is_dataclass(value):
        for field in fields(value):
            for kind, other in _changed(getattr(value, field.name), _role(value, field.name)):
                yield kind, replace(value, **{field.name: other})  # type: ignore[type-var]
    elif isinstance(value, tuple):
        yield from _of_a_tuple(value, role)
    elif isinstance(value, bool):
        yield role, not value
    elif isinstance(value, Enum):
        yield from ((role, other) for other in type(value) if other is not value)
    elif isinstance(value, str):
        groups = _OTHERS.get(role, ())
        group = next((each for each in groups if value in each), groups[-1] if groups else ())
        yield from ((role, other) for other in group if other != value)
    elif isinstance(value, int | Fraction):
        yield "number", value + 1
        if isinstance(value, Fraction):
            yield "number", value / 2


def _role(node: Any, field: str) -> str:
    """Return what a field of a node is: its name, unless that says less than the node."""
    if isinstance(node, Plain):
        return "plain"
    if isinstance(node, Over):
        return field if node.relation and field != "name" else ""
    if isinstance(node, ForEvery) and field == "witness":
        return ""
    if isinstance(node, ForEach):
        return {"name": "", "values": "problem" if node.name == "problem" else "values"}.get(field, field)
    return field


def _of_a_tuple(value: tuple[Any, ...], role: str) -> Iterator[tuple[str, Any]]:
    for i, part in enumerate(value):
        for kind, other in _changed(part, role):
            if other not in value:
                yield kind, (*value[:i], other, *value[i + 1 :])
    if len(value) > 1 and role in ("parts", "values", "problem"):
        yield from (("left out", (*value[:i], *value[i + 1 :])) for i in range(len(value)))


def _restructured(value: Statement) -> Iterator[tuple[str, Statement]]:
    if isinstance(value, All | Either) and len(value.parts) > 1:
        yield "connective", (Either if isinstance(value, All) else All)(value.parts)
    elif isinstance(value, If):
        yield "sides exchanged", If(value.conclusion, value.hypothesis)
        yield "hypothesis dropped", value.conclusion
    elif isinstance(value, Not):
        yield "negation dropped", value.part
    if not isinstance(value, Not | ForEach | ForEvery):
        yield "negation", Not(value)

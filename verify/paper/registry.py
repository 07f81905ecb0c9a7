"""What the report judges: the formulas of `tdrc_theory/papers` and the statements of `verify.paper.facts`."""

from __future__ import annotations

from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Claim
from tdrc_theory.registry import named
from verify.paper.facts import FACTS, Fact

STATEMENTS: tuple[Claim | Fact, ...] = (
    *(claim for claim in find_paper().claims if claim.sweep is None),
    *FACTS,
)


def find_statement(identifier: str) -> Claim | Fact:
    """Return a claim or a fact by its id.

    Raises:
        UnknownName: there is no such claim.
    """
    return named("claim", identifier, STATEMENTS, by="id")

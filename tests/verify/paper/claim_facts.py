"""The claims of the first paper that are no formulas for every dimension, with what they say ready to be judged."""

from __future__ import annotations

from typing import NamedTuple

from tdrc_theory.formula import Expr
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Claim, Kind
from verify.paper.facts.content import Assertion, ready

PAPER = find_paper()
FORMULAS = PAPER.of_kind(Kind.FORMULA)


class Fact(NamedTuple):
    """A claim, and what is printed and what is corrected in it."""

    claim: Claim
    printed: Assertion
    corrected: Assertion | None

    @property
    def id(self) -> str:
        """Return the claim's id."""
        return self.claim.id


def facts(start: str = "") -> list[Fact]:
    """Return those whose ids begin with a word."""
    claims = [c for c in PAPER.claims if c.kind is not Kind.FORMULA and c.sweep is None and c.id.startswith(start)]
    return [Fact(c, ready(c.printed, PAPER), c.corrected and ready(c.corrected, PAPER)) for c in claims]


FACTS = facts()
BY_NAME = {fact.id: fact for fact in FACTS}


def true_formula(claim: Claim) -> Expr:
    """Return the corrected formula, or the printed one where it needs no correction."""
    return claim.corrected or claim.printed

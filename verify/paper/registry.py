"""What the report judges: the formulas of `tdrc_theory.claims` and the statements of `verify.paper.facts`."""

from __future__ import annotations

from tdrc_theory.claims import CLAIMS, Claim
from tdrc_theory.errors import UnknownName
from verify.paper.facts import FACTS, Fact

STATEMENTS: tuple[Claim | Fact, ...] = (*CLAIMS, *FACTS)


def find_statement(identifier: str) -> Claim | Fact:
    """Return a claim or a fact by its id.

    Raises:
        UnknownName: there is no such claim.
    """
    for statement in STATEMENTS:
        if statement.id == identifier:
            return statement
    raise UnknownName("claim", identifier, [statement.id for statement in STATEMENTS])

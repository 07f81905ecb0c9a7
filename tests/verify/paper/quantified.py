"""Statements on named problems, and on every problem, as the language of claims writes them."""

from __future__ import annotations

from typing import Any

from verify.paper.facts.statement import ForEach, ForEvery, Over, Statement


def on(problems: str, body: Statement) -> ForEach:
    """Return: it holds on each of the problems, named with blanks between."""
    return ForEach("problem", tuple(problems.split()), body)


def everywhere(body: Statement, *parameters: Over, **witness: Any) -> ForEvery:
    """Return: it holds on every problem, for all values of the parameters; the witness is what refutes it."""
    return ForEvery((Over("problem"), *parameters), body, tuple(witness.items()))

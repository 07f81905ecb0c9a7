"""What the published tables show, read from their file: every comparison."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files

from verify.paper.facts.recheck.verdicts import ORDERS

Cell = tuple[Decimal, Decimal, bool]
"""Mean, standard error, and whether it is bold."""


@cache
def _table(name: str) -> dict[tuple[str, str], Cell]:
    """Return the cells of a table by (learner, problem)."""
    text = files("tdrc_theory").joinpath("papers/published.csv").read_text(encoding="utf-8")
    _, *lines = csv.reader(text.splitlines())
    return {
        (row, column): (Decimal(mean), Decimal(error), bold == "1")
        for step_size, row, column, mean, error, bold in lines
        if step_size == name
    }


def each_compared(
    pairs: Iterable[tuple[tuple[str, str], tuple[str, str]]], problem: str, relation: str, times: Fraction
) -> bool | None:
    """Return whether the first mean of each pair is in a relation to so many times the second, beyond their errors.

    Pairs are ((table, learner), (table, learner)); those with a cell that is not printed are left out. Of numbers that
    are apart `<` and `<=`, or `>` and `>=`, say the same, and `=` never holds.
    """
    answers = set()
    for (table, one), (other_table, other) in pairs:
        if (one, problem) in _table(table) and (other, problem) in _table(other_table):
            answers.add(_order(_table(table)[one, problem], _table(other_table)[other, problem], times))
    if any(order and order not in ORDERS[relation] for order in answers):
        return False
    return None if 0 in answers or not answers else True


def _order(one: Cell, other: Cell, times: Fraction) -> int:
    """Return -1 or 1 where the means are more than two standard errors of their difference apart, 0 elsewhere."""
    (mean, error), (second, its_error) = ([Fraction(v) for v in cell[:2]] for cell in (one, other))
    apart = times * second - mean
    if apart * apart <= 4 * (error * error + times * times * its_error * its_error):
        return 0
    return -1 if apart > 0 else 1


def bold_is_least(tables: Iterable[str], problem: str, alone: bool) -> bool | None:
    """Return whether the bold cells of a column have its least mean; `alone`: and are all that have it."""
    for name in tables:
        column = [cell for (_, place), cell in _table(name).items() if place == problem]
        if not column:
            return None
        least = min(mean for mean, *_ in column)
        bold = [mean for mean, _, is_bold in column if is_bold]
        if set(bold) != {least} or (alone and len(bold) < sum(mean == least for mean, *_ in column)):
            return False
    return True

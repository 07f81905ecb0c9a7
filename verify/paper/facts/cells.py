"""What the published tables decide: cells compared beyond their standard errors. They are means over runs: `sampled`.

A comparison has three answers: two cells whose difference is within two standard errors decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

from tdrc_theory.judgement import Step
from tdrc_theory.papers.published import ROWS, Place, published
from verify.check import Proof
from verify.paper.facts.atoms import TITLES
from verify.paper.facts.recheck.cells import bold_is_least, each_compared
from verify.paper.facts.statement import RELATIONS, Scope, Statement, Truth, joined

TABLES = {"constant": "constant step sizes", "adagrad": "Adagrad", "adam": "Adam"}
"""The tables, and what a sentence calls them."""
WORDS = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least", "=": "equal to", "!=": "other than"}
"""Relations, and what a sentence calls them."""
CERTAIN = 2
"""Standard errors of a difference beyond which it counts."""


class OfTables(Statement):
    """A statement on what the published tables show on a problem."""

    __slots__ = ()

    needs: ClassVar[str] = "problem"

    def places(self, problem: str) -> list[Place]:
        """Return the cells that it speaks of."""
        raise NotImplementedError

    def data(self, scope: Scope) -> tuple[dict[str, Any], ...]:
        """Return those cells that are printed."""
        return tuple({"cell": _place(p), "mean": _cell(p)} for p in self.places(scope["problem"]) if p in published())


class OfCells(OfTables):
    """Every pair of published means is in one relation, beyond two standard errors of the difference.

    The errors are combined as those of independent means. In what reproduces the tables the learners have the same
    experience, which makes that of the difference smaller still. Pairs of which a cell is not printed are left out.

    Attributes:
        relation: a key of `WORDS`.
        times: the first mean is compared with so many times the second.
    """

    __slots__ = ()

    relation: str
    times: Fraction | int

    rule: ClassVar[str] = "published means and their standard errors"

    def pairs(self, problem: str) -> Iterator[tuple[Place, Place]]:
        """Yield the cells that are compared."""
        raise NotImplementedError

    def places(self, problem: str) -> list[Place]:
        """Return the cells that are compared, each once."""
        return list(dict.fromkeys(place for pair in self.pairs(problem) for place in pair))

    def truth(self, scope: Scope) -> Truth:
        """Compare the cells."""
        pairs = [pair for pair in self.pairs(scope["problem"]) if set(pair) <= published().keys()]
        answers = {pair: self._compared(*pair) for pair in pairs}
        value = False if False in answers.values() else None if None in answers.values() or not pairs else True
        shown = [pair for pair in pairs if answers[pair] is value]
        steps = (Step(f"{_place(one)} and {_place(other)}", f"{_cell(one)} and {_cell(other)}") for one, other in shown)
        return Truth(value, Proof.SAMPLED, tuple(steps))

    def recheck(self, scope: Scope) -> bool | None:
        """Compare the cells by the other code."""
        pairs = [((a.step_size, a.row), (b.step_size, b.row)) for a, b in self.pairs(scope["problem"])]
        return each_compared(pairs, scope["problem"], self.relation, Fraction(self.times))

    def _compared(self, one: Place, other: Place) -> bool | None:
        cells = (published()[place] for place in (one, other))
        (mean, error), (other_mean, other_error) = ((Fraction(c.mean), Fraction(c.standard_error)) for c in cells)
        gap, square = mean - self.times * other_mean, error**2 + (self.times * other_error) ** 2
        return None if gap**2 <= CERTAIN**2 * square else bool(RELATIONS[self.relation](gap, 0))

    def _factor(self) -> str:
        return WORDS[self.relation] + ("" if self.times == 1 else f" {self.times} times")


def _place(place: Place) -> str:
    return f"{TITLES[place.row]} on {place.problem} under {TABLES[place.step_size]}"


def _cell(place: Place) -> str:
    cell = published()[place]
    return f"{cell.mean} ± {cell.standard_error}"


def _areas(learners: tuple[str, ...]) -> str:
    names = joined(TITLES[name] for name in learners)
    return f"{names}'s area is" if len(learners) == 1 else f"the areas of {names} are each"


def _under(tables: Iterable[str]) -> str:
    return f"under {joined(TABLES[table] for table in tables)}"


@dataclass(frozen=True, slots=True)
class Areas(OfCells):
    """The areas of learners beside those of others, in each of some tables.

    >>> Areas(("gtd2",), ">", ("tdc",)).truth({"problem": "baird"}).value
    True
    """

    learners: tuple[str, ...]
    relation: str
    others: tuple[str, ...]
    times: Fraction | int = 1
    tables: tuple[str, ...] = ("adagrad",)

    def __str__(self) -> str:
        others = [f"{TITLES[name]}'s" for name in self.others]
        return f"{_under(self.tables)} {_areas(self.learners)} {self._factor()} {joined(others)}"

    def pairs(self, problem: str) -> Iterator[tuple[Place, Place]]:
        """Yield the cells that are compared; none with itself."""
        for table, one, other in product(self.tables, self.learners, self.others):
            if one != other:
                yield Place(table, one, problem), Place(table, other, problem)


@dataclass(frozen=True, slots=True)
class Tables(OfCells):
    """The areas of learners in one table beside their own in another."""

    learners: tuple[str, ...]
    table: str
    relation: str
    against: str
    times: Fraction | int = 1

    def __str__(self) -> str:
        return f"{_under([self.table])} {_areas(self.learners)} {self._factor()} that {_under([self.against])}"

    def pairs(self, problem: str) -> Iterator[tuple[Place, Place]]:
        """Yield the cells that are compared."""
        for learner in self.learners:
            yield Place(self.table, learner, problem), Place(self.against, learner, problem)


@dataclass(frozen=True, slots=True)
class Bold(OfTables):
    """In each table the bold cell of a column has the least printed mean, which no other has where it is `alone`."""

    tables: tuple[str, ...]
    alone: bool

    rule: ClassVar[str] = "printed numbers compared"

    def __str__(self) -> str:
        rest = ", and no other cell has it" if self.alone else ""
        return f"{_under(self.tables)} the bold cell has the least printed mean{rest}"

    def places(self, problem: str) -> list[Place]:
        """Return the columns."""
        return [Place(table, row, problem) for table in self.tables for row in ROWS]

    def truth(self, scope: Scope) -> Truth:
        """Compare the printed means, exactly."""
        failing = []
        for table in self.tables:
            column = [place for place in self.places(scope["problem"]) if place.step_size == table]
            cells = {place: published()[place] for place in column if place in published()}
            if not cells:
                return Truth(None, Proof.EXACT, (Step(f"{scope['problem']} {_under([table])}", "has no cells"),))
            least = min(Fraction(cell.mean) for cell in cells.values())
            lowest = {place for place, cell in cells.items() if Fraction(cell.mean) == least}
            bold = {place for place, cell in cells.items() if cell.bold}
            if not (bold == lowest if self.alone else bold and bold <= lowest):
                names = " and ".join(f"{_place(place)}: {_cell(place)}" for place in cells if place in lowest)
                failing.append(Step("the least means of a column", names))
        done = Step("columns compared", f"{len(self.tables)} on {scope['problem']}")
        return Truth(not failing, Proof.EXACT, tuple(failing) or (done,))

    def recheck(self, scope: Scope) -> bool | None:
        """Compare the printed means by the other code."""
        return bold_is_least(self.tables, scope["problem"], self.alone)

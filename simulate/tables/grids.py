"""Which configurations each row of a table tries."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from simulate.environment import Environment
from simulate.tables.swept import Swept
from simulate.tables.variant import Variant
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.published import PROBLEMS, STEP_SIZES, Place, published


class Wanted(NamedTuple):
    """A choice of cells; None stands for all."""

    step_size: str | None = None
    row: str | None = None
    problem: str | None = None

    def has(self, place: Place) -> bool:
        """Return whether a cell is among them."""
        return all(wish in (None, value) for wish, value in zip(self, place, strict=True))


class Grids:
    """The grids of a variant; each problem's environment is made once.

    Args:
        variant: which.
        seed: of fresh experience.
    """

    def __init__(self, variant: Variant, seed: int) -> None:
        self._variant = variant
        self._seed = seed
        self._environments: dict[str, Environment] = {}

    def published(self, wanted: Wanted) -> list[Swept]:
        """Return those of the published cells."""
        return [self._row(place, place.row) for place in published() if wanted.has(place)]

    def further(self, wanted: Wanted) -> list[Swept]:
        """Return those of rows that the paper lacks: TDC++, TDRC with beta = 1, and TDRC with single updates."""
        found = []
        for step_size in STEP_SIZES:
            single = self._variant.rules[step_size]
            for problem in PROBLEMS:
                tdrc = self._row(Place(step_size, "tdrc", problem), "tdrc")
                more = {"tdc++": self._row(Place(step_size, "tdc++", problem), "tdc++")}
                if tdrc.betas != (1,):
                    more["tdrc, beta = 1"] = replace(tdrc, betas=(Fraction(1),))
                if tdrc.rule is not single:
                    more["tdrc, single update"] = replace(tdrc, rule=single)
                found += [replace(swept, place=Place(step_size, row, problem)) for row, swept in more.items()]
        return [swept for swept in found if wanted.has(swept.place)]

    def eta_study(self) -> list[Swept]:
        """Return those of TDC in the paper's study of eta, under Adagrad."""
        rows = [self._row(Place("adagrad", "tdc", problem), "tdc") for problem in PROBLEMS]
        return [replace(row, etas=self._variant.eta_study, along="eta") for row in rows]

    def beta_study(self) -> list[Swept]:
        """Return those of the paper's study of beta, under Adagrad."""
        rows = [self._row(Place("adagrad", "tdrc", problem), "tdrc") for problem in PROBLEMS]
        return [replace(row, betas=self._variant.beta_study, along="beta") for row in rows]

    def _row(self, place: Place, algorithm: str) -> Swept:
        rule = self._variant.rule(place.step_size, place.row)
        return Swept(
            place=place,
            algorithm=find_algorithm(algorithm),
            rule=rule,
            environment=self._environment(place.problem),
            alphas=self._variant.alphas[place.step_size],
            etas=self._variant.etas.get(algorithm, range(1)),
            betas=(self._variant.beta if algorithm in ("tdrc", "tdc++") else Fraction(0),),
            parameters=dict.fromkeys(rule.parameters, self._variant.decays),
        )

    def _environment(self, problem: str) -> Environment:
        if problem not in self._environments:
            self._environments[problem] = self._variant.environment(problem, self._seed)
        return self._environments[problem]

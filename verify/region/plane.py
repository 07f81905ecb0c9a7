"""Regions of two parameters, exactly: strips of the second one in which that of the first one keeps its shape.

Stability changes on curves alone, the zeros of the boundary polynomials. They are projected: between neighbouring
values of the second parameter at which two of them cross, or one turns back, escapes, or meets the end of a range, they
keep their order (a cylindrical decomposition), so that one exact region of the first parameter decides a strip.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from operator import itemgetter
from typing import Any

from tdrc_theory.algorithms import OF_THE_PAPER
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadAlgorithm, BadOption
from tdrc_theory.exact.number import number_text
from tdrc_theory.parameters import out_of_range, parameters_text
from tdrc_theory.tables.shown import Shown
from tdrc_theory.tables.table import Table
from verify.conditions.setting import Setting
from verify.region.family import Boundary, Family, irreducible, univariate, without_first
from verify.region.intervals import End, Interval, positive_ends, samples_between, within_range
from verify.region.region import Region, converges_everywhere, default_line, family_region

LARGEST_DEGREE = 300
"""Degree of a projected polynomial up to which strips are computed."""
_LONGEST = 80
"""Characters of a polynomial that is shown."""
MOST_STRIPS = 200
"""Number of strips up to which they are computed."""


@dataclass(frozen=True)
class Strip:
    """Values of the second parameter between two neighbouring changes, and the region of the first one at one of them.

    At every other value of the strip that region has as many intervals, whose ends move along the curves.
    """

    lower: End
    upper: End | None
    at: Fraction
    region: Region

    def to_json(self) -> dict[str, Any]:
        """Return its ends, where the region was computed, and its intervals."""
        inside = Interval(self.lower, False, self.upper, False).to_json()
        return {**inside, "at": number_text(self.at), **_intervals(self.region)}


@dataclass(frozen=True)
class Line:
    """A value of the second parameter between strips, or at the end of its range; its region where it is decided."""

    at: End
    region: Region | None

    def to_json(self) -> dict[str, Any]:
        """Return the value and the region's intervals."""
        shown = {"intervals": None} if self.region is None else _intervals(self.region)
        return {"value": self.at.finite, "exact": self.at.text(), **shown}


@dataclass(frozen=True, repr=False)
class Plane(Shown):
    """The values of two parameters at which an expected update converges.

    Attributes:
        setting: what was judged; its values of the two parameters do not matter.
        names: of the parameters.
        boundary: polynomials in both, on whose zeros alone anything changes.
        strips: ascending in the second parameter; None where there are too many, or polynomials of too high a degree.
        lines: between them, and where the range of the second parameter begins or ends.
    """

    setting: Setting
    names: tuple[str, str]
    boundary: Boundary
    strips: tuple[Strip, ...] | None
    lines: tuple[Line, ...]

    @property
    def fixed(self) -> dict[str, Fraction]:
        """The values of the other parameters."""
        return {name: value for name, value in self.setting.parameters.items() if name not in self.names}

    def to_json(self) -> dict[str, Any]:
        """Return both parameters, the polynomials, the strips and the lines."""
        fixed = {name: number_text(value) for name, value in self.fixed.items()}
        return {
            "answer": self.answer,
            "problem": self.setting.problem.to_json(),
            "algorithm": {"name": self.setting.algorithm.name, **fixed},
            "parameter": ",".join(self.names),
            "fixed": fixed,
            "boundary": {kind: list(map(str, each)) for kind, each in self.boundary._asdict().items()},
            "strips": None if self.strips is None else [strip.to_json() for strip in self.strips],
            "lines": [line.to_json() for line in self.lines],
        }

    def text(self) -> Iterator[str]:
        """Yield the answer, what is known, one line a strip or line, then the polynomials."""
        second = self.names[1]
        yield self.answer
        if self.strips is not None:
            for _, relation, where, region, at in self._decided():
                absent = " and ".join(map(str, region.no_expected_update))
                shown = region.where + (f"; no expected update in {absent}" if absent else "")
                yield f"  {second} {relation} {where}: {shown}{f' (at {second} = {at})' if at else ''}"
            if any(line.region is None for line in self.lines):
                yield f"  not decided at the values of {second} between strips that are not listed"
        for kind, polynomials in self.boundary._asdict().items():
            for polynomial in polynomials:
                yield f"  {_MEANING[kind]} where {_written(polynomial)} = 0"

    @property
    def answer(self) -> str:
        """Return in one sentence for which values it converges, and whether the default ones are among them."""
        first, second = self.names
        used = f" at {parameters_text(self.fixed)}" if self.fixed else ""
        who = f"he expected update of {self.setting.algorithm.name} on {self.setting.problem.name}{used} converges"
        if self.names == ("beta", "eta") and converges_everywhere(self.setting):
            return printable(f"T{who} for every beta and eta: A is positive definite (case (i) of Theorem 3.1).")
        if self.strips is None:
            why = f"the curves over {first} and {second} on which that changes are of too high a degree to be projected"
            return printable(f"Where t{who} was not decided: {why}.")
        reached = " and ".join(map(str, self.reached()))
        among = f"in {reached}, each with its own range of {first}"
        parts = [f"T{who} for {f'{second} {among}' if reached else f'no {first} and {second}'}"]
        if open_at := sum(line.region is None for line in self.lines):
            parts.append(f"undecided at {counted(open_at, 'value')} of {second} between strips")
        return printable("; ".join([*parts, *default_line(self.setting, self.names)]) + ".")

    def reached(self) -> list[Interval]:
        """Return the values of the second parameter at which some value of the first one is known to do.

        A value between two strips at which nothing is decided ends no interval.
        """
        decided = [(line.at, line.region.intervals) for line in self.lines if line.region is not None]
        empty = {at.value for at, intervals in decided if not intervals}
        known = {at.value: at for at, intervals in decided if intervals}
        result: list[Interval] = []
        strips = [strip for strip in self.strips or () if strip.region.intervals]
        for strip in strips:
            lower, upper = strip.lower.value, strip.upper and strip.upper.value
            before = result[-1].upper if result else None
            if before is not None and before.value == lower and lower not in empty:
                result[-1] = replace(result[-1], upper=strip.upper, upper_closed=upper in known)
            else:
                result.append(Interval(strip.lower, lower in known, strip.upper, upper in known))
        beside = {end.value for strip in strips for end in (strip.lower, strip.upper) if end}
        alone = [Interval(at, True, at, True) for value, at in known.items() if value not in beside]
        return sorted([*result, *alone], key=lambda each: each.lower.value)

    @property
    def table(self) -> Table:
        """Return a row for each strip, and for each line between strips that is decided."""
        first, second = self.names
        rows = [(where, region.listed) for _, _, where, region, _ in self._decided()]
        return Table("strips", (second, f"converges for {first} in"), rows)

    def _decided(self) -> list[tuple[float, str, str, Region, str]]:
        """Return strips and decided lines, ascending: a place, its relation to the values, these, the region, where."""
        result = [
            (float(s.at), "in", f"{Interval(s.lower, False, s.upper, False)}", s.region, number_text(s.at))
            for s in self.strips or ()
        ]
        decided = [(line.at.value, line.region) for line in self.lines if line.region is not None]
        result += [(value, "=", f"{value:.8g}", region, "") for value, region in decided]
        return sorted(result, key=itemgetter(0))


_MEANING = {
    "zero": "an eigenvalue may reach 0",
    "imaginary": "two eigenvalues may meet the imaginary axis",
    "undefined": "the expected update may cease to exist",
}


def _written(polynomial: Any) -> str:
    """Return a polynomial as text, by its degrees where it is long."""
    text = str(polynomial)
    if len(text) <= _LONGEST:
        return text
    names, degrees = polynomial.context().names(), polynomial.degrees()
    of = " and ".join(f"{int(degree)} in {name}" for name, degree in zip(names, degrees, strict=True))
    return f"a polynomial of degree {of} (--json has it)"


def _intervals(region: Region) -> dict[str, Any]:
    text = region.to_json()
    return {key: text[key] for key in ("intervals", "undecided", "no_expected_update")}


def plane(setting: Setting, names: tuple[str, str], progress: Callable[[int], None] = lambda _: None) -> Plane:
    """Return the region of two parameters.

    Raises:
        BadOption: the algorithm lacks one of them, G is too large, or there are square roots in the problem.
    """
    family = Family(setting, names)
    if not any(setting.algorithm.direction is algorithm.direction for algorithm in OF_THE_PAPER):
        family.check_resting()
    boundary = family.boundary
    ends = _changes(boundary, names)
    if ends is None or len(ends) > MOST_STRIPS:
        return Plane(setting, names, boundary, None, ())

    def at(value: Fraction) -> Region:
        return family_region(Family(setting.at(**{names[1]: value}), (names[0],)))

    begin, *inner = [End.of(Fraction(0)), *ends]
    bounded = out_of_range(names[1], Fraction(2))
    uppers = inner if bounded else [*inner, None]
    strips = []
    for sample, lower, upper in zip(samples_between(ends), [begin, *inner], uppers, strict=False):
        strips.append(Strip(lower, upper, sample, at(sample)))
        progress(len(strips))
    marks = ends if out_of_range(names[1], Fraction(0)) else [begin, *ends]
    lines = []
    for end in marks:
        region = None
        with contextlib.suppress(BadOption, BadAlgorithm):  # the learner degenerates
            region = None if end.rational is None else at(end.rational)
        lines.append(Line(end, region))
    return Plane(setting, names, boundary, tuple(strips), tuple(lines))


def _changes(boundary: Boundary, names: tuple[str, str]) -> list[End] | None:
    """Return the values of the second parameter at which curves change their order, and the end of its range."""
    projected: list[Any] = []
    moving = []
    for p in irreducible([p for each in boundary for p in each]):
        if int(p.degrees()[0]) <= 0:
            projected.append(p)
        elif p != p.context().gens()[0]:  # which is the end of the range itself
            moving.append(p)
    ends_of_range = [0, 1] if out_of_range(names[0], Fraction(2)) else [0]
    for p in moving:
        projected.append(_leading(p))
        projected += [p.subs({names[0]: end}) for end in ends_of_range]
        if int(p.degrees()[0]) > 1:
            if (2 * int(p.degrees()[0]) - 1) * int(p.degrees()[1]) > LARGEST_DEGREE:
                return None
            projected.append(p.discriminant(names[0]))
    for p, q in combinations(moving, 2):
        (a, b), (c, d) = (tuple(map(int, each.degrees())) for each in (p, q))
        if a * d + b * c > LARGEST_DEGREE:
            return None
        projected.append(p.resultant(q, names[0]))
    polynomials = [univariate(without_first(p)) for p in irreducible(projected)]
    return within_range(names[1], positive_ends(polynomials))


def _leading(polynomial: Any) -> Any:
    """Return the leading coefficient in the first parameter."""
    degree = int(polynomial.degrees()[0])
    return polynomial.context().from_dict(
        {(0, int(e[1])): c for e, c in polynomial.to_dict().items() if int(e[0]) == degree}
    )

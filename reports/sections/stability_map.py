"""Where the expected update converges, over beta and eta, with the paper's own settings marked."""

from __future__ import annotations

from fractions import Fraction

from reports.page.figure import Figure
from reports.page.section import Missing, Section, Tell
from reports.page.subject import OnProblem
from reports.page.table import Table
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.convert import number_text
from verify.conditions.setting import Setting
from verify.region.everywhere import converges_everywhere
from verify.region.map import Map, compute_map, map_values
from verify.region.picture import sufficient, svg

LARGEST = 20
"""Size of G up to which regions are computed for a page, in seconds."""


def collect(subject: OnProblem, tell: Tell) -> Figure | Missing | None:
    """Return the map of a subject's algorithm, whatever its own beta and eta are."""
    if subject.conditions.beta is None or subject.algorithm.fixed:
        return None  # one parameter at most is free, which the bounds' section shows
    others = {n: value for n, value in subject.conditions.parameters.items() if n not in ("beta", "eta")}
    setting = Setting.of(subject.problem, subject.algorithm, 1, 1, others)
    size = setting.update.G.shape[0]
    if not (subject.problem.is_rational or converges_everywhere(setting)):
        why = "There is no map: the features have square roots in them, and each row of a map would take long."
        return Missing(why, "tdrc region PROBLEM --map FILE.svg")
    if size > LARGEST and not converges_everywhere(setting):
        why = f"There is no map: G is {size} x {size}, and each row of a map would take long beyond {LARGEST}."
        return Missing(why, "tdrc region PROBLEM --map FILE.svg")
    try:
        made = compute_map(setting, progress=tell)
    except BadOption as error:
        return Missing(f"There is no map: {error}.")
    return Figure("map", _caption(made), svg(made), _numbers(made))


def _caption(made: Map) -> str:
    """Return what the colours mean that are there."""
    first = made.rows[0]
    told = [f"Blue: the expected update {made.proven}."]
    if first.fails_for_every_eta:
        told.append("Dotted: a determinant proves that it fails at every eta there (exact).")
    if any(sufficient(first.bounds)):
        told.append("Green or violet: what the bounds of Theorem 3.1 cover, which are only sufficient.")
    return " ".join([*told, "Circles: the paper's own settings."])


def _numbers(made: Map) -> Table:
    rows = tuple(
        (number_text(row.fixed or Fraction(0)), f"{interval}", *interval.to_json()["exact"].values())
        for row in made.rows
        for interval in row.intervals
    )
    titles = ("eta", "converges for beta in", "lower end", "upper end")
    rows = tuple(tuple(cell or "none" for cell in row) for row in rows)
    return Table("Intervals of beta, exact, at each eta of the map", titles, rows)


SECTION = Section("stability_map", "Stability over beta and eta", OnProblem, collect, lambda _: len(map_values("eta")))

"""Cells against the printed ones, and how the best configuration is chosen."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from simulate.store import Store
from simulate.sweep.experiment import Configuration
from simulate.sweep.study import Areas
from simulate.tables.cell import AS_RUN, AS_STATED, CORRECTED, Cell, cells, chosen_cells
from tdrc_theory.papers.published import PROBLEMS, STEP_SIZES, Place, printed_like, published


def computed_cells(variant, *wanted, runs=200, more=False):
    chosen = chosen_cells(variant.cases(runs), *wanted, more=more)
    with Store(None) as store:
        return list(cells(chosen, variant, store).values())


def test_every_cell_of_the_paper_is_there_and_one_of_each_column_is_bold():
    assert len(published()) == 84
    for step_size in STEP_SIZES:
        for problem in PROBLEMS:
            column = {p.row: c for p, c in published().items() if (p.step_size, p.problem) == (step_size, problem)}
            assert len(column) == (4 if problem == "boyan" else 6)
            lowest = min(float(cell.mean) for cell in column.values())
            assert [float(cell.mean) for cell in column.values() if cell.bold] == [lowest]


@pytest.mark.parametrize(
    "wanted",
    [
        ("constant", "td"),
        *(pytest.param(("constant", row), marks=pytest.mark.thorough) for row in ("tdrc", "vtrace")),
        pytest.param(("adagrad", "tdc", "boyan"), marks=pytest.mark.thorough),
    ],
)
def test_cells_are_as_printed(wanted):
    result = computed_cells(AS_RUN, *wanted)
    assert len(result) >= 1
    assert [(cell.place, cell.matches) for cell in result if not cell.matches] == []


def test_fewer_runs_are_not_as_printed():
    assert [cell.matches for cell in computed_cells(AS_RUN, "constant", "td", "baird", runs=20)] == [False]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("step_size", "row", "name", "value"),
    [
        ("constant", "tdc++", "baird", "0.213"),
        ("constant", "tdrc, beta = 1", "baird", "0.2301"),
    ],
)
def test_rows_that_the_paper_lacks_have_their_known_values(step_size, row, name, value):
    (cell,) = computed_cells(AS_RUN, step_size, row, name, more=True)
    assert printed_like(cell.mean, value) == value
    assert cell.printed is cell.matches is cell.difference is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step_size", "row", "values"),
    [
        ("constant", "tdrc, beta = 1", ".0631 .0664 .0353 .2174 .2301"),
        ("constant", "tdc++", ".112 .192 .072 1.035 .213"),
        ("adagrad", "tdc++", ".112 .206 .129 2.120 1.772"),
        ("adam", "tdrc, single update", ".0611 .0481 .0299 .2050 .3001"),
    ],
)
def test_further_rows_have_their_known_values_on_every_problem(step_size, row, values):
    result = computed_cells(AS_RUN, step_size, row, more=True)
    for cell, value in zip(result, values.split(), strict=True):
        assert printed_like(cell.mean, value).lstrip("0") == value, cell.place


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("row", "alpha", "value"),
    [("tdc", 4, "0.210"), ("tdrc", 2, "0.155"), pytest.param("td", 2, "0.173", marks=pytest.mark.slow)],
)
def test_boyans_cells_under_adagrad_were_bad_because_alpha_was_capped(row, alpha, value):
    (cell,) = computed_cells(AS_RUN.without_cap(), "adagrad", row, "boyan")
    assert (cell.areas.configuration.alpha, printed_like(cell.mean, value), cell.areas.edge) == (alpha, value, 0)


@pytest.mark.slow
def test_td_and_vtrace_coincide_on_baird_where_steps_do_not_depend_on_scale():
    td, vtrace = (computed_cells(AS_RUN, "adagrad", row, "baird", runs=10)[0] for row in ("td", "vtrace"))
    np.testing.assert_allclose(td.areas.runs, vtrace.areas.runs, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("step_size", "means"), [("constant", 13), ("adagrad", 12)])
def test_what_the_text_states_gives_fewer_than_half_of_the_published_means(step_size, means):
    result = computed_cells(AS_STATED, step_size)
    assert sum(cell.as_printed[0] for cell in result) == means
    assert not any(cell.as_printed[0] for cell in result if cell.place.problem in ("boyan", "baird"))


@pytest.mark.thorough
def test_corrected_cells_are_near_the_published_ones_where_nothing_was_wrong():
    for cell in computed_cells(CORRECTED, "constant", "td", runs=100):
        if cell.place.problem.startswith("random-walk"):
            assert abs(cell.difference) < 4
            assert cell.standard_error < 0.001


def fake(means, alphas):
    configurations = [Configuration(Fraction(2) ** alpha, ()) for alpha in alphas]
    return Areas(configurations, np.array(means, float))


def test_the_best_is_the_lowest_among_configurations_of_which_no_run_diverged():
    areas = fake([[3, 1, 5], [3, math.inf, 5]], [-2, -1, 0])
    assert (areas.best, areas.mean, areas.edge, np.isinf(areas.means).tolist()) == (0, 3, -1, [False, True, False])
    assert areas.at("alpha", Fraction(1)).mean == 5
    assert areas.values("alpha") == [Fraction(1, 4), Fraction(1, 2), 1]


@pytest.mark.parametrize(("means", "edge"), [([2, 1, 3], 0), ([1, 2, 3], -1), ([3, 2, 1], 1)])
def test_the_end_of_the_grid_is_told(means, edge):
    assert fake([means, means], [-1, 0, 1]).edge == edge


def test_the_difference_is_in_standard_errors_of_both():
    place = Place("constant", "tdc", "boyan")
    cell = Cell(place, AS_RUN.cases(2)[place], fake([[1], [2]], [0]), 0.309 + 0.01, 0.003)
    assert cell.difference == pytest.approx(0.01 / 0.005)
    assert (cell.as_printed, cell.matches) == ((False, False), False)

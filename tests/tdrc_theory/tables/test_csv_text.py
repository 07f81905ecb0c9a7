"""Tables as CSV: what a reader gets back, and what a spreadsheet or a terminal must not obey."""

import csv
import math

import numpy as np
import pytest

from tdrc_theory.tables.table import csv_text


def read(*args):
    return list(csv.reader(csv_text(*args).splitlines()))


@pytest.mark.parametrize("cell", ['=HYPERLINK("http://x")', "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd|x", "=1+1"])
def test_text_that_a_spreadsheet_would_obey_has_an_apostrophe_before_it_in_cells_and_titles(cell):
    assert read([cell], [[cell]]) == [[f"'{cell}"], [f"'{cell}"]]


@pytest.mark.parametrize("cell", ["-1/2", "+0.5", "-1e-05", "- (2)", "-inf", "a = 1", "random-walk", "\N{MINUS SIGN}x"])
def test_text_that_does_nothing_stays_as_it_is(cell):
    assert read(["title"], [[cell]])[1] == [cell]


def test_characters_that_a_terminal_or_a_reader_of_lines_would_obey_are_written_out():
    assert read(["title"], [["a\u202eb\x1b[31m\r\n=1"]])[1:] == [[r"a\u202eb\x1b[31m\r\n=1"]]


def test_numbers_are_never_touched_and_none_is_an_empty_cell():
    numbers = [-0.1, np.float64(-1e300), 1 / 3, math.inf, 7]
    (_, row) = read(["title"] * 6, [[*numbers, None]])
    assert [float(cell) for cell in row[:-1]] == numbers
    assert row[-1] == ""

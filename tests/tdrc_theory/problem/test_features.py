"""Bases of numbered states, by their definitions."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.problem.decision_table import IRRATIONAL, feature_rows


def test_the_aggregation_of_sutton_and_barto_has_ten_groups_of_a_hundred():
    rows, notes = feature_rows("aggregate:10", 1000)
    assert notes == []
    assert [row.index(1) for row in rows] == [s // 100 for s in range(1000)]
    assert all(sum(row) == 1 and len(row) == 10 for row in rows)


@pytest.mark.parametrize(("states", "groups"), [(7, 3), (10, 4), (5, 5), (9, 1)])
def test_groups_are_consecutive_and_of_one_size_up_to_one(states, groups):
    held = [row.index(1) for row in feature_rows(f"aggregate:{groups}", states)[0]]
    assert held == sorted(held)
    sizes = [held.count(g) for g in range(groups)]
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) > 0


def test_one_hot_is_one_feature_a_state():
    assert feature_rows("one-hot", 3)[0] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_a_polynomial_basis_has_the_exact_powers_of_the_scaled_state():
    rows, notes = feature_rows("polynomial:3", 5)
    assert notes == []
    assert rows == [[Fraction(s, 4) ** n for n in range(4)] for s in range(5)]


def test_a_fourier_basis_is_near_its_cosines_and_exact_where_they_are_rational():
    rows, notes = feature_rows("fourier:6", 7)
    assert notes == [IRRATIONAL]
    for s, row in enumerate(rows):
        for i, value in enumerate(row):
            assert isinstance(value, Fraction)
            assert abs(float(value) - math.cos(math.pi * i * s / 6)) < 1e-14
    # cos(pi s / 6) is 1, 1/2, 0, -1/2, -1 at s = 0, 2, 3, 4, 6, and cos(pi s) is 1 or -1.
    assert [rows[s][1] for s in (0, 2, 3, 4, 6)] == [1, Fraction(1, 2), 0, Fraction(-1, 2), -1]
    assert [row[6] for row in rows] == [1, -1, 1, -1, 1, -1, 1]


def test_each_tiling_holds_a_state_once_and_neighbours_share_tiles():
    tilings, tiles, states = 4, 5, 101
    rows, _ = feature_rows(f"tiles:{tilings}x{tiles}", states)
    table = np.array(rows).reshape(states, tilings, tiles + 1)
    assert (table.sum(axis=2) == 1).all()
    held = table.argmax(axis=2)
    assert (np.diff(held, axis=0) >= 0).all()
    # Tiling i begins a new tile where z tiles + i / tilings is whole: 4 tilings x 5 tiles make 20 steps over z.
    changes = np.argwhere(np.diff(held, axis=0) > 0)
    assert sorted(int(s) + 1 for s, _ in changes) == [5 * n for n in range(1, 21)]


@pytest.mark.parametrize(
    "written",
    ["", "onehot", "aggregate", "aggregate:0", "aggregate:-1", "aggregate:6", "fourier:x", "tiles:8", "tiles:0x8",
     "tiles:8x8x8", "polynomial:1.5", "polynomial:99999", "fourier:9999999999", "aggregate:²"],
)  # fmt: skip
def test_another_basis_is_refused_by_name(written):
    with pytest.raises(BadOption, match="--features"):
        feature_rows(written, 5)


def test_an_array_file_is_read_as_data(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.array([[1.0, 0.5], [0.25, 2.0]]))
    assert feature_rows(str(path), 2)[0] == [[1.0, 0.5], [0.25, 2.0]]


@pytest.mark.parametrize(
    "content", [np.array([object()], dtype=object), np.array(["a"]), np.array(1.0), np.ones(2) > 0]
)
def test_an_array_file_with_other_things_is_refused(tmp_path, content):
    path = tmp_path / "x.npy"
    np.save(path, content, allow_pickle=True)
    with pytest.raises(BadProblem, match="no array of numbers"):
        feature_rows(str(path), 2)


@pytest.mark.parametrize("content", [b"", b"not an array", b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'"])
def test_a_damaged_array_file_is_one_line(tmp_path, content):
    path = tmp_path / "x.npy"
    path.write_bytes(content)
    with pytest.raises(BadProblem, match=r"--features: .*x\.npy") as caught:
        feature_rows(str(path), 2)
    assert len(str(caught.value).splitlines()) == 1


def test_an_array_file_that_is_not_there_is_one_line():
    with pytest.raises(BadProblem, match=r"--features: cannot read nowhere\.npy"):
        feature_rows("nowhere.npy", 2)

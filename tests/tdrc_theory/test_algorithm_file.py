"""Algorithms of one's own, read from a file."""

import sys
from fractions import Fraction

import pytest

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadAlgorithm, UnknownName
from tdrc_theory.learner.algorithm import SIGNATURE
from tdrc_theory.learner.files import load_algorithm

BETA, ETA = Fraction(3, 5), Fraction(7, 2)


def test_an_algorithm_of_ones_own_is_read_from_a_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from __future__ import annotations\n"
        f"def my_td({', '.join(SIGNATURE)}):\n    return rho * delta * x, 0\n"
        "number = 5\n"
    )
    algorithm = find_algorithm(f"{file}:my_td")
    assert algorithm.name == "my_td"
    assert algorithm.source == str(file)
    assert algorithm.bound({}) == find_algorithm("td").bound({})
    with pytest.raises(BadAlgorithm, match="has no function 'other'; it has my_td"):
        load_algorithm(f"{file}:other")
    with pytest.raises(BadAlgorithm, match="has no function 'number'; it has my_td"):
        load_algorithm(f"{file}:number")


def test_an_algorithm_object_in_a_file_keeps_its_name_and_what_it_fixes(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from tdrc_theory.learner.algorithm import Algorithm\n"
        "from tdrc_theory.algorithms.tdrc import tdrc\n"
        "HALF = Algorithm(name='half', direction=tdrc, fixed={'beta': 0.5})\n"
    )
    result = load_algorithm(f"{file}:HALF")
    assert (result.name, result.parameters({"beta": BETA, "eta": ETA})) == (
        "half",
        {"beta": Fraction(1, 2), "eta": ETA},
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:\n", "cannot be run: SyntaxError"),
        ("x = 1\ny = 1 / 0\n", r"broken.py:2: cannot be run: ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)\n", "cannot be run: SystemExit: 3"),
    ],
)
def test_a_file_that_cannot_be_run_is_refused_with_its_line(tmp_path, text, message):
    file = tmp_path / "broken.py"
    file.write_text(text)
    with pytest.raises(BadAlgorithm, match=message):
        load_algorithm(f"{file}:f")


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(BadAlgorithm, match="cannot be read: No such file or directory"):
        load_algorithm(f"{tmp_path / 'none.py'}:f")
    file = tmp_path / "bytes.py"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BadAlgorithm, match="is not UTF-8 text"):
        load_algorithm(f"{file}:f")


def test_an_unknown_name_is_refused_with_the_names_there_are():
    with pytest.raises(UnknownName, match=r"unknown algorithm 'gtdd' \(did you mean gtd\?\); allowed: td, tdc, "):
        find_algorithm("gtdd")


def test_an_algorithm_file_may_import_what_lies_beside_it_and_what_it_prints_is_not_the_answer(tmp_path, capsys):
    (tmp_path / "beside_it.py").write_text("half = 0.5\n")
    (tmp_path / "mine.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom beside_it import half\n"
        "print('loaded')\n\n@dataclass\nclass Kept:\n    part: float = half\n\n"
        "def f(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    print('called')\n"
        "    return Kept().part * rho * delta * x, 0\n"
    )
    result = load_algorithm(f"{tmp_path / 'mine.py'}:f")
    at = {"rho": Fraction(1), "gamma_next": Fraction(1), "reward": Fraction(1)}
    assert result.at(at)["w"][(), ("x",)] == Fraction(1, 2)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "loaded" in printed.err
    assert str(tmp_path) not in sys.path

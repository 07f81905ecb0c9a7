from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest

import tdrc_theory.figures.figure
from reports.command import main

DIVERGING = """
name = "diverging"
problems = ["random-walk-tabular"]
steps = 300
runs = 3
every = 3

[[learners]]
algorithms = ["tdrc", "td"]
alpha = ["1/16", 2, 8, 1000]

[figure]
along = "alpha"
"""
DRAWN = (
    ["predict", "two-state", "--steps", "20", "--plot"],
    ["predict", "random-walk-tabular", "--algorithm", "td-lambda", "--set", "lam=1/2", "--steps", "500", "--plot"],
    ["run", "two-state", "--steps", "20", "--runs", "4", "--plot"],
    ["compare", "two-state", "--steps", "20", "--runs", "4", "--plot"],
    ["region", "two-state", "--map"],
    ["region", "two-state", "--over", "beta,eta", "--map"],
    ["control", "cart-pole", "--steps", "60", "--runs", "2", "--plot"],
    ["sweep", "study.toml", "--plot"],
)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(DIVERGING)


def numbers_on_axes(path):
    """Return what an SVG's texts have of numbers."""
    texts = [element.text or "" for element in ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")]
    return [float(text) for text in texts if re.fullmatch(r"[\d.]+(e[+-]?\d+)?", text)]


@pytest.mark.quick(4)
@pytest.mark.parametrize("arguments", DRAWN, ids=" ".join)
def test_an_error_while_drawing_does_not_lose_the_answer(arguments, tmp_path, monkeypatch, capsys):
    def overflowing(*_):
        raise OverflowError("cannot convert float infinity to integer")

    assert main(arguments[:-1]) == 0
    answer = capsys.readouterr().out
    monkeypatch.setattr(tdrc_theory.figures.figure, "in_a_column", overflowing)
    assert main([*arguments, "drawn.pdf"]) == 2
    printed = capsys.readouterr()
    error = "drawn.pdf: cannot be drawn: cannot convert float infinity to integer\n"
    assert printed.err == f"tdrc {arguments[0]}: error: {error}"
    assert not (tmp_path / "drawn.pdf").exists()
    if arguments[0] not in ("sweep", "region"):  # which say what the store had, and the region of the map's rows
        assert printed.out == answer
    assert answer.splitlines()[-1] in printed.out or arguments[0] == "region"
    assert printed.out.count("\n") > 3


def test_configurations_that_diverge_are_drawn_at_the_edge_and_explained(tmp_path, capsys):
    assert main(["sweep", "study.toml", "--json", "--plot", "study.svg"]) == 0
    areas = [one["area_mean"] for one in json.loads(capsys.readouterr().out)["configurations"]]
    assert None in areas, "a configuration left the range of floats"
    assert max(filter(None, areas)) > 1e30, "another one is within it, far past the rest"
    assert max(numbers_on_axes(tmp_path / "study.svg")) < 1e7
    assert "above 1e+06 or diverged, not to scale" in (tmp_path / "study.svg").read_text()


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    "arguments",
    [
        ["predict", "two-state", "--alpha", "1", "--steps", "5000", "--alphas", "1/16,1,4", "--plot"],
        ["run", "two-state", "--alpha", "1", "--steps", "3000", "--runs", "3", "--plot"],
        ["compare", "two-state", "--alpha", "1", "--steps", "3000", "--runs", "3", "--plot"],
    ],
    ids=" ".join,
)
def test_no_axis_of_curves_that_diverge_reaches_far(arguments, tmp_path):
    assert main([*arguments, "drawn.svg"]) == 0
    assert max(numbers_on_axes(tmp_path / "drawn.svg"), default=0) < 1e7
    assert "or diverged, not to scale" in (tmp_path / "drawn.svg").read_text()

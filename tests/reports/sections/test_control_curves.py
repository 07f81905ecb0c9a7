from __future__ import annotations

import csv
import io
import json
from urllib.parse import unquote

import pytest

from reports.build.__main__ import PROG, main
from reports.page.section import Missing
from reports.page.subject import OnControl, Request
from reports.page.table import Table
from reports.sections import control_curves
from tdrc_theory.errors import BadOption

BAND = {"mean": [300.0, 200.5, None], "lower": [250.0, 150.0, None], "upper": [350.0, 250.0, None]}
RUNS = {
    "environment": "mountain-car",
    "settings": {"environment": "mountain-car", "algorithm": "qrc", "alpha": "1/1024", "beta": "1", "episodes": 3},
    "seed": 7,
    "runs": 4,
    "measure": "steps",
    "interval": {"kind": "percentile bootstrap", "level": 0.95},
    "learning": {"at": [1, 2, 3], **BAND},
    "mean": {"value": 250.25, "lower": 200.0, "upper": 300.0},
    "late": {"value": None, "lower": None, "upper": None},
    "stuck_runs": [2],
    "records": {"updates": [100, 200, 300], "h_norm": BAND},
}


@pytest.fixture
def written(tmp_path):
    def write(name="runs.json", **changed):
        file = tmp_path / name
        file.write_text(json.dumps({**RUNS, **changed}), encoding="utf-8")
        return file

    return write


def shown(*files):
    return control_curves.SECTION.collect(OnControl.read(Request(control=files)), lambda _: None)


def test_what_was_written_is_shown_point_by_point(written):
    (learner,) = shown(written()).learners
    assert learner.title == "qrc, alpha = 1/1024, beta = 1 on mountain-car"
    facts = dict(learner.facts)
    assert (facts["runs"], facts["seed"], facts["stuck runs"]) == ("4", "7", "1")
    assert facts["all episodes"] == "250.2 [200, 300]"
    assert "diverged runs" not in facts  # the file does not say
    assert learner.figure.numbers.rows[1] == ("steps", "2", "200.5", "150", "250")
    assert learner.figure.numbers.rows[2] == ("steps", "3", "", "", "")
    assert ("norm of h", "100", "300", "250", "350") in learner.figure.numbers.rows


def test_learners_of_one_environment_stand_beside_each_other(written):
    other = {**RUNS["settings"], "algorithm": "qc"}
    files = written("a.json"), written("b.json", settings=other), written("c.json", environment="cart-pole")
    content = shown(*files)
    assert len(content.learners) == 3
    (both,) = content.together
    assert {row[0] for row in both.numbers.rows} == {"qrc, alpha = 1/1024, beta = 1", "qc, alpha = 1/1024, beta = 1"}


def test_no_file_and_no_torch_are_said_in_their_place(monkeypatch):
    assert isinstance(shown(), Missing)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert "torch, which runs networks, is not installed" in shown().why


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"learning": {"at": [1], **BAND}}, "learning: its lists differ in length"),
        ({"learning": {"at": [1, 2, "x"], **BAND}}, "learning.at: not a list of numbers"),
        ({"runs": True}, "runs: missing, or not as"),
        ({"environment": None}, "environment: missing, or not as"),
        ({"interval": 3}, "interval.level: missing, or not as"),
        ({"interval": {"kind": "any", "level": 95.0}}, "interval.level: 95.0 is not between 0 and 1"),
        ({"interval": {"kind": "any", "level": 10**400}}, "interval.level: missing, or not as"),
    ],
)
def test_another_file_is_refused_in_one_line(written, changed, message):
    with pytest.raises(BadOption, match=message):
        shown(written(**changed))


def test_what_is_no_document_is_refused(tmp_path, asker):
    file = tmp_path / "runs.json"
    ask = asker(main, PROG)
    for text in ('{"runs": NaN}', "[" * 100_000, "\xff", "{"):
        file.write_bytes(text.encode("latin-1"))
        status, _, out = ask("--with-control", str(file), "-o", str(tmp_path / "page.html"))
        assert (status, out.count("\n")) == (2, 1)
        assert "runs.json: cannot be read: it is not a JSON document" in out
    assert not (tmp_path / "page.html").exists()


def test_one_run_is_told_without_an_interval(written):
    (learner,) = shown(written(runs=1, mean={"value": 1.5, "lower": None, "upper": None})).learners
    assert dict(learner.facts)["all episodes"] == "1.5, no interval"
    assert "1 run, steps 1.5, no interval over all episodes" in learner.figure.caption


def test_numbers_that_no_axis_reaches_are_not_known(written, tmp_path, asker):
    band = {**BAND, "mean": [1e308, 10**400, -1e308]}
    file = written(learning={"at": [1, 2, 3], **band}, mean={"value": 10**400, "lower": 0.0, "upper": 1e308})
    (learner,) = shown(file).learners
    assert [row[2] for row in learner.figure.numbers.rows[:3]] == ["", "", ""]
    assert dict(learner.facts)["all episodes"] == "unknown [0, unknown]"
    assert asker(main, PROG)("--with-control", str(file), "-o", str(tmp_path / "page.html"))[0] == 0


def test_no_cell_of_a_download_is_a_formula_to_a_spreadsheet():
    cells = (
        "=1+1",
        "@A1",
        "+A1",
        "-2+cmd|' /C calc'!A0",
        "-4/7 (-0.571429)",
        "+0.2",
        "-3e-05",
        "-",
        "-inf",
        "td",
    )
    link = Table("any", ("=a", "b"), (cells,)).csv_link
    titles, row = csv.reader(io.StringIO(unquote(link.partition(",")[2])))
    assert titles == ["'=a", "b"]
    assert row == [*(f"'{cell}" for cell in cells[:4]), *cells[4:]]


def test_texts_of_a_file_are_text_on_the_page(written, tmp_path, asker):
    evil = "<script>alert(1)</script>"
    file = written(environment=evil, measure=evil, settings={"algorithm": evil, evil: evil})
    page = tmp_path / "page.html"
    assert asker(main, PROG)("--with-control", str(file), "-o", str(page))[0] == 0
    content = page.read_text(encoding="utf-8")
    assert evil not in content
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in content

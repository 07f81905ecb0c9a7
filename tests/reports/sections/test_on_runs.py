from __future__ import annotations

import csv
import io
from urllib.parse import unquote

import pytest

from reports.page.section import Missing
from reports.page.subject import OnPaper, Request
from reports.sections import parameter_studies, reproduced_tables, statements
from simulate.store import NotStored, Store
from simulate.sweep.experiment_file import find_experiment
from simulate.sweep.study import sweep
from simulate.tables.cell import AS_RUN, cells, chosen_cells
from tdrc_theory.papers import find_paper

SMALL = """
name = "a small study"
problems = ["two-state", "random-walk-tabular"]
sampling = "iid"
steps = 20
runs = 4
[[learners]]
algorithms = ["td", "tdrc"]
alpha = { base = 2, from = -3, to = -1 }
"""


def paper(**asked):
    return OnPaper(request=Request(**asked), paper=find_paper(), answers=(), kernel={})


def shown(section, **asked):
    return section.SECTION.collect(paper(**asked), lambda _: None)


@pytest.mark.parametrize("section", [reproduced_tables, statements, parameter_studies])
def test_what_was_not_run_is_said_in_its_place(section, tmp_path):
    content = shown(section)
    assert isinstance(content, Missing)
    assert content.remedy.startswith("tdrc ")
    empty = tmp_path / "some store"
    assert isinstance(shown(section, store=empty), Missing)
    assert not empty.exists()
    assert f"--store '{empty}'" in shown(section, store=empty).remedy


def test_a_store_that_is_only_read_computes_nothing(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    experiment = find_experiment(str(file))
    with Store(tmp_path / "runs") as store:
        study = sweep(experiment, store)
    with Store(tmp_path / "runs", only_read=True) as store:
        assert [r.area for r in sweep(experiment, store).all()] == [r.area for r in study.all()]
        (tmp_path / "more.toml").write_text(SMALL.replace("runs = 4", "runs = 5"), encoding="utf-8")
        with pytest.raises(NotStored, match="lacks"):
            sweep(find_experiment(str(tmp_path / "more.toml")), store)


def test_a_study_in_the_store_is_a_figure_with_every_configuration(tmp_path, monkeypatch):
    file = tmp_path / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    monkeypatch.setattr(parameter_studies, "built_in", lambda: {"small": file, "sensitivity-eta": file})
    known = {"small": find_experiment(str(file)), "sensitivity-eta": find_experiment("sensitivity-eta")}
    monkeypatch.setattr(parameter_studies, "find_experiment", lambda name, _: known[name])
    with Store(tmp_path / "runs") as store:
        study = sweep(known["small"], store)
    content = shown(parameter_studies, store=tmp_path / "runs")
    first, *_ = content.studies
    assert first.title.startswith("a small study (4 runs")
    rows = list(csv.reader(io.StringIO(unquote(first.every.csv_link.partition(",")[2]))))
    assert len(rows) == 1 + 2 * 2 * 3
    assert content.absent == ["sensitivity-eta"]
    points = [row for row in first.figure.numbers.rows if row[0] == "random-walk-tabular"]
    assert [row[1] for row in points] == ["td"] * 3 + ["tdrc"] * 3
    assert [float(row[4]) for row in points] == pytest.approx([r.area.mean for r in study.all()[6:]], rel=1e-5)
    assert len(first.best.rows) == 4


def test_a_table_in_the_store_stands_beside_the_published_one(tmp_path, monkeypatch):
    monkeypatch.setattr(reproduced_tables, "RUNS", 2)
    monkeypatch.setattr(reproduced_tables, "STEP_SIZES", ("constant", "adam"))
    one = ("constant", "td", "random-walk-tabular")
    monkeypatch.setattr(
        reproduced_tables,
        "chosen_cells",
        lambda cases, step_size: chosen_cells(cases, *(one if step_size == one[0] else [step_size])),
    )
    with Store(tmp_path / "runs") as store:
        (result,) = cells(chosen_cells(AS_RUN.cases(2), *one), AS_RUN, store).values()
    content = shown(reproduced_tables, store=tmp_path / "runs")
    ((name, (cell,)),) = content.tables[0].rows
    assert (name, content.absent) == ("td", ("adam",))
    assert cell.ours.startswith(f"{result.mean:.3f}\u00a0\u00b1\u00a0")
    assert cell.published == "0.060\u00a0\u00b1\u00a00.001"  # as the paper prints it
    assert not cell.matches
    assert float(cell.difference) == pytest.approx(result.difference, abs=0.05)

"""The command on regions: what it prints and draws, and what it refuses."""

from __future__ import annotations

import json
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from tdrc_theory import averaged_process, find_algorithm, find_problem
from tdrc_theory.cli.command import run
from tdrc_theory.figures.figure import svg
from verify.conditions.setting import Setting
from verify.region import region
from verify.region.__main__ import PROG, main
from verify.region.map import compute_map
from verify.region.map import picture as picture_of


@pytest.fixture(scope="module")
def two_state_map():
    return compute_map(Setting.of(find_problem("two-state"), find_algorithm("tdrc"), Fraction(1), Fraction(1)))


def test_the_map_has_exact_rows_and_is_a_readable_picture(two_state_map):
    limits = [row.intervals[0].upper.value if row.intervals else 0 for row in two_state_map.rows]
    assert limits == sorted(limits), "a larger eta allows a larger beta here"
    assert max(limits) == pytest.approx(0.47)
    picture = ElementTree.fromstring(svg(*picture_of(two_state_map)))
    space = "{http://www.w3.org/2000/svg}"
    assert picture.find(f"{space}title").text == "Where tdrc on two-state converges"
    assert "nowhere" in picture.find(f"{space}desc").text
    assert any("bounds of Theorem 3.1, corrected" in (t.text or "") for t in picture.iter(f"{space}text"))


def test_the_area_holds_just_the_values_at_which_it_converges(two_state_map):
    from matplotlib.path import Path

    (area, *_) = picture_of(two_state_map).panels[0].areas
    polygons = [Path(corners) for corners in area.polygons]
    for row in two_state_map.rows[1:-1]:
        for beta in (Fraction(1, 500), Fraction(1, 10), Fraction(1, 5), Fraction(2, 5), Fraction(1, 2), Fraction(20)):
            inside = any(polygon.contains_point((float(beta), float(row.fixed))) for polygon in polygons)
            assert inside == row.contains(beta), (beta, row.fixed)


def test_the_command_prints_intervals_and_fits_the_contract(capsys):
    assert run(main, PROG, ["baird", "--eta", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert answer["parameter"] == "beta"
    assert answer["fixed"] == {"eta": "1"}
    keys = {"lower", "lower_closed", "upper", "upper_closed", "exact"}
    assert all(keys <= set(i) for i in answer["intervals"] + answer["fails_for_every_eta"])
    assert set(answer["bounds"]) == {"beta_printed", "beta_corrected", "eta", "eta_singular_C"}
    vacuous = answer["bounds"]["beta_printed"]
    assert (vacuous["value"], vacuous["exact"]) == (None, "-4/7")
    assert "-0.57142857" in vacuous["reason"]
    assert run(main, PROG, ["two-state", "--beta", "1/10", "--rate"]) == 0
    shown = capsys.readouterr().out
    assert "converges for eta in (0.18076923, infinity)" in shown
    assert "recommended_eta: beta = 1/10, eta = " in shown
    assert run(main, PROG, ["random-walk-tabular"]) == 0
    assert "eta: 0; H has no negative direction" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["baird", "--beta", "-1"], "is negative"),
        (["baird", "--eta", "0"], "not positive"),
        (["baird", "--eta", "1" + "0" * 100], "--eta: a number of 101 digits; at most 100"),
        (["baird", "--eta", "1", "--beta", "1"], "not allowed with"),
        (["baird", "--map", "map.svg", "--algorithm", "htd"], "htd has no beta"),
        (["two-state", "--map", "map.gif"], "map.gif: its name ends in none of .svg, .png, .pdf"),
        (["two-state", "--map", "no/such/folder/map.svg"], "cannot be written"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(asker, arguments, reason):
    status, out, text = asker(main, PROG)(*arguments)
    assert (status, out) == (2, "")
    assert reason in text
    assert text.count("\n") == 1


def test_a_map_that_cannot_be_written_is_noticed_before_it_is_computed(asker, tmp_path, monkeypatch):
    monkeypatch.setattr("verify.region.__main__.compute_map", None)
    (tmp_path / "folder.svg").mkdir()
    status, out, err = asker(main, PROG)("two-state", "--map", str(tmp_path / "folder.svg"))
    assert (status, out) == (2, "")
    assert "cannot be written" in err


def test_the_map_is_written_whole(tmp_path, capsys):
    file = tmp_path / "map.svg"
    assert run(main, PROG, ["two-state", "--map", str(file)]) == 0
    assert "converges for beta" in capsys.readouterr().out
    assert ElementTree.parse(file).getroot().tag.endswith("svg")
    assert [p.name for p in tmp_path.iterdir()] == ["map.svg"]


def test_values_past_the_largest_double_are_null_in_json():
    features = [[10**200], [2 * 10**200]]
    far = averaged_process(name="far", gamma="0.99", features=features, P=[[0, 1]] * 2, r=[0, 0], d=["1/2"] * 2)
    answer = json.loads(json.dumps(region(far, eta=1).to_json(), allow_nan=False))
    assert answer["intervals"][0]["upper"] is None
    assert answer["intervals"][0]["exact"]["upper"].startswith("47")
    assert answer["bounds"]["beta_corrected"]["value"] is None


def test_numbers_so_long_that_a_region_takes_hours_are_refused_with_the_estimate(tmp_path, capsys):
    rows = ", ".join(f"[{', '.join(f'1{i * j:01999}' for j in range(20))}]" for i in range(20))
    (tmp_path / "long.toml").write_text(f'name = "long"\n[matrices]\nA = [{rows}]\nb = {[1] * 20}\nC = [{rows}]\n')
    assert run(main, PROG, [str(tmp_path / "long.toml")]) == 2
    error = capsys.readouterr().err
    assert "G is 40 x 40 with long numbers, so that a region may take" in error
    assert error.count("\n") == 1

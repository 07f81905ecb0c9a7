from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from tdrc_theory.cli.command import PICTURES
from tdrc_theory.errors import BadOption
from tdrc_theory.figures.figure import BOTH_COLUMNS, COLUMN, in_a_column, write_picture
from tdrc_theory.figures.panel import Area, Curve, Panel, Picture

ONE = Panel([Curve("td", [1, 2, 4], [3.0, 2.0, 1.0], [2.5, 1.5, 0.5], [3.5, 2.5, 1.5])], "updates", "RMSPBE")
FORMS = [suffix[1:] for suffix in PICTURES]


def picture(*panels):
    return Picture("curves & $x$", "falling", panels or (ONE,))


def width(content, form):
    """Return the width of a picture in inches, as a reader that shares nothing with the writer sees it."""
    if form == "svg":
        return float(ET.fromstring(content).get("width").removesuffix("pt")) / 72
    if form == "png":
        with Image.open(io.BytesIO(content)) as image:
            return image.width / image.info["dpi"][0]
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+)", content)
    return float(box[1]) / 72


@pytest.mark.quick(1)
@pytest.mark.parametrize("form", FORMS)
def test_one_panel_takes_a_column_and_more_take_both(form):
    assert width(in_a_column(picture(), form), form) == pytest.approx(COLUMN, rel=0.002)
    assert width(in_a_column(picture(ONE, ONE), form), form) == pytest.approx(BOTH_COLUMNS, rel=0.002)


@pytest.mark.parametrize("form", FORMS)
def test_a_legend_of_areas_lies_below_and_takes_no_room_from_the_axes(form):
    areas = [Area(f"area {n}", [[(0, 0), (1, 0), (1, 1)]], "#9ecae1", filled=True) for n in range(4)]
    with_areas = Panel([], "x", "y", areas=areas, x_ends=(0, 1), y_ends=(0, 1))
    assert width(in_a_column(picture(with_areas), form), form) == pytest.approx(COLUMN, rel=0.002)


def test_fonts_of_a_pdf_are_embedded_as_truetype():
    content = in_a_column(picture(), "pdf")
    fonts = re.findall(rb"/Type /Font\b.*?>>", content, re.DOTALL)
    assert fonts
    assert b"/FontFile2" in content
    assert not re.search(rb"/Subtype /Type[13]\b", content)


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_has_its_title_and_no_date(form):
    content = in_a_column(picture(), form)
    content = content.encode() if isinstance(content, str) else content
    assert b"curves &" in content
    assert not re.search(rb"Date|<dc:date>|20\d\d-\d\d|Matplotlib v", content)


@pytest.mark.thorough
def test_the_same_picture_gives_the_same_bytes_in_every_process(tmp_path):
    program = (
        "import sys; from tdrc_theory.figures.figure import write_picture; from tdrc_theory.figures.panel import *\n"
        "panel = Panel([Curve('td', [1, 2, 4], [3.0, float('inf'), 1.0])], 'updates', 'RMSPBE')\n"
        "for suffix in ('.svg', '.png', '.pdf'):\n"
        "    write_picture(sys.argv[1] + suffix, lambda: Picture('a', 'b', [panel]))"
    )
    for seed in "12":
        asked = [sys.executable, "-c", program, str(tmp_path / seed)]
        subprocess.run(asked, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
    for suffix in PICTURES:
        assert (tmp_path / f"1{suffix}").read_bytes() == (tmp_path / f"2{suffix}").read_bytes()


@pytest.mark.parametrize("form", FORMS)
def test_no_text_of_a_user_is_markup(form):
    text = r"$\foo$ $_$ a$b^$ \frac{ _x"
    panel = Panel(
        [Curve(text, [1, 2], [1.0, 2.0])], text, text, text, areas=[Area(text, [[(0, 0), (1, 0), (1, 1)]], "k")]
    )
    assert len(in_a_column(Picture(text, text, [panel]), form)) > 1000


@pytest.mark.parametrize("name", ["drawn.svg", "drawn.PNG", "drawn.pdf"])
def test_the_name_says_the_format(tmp_path, name):
    write_picture(str(tmp_path / name), picture)
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[name[-3:].lower()]
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize(("form", "lines"), [("svg", 0), ("png", 1), ("pdf", 1)])
def test_characters_that_the_font_lacks_are_named_in_one_line_and_left_to_the_viewer_of_an_svg(
    tmp_path, capsys, form, lines
):
    write_picture(str(tmp_path / f"drawn.{form}"), lambda: Picture("中文", "", [ONE]))
    text = capsys.readouterr().err
    assert text.count("\n") == text.count("the font lacks some characters") == lines
    assert form != "svg" or ">中文</text>" in (tmp_path / "drawn.svg").read_text(encoding="utf-8")


def test_what_cannot_be_drawn_is_one_line_and_leaves_no_file(tmp_path):
    def overflowing():
        raise OverflowError("cannot convert float infinity to integer")

    with pytest.raises(BadOption, match=r"drawn\.svg: cannot be drawn: cannot convert float infinity to integer"):
        write_picture(str(tmp_path / "drawn.svg"), overflowing)
    assert list(tmp_path.iterdir()) == []

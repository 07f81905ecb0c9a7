from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess

import pytest

from tdrc_theory.errors import BadOption
from tdrc_theory.tables.table import Table, latex_cell, latex_table, tables_text, write_tables

HOSTILE = [
    r"\input{/etc/passwd} & 50% of $x_1^2$ #1 ~ {a}",
    "a -- b --- c, \"quoted\" 'it' `so` <tag> |x|",
    "[1 optional",
    "* starred",
    "\\\\ new row & more",
    "theorem-3.1.case-ii",
    "% comment",
    "ü é",
]
NUMBERS = [
    "0.5",
    "-1e-05",
    "+0.8",
    "1/2",
    "-4/7",
    "[0, 0.022) and (1, 2)",
    "(0.1, infinity)",
    "0.5 +- 0.01",
    "0.25*",
    "1,000",
    "-",
]
TABLE = Table(
    "all of it",
    ("name", "+-", "alpha", "value"),
    [(text, NUMBERS[i % len(NUMBERS)], str(i), NUMBERS[-1 - i % len(NUMBERS)]) for i, text in enumerate(HOSTILE)],
)
COMMANDS = {
    r"\textbackslash": "\\",
    r"\textasciitilde": "~",
    r"\textasciicircum": "^",
    r"\textless": "<",
    r"\textgreater": ">",
    r"\textbar": "|",
    r"\textquotesingle": "'",
    r"\textasciigrave": "`",
    r"\char34": '"',
    r"\times": "x",
    r"\pm": "+-",
    r"\infty": "infinity",
    r"\alpha": "alpha",
    r"\mathrm": "",
    "\\ ": " ",
}


def read(cell):
    """Return what a reader sees of LaTeX, by a small tokenizer: groups are dropped, commands are what they show."""
    shown, depth, math = [], 0, False
    for token in re.findall(r"\\[a-zA-Z]+\d*|\\.|--|.", cell):
        if token in "{}":
            depth += {"{": 1, "}": -1}[token]
            assert depth >= 0, "a group ends that was not begun"
        elif token == "$":
            math = not math
        elif token == "--":
            shown.append("-")
        elif token == "\\,":
            shown.append(" ")
        elif token in COMMANDS:
            shown.append(COMMANDS[token])
        elif token[0] == "\\":
            assert len(token) == 2, f"{token} is no command of the table's"
            shown.append(token[1])
        else:
            assert token not in ("&%#~" if math else "&%#~_^"), f"{token} is not escaped"
            shown.append(token)
    assert (depth, math) == (0, False), "a group or math is not ended"
    return "".join(shown)


def rows_of(latex):
    """Return the cells of a tabular's rows: LaTeX ends a cell at an ampersand, and a row at two backslashes."""
    body = latex.partition(r"\toprule")[2].partition(r"\bottomrule")[0]
    lines = [line for line in body.splitlines() if line and not line.startswith((r"\midrule", r"\endhead"))]
    assert all(line.endswith(r" \\") for line in lines)
    return [re.split(r"(?<!\\)&", line.removesuffix(r"\\")) for line in lines]


def plain(text):
    """Return a text without what math sets in other ways: spaces, and the sign between mantissa and exponent."""
    return text.replace(" ", "").replace("e-0", "x10-").replace("^", "").replace("*", "")


@pytest.mark.parametrize("text", [*HOSTILE, *NUMBERS])
def test_a_reader_sees_the_text_of_a_cell(text):
    assert plain(read(latex_cell(text))) == plain(text)


def test_a_table_has_its_rows_and_no_more():
    titles, *rows = rows_of(latex_table(*TABLE))
    assert [read(title).strip() for title in titles] == list(TABLE.titles)
    assert len(rows) == len(TABLE.rows)
    assert {len(row) for row in rows} == {len(TABLE.titles)}


def test_no_row_begins_as_an_argument_of_the_row_before():
    assert not [row for row in rows_of(latex_table(*TABLE)) if row[0].lstrip().startswith(("[", "*"))]


@pytest.mark.parametrize(
    ("text", "math"),
    [
        ("-4/7", ["-4/7"]),
        ("1e-05", [r"1 \times 10^{-5}"]),
        ("(0, infinity)", [r"(0,\ \infty)"]),
        ("[0, 1) and (2, 3)", [r"[0,\ 1)\ \mathrm{and}\ (2,\ 3)"]),
        ("root of 49*t^2 - 12*t + 26; on range(C)", ["49t^{2} - 12t + 26"]),
        ("negative (-0.57), so", ["-0.57"]),
        ("theorem-3.1.case-ii, td3, a_2", []),
    ],
)
def test_numbers_are_math_and_parts_of_names_are_not(text, math):
    from matplotlib.mathtext import MathTextParser

    matches = re.findall(r"\$(.*?)\$", latex_cell(text))
    assert matches == math
    for each in matches:  # another parser of TeX's math takes it
        MathTextParser("path").parse(f"${each}$")


def test_a_long_table_goes_on_over_pages():
    long = latex_table("long", ("n",), [(str(n),) for n in range(100)])
    assert (long.count("longtable"), long.count(r"\endhead")) == (2, 1)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX")
def test_tex_takes_it(tmp_path):
    long = Table("long", ("n",), [(str(n),) for n in range(100)])
    document = "\\documentclass{article}\n\\usepackage{booktabs,longtable,array}\n\\begin{document}\n"
    # Greek, a minus, signs of mathematics, letters that LaTeX lacks, and others that it has only with packages.
    signs = "λ − β ≤ π ∞ R² x₁ é ő Ł ą Đ « “ → √ \u1d44e \u4e2d \u0438 x\u0302 \U0001f600"
    unicode = Table(signs, ("α", "Ω"), [(sign, f"a_{sign}") for sign in (*signs.split(), signs)])
    claims = [
        (f"theory.{'-'.join(['sampled'] * (n % 4 + 1))}", "Section 3.1, below eq. 7", "holds (exact)")
        for n in range(50)
    ]
    wide = Table("wide", ("claim", "source", "printed", "again", "proof"), [(*row, row[2], "exact") for row in claims])
    numbers = Table("numbers", tuple("abcdefg"), [tuple(f"{column / 7:.6g}" for column in range(7))] * 3)
    document += tables_text([TABLE, long, unicode, wide, numbers], "tex") + "\\end{document}\n"
    (tmp_path / "all.tex").write_text(document, encoding="utf-8")
    asked = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "all.tex"]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert re.findall("Overfull.*", (tmp_path / "all.log").read_text(encoding="latin-1")) == []


def test_json_has_numbers_where_there_are_numbers_and_null_where_there_is_nothing():
    (result,) = json.loads(tables_text([TABLE, Table("empty", ("a",), [])], "json"))["tables"]
    assert (result["name"], result["columns"]) == ("all of it", list(TABLE.titles))
    assert [row[0] for row in result["rows"]] == HOSTILE
    assert [row[1] for row in result["rows"]][:4] == [0.5, -1e-05, 0.8, "1/2"]
    assert result["rows"][0][3] is None


def test_tables_of_a_csv_stand_below_each_other():
    first, second = Table("a", ("n", "m"), [("1", "-")]), Table("b", ("k",), [("x, y",)])
    parts = tables_text([first, second], "csv").split("\n\n")
    assert [list(csv.reader(part.splitlines())) for part in parts] == [[["n", "m"], ["1", ""]], [["k"], ["x, y"]]]


def test_the_name_says_the_format_and_none_is_no_file(tmp_path):
    write_tables(None, lambda: pytest.fail("not asked for"))
    for name, begins in (("t.csv", "name,"), ("t.JSON", "{"), ("t.tex", "% \\usepackage{booktabs")):
        write_tables(str(tmp_path / name), lambda: [TABLE])
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    with pytest.raises(BadOption, match="cannot be written"):
        write_tables(str(tmp_path / "no" / "t.csv"), lambda: [TABLE])

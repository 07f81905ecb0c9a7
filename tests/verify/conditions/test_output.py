"""What the command writes, whatever a file holds and wherever the output goes."""

import io
import json
import os
import re
import subprocess
import sys

import pytest

from tdrc_theory import averaged_process
from verify.conditions.report import check_conditions
from verify.conditions.terminal import text_for

COMMAND = [sys.executable, "-m", "verify.conditions"]


def shell(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60, **options)


HOSTILE = [
    '"<script>alert(1)</script>"',
    '"[bold red]markup[/] [/]"',
    '"\\u001b[31mred\\u001b[0m \\u0007 \\u009b2J"',
    '"\\u202egnp.exe"',
    '"back\\u0008space\\tand\\u0000nul"',
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_shown_without_characters_that_a_terminal_obeys(ask, ask_json, problem_file, name):
    path = problem_file(name)
    status, out, err = ask(path)
    assert (status, err) == (0, "")
    assert all(each.isprintable() for each in out.split("\n"))
    assert ask_json(path)["problem"]["name"] == json.loads(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_notebook_shows_a_hostile_name_as_text(problem_file, name):
    shown = check_conditions(problem_file(name))._repr_html_()
    assert "<script" not in shown
    tags = set(re.findall(r"</?([a-z]+)", shown))
    assert tags <= {"p", "strong", "br", "table", "thead", "tbody", "tr", "th", "td"}
    if "script" in name:
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.mark.parametrize("name", HOSTILE)
def test_a_terminal_gets_colours_of_ours_only(problem_file, monkeypatch, name):
    for variable in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    file = Terminal()
    file.write(text_for(file, check_conditions(problem_file(name))))
    written = file.getvalue()
    assert "\x1b[1;32mconvergent" in written
    plain = re.sub(r"\x1b\[[0-9;]*m", "", written)
    assert all(each.isprintable() for each in plain.split("\n"))
    assert "\x1b[31mred" not in written
    if "markup" in name:
        assert "[bold red]markup[/] [/]" in plain


def test_output_that_is_no_terminal_is_plain_text():
    ran = shell("baird", env=os.environ | {"TERM": "xterm-256color"})
    assert ran.returncode == 0
    assert "\x1b" not in ran.stdout
    assert not re.search(r" $", ran.stdout, re.MULTILINE)


def test_what_the_encoding_of_the_output_lacks_is_escaped(problem_file):
    ran = shell(problem_file('"caf\u00e9 \u4e2d"'), env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "caf\\xe9 \\u4e2d" in ran.stdout


@pytest.mark.parametrize(
    "arguments", [["baird"], ["baird", "--json"], ["--help"], ["baird", "--require", "convergent"]]
)
def test_a_reader_that_has_gone_causes_no_complaint(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run(
            [*COMMAND, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    finally:
        os.close(writer)
    assert ran.stderr == ""
    assert ran.returncode in (0, 1)


def test_one_direction_is_not_told_as_several():
    P, halves = [[0, 1], [0, 1]], ["1/2", "1/2"]
    still = averaged_process(name="still", gamma=1, features=[[0, 1], [1, 1]], P=P, r=[0, 0], d=halves)
    assert check_conditions(still, "td").verdict.reason.endswith("multiplicity 2, 1 direction")


def test_a_reader_of_the_first_line_gets_it():
    piped = subprocess.run(
        f"{sys.executable} -m verify.conditions baird --json | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (piped.stdout, piped.stderr) == ("{\n", "")


def test_an_output_that_cannot_be_written_is_one_line_and_exit_status_2(is_one_error, tmp_path):
    unwritable = tmp_path / "read-only"
    unwritable.touch()
    with unwritable.open() as output:
        ran = subprocess.run(
            [*COMMAND, "baird"], stdout=output, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert ran.returncode == 2
    assert is_one_error(ran.stderr)
    assert "cannot write the output" in ran.stderr

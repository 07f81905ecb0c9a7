"""The README's commands, run as a reader would, in an empty folder with the files that it shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
FILES = {name: text for _, name, text in BLOCKS if name}
CONSOLE = [
    re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE) for kind, _, text in BLOCKS if kind == "console"
]


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block[0][0])
def test_what_a_console_block_shows_is_what_its_commands_print(block, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for command, shown in block:
        assert_prints(command, shown, tmp_path)


def test_every_console_block_has_commands():
    assert len(CONSOLE) >= 8
    assert all(CONSOLE)


def assert_prints(command, shown, folder):
    """Compare to the letter; a line of three dots stands for the rest."""
    program, *arguments = shlex.split(command)
    assert program == "python"
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    printed = (done.stdout + done.stderr).splitlines()
    expected = shown.splitlines()
    if expected[-1] == "...":
        expected = expected[:-1]
        printed = printed[: len(expected)]
    assert printed == expected, command


def test_the_picture_is_what_the_command_draws(tmp_path):
    drawn = tmp_path / "map.svg"
    command = [sys.executable, "-m", "verify.region", "baird", "--map", str(drawn)]
    subprocess.run(command, check=True, capture_output=True)
    kept = README.parent / "reports" / "pictures" / "baird-map.svg"
    assert drawn.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")
    assert f"({kept.relative_to(README.parent)})" in README.read_text(encoding="utf-8")


def test_the_picture_of_a_comparison_is_of_the_runs_that_the_text_shows():
    text = README.read_text(encoding="utf-8")
    kept = README.parent / "reports" / "pictures" / "walk-compared.svg"
    told = re.search(r"<desc>(.*)\.</desc>", kept.read_text(encoding="utf-8")).group(1)
    assert f"\n{told}\n" in text
    assert f"({kept.relative_to(README.parent)})" in text


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test", "bench", "slow"):
        assert f"make {target}" in README.read_text(encoding="utf-8")
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)

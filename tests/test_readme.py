"""What the READMEs show: their commands, run as a reader would in an empty folder with their files, pictures, links."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("tdrc_theory", "verify", "simulate", "reports")
PROGRAMS = {"python": sys.executable, "tdrc": str(Path(sys.executable).with_name("tdrc"))}
PAGES = [ROOT / "README.md", *(page for package in PACKAGES for page in sorted((ROOT / package).rglob("README.md")))]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
BLOCKS = [
    (page, *block)
    for page, text in TEXTS.items()
    for block in re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
]
FILES = {name: text for _, _, name, text in BLOCKS if name}
CONSOLE = [
    pytest.param(block, id=f"{page}: {block[0][0] if block else 'no command'}")
    for page, kind, _, text in BLOCKS
    if kind == "console"
    for block in [re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)]
]


@pytest.mark.parametrize("block", CONSOLE)
def test_what_a_console_block_shows_is_what_its_commands_print(block, tmp_path):
    assert block
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for command, shown in block:
        assert_prints(command, shown, tmp_path)


def test_every_package_has_a_page_and_no_file_is_shown_twice():
    assert set(TEXTS) > {"README.md", *(f"{package}/README.md" for package in PACKAGES)}
    names = [name for _, _, name, _ in BLOCKS if name]
    assert len(names) == len(set(names))


def assert_prints(command, shown, folder):
    """Compare to the letter; a line of three dots stands for the rest."""
    program, *arguments = shlex.split(command)
    done = subprocess.run(
        [PROGRAMS[program], *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    printed = (done.stdout + done.stderr).splitlines()
    expected = shown.splitlines()
    if expected[-1] == "...":
        expected = expected[:-1]
        printed = printed[: len(expected)]
    assert printed == expected, command


@pytest.mark.parametrize("page", TEXTS)
def test_every_link_leads_to_a_file_and_to_a_heading_of_it(page):
    for target, heading in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", TEXTS[page]):
        led = ((ROOT / page).parent / target).resolve() if target else ROOT / page
        assert led.exists(), target
        if heading:
            assert heading in {
                anchor(title) for title in re.findall(r"^#+ (.*)$", led.read_text("utf-8"), re.MULTILINE)
            }


def anchor(title):
    """Return what a heading is linked by: lower case, hyphens for spaces, no punctuation."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_the_picture_is_what_the_command_draws(tmp_path):
    drawn = tmp_path / "map.svg"
    command = [sys.executable, "-m", "verify.region", "baird", "--map", str(drawn)]
    subprocess.run(command, check=True, capture_output=True)
    kept = ROOT / "reports" / "pictures" / "baird-map.svg"
    assert drawn.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")
    assert f"({kept.relative_to(ROOT)})" in TEXTS["README.md"]


def test_the_picture_of_a_comparison_is_of_the_runs_that_the_text_shows():
    text = TEXTS["reports/README.md"]
    kept = ROOT / "reports" / "pictures" / "walk-compared.svg"
    told = re.search(r"<desc>(.*)\.</desc>", kept.read_text(encoding="utf-8")).group(1)
    assert f"\n{told}\n" in text
    assert f"({kept.relative_to(ROOT / 'reports')})" in text


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test", "bench", "report", "slow"):
        assert f"make {target}" in TEXTS["README.md"]
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)

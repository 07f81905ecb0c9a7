"""What READMEs and pages of the site show, run as a reader would in an empty folder: output, pictures, links."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from pathlib import Path

import pytest
from console_blocks import PACKAGES, PICTURES, as_shown, blocks, commands, drawn, files, pages, printed, write_files

from reports.command import main

ROOT = Path(__file__).parent.parent
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in pages()}
# Seconds each. The commands' own tests guard what they do; only the text depends on these.
LONG = (
    *("tdrc sweep", "tdrc tables", "tdrc control", "tdrc experiments", "tdrc search", "tdrc build", "tdrc paper"),
    *("tdrc predict random-walk-tabular", "tdrc predict baird --algorithm td-target"),
    *("tdrc run loop", "tdrc compare loop", "tdrc compare emphatic-td"),
)


def quick(page, block):
    """Return whether a block is run in `make test`: those of READMEs are, but for a few."""
    return not page.startswith("docs/") and not (block and block[0][0].startswith(LONG))


CONSOLE = [
    pytest.param(
        block,
        id=f"{page}: {block[0][0] if block else 'no command'}",
        marks=[] if quick(page, block) else pytest.mark.thorough,
    )
    for page, text in TEXTS.items()
    for kind, _, content in blocks(text)
    if kind == "console"
    for block in [commands(content)]
]


@pytest.fixture
def here(tmp_path, monkeypatch, capsys):
    """Return what runs a command in a folder: one of `tdrc` in this process, which has imported what it needs."""
    monkeypatch.chdir(tmp_path)

    def here(command, shown):
        program, *arguments = shlex.split(command)
        if program != "tdrc":
            return printed(command, shown, tmp_path)
        with suppress(SystemExit):  # argparse leaves so
            main(arguments)
        return as_shown("".join(capsys.readouterr()), shown)

    return here


@pytest.mark.parametrize("block", CONSOLE)
def test_what_a_console_block_shows_is_what_its_commands_print(block, tmp_path, here):
    assert block
    write_files(tmp_path)
    for command, shown in block:
        assert here(command, shown).splitlines() == shown.splitlines(), command
        for name in drawn(command):
            assert words((tmp_path / name).read_text("utf-8")) == words((PICTURES / name).read_text("utf-8")), command


def words(picture):
    """Return the title and the description of a picture, which say what it is of; an empty one has neither."""
    matches = re.findall(r"<(title|desc)>(.*?)</", picture, re.DOTALL)
    assert matches
    return matches


def test_every_picture_of_the_site_is_drawn_by_a_command_of_a_page():
    drawings = [name for block in CONSOLE for command, _ in block.values[0] for name in drawn(command)]
    assert sorted(drawings) == sorted(path.name for path in PICTURES.iterdir())


def test_every_package_has_a_page_and_no_file_is_shown_twice():
    assert set(TEXTS) > {"README.md", *(f"{package}/README.md" for package in PACKAGES)}
    names = [name for text in TEXTS.values() for _, name, _ in blocks(text) if name]
    assert len(names) == len(set(names)) == len(files())


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


def test_the_picture_is_what_the_command_draws(here, tmp_path):
    here("tdrc region baird --map map.svg", "")
    kept = ROOT / "reports" / "pictures" / "baird-map.svg"
    assert (tmp_path / "map.svg").read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")
    assert f"({kept.relative_to(ROOT)})" in TEXTS["README.md"]


def test_the_picture_of_a_comparison_is_of_the_runs_that_the_text_shows():
    text = TEXTS["reports/README.md"]
    kept = ROOT / "reports" / "pictures" / "walk-compared.svg"
    outcome, *_ = re.search(r"<desc>(.*)\.</desc>", kept.read_text(encoding="utf-8")).group(1).split("; ")
    assert f"\n{outcome}\n" in text
    assert f"({kept.relative_to(ROOT / 'reports')})" in text


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test", "bench", "report", "slow"):
        assert f"make {target}" in TEXTS["README.md"]
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)

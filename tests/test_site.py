"""The site: READMEs are on it whole and once, its links lead somewhere, and it asks no other host for anything."""

import re
import subprocess
import sys
from pathlib import Path

import console_blocks
import described_commands
import placed_sections
import pytest

from reports.command import COMMANDS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
READMES = [path.relative_to(ROOT).as_posix() for path in console_blocks.pages() if DOCS not in path.parents]
READMES += ["CONTRIBUTING.md", "CHANGELOG.md"]


@pytest.mark.parametrize("file", READMES)
def test_every_section_is_on_one_page(file):
    result = placed_sections.sections(file)
    assert len({section.anchor for section in result}) == len(result)
    pages = [
        page.relative_to(DOCS).as_posix()
        for page in placed_sections.pages()
        for name in re.findall(rf"<!-- section: {re.escape(file)}#(\S+) -->", page.read_text(encoding="utf-8"))
        for _ in placed_sections.taken(file, name)
    ]
    assert len(pages) == len(result)
    assert {placed_sections.places()[file, section.anchor] for section in result} == set(pages)


def test_a_section_is_taken_with_those_below_it_that_no_page_names():
    taken = [section.title for section in placed_sections.taken("tdrc_theory/README.md", "algorithms")]
    assert taken == ["Algorithms"]
    taken = [section.title for section in placed_sections.taken("verify/README.md", "before-anything-is-run")]
    assert taken[:2] == ["Before anything is run", "Bounded second moments, by a proof assistant"]
    with pytest.raises(ValueError, match="not enough values"):
        list(placed_sections.taken("README.md", "nowhere"))


def test_links_of_readmes_lead_to_pages_and_others_are_text():
    shown = placed_sections.linked(
        "[a](tdrc_theory/README.md#problem-files), [b](verify/README.md), [c](LICENSE), ![d](reports/pictures/x.svg), "
        "[e](docs/notebooks/chain_from_arrays.ipynb), [f](https://example.org)",
        "README.md",
    )
    assert shown == (
        "[a](/reference/files.md#problem-files), [b](/explanation/papers.md), c, ![d](/../reports/pictures/x.svg), "
        "[e](/notebooks/chain_from_arrays.ipynb), [f](https://example.org)"
    )


def test_every_command_is_described_by_its_own_help():
    text = described_commands.text()
    assert re.findall(r"^### tdrc (\S+)$", text, re.MULTILINE) == [
        name
        for package in described_commands.HEADINGS
        for name, module, _ in COMMANDS
        if module.startswith(f"{package}.")
    ]
    assert text.count("```text\nusage: ") == len(COMMANDS)
    assert "usage: tdrc conditions [-h]" in text


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_asks_no_other_host_for_anything(tmp_path):
    pytest.importorskip("sphinx", reason="sphinx is not installed; pip install -e '.[docs]'")
    built = tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", tmp_path / "trees"]
    done = subprocess.run([*command, DOCS, built], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    pages = list(built.rglob("*.html"))
    assert len(pages) > len(placed_sections.pages())
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert re.findall(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"(?:https?:)?//", text) == []
        assert re.findall(r"<link\b[^>]*\bhref=\"(?:https?:)?//", text) == []
    for style in built.rglob("*.css"):
        assert re.findall(r"(?:@import|url\()[\"' ]*(?:https?:)?//", style.read_text(encoding="utf-8")) == []

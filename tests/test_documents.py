"""What CITATION.cff, CONTRIBUTING.md, CHANGELOG.md and LICENSE say of the project is so."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tdrc_theory.notation import NOTATION
from tdrc_theory.papers import published
from verify.conditions.__main__ import main as conditions

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PLACES = re.findall(r"`([\w./]+/(?:\w+\.\w+)?)`", CONTRIBUTING)
REGISTRIES = re.findall(r"`([A-Z_]+)` in `(\w[\w/]*)\.py`", CONTRIBUTING)


def test_the_citation_has_what_its_format_asks_for():
    assert {"cff-version", "message", "title", "authors"} <= CITATION.keys()


def test_the_citation_is_of_this_version_under_this_license():
    result = CITATION["title"], CITATION["version"], CITATION["license"]
    assert result == (PROJECT["name"], PROJECT["version"], PROJECT["license"])
    assert importlib.metadata.version(PROJECT["name"]) == PROJECT["version"]


def test_the_changelog_begins_with_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", changelog, re.MULTILINE).group(1) == PROJECT["version"]


def test_the_license_is_the_one_that_the_package_names_and_its_holders_are_the_authors():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith(f"{PROJECT['license']} License\n")
    holders = re.search(r"^Copyright \(c\) \d{4} (.*)$", text, re.MULTILINE).group(1)
    assert [holders] == [author["name"] for author in CITATION["authors"]]


@pytest.mark.parametrize("place", sorted(set(PLACES)))
def test_every_place_that_contributors_are_sent_to_is_there(place):
    assert (ROOT / place).exists()


@pytest.mark.parametrize(("registry", "module"), [each for each in REGISTRIES if not each[1].startswith("tests/")])
def test_every_registry_that_contributors_are_told_of_is_in_that_file(registry, module):
    assert getattr(importlib.import_module(module.removesuffix("/__init__").replace("/", ".")), registry)


def test_contributors_are_told_of_places_registries_and_commands():
    assert len(PLACES) >= 16
    assert len(REGISTRIES) >= 7
    targets = re.findall(r"`make (\w+)`", CONTRIBUTING)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "test" in targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_paper_is_named_in_the_readme_in_help_texts_and_in_the_citation(capsys):
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    reference = CITATION["references"][0]
    authors = [f"{each['given-names']} {each['family-names']}" for each in reference["authors"]]
    assert reference["title"] == published.TITLE
    assert f"{', '.join(authors[:-1])} and {authors[-1]}" == published.AUTHORS
    assert f"[{published.TITLE}]({published.LINK}) by {published.AUTHORS} ({published.YEAR})" in readme
    with pytest.raises(SystemExit):
        conditions(["--help"])
    shown = capsys.readouterr().out
    assert all(line in shown for line in published.CITED_PAPER)


def test_the_notation_is_shown_as_it_is():
    titles = ("| name | in the paper | shape | meaning |", "|---|---|---|---|")
    rows = (f"| `{s.name}` | ${s.latex}$ | {s.shape} | {s.meaning.replace('|', chr(92) + '|')} |" for s in NOTATION)
    assert "\n".join([*titles, *rows]) in (ROOT / "tdrc_theory" / "README.md").read_text(encoding="utf-8")

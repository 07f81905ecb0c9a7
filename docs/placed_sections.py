"""Pages of the site made of sections of READMEs: a text stands in one place, and links lead to where it is shown.

A line `<!-- section: verify/README.md#logged-data -->` of a page stands for that section with those below it that no
other line of the site names. Links of READMEs and pages name files of the repository; here they become links to pages.
"""

from __future__ import annotations

import functools
import os.path
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PLACED = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""Names of files of which sections are placed."""

_MARK = re.compile(r"^<!-- section: (\S+)#(\S+) -->$", re.MULTILINE)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)")
_FENCE = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands between it and the next one.

    Attributes:
        file: path in the repository.
        anchor: what the heading is linked by.
        level: 1 for the title of the file.
        title: the heading.
        text: what stands below it.
    """

    file: str
    anchor: str
    level: int
    title: str
    text: str


def anchor(title: str) -> str:
    """Return what a heading is linked by: lower case, hyphens for spaces, no punctuation."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@functools.cache
def sections(file: str) -> tuple[Section, ...]:
    """Return the sections of a file of the repository, in order."""
    found: list[tuple[int, str, list[str]]] = []
    fenced = False
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        fenced ^= line.startswith("```")
        heading = None if fenced else re.match(r"(#+) (.*)", line)
        if heading:
            found.append((len(heading[1]), heading[2], []))
        else:
            found[-1][2].append(line)
    return tuple(Section(file, anchor(title), level, title, "\n".join(text)) for level, title, text in found)


def pages() -> list[Path]:
    """Return the pages that are written for the site."""
    return sorted(DOCS.rglob("*.md"))


@functools.cache
def marked() -> dict[tuple[str, str], str]:
    """Return the page, a path below docs, that names each section."""
    return {
        (file, name): page.relative_to(DOCS).as_posix()
        for page in pages()
        for file, name in _MARK.findall(page.read_text(encoding="utf-8"))
    }


def taken(file: str, name: str) -> Iterator[Section]:
    """Yield a section that a page names, and those below it that no page names.

    Raises:
        ValueError: the file has no such section, or two.
    """
    every = sections(file)
    (start,) = (number for number, section in enumerate(every) if section.anchor == name)
    yield every[start]
    left_out = 0
    for section in every[start + 1 :]:
        if section.level <= every[start].level:
            return
        if left_out and section.level > left_out:
            continue
        left_out = section.level if (file, section.anchor) in marked() else 0
        if not left_out:
            yield section


@functools.cache
def places() -> dict[tuple[str, str], str]:
    """Return the page on which each section is shown."""
    return {(file, section.anchor): page for (file, name), page in marked().items() for section in taken(file, name)}


def assembled(page: str) -> str:
    """Return the text of a page, a path below docs, with its sections in their places and links between pages."""
    own = linked((DOCS / page).read_text(encoding="utf-8"), f"docs/{page}")
    return _FENCE.sub(r"```{code-block} \1\n:caption: \2\n", _MARK.sub(lambda mark: placed(*mark.groups()), own))


def placed(file: str, name: str) -> str:
    """Return a section as it stands on a page, below headings of level 1."""
    found = list(taken(file, name))
    up = found[0].level - 2
    heads = ["" if part.level == 1 else f"{'#' * (part.level - max(up, 0))} {part.title}" for part in found]
    return linked("\n".join(f"{head}\n{part.text}" for head, part in zip(heads, found, strict=True)), file)


def linked(text: str, file: str) -> str:
    """Return a text of a file of the repository with links to what the site shows, and others as their text alone."""
    return _LINK.sub(lambda link: _led(link, file), text)


def _led(link: re.Match[str], file: str) -> str:
    picture, text, path, name = link.groups()
    led = os.path.normpath(os.path.join(os.path.dirname(file), path)) if path else file
    if picture:
        return f"![{text}](/../{led})"
    if Path(led).name in PLACED:
        page = places()[led, name or sections(led)[0].anchor]
        heading = name and f"#{name}" if name != sections(led)[0].anchor else ""
        return f"[{text}](/{page}{heading or ''})"
    if led == "docs" or led.startswith("docs/"):
        inside = "/notebooks.md" if led == "docs/notebooks" else led.removeprefix("docs")
        return f"[{text}]({inside}{f'#{name}' if name else ''})"
    return text

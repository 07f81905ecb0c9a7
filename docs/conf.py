"""How the site is built: `make docs`."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import described_commands
import placed_sections

project = "tdrc-referee"
release = metadata.version(project)
html_title = f"{project} {release}"
html_theme = "furo"
html_show_copyright = False
html_show_sourcelink = False
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
nb_execution_mode = "off"  # their outputs are kept, and tests compare them
nb_ipywidgets_js: dict[str, Any] = {}  # would be asked for at another host
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_class_signature = "separated"
napoleon_use_ivar = True
default_role = "code"
suppress_warnings = ["misc.highlighting_failure"]


def _read(_: Any, name: str, source: list[str]) -> None:
    """Put sections and commands in their places."""
    page = f"{name}.md"
    if (placed_sections.DOCS / page).exists():
        source[0] = placed_sections.assembled(page).replace(described_commands.MARK, described_commands.text())


def _escape(_: Any, __: str, ___: str, ____: Any, _____: Any, lines: list[str]) -> None:
    """Let bars and stars of mathematics in docstrings be what they are, outside of code."""
    lines[:] = [line if ">>>" in line else re.sub(r"`[^`]*`|[*|]", _literally, line) for line in lines]


def _literally(found: re.Match[str]) -> str:
    return found[0] if len(found[0]) > 1 else f"\\{found[0]}"


_USABLE = (
    (r"<pre>", '<pre tabindex="0">'),
    (r'<div class="table-wrapper', r'<div tabindex="0" class="table-wrapper'),
    (r'role="heading">', 'role="heading" aria-level="2">'),
    (r'<aside class="(sidebar|toc)-drawer', r'<aside aria-label="\1" class="\1-drawer'),
    (r'(<div id="search-results">)', r"<h1>Search</h1>\1"),
    (r'<th class="head"><p></p></th>', "<td></td>"),
    (r'<span class="go">([^<\n]{80,}\.)</span>', r'<span class="go" style="white-space: pre-wrap">\1</span>'),
)
"""What the theme leaves out: what scrolls is reached by a key, a heading has its level, long sentences break."""


def _finish(app: Any, error: Exception | None) -> None:
    """Make every page usable from the keyboard and by a screen reader, and readable without scrolling sideways."""
    if error is None:
        for page in Path(app.outdir).rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            for before, after in _USABLE:
                text = re.sub(before, after, text)
            page.write_text(text, encoding="utf-8")


def setup(app: Any) -> None:
    """Connect what this site has of its own."""
    app.connect("source-read", _read)
    app.connect("autodoc-process-docstring", _escape, priority=400)  # before napoleon adds markup of its own
    app.connect("build-finished", _finish)

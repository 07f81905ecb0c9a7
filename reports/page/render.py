"""Collected sections as one HTML page that needs nothing else."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports.page import evidence
from reports.page.figure import embedded
from reports.page.section import Missing, Section
from reports.page.subject import Headline
from reports.page.table import is_unbroken, start
from tdrc_theory.cli.command import printable
from tdrc_theory.papers import published

TEMPLATES = Path(__file__).parents[1] / "templates"


@dataclass(frozen=True, slots=True)
class Part:
    """A subject of a page with what was collected for it.

    Attributes:
        name: its place in the page.
        headline: what is found, in short; None where nothing is judged.
        sections: each with what its `collect` returned.
        folded: whether a page shows it only when it is asked to.
    """

    name: str
    title: str
    headline: Headline | None
    sections: tuple[tuple[Section, Any], ...]
    folded: bool = False


def page(title: str, parts: Sequence[Part], home: str = "") -> str:
    """Return the page; `home` is the file that it leads back to, if there is one."""
    script, style = _source("page.js"), _source("page.css")
    common = {"script": script, "style": style, "allowed": _hash(script), "cited": published, "written": _written}
    return _templates().get_template("page.html").render(title=title, home=home, parts=parts, **common)


def _written(part: Part, section: Section, content: Any) -> Markup:
    """Return what a section shows."""
    template = "missing.html" if isinstance(content, Missing) else f"sections/{section.name}.html"
    name = f"{part.name}-{section.name}"
    return Markup(_templates().get_template(template).render(it=content, id=name, part=part.name))


@functools.cache
def _templates() -> Environment:
    """Return the templates: what a user wrote is escaped, and what a template gets wrong is an error."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters.update(embedded=lambda svg, mark: Markup(embedded(svg, mark)))
    templates.tests.update(status=evidence.is_status, unbroken=is_unbroken)
    templates.globals.update(mark=evidence.mark, start=start)
    pieces = templates.get_template("pieces.html").module
    templates.globals.update({name: piece for name, piece in vars(pieces).items() if not name.startswith("_")})
    return templates


def _visible(value: Any) -> Any:
    """Return text without characters that would be obeyed, such as those that turn its direction round."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return "\n".join(printable(line) for line in value.split("\n"))
    return value


def _source(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))


def _hash(script: str) -> str:
    """Return what the page's content security policy calls its one script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()

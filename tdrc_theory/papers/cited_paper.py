"""The reference of the paper that the project judges, for help texts, READMEs and pages."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

_HEAD: dict[str, Any] = tomllib.loads(
    (files("tdrc_theory") / "papers" / "tdrc" / "paper.toml").read_text(encoding="utf-8")
)
TITLE: str = _HEAD["title"]
AUTHORS: str = f"{', '.join(_HEAD['authors'][:-1])} and {_HEAD['authors'][-1]}"
YEAR: int = _HEAD["year"]
LINK: str = _HEAD["link"]

CITED_PAPER = (f"{AUTHORS} ({YEAR}):", f"{TITLE},", LINK)
"""Authors, title and link, a line each."""

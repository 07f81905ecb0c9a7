"""A section of a report: what it is called, and what collects its content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

Tell = Callable[[int], None]
"""Called with how much is done."""


class Content(SimpleNamespace):
    """What a template shows, each value by the name that it has there."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What stands in a section's place where there is nothing to show: why, and the command that brings it."""

    why: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One section.

    Attributes:
        name: of its file, its template `sections/NAME.html`, and its place in the page.
        title: its heading.
        collect: returns what its template has as `it`: a Table, or a Content; Missing, which the page shows by itself;
            or None where the subject has no such section.
        amount: how much `collect` tells of; None where nobody knows.
    """

    name: str
    title: str
    collect: Callable[[Any, Tell], Any]
    amount: Callable[[Any], int | None] = lambda _: None

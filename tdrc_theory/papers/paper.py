"""A paper as data: what it is called, who wrote it, and its claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tdrc_theory.papers.claim import Claim, Kind
from tdrc_theory.papers.notation import Notation
from tdrc_theory.registry import named


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper that is refereed.

    Attributes:
        name: what the command calls it: a built-in name, or the path of its folder.
        folder: where its files are; what its claims name is relative to it.
        title, authors, year, link: as a list of references has them.
        claims: in the order of its files.
        definitions: names of its own and the text that each stands for.
        notation: those of them that are shown in formulas, in the place of what they stand for.
        withdrawn: numbers of errata that are no longer used, and the number of the same claim now.
    """

    name: str
    folder: Path
    title: str
    authors: tuple[str, ...]
    year: int
    link: str
    claims: tuple[Claim, ...]
    definitions: Mapping[str, str] = field(default_factory=dict)
    notation: Notation = field(default_factory=Notation)
    withdrawn: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.title} ({self.year}), {len(self.claims)} claims>"

    def claim(self, identifier: str) -> Claim:
        """Return a claim by its id.

        Raises:
            UnknownName: there is no such claim.
        """
        return named("claim", identifier, self.claims, by="id")

    def of_kind(self, *kinds: Kind) -> tuple[Claim, ...]:
        """Return its claims of some kinds."""
        return tuple(claim for claim in self.claims if claim.kind in kinds)

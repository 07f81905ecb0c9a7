"""What the Coq sources state, cut from their text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tdrc_theory.errors import BadOption

FOLDER = Path(__file__).parent
STATED = re.compile(r"^Theorem (\w+)(.*?)\.\s+Proof\.", re.MULTILINE | re.DOTALL)
DEFINED = re.compile(r"^(?:Definition|Fixpoint|Inductive|Record) (\w+).*?\.$", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Theorem:
    """What one Coq theorem says.

    Attributes:
        name: its name in Coq.
        file: the name of the source that proves it.
        statement: its binders, a colon and what is claimed, as the source writes them.
        definitions: the definitions of the sources that the statement rests on, in the order of the text.
    """

    name: str
    file: str
    statement: str
    definitions: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([*self.definitions, f"Theorem {self.name}{self.statement}."])


def read_sources(folder: Path = FOLDER) -> dict[str, str]:
    """Return the text of every Coq source of a folder by its name, sorted.

    Raises:
        BadOption: there is none, or one cannot be read.
    """
    try:
        sources = {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.v"))}
    except (OSError, UnicodeDecodeError) as error:
        raise BadOption(f"{folder}: cannot be read: {error}") from None
    if not sources:
        raise BadOption(f"{folder}: no Coq source (*.v) is there")
    return sources


def theorems(sources: Mapping[str, str]) -> tuple[Theorem, ...]:
    """Return every theorem of the sources; lemmas are means to an end and not listed."""
    definitions = {m[1]: m[0] for text in sources.values() for m in DEFINED.finditer(text)}
    return tuple(
        Theorem(m[1], file, m[2], _rests_on(m[2], definitions))
        for file, text in sources.items()
        for m in STATED.finditer(text)
    )


def _rests_on(statement: str, definitions: Mapping[str, str]) -> tuple[str, ...]:
    needed: set[str] = set()
    texts = [statement]
    while texts:
        words = set(WORD.findall(texts.pop())) & definitions.keys()
        texts += [definitions[word] for word in words - needed]
        needed |= words
    return tuple(text for name, text in definitions.items() if name in needed)

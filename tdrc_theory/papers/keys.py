"""The keys of a table in a paper's file, each read with its type; an error says which key, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, TypeVar

from tdrc_theory.errors import UnknownName
from tdrc_theory.papers.claim import BadClaim
from tdrc_theory.problem.reader import shown

LONGEST = 2000
"""Characters of a sentence."""

Choice = TypeVar("Choice", bound=Enum)


class Table:
    """A table of TOML whose keys are known.

    Args:
        data: what was read.
        allowed: its keys.

    Raises:
        BadClaim: it is no table, or has another key.
    """

    def __init__(self, data: Any, allowed: Iterable[str]) -> None:
        if not isinstance(data, Mapping):
            raise BadClaim(f"{shown(data)} is not a table; its keys are {', '.join(allowed)}")
        for key in data:
            if key not in allowed:
                raise BadClaim(str(UnknownName("key", key, allowed)))
        self.data = data

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def value(self, key: str) -> Any:
        """Return what a key has.

        Raises:
            BadClaim: it is missing.
        """
        if key not in self.data:
            raise BadClaim(f"{key} is missing")
        return self.data[key]

    def text(self, key: str, default: str | None = None) -> str:
        """Return text, on one line; the default where the key is missing and there is one."""
        if default is not None and key not in self.data:
            return default
        return line(key, self.value(key))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.value(key)
        if not isinstance(value, list):
            raise BadClaim(f'{key}: {shown(value)} is not a list of texts, such as ["one", "two"]')
        return tuple(line(key, each) for each in value)

    def whole(self, key: str) -> int:
        """Return an integer."""
        value = self.value(key)
        if type(value) is not int:
            raise BadClaim(f"{key}: {shown(value)} is not a whole number")
        return value

    def flag(self, key: str) -> bool:
        """Return true or false, which is the default."""
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            raise BadClaim(f"{key}: {shown(value)} is not true or false")
        return value

    def choice(self, key: str, kind: type[Choice]) -> Choice | None:
        """Return one of the values of an enumeration, None where the key is missing."""
        if key not in self.data:
            return None
        written, allowed = self.text(key), [each.value for each in kind]
        if written not in allowed:
            raise BadClaim(f"{key}: {UnknownName('word', written, allowed)}")
        return kind(written)

    def pairs(self, key: str) -> dict[str, str]:
        """Return a table of texts, empty where the key is missing."""
        value = self.data.get(key, {})
        if not isinstance(value, Mapping):
            raise BadClaim(f"{key}: {shown(value)} is not a table of texts")
        return {name: line(f"{key}, {name}", text) for name, text in value.items()}


def line(key: str, value: Any) -> str:
    """Return a text with its white space made single blanks."""
    if not isinstance(value, str) or not value.strip():
        raise BadClaim(f"{key}: {shown(value)} is not a text")
    if len(value) > LONGEST:
        raise BadClaim(f"{key}: {len(value)} characters; allowed: up to {LONGEST}")
    return " ".join(value.split())


def pair(key: str, value: Any) -> tuple[str, str]:
    """Return a list of two texts as a pair."""
    if not isinstance(value, list) or len(value) != 2:
        raise BadClaim(f"{key}: {shown(value)} is not a list of two texts")
    return line(key, value[0]), line(key, value[1])

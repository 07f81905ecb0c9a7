"""Look-up by name in a registry."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import TypeVar

from tdrc_theory.errors import UnknownName

Registered = TypeVar("Registered")


def named(kind: str, name: str, registry: Iterable[Registered], *, by: str = "name", also: str = "") -> Registered:
    """Return what a registry has under a name.

    Args:
        kind: what an error calls it.
        by: the attribute that holds names.
        also: what else would have been taken, for the error.

    Raises:
        UnknownName: there is no such name.
    """
    result = {attrgetter(by)(each): each for each in registry}
    if name not in result:
        raise UnknownName(kind, name, result, also)
    return result[name]

"""Look-up by name in a registry."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import TypeVar

from tdrc_theory.errors import UnknownName

Registered = TypeVar("Registered")


def named(kind: str, name: str, registry: Iterable[Registered], *, by: str = "name", also: str = "") -> Registered:
    """Return what a registry has under a name, which is its attribute `by`.

    Raises:
        UnknownName: there is no such name; the error calls it a `kind`, and says what else (`also`) would be taken.
    """
    result = {attrgetter(by)(each): each for each in registry}
    if name not in result:
        raise UnknownName(kind, name, result, also)
    return result[name]

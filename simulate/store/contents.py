"""What a store holds, by what it is about and by what it was computed."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata

from simulate.control.piece import sources
from simulate.piece import VERSION
from simulate.store.outcomes import Row
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.tables.table import Table

_USE = {True: "current", False: "outdated", None: "unknown"}
_UNKNOWN_VERSION = "unknown"


@dataclass
class Group:
    """Rows about the same, computed by the same.

    Attributes:
        about: how their descriptions begin: a problem, or an environment in control.
        version: by what they were computed; empty where the store had not noted it.
        rows, size, damaged: how many rows, their bytes, and how many have a wrong checksum.
    """

    about: str
    version: str
    rows: int = 0
    size: int = 0
    damaged: int = 0

    @property
    def use(self) -> str:
        """Return whether this program finds them: `current`, `outdated` (never), or `unknown`."""
        return _USE[is_current(self.version)]

    def to_json(self) -> dict[str, object]:
        """Return the group as JSON has it."""
        return {
            "about": self.about,
            "version": self.version or None,
            "use": self.use,
            "rows": self.rows,
            "bytes": self.size,
            "damaged": self.damaged,
        }


@functools.cache
def is_current(version: str) -> bool | None:
    """Return whether what is installed here is what an outcome was computed by.

    Args:
        version: a `Work.version`, such as `prediction 1, numba 0.61.0, numpy 2.2.1`.

    Returns:
        False where a part has another version here, so that no key of this program is the outcome's; None where
        that is not known, since the version is empty, of a later program, or names a package that is not installed.
    """
    current = [_is_current(*part.split(" ", 1)) for part in version.split(", ") if " " in part]
    if False in current:
        return False
    return None if not current or None in current else True


def _is_current(name: str, version: str) -> bool | None:
    if name == "prediction":
        return version == str(VERSION)
    if name == "control":
        return version == sources()[:16]
    try:
        return version == metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def is_lost(row: Row) -> bool:
    """Return whether this program never reads a row back: it is damaged, or another version computed it."""
    return not row.intact or is_current(row.version) is False


def groups(rows: Iterable[Row]) -> list[Group]:
    """Return the groups of rows, sorted."""
    by_key: dict[tuple[str, str], Group] = {}
    for row in rows:
        about = row.description.split(", ")[0]
        group = by_key.setdefault((about, row.version), Group(about, row.version))
        group.rows += 1
        group.size += row.size
        group.damaged += not row.intact
    return [by_key[key] for key in sorted(by_key)]


def plain_text(where: str, listed: list[Group]) -> str:
    """Return the groups as a table under a heading."""
    rows, size = sum(group.rows for group in listed), sum(group.size for group in listed)
    table = Table(
        "contents of a store",
        ("about", "rows", "bytes", "damaged", "use", "computed by"),
        [
            (
                printable(group.about),
                f"{group.rows:,}",
                f"{group.size:,}",
                f"{group.damaged:,}" if group.damaged else "-",
                group.use,
                printable(group.version) or _UNKNOWN_VERSION,
            )
            for group in listed
        ],
    )
    head = f"{printable(where)}: {counted(rows, 'row')}, {counted(size, 'byte')}"
    return f"{head}\n\n{table.text()}\n" if listed else f"{head}\n"

"""`tdrc store FILE`: what a store of outcomes holds, and the removal of what this program never reads back."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata

from simulate.control.piece import sources
from simulate.piece import VERSION
from simulate.store.outcomes import Row, Store
from tdrc_theory.cli.command import Parser, printable, run, tell
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.options import add_options
from tdrc_theory.errors import BadOption
from tdrc_theory.tables.table import Table

PROG = "python -m simulate.store"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(prog=PROG, description=__doc__)
    options.add_argument(
        "file", nargs="?", metavar="FILE", help="a store, as --store of sweep, tables or experiments names"
    )
    options.add_argument(
        "--kernels", action="store_true", help="the compiled kernels too, which all commands keep in one folder"
    )
    help_text = (
        "remove rows that are damaged, or that another version of this program, of llvmlite, NumPy or PyTorch "
        "computed, and kernels that another version of llvmlite compiled, or for another processor; rows whose "
        "version is unknown stay"
    )
    options.add_argument("--prune", action="store_true", help=help_text)
    add_options(options, "--json")
    options.epilog = "Exit status: 0 it was read, and pruned where asked for; 2 bad input; 130 interrupted."
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if options.file is None and not options.kernels:
        raise BadOption("FILE: give a store, or --kernels, or both")
    shown: dict[str, object] = {}
    lines = []
    if options.file is not None:
        shown["store"], text = _store(options.file, options.prune)
        lines.append(text)
    if options.kernels:
        shown["kernels"], text = _kernels(options.prune)
        lines.append(text)
    print(json.dumps(shown, indent=1) if options.json else "\n".join(lines), end="\n" if options.json else "")
    return 0


def _store(path: str, prune: bool) -> tuple[dict[str, object], str]:
    """Return what a store holds, afterwards, as JSON and as text."""
    if not os.path.exists(path):
        raise BadOption(f"FILE: {path}: there is no such file")
    with Store(path, tell, only_read=not prune, option="FILE") as store:
        removed = [row for row in store.rows() if is_lost(row)] if prune else []
        if removed:
            store.remove(removed)
        listed = groups(store.rows())
    text = plain_text(path, listed)
    if prune:
        text = f"{counted(len(removed), 'row')} removed\n{text}"
    return {"file": path, "removed": len(removed), "groups": [group.to_json() for group in listed]}, text


def _kernels(prune: bool) -> tuple[dict[str, object], str]:
    """Return what is kept of compiled kernels, afterwards, as JSON and as text."""
    from simulate.compiling.cache import kept_files
    from tdrc_theory.cli.cache_folder import cache_folder

    known = kept_files()
    sizes = {path: path.stat().st_size for path in known}
    outdated = [path for path, usable in known.items() if not usable]
    for path in outdated if prune else []:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise BadOption(f"{path}: cannot be removed: {error.strerror}") from None
        del sizes[path]
    removed = len(outdated) if prune else 0
    text = f"{cache_folder()}: {counted(len(sizes), 'compiled kernel')}, {counted(sum(sizes.values()), 'byte')}"
    text += f"; {removed:,} removed\n" if prune else f"; {len(outdated):,} of other versions or another processor\n"
    left = 0 if prune else len(outdated)
    return {
        "folder": str(cache_folder()),
        "kernels": len(sizes),
        "bytes": sum(sizes.values()),
        "outdated": left,
        "removed": removed,
    }, text


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


if __name__ == "__main__":
    sys.exit(run(main, PROG))

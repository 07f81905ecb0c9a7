"""`tdrc store FILE`: what a store of outcomes holds, and the removal of what this program never reads back."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import Any

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
    options = Parser(PROG, __doc__, "0 it was read, and pruned where asked for; 2 bad input; 130 interrupted")
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
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if options.file is None and not options.kernels:
        raise BadOption("FILE: give a store, or --kernels, or both")
    shown: dict[str, tuple[dict[str, object], str]] = {}
    if options.file is not None:
        shown["store"] = _store(options.file, options.prune)
    if options.kernels:
        shown["kernels"] = _kernels(options.prune)
    if options.json:
        print(json.dumps({name: document for name, (document, _) in shown.items()}, indent=1))
    else:
        print("\n".join(text for _, text in shown.values()), end="")
    return 0


def _store(path: str, prune: bool) -> tuple[dict[str, object], str]:
    """Return what a store holds, afterwards, as JSON and as text."""
    if not os.path.exists(path):
        raise BadOption(f"FILE: {path}: there is no such file")
    with Store(path, tell, only_read=not prune, option="FILE") as store:
        lost = (row for row in store.rows() if not row.intact or _is_current(row.version) is False)
        removed = list(lost) if prune else []
        if removed:
            store.remove(removed)
        listed = _groups(store.rows())
    text = f"{printable(path)}: " + ", ".join(
        counted(sum(int(group[name]) for group in listed), unit) for name, unit in (("rows", "row"), ("bytes", "byte"))
    )
    if listed:
        rows = [
            (
                printable(group["about"]),
                f"{group['rows']:,}",
                f"{group['bytes']:,}",
                f"{group['damaged']:,}" if group["damaged"] else "-",
                group["use"],
                printable(group["version"] or "unknown"),
            )
            for group in listed
        ]
        titles = ("about", "rows", "bytes", "damaged", "use", "computed by")
        text += f"\n\n{Table('contents of a store', titles, rows).text()}"
    if prune:
        text = f"{counted(len(removed), 'row')} removed\n{text}"
    return {"file": path, "removed": len(removed), "groups": listed}, f"{text}\n"


def _groups(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return groups of rows about the same, a problem or an environment, computed by the same, as JSON has them."""
    by_key: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_key.setdefault((row.description.split(", ")[0], row.version), []).append(row)
    return [
        {
            "about": about,
            "version": version or None,
            "use": {True: "current", False: "outdated", None: "unknown"}[_is_current(version)],
            "rows": len(group),
            "bytes": sum(row.size for row in group),
            "damaged": sum(not row.intact for row in group),
        }
        for (about, version), group in sorted(by_key.items())
    ]


@functools.cache
def _is_current(version: str) -> bool | None:
    """Return whether what is installed here is what an outcome was computed by, a `Work.version`.

    It is None where that is not known: the version is empty, of a later program, or of a package that is not installed.
    """
    own = {"prediction": str(VERSION), "control": sources()[:16]}
    current: list[bool | None] = []
    for name, number in (part.split(" ", 1) for part in version.split(", ") if " " in part):
        try:
            current.append(number == (own[name] if name in own else metadata.version(name)))
        except metadata.PackageNotFoundError:
            current.append(None)
    if False in current:
        return False
    return None if not current or None in current else True


def _kernels(prune: bool) -> tuple[dict[str, object], str]:
    """Return what is kept of compiled kernels, afterwards, as JSON and as text."""
    from simulate.compiling.cache import kept_files
    from tdrc_theory.cli.cache_folder import cache_folder

    known = kept_files()
    outdated = [path for path, usable in known.items() if not usable]
    for path in outdated if prune else []:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise BadOption(f"{path}: cannot be removed: {error.strerror}") from None
    kept = [path for path, usable in known.items() if usable or not prune]
    size, count = sum(path.stat().st_size for path in kept), len(outdated)
    text = f"{cache_folder()}: {counted(len(kept), 'compiled kernel')}, {counted(size, 'byte')}; {count:,} "
    text += "removed\n" if prune else "of other versions or another processor\n"
    about = {"folder": str(cache_folder()), "kernels": len(kept), "bytes": size}
    return about | ({"outdated": 0, "removed": count} if prune else {"outdated": count, "removed": 0}), text


if __name__ == "__main__":
    sys.exit(run(main, PROG))

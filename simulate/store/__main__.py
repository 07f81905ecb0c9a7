"""`tdrc store FILE`: what a store of outcomes holds, and the removal of what this program never reads back."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from simulate.store.contents import groups, is_lost, plain_text
from simulate.store.outcomes import Store
from tdrc_theory.cli.command import Parser, run, tell
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.options import add_json
from tdrc_theory.errors import BadOption

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
        "remove rows that are damaged, or that another version of this program, of llvmlite, NumPy or PyTorch computed, "
        "and kernels that another version of llvmlite compiled, or for another processor; rows whose version is unknown stay"
    )
    options.add_argument("--prune", action="store_true", help=help_text)
    add_json(options)
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
        with one_line(path):
            path.unlink(missing_ok=True)
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


if __name__ == "__main__":
    sys.exit(run(main, PROG))

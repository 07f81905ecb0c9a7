"""`tdrc last-layer CHECKPOINT ...`: what the theory says of the last layers of trained networks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial

from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption

PROG = "python -m reports.last_layer"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran, whatever the theory says; 2 bad input; 130 interrupted")
    help_text = "files that `simulate.control --checkpoint` wrote, of qrc or qc; each is a column"
    options.add_argument("checkpoints", nargs="+", metavar="CHECKPOINT", help=help_text)
    help_text = (
        "leave out directions along which features have a smaller share of the largest mean square (default: 1e-6)"
    )
    options.add_argument("--resolution", type=_share, default=1e-6, metavar="SHARE", help=help_text)
    add_options(options, "--table --json")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    from reports.last_layer.output import Column, plain_text, tables, to_json
    from simulate.control.checkpoint import read_checkpoint

    check_writable(options.table, besides=options.checkpoints)
    kept = [read_checkpoint(path) for path in options.checkpoints]
    for path, each in zip(options.checkpoints, kept, strict=True):
        if each.settings.eta is None:
            raise BadOption(f"{path}: {each.settings.algorithm} has no h, of which the theory is")
    with progress_bar("runs", sum(len(each.runs) for each in kept)) as progress:
        columns: list[Column] = []
        for path, each in zip(options.checkpoints, kept, strict=True):
            try:
                before = sum(len(column.layers) for column in columns)
                columns.append(Column.of(each, options.resolution, _from(before, progress)))
            except BadOption as error:
                raise BadOption(f"{path}: {error}") from None
    at = {"resolution": options.resolution}
    answer(options, columns, partial(plain_text, **at), partial(to_json, **at), indent=None, tables=tables)
    return 0


def _from(before: int, progress: Callable[[int], None]) -> Callable[[int], None]:
    """Return the progress of one checkpoint's runs, with those of the checkpoints before."""
    return lambda done: progress(before + done)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 1e-14 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 1e-14 to 1, 1 left out")
    return value


if __name__ == "__main__":
    sys.exit(run(main, PROG))

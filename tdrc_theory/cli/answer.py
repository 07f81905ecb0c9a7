"""What a command found out: printed, and written to the files that its options name."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable
from operator import methodcaller
from typing import Any, TypeVar

from tdrc_theory.cli.files import write_whole
from tdrc_theory.tables.table import write_tables

Result = TypeVar("Result")


def answer(
    options: Namespace,
    result: Result,
    text: Callable[[Result], str],
    document: Callable[[Result], Any] = methodcaller("to_json"),
    *,
    indent: int | None = 1,
    tables: Callable[[Result], Any] | None = None,
    csv: Callable[[Result], str] | None = None,
    picture: Callable[[Result], Any] | None = None,
) -> None:
    """Print a result, then write the files that options name: an error in either does not lose the other.

    Args:
        options: with `json`, and `table`, `csv` and `plot` of what is written.
        result, text, document: what the command found out, and what makes whole lines or JSON types of it.
        indent: of the JSON; None puts it on one line.
        tables, csv, picture: make of it what --table, --csv and --plot write.

    Raises:
        BadOption: a file cannot be written; nothing of it is left behind.
    """
    try:
        lines = f"{json.dumps(document(result), allow_nan=False, indent=indent)}\n" if options.json else text(result)
        print(lines, end="", flush=True)
    finally:
        if tables is not None:
            write_tables(options.table, lambda: tables(result))
        if csv is not None and options.csv is not None:
            write_whole(options.csv, csv(result))
        if picture is not None:
            from tdrc_theory.figures.figure import write_picture

            write_picture(options.plot, lambda: picture(result))

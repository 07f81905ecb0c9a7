"""The commands of `tdrc` as a page shows them: what each prints for --help, made by its own parser."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
from collections.abc import Iterator
from unittest import mock

from reports.command import COMMANDS, HEADINGS
from tdrc_theory.cli.command import run

MARK = "<!-- commands -->"
COLUMNS = "100"
"""The width to which help is wrapped."""


def text() -> str:
    """Return a heading for each package and each command, with what the command prints for --help."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    for package, heading in HEADINGS.items():
        yield f"## {heading.rstrip(':')}\n"
        for name, module, summary in COMMANDS:
            if module.startswith(f"{package}."):
                yield f"### tdrc {name}\n\n{summary[0].upper()}{summary[1:]}\n\n```text\n{described(name, module)}```\n"


def described(name: str, module: str) -> str:
    """Return what a command prints for --help."""
    printed = io.StringIO()
    main = importlib.import_module(module).main
    with (
        mock.patch.dict(os.environ, COLUMNS=COLUMNS),
        contextlib.redirect_stdout(printed),
        contextlib.suppress(SystemExit),
    ):
        run(main, f"tdrc {name}", ["--help"])
    return printed.getvalue()

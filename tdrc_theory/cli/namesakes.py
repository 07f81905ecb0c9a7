"""Refuse to start a command where a file or folder hides a package that it needs, in one line.

`python -m` puts the working folder first on Python's path, so that a `simulate.py` there would be imported in the place
of the package. Programs that import the packages are left alone: they may need the others not at all.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from tdrc_theory.cli.interrupt import STARTED_AS

BAD_INPUT = 2


def _refuse_namesakes(command: str) -> None:
    """Print one line and leave with exit status 2 where a package that a command needs would be another one."""
    package = "reports" if command == "tdrc" else command.removeprefix("python -m ").partition(".")[0]
    for name in ("verify", "simulate", "reports") if package == "reports" else (package,):
        spec = find_spec(name)
        # A folder without __init__.py has no origin, and hides nothing.
        if spec is None or spec.origin is None or Path(spec.origin).parents[1] == Path(__file__).parents[2]:
            continue
        where, otherwise = "the working folder", "use the command tdrc, which does not look there"
        if command == "tdrc":
            where, otherwise = "PYTHONPATH", "take its folder off it"
        place = spec.origin.encode("unicode_escape").decode("ascii")
        why = f"{place}: in {where}, it hides the package {name}; rename it, or {otherwise}"
        sys.stderr.write(f"{command}: error: {why}\n")
        sys.exit(BAD_INPUT)


if STARTED_AS is not None:
    _refuse_namesakes(STARTED_AS)

"""What a command does before its modules are imported: it takes interrupts, and refuses what hides a package.

Each package imports this before anything else: in the middle of an import, an interrupt would be shown as a traceback,
or taken by the imported library for a failure of its own; here it is one line and exit status 130, as later. `python
-m` puts the working folder first on Python's path, so that a `simulate.py` there would be imported in the place of the
package. Programs that are not ours keep their own ways.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

BAD_INPUT, INTERRUPTED = 2, 130
_PACKAGES = ("tdrc_theory", "verify", "simulate", "reports")


def _started_as() -> str | None:
    """Return how this process was started if it is one of the commands, None of any other program."""
    if sys.argv[:1] == ["-m"]:  # which stands there until the module that is to be run has been found
        module = sys.orig_argv[-len(sys.argv)].removeprefix("-m")
        return f"python -m {module}" if module.partition(".")[0] in _PACKAGES else None
    script = os.path.basename(sys.orig_argv[1]) if len(sys.orig_argv) > 1 else ""
    return "tdrc" if script in ("tdrc", "tdrc.exe") else None


def _end(_: int, __: FrameType | None) -> None:
    """End the process at once: nothing has been begun that could be left half done."""
    os.write(2, f"{STARTED_AS}: interrupted\n".encode())
    os._exit(INTERRUPTED)


def raised_from_now_on() -> None:
    """Let an interrupt be an exception, as is usual, for a command that has begun and says what becomes of it."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


STARTED_AS = _started_as()
"""`python -m verify.region` or `tdrc` in the process of such a command, None elsewhere."""

if STARTED_AS is not None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _end)


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

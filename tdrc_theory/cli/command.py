"""What every command shares: one-line errors with exit status 2, exact options, text that is safe to show."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, NoReturn

from tdrc_theory.cli.start import STARTED_AS, raised_from_now_on
from tdrc_theory.cli.supervised import end_limit, interrupted, supervised
from tdrc_theory.errors import BadNumber, TheoryError, did_you_mean
from tdrc_theory.exact.number import parse_number

BAD_INPUT = 2
PICTURES, TABLES = (".svg", ".png", ".pdf"), (".csv", ".json", ".tex")


_called: ContextVar[str] = ContextVar("called")
"""What the command that runs was called as: `python -m verify.region`, or `tdrc region`."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and which bears the name that the user typed.

    `prog` is its name outside of `run`; `status` says what the exit statuses mean.
    """

    def __init__(self, prog: str, description: str | None = None, status: str = "", **others: Any) -> None:
        epilog = f"Exit status: {status}." if status else None
        super().__init__(_called.get(prog), description=description, epilog=epilog, **others)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse all arguments; what is left over is an error that names the option closest to it."""
        parsed, extra = self.parse_known_args(args, namespace)
        if extra:
            known = [option for action in self._actions for option in action.option_strings]
            self.error(f"unrecognized arguments: {' '.join(extra)}{did_you_mean(extra[0].split('=')[0], known)}")
        return parsed

    def format_help(self) -> str:
        """Return the help, with the paper that the project judges at its end."""
        from tdrc_theory.papers.published import CITED_PAPER

        lines = "\n  ".join(CITED_PAPER)
        return f"{super().format_help()}\nThe paper that is judged:\n  {lines}\n"

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help, as argparse does, but say so where it is lost; lost errors change no exit status."""
        if file is sys.stdout:
            print(message, end="", flush=True)
        else:
            super()._print_message(message, file)

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with status 2."""
        self.exit(BAD_INPUT, f"{self.prog}: error: {printable(message)}\n")


def exact_number(text: str) -> Fraction:
    """Convert an option that takes an exact number."""
    try:
        return parse_number(text)
    except BadNumber as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def file_ending_in(*endings: str) -> Callable[[str], str]:
    """Return the converter of an option that names an output file, whose ending tells its format."""

    def checked(text: str) -> str:
        if not text.lower().endswith(endings):
            raise argparse.ArgumentTypeError(f"{text}: its name ends in none of {', '.join(endings)}")
        return text

    return checked


def printable(text: str) -> str:
    """Return text on one line without characters that a terminal would obey.

    >>> printable("a\\x1b[31m b\\u202e")
    'a\\\\x1b[31m b\\\\u202e'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def tell(line: str) -> None:
    """Print a line beside the output, after the name of the command that runs."""
    if sys.stderr is None:
        return  # closed by the caller (`2>&-`); print would take the output in its place
    try:
        print(f"{_called.get('tdrc')}: {printable(line)}", file=sys.stderr, flush=True)
    except OSError:
        # A full or closed error stream changes neither the output nor the exit status. What it has not taken would be
        # written again as Python ends, and make the status 120.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def run(main: Callable[[Sequence[str] | None], int], prog: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command, and turn what went wrong by the caller's doing into one line and an exit status.

    `prog` is what it was called as; `arguments` are by default those of the process.
    """
    before = _called.set(prog)
    try:
        return supervised(lambda: _guarded(main, arguments), tell)
    finally:
        end_limit()
        _called.reset(before)


class _Unread(io.BufferedWriter):
    """Output whose reader may go (`| head`): what it does not read is dropped, and the exit status is as ever."""

    lost: OSError | None = None
    """Why it cannot be written."""

    def write(self, data: Any, /) -> int:
        """Write bytes, or drop them."""
        return self._again_if_unread(lambda: super(_Unread, self).write(data))

    def flush(self) -> None:
        """Write what is kept, or drop it."""
        self._again_if_unread(super().flush)

    def _again_if_unread(self, write: Callable[[], Any]) -> Any:
        try:
            return write()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return write()
        except OSError as error:
            self.lost = error
            raise


def _guarded(main: Callable[[Sequence[str] | None], int], arguments: Sequence[str] | None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # What the output's encoding lacks is shown as an escape, as Python does on the error stream.
        sys.stdout.reconfigure(errors="backslashreplace")
        if STARTED_AS is not None:
            whole = _Unread(io.FileIO(sys.stdout.fileno(), "w", closefd=False))
            encoding, by_lines = sys.stdout.encoding, sys.stdout.line_buffering
            sys.stdout = io.TextIOWrapper(whole, encoding, "backslashreplace", line_buffering=by_lines)
    try:
        raised_from_now_on()
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))  # closed by the caller (`>&-`)
        try:
            return main(arguments)
        finally:
            sys.stdout.flush()  # --help leaves by SystemExit
    except TheoryError as error:
        tell(f"error: {error}")
        return BAD_INPUT
    except KeyboardInterrupt:
        return interrupted(tell)
    except MemoryError:
        tell("error: out of memory; a smaller problem may do")
        return BAD_INPUT
    except OSError as error:
        output = getattr(sys.stdout, "buffer", None)
        if (
            isinstance(output, _Unread) and output.lost is None
        ):  # a store or a cache, say; files have their own messages
            tell(f"error: {error.filename or 'a file that is kept'}: {error.strerror or error}")
            return BAD_INPUT
        # Keep Python from complaining again at exit.
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0  # the reader has gone, of a program that calls this
        tell(f"error: cannot write the output: {error.strerror or error}")
        return BAD_INPUT

"""Files in TOML that a user writes: numbers are read as text, and what is wrong is said in one line."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tdrc_theory.cli.long_arrays import toml_with_long_arrays
from tdrc_theory.errors import TheoryError

MOST_BYTES = 2**26
"""Of one file: a table of a million transitions takes half of it."""
_DEEP_KEY = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){64}""")
"""Sixty-four parts of one key; tomllib takes a time that grows with the square of their number."""


@contextlib.contextmanager
def toml_file(path: str | Path, refused: type[TheoryError]) -> Iterator[dict[str, Any]]:
    """Give what is in a file, and turn what goes wrong with it, there or in the block, into an error that names it."""
    where = " ".join(str(path).splitlines())
    try:
        yield toml_with_long_arrays(_text(path, refused), _decimal)
    except OSError as error:
        raise refused(f"{where}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise refused(f"{where}: is not UTF-8 text (byte {error.start})") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        raise refused(f"{where}: is not TOML: {reason}") from None
    except (TheoryError, ValueError) as error:
        # A plain ValueError is an integer of thousands of digits, which Python refuses to read.
        raise refused(f"{where}: {error}") from None


def _text(path: str | Path, refused: type[TheoryError]) -> str:
    """Return what is in a file, of which no more than `MOST_BYTES` are read."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise refused(f"is larger than the {MOST_BYTES} bytes that are read")
    text = data.decode("utf-8-sig")
    if text.count(".") > 62 and _DEEP_KEY.search(text):
        raise refused("is not TOML that is read: a key has 64 parts or more")
    return text


def _decimal(text: str) -> str:
    """Return TOML's own decimal as the text that `parse_number` reads."""
    return text.replace("_", "").removeprefix("+")

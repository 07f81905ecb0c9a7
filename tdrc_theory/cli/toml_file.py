"""TOML files of users: decimals are read as text, and an error is one line that names the file."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tdrc_theory.cli.files import read_text
from tdrc_theory.cli.long_arrays import toml_with_long_arrays
from tdrc_theory.errors import TheoryError

MOST_BYTES = 2**26
"""Of one file: a table of a million transitions takes half of it."""
_DEEP_KEY = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){64}""")
"""Sixty-four parts of one key; tomllib takes a time that grows with the square of their number."""


@contextlib.contextmanager
def toml_file(path: str | Path, refused: type[TheoryError]) -> Iterator[dict[str, Any]]:
    """Give what is in a file, and turn what goes wrong with it, there or in the block, into an error that names it."""
    text, where = read_text(path, MOST_BYTES, refused), " ".join(str(path).splitlines())
    try:
        if text.count(".") > 62 and _DEEP_KEY.search(text):
            raise refused("is not TOML that is read: a key has 64 parts or more")
        # TOML's own decimals become the text that `parse_number` reads.
        yield toml_with_long_arrays(text, lambda decimal: decimal.replace("_", "").removeprefix("+"))
    except OSError as error:  # of a path in it, such as one that is too long
        raise refused(f"{where}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        raise refused(f"{where}: is not TOML: {reason}") from None
    except (TheoryError, ValueError) as error:
        # A plain ValueError is an integer of thousands of digits, which Python refuses to read.
        raise refused(f"{where}: {error}") from None

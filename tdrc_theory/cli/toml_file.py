"""TOML files of users: decimals are read as text, and an error is one line that names the file."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tdrc_theory.cli.files import read_text
from tdrc_theory.errors import TheoryError

_SHORTEST = 10_000
"""Characters of an array; what is shorter, or more than numbers and comments, is left to tomllib."""
_ARRAY = re.compile(r'^(?:\w++[ \t]*+=[ \t]*+)(\[(?:[\d \t\n,.\[\]eE-]++|"[\d/.-]*+"|\r\n|#[^\n]*+)*+)', re.MULTILINE)
_NOT_JSON = re.compile(r"#[^\r\n]*+|,(?=[ \t\r\n]*+\])")
"""A comment, or a comma that nothing follows, once there are no comments."""
_REST_OF_LINE = re.compile(r"[ \t]*+(?:#[^\r\n]*+)?+(?:\r?\n|\Z)")


def toml_with_long_arrays(text: str, parse_float: Callable[[str], Any]) -> dict[str, Any]:
    """Return what `tomllib.loads` returns; long arrays of numbers are read by JSON's parser, in a fiftieth of the time.

    Raises:
        tomllib.TOMLDecodeError, ValueError, RecursionError: as it does.
    """
    shorter, arrays = _taken_out(text, parse_float)
    if not arrays:
        return tomllib.loads(text, parse_float=parse_float)
    try:
        data = tomllib.loads(shorter, parse_float=parse_float)
    except tomllib.TOMLDecodeError:
        return tomllib.loads(text, parse_float=parse_float)  # so that the error names the right line
    _put_back(data, arrays)
    return data


def _taken_out(text: str, parse_float: Callable[[str], Any]) -> tuple[str, dict[str, Any]]:
    """Return the text with a name in the place of each long array, and the arrays by these names."""
    arrays: dict[str, Any] = {}
    matches = [match for match in _ARRAY.finditer(text) if len(match[1]) >= _SHORTEST]
    if not matches or '"""' in text or "'''" in text:  # inside which nothing is an array
        return text, arrays
    mark = hashlib.sha256(text.encode()).hexdigest()  # no text has its own in it
    parts, done = [], 0
    decoder = json.JSONDecoder(parse_float=parse_float)
    for match in matches:
        start = match.start(1)
        try:
            array, length = decoder.raw_decode(_blanked(_blanked(match[1], "#"), ","))
        except (ValueError, RecursionError):
            continue
        if _REST_OF_LINE.match(text, start + length):
            name = f"{mark} {len(arrays)}"
            arrays[name] = array
            parts += [text[done:start], f'"{name}"']
            done = start + length
    return "".join([*parts, text[done:]]), arrays


def _blanked(array: str, first: str) -> str:
    """Return an array with blanks in the place of its comments (#), or of commas that nothing follows."""
    return _NOT_JSON.sub(lambda match: " " * len(match[0]) if match[0][0] == first else match[0], array)


def _put_back(value: Any, arrays: dict[str, Any]) -> None:
    for part in value.values() if isinstance(value, dict) else ():
        for table in part if isinstance(part, list) else (part,):
            _put_back(table, arrays)
    if isinstance(value, dict):
        value.update({key: arrays[part] for key, part in value.items() if isinstance(part, str) and part in arrays})


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

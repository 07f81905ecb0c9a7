"""TOML whose long arrays of numbers are read by the parser of JSON, which is in C: a fiftieth of the time."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

_SHORTEST = 10_000
"""Characters of an array; what is shorter, or more than numbers and comments, is left to tomllib."""
_ARRAY = re.compile(r'^(?:\w++[ \t]*+=[ \t]*+)(\[(?:[\d \t\n,.\[\]eE-]++|"[\d/.-]*+"|\r\n|#[^\n]*+)*+)', re.MULTILINE)
_NOT_JSON = re.compile(r"#[^\r\n]*+|,(?=[ \t\r\n]*+\])")
"""A comment, or a comma that nothing follows, once there are no comments."""
_REST_OF_LINE = re.compile(r"[ \t]*+(?:#[^\r\n]*+)?+(?:\r?\n|\Z)")


def toml_with_long_arrays(text: str, parse_float: Callable[[str], Any]) -> dict[str, Any]:
    """Return what `tomllib.loads` returns.

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

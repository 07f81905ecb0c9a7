"""The path of a drawing in few letters: lines as steps in tenths of a unit, which is finer than a screen shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_COMMANDS = re.compile(r" ?([A-Zac-z]) ?")
"""Of a path: letters, except the e of an exponent."""
_STRAIGHT = re.compile(r"(?:M-?\d+(?:\.\d)?(?: -?\d+(?:\.\d)?)+z?)+")
"""A path of straight lines between places that have one decimal at most."""
_PARTS = re.compile(r"M([^Mz]*)(z?)")


def short_path(way: str) -> str:
    """Return a path without the blanks that it can do without; straight lines as steps from place to place.

    >>> short_path("M 10.5 20 L 12.9 19.5 L 20 19.5 L 30 19.5 L 30 40 z")
    'M10.5 20l2.4-.5h17.1v20.5z'
    """
    way = _COMMANDS.sub(r"\1", way).strip()
    straight = way.replace("L", " ")
    if not _STRAIGHT.fullmatch(straight):
        return way
    return _COMMANDS.sub(r"\1", " ".join(_steps(straight))).replace(" -", "-").strip()


def _steps(way: str) -> Iterator[str]:
    """Yield the commands and numbers of a path of straight lines, all but moves relative to the place before."""
    for numbers, end in _PARTS.findall(way):
        tenths = [round(10 * float(each)) for each in numbers.split()]
        first, *others = zip(tenths[::2], tenths[1::2], strict=True)
        yield from ("M", *map(_tenths, first))
        before = ""
        for across, down in _joined(first, others):
            letter = "h" if not down else "v" if not across else "l"
            yield from [letter] if letter != before else []
            yield from [_tenths(each) for each in (across, down) if each]
            before = letter
        yield from end


def _joined(here: tuple[int, int], places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the steps from place to place; those that go on level, or upright, the same way are one."""
    across = down = 0
    for x, y in places:
        right, below = x - here[0], y - here[1]
        here = (x, y)
        goes_on = (down == below == 0 and across * right >= 0) or (across == right == 0 and down * below >= 0)
        if not goes_on:
            yield from [(across, down)] if across or down else []
            across = down = 0
        across, down = across + right, down + below
    if across or down:
        yield across, down


def _tenths(number: int) -> str:
    """Return tenths as a decimal.

    >>> [_tenths(each) for each in (-5, 24, 30)]
    ['-.5', '2.4', '3']
    """
    return f"{number / 10:g}".replace("0.", ".") if abs(number) < 10 else f"{number / 10:.1f}".removesuffix(".0")

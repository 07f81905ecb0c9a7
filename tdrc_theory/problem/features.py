"""Features of numbered states: state aggregation, tile coding, polynomial and Fourier bases, or an array of a file.

A basis is a function of z = s / (S - 1), the number of a state scaled to [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tdrc_theory.cli.files import read_array
from tdrc_theory.errors import BadOption

Rows = list[list[Any]]

FORMS = "one-hot, aggregate:GROUPS, tiles:TILINGSxTILES, polynomial:ORDER, fourier:ORDER or FILE.npy"
IRRATIONAL = "features: most cosines of a Fourier basis are irrational; each stands for a 64-bit float near it, exactly"
_MOST = 10_000
"""Features of a basis."""


def feature_rows(written: str, states: int) -> tuple[Rows, list[str]]:
    """Return features (S, k), and what a reader should know of them.

    Args:
        written: as FORMS says.
        states: S.

    Raises:
        BadOption: it is none of the forms, or out of range.
        BadProblem: a file cannot be read, or holds no array of numbers.

    >>> feature_rows("aggregate:2", 5)[0]
    [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    """
    if written == "one-hot":
        return aggregated(states, states), []
    if written.endswith(".npy"):
        return read_array(written, "--features"), []
    kind, _, size = written.partition(":")
    if kind not in _BASES:
        raise BadOption(f"--features: {written!r} is none; allowed: {FORMS}")
    sizes = size.split("x") if kind == "tiles" else [size]
    if len(sizes) != (2 if kind == "tiles" else 1) or not all(part.isdecimal() and len(part) < 7 for part in sizes):
        raise BadOption(f"--features: {written!r} is not of the form; allowed: {FORMS}")
    numbers = [int(part) for part in sizes]
    least, make = _BASES[kind]
    if min(numbers) < least or math.prod(number + 1 for number in numbers) > _MOST:
        raise BadOption(f"--features: {written!r}: from {least} on, and {_MOST} features at most")
    if kind == "aggregate" and numbers[0] > states:
        raise BadOption(f"--features: {written!r}: more groups than the {states} states")
    return make(states, *numbers), [IRRATIONAL] if kind == "fourier" else []


def aggregated(states: int, groups: int) -> Rows:
    """Return (S, groups): consecutive states share a feature, of each group as many as of another, or one less."""
    return [[int(s * groups // states == i) for i in range(groups)] for s in range(states)]


def tiled(states: int, tilings: int, tiles: int) -> Rows:
    """Return (S, tilings (tiles + 1)): one tile of each tiling holds z, each tiling off the last by 1/tilings tile."""
    rows = []
    for z in _scaled(states):
        held = [math.floor(z * tiles + Fraction(i, tilings)) for i in range(tilings)]
        rows.append([int(tile == t) for tile in held for t in range(tiles + 1)])
    return rows


def polynomial(states: int, order: int) -> Rows:
    """Return (S, order + 1): the powers of z from 0 to the order."""
    return [[z**power for power in range(order + 1)] for z in _scaled(states)]


def fourier(states: int, order: int) -> Rows:
    """Return (S, order + 1): cos(pi i z), i from 0 to the order (Konidaris, Osentoski and Thomas, 2011)."""
    return [[_cosine(i * z) for i in range(order + 1)] for z in _scaled(states)]


_BASES: dict[str, tuple[int, Callable[..., Rows]]] = {
    "aggregate": (1, aggregated),
    "tiles": (1, tiled),
    "polynomial": (0, polynomial),
    "fourier": (0, fourier),
}


def _scaled(states: int) -> list[Fraction]:
    return [Fraction(s, max(states - 1, 1)) for s in range(states)]


def _cosine(turns: Fraction) -> Fraction:
    """Return cos(pi x): exactly where it is rational (Niven's theorem), else a float near it."""
    x = turns % 2
    x = min(x, 2 - x)
    if x > Fraction(1, 2):
        return -_cosine(1 - x)
    known = {Fraction(0): Fraction(1), Fraction(1, 3): Fraction(1, 2), Fraction(1, 2): Fraction(0)}
    return known[x] if x in known else Fraction(math.cos(math.pi * float(x)))

"""The parameters alpha, beta and eta: read exactly, held to their ranges, and written as they were used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from tdrc_theory.errors import BadOption, errors_at
from tdrc_theory.exact import exact
from tdrc_theory.exact.number import number_text

LONGEST_PARAMETER = 100
"""Digits of a parameter: numbers further apart than that make the eigenvalues too hard to separate."""


class Range(NamedTuple):
    """The values that parameters of one name take: how others are called, and which are allowed."""

    holds: Callable[[Fraction], bool]
    otherwise: str
    allowed: str


RANGES = {
    "beta": Range(lambda v: v >= 0, "negative", "at least 0"),
    "eta": Range(lambda v: v > 0, "not positive", "above 0"),
    "lam": Range(lambda v: 0 <= v <= 1, "not from 0 to 1", "at least 0 and at most 1"),
}


def parameter(name: str, value: Any) -> Fraction:
    """Return a number, or the text of one, as a fraction in the range of its name; names without a range take any.

    Raises:
        BadOption: it is no fraction, too long a one, or out of range.
    """
    with errors_at(BadOption, f"--{name}"):
        number = exact(value)
    if not isinstance(number, Fraction):
        raise BadOption(f"--{name}: {number} is irrational; a parameter is a fraction")
    digits = max(len(number_text(Fraction(part))) for part in (abs(number.numerator), number.denominator))
    if digits > LONGEST_PARAMETER:
        raise BadOption(f"--{name}: a number of {digits} digits; at most {LONGEST_PARAMETER} are taken")
    if out_of_range(name, number):
        which, option = RANGES[name], name if name in ("beta", "eta") else f"set {name}"
        raise BadOption(f"--{option}: {number_text(number)} is {which.otherwise}; {name} is {which.allowed}")
    return number


def step_size_of(value: Any) -> Fraction:
    """Return a step size as a fraction.

    Raises:
        BadOption: it is no fraction above 0, or too long a one.
    """
    alpha = parameter("alpha", value)
    if alpha <= 0:
        raise BadOption(f"--alpha: {number_text(alpha)} is not positive; a step size is above 0")
    return alpha


def parameter_texts(used: Mapping[str, Fraction | None]) -> dict[str, Any]:
    """Return the parameters as JSON has them: exact text, and beta and eta None where an algorithm has no such one."""
    texts = {name: number_text(value) for name, value in used.items() if value is not None}
    return {"beta": texts.get("beta"), "eta": texts.get("eta"), "parameters": texts}


def parameters_text(used: Mapping[str, Fraction | None]) -> str:
    """Return the parameters that were used on one line, without those that an algorithm has not.

    >>> parameters_text({"beta": None, "eta": Fraction(1, 2), "alpha": Fraction(1)})
    'eta = 1/2, alpha = 1'
    """
    return ", ".join(f"{name} = {number_text(value)}" for name, value in used.items() if value is not None)


def setting_text(algorithm: str, used: Mapping[str, Fraction | None]) -> str:
    """Return an algorithm's name and the parameters that were used on one line.

    >>> setting_text("td", {"beta": None, "eta": None})
    'td'
    """
    return ", ".join(filter(None, (algorithm, parameters_text(used))))


def out_of_range(name: str, value: Fraction) -> bool:
    """Return whether a parameter of this name does not take the value; those without a range take any."""
    return name in RANGES and not RANGES[name].holds(value)

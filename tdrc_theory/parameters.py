"""The parameters alpha, beta and eta: read exactly, held to their ranges, and written as they were used."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadNumber, BadOption
from tdrc_theory.exact import exact
from tdrc_theory.exact.convert import number_text

LONGEST_PARAMETER = 100
"""Digits of a parameter: numbers further apart than that make the eigenvalues too hard to separate."""


def parameter(name: str, value: Any) -> Fraction:
    """Return a number, or the text of one, as a fraction.

    Raises:
        BadOption: it is no fraction, or too long a one.
    """
    try:
        number = exact(value)
    except BadNumber as error:
        raise BadOption(f"--{name}: {error}") from None
    if not isinstance(number, Fraction):
        raise BadOption(f"--{name}: {number} is irrational; a parameter is a fraction")
    digits = max(len(number_text(Fraction(part))) for part in (abs(number.numerator), number.denominator))
    if digits > LONGEST_PARAMETER:
        raise BadOption(f"--{name}: a number of {digits} digits; at most {LONGEST_PARAMETER} are taken")
    return number


def step_size_of(value: Any, name: str = "alpha") -> Fraction:
    """Return the step size that was given under this name as a fraction.

    Raises:
        BadOption: it is no fraction above 0, or too long a one.
    """
    alpha = parameter(name, value)
    if alpha <= 0:
        raise BadOption(f"--{name}: {number_text(alpha)} is not positive; a step size is above 0")
    return alpha


def parameter_texts(beta: Fraction | None, eta: Fraction | None) -> dict[str, str | None]:
    """Return beta and eta as JSON has them: exact text, None where an algorithm has no such parameter."""
    return {name: None if v is None else number_text(v) for name, v in (("beta", beta), ("eta", eta))}


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


def check_ranges(beta: Fraction, eta: Fraction) -> None:
    """Return if beta and eta are in range.

    Raises:
        BadOption: beta is negative, or eta not positive.
    """
    if beta < 0:
        raise BadOption(f"--beta: {beta} is negative; beta is at least 0")
    if eta <= 0:
        raise BadOption(f"--eta: {eta} is not positive; eta is above 0")

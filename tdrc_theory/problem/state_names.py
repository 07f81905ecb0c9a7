"""Names of states, added to the numbers of states in messages and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tdrc_theory.errors import BadProblem
from tdrc_theory.problem.reader import Reader, shown

_STATES = re.compile(r"\bstates? (\d+(?:, \d+)*)")
"""How a message names states: by number, after the word."""


def read_state_names(names: Any) -> tuple[str, ...] | None:
    """Return a name for each state, a line of text; None where none are given.

    Raises:
        BadProblem: one is not a line of text.
    """
    if names is None:
        return None
    listed = Reader().listed(names, "state_names")
    for s, name in enumerate(listed):
        if not isinstance(name, str) or not name.strip() or name.splitlines() != [name]:
            raise BadProblem(f"state_names, state {s}: {shown(name)} is not one line of text")
    return tuple(str(name) for name in listed)


def with_names(text: str, names: Sequence[str] | None) -> str:
    """Return a message in which the names of states stand beside their numbers.

    >>> with_names("state 1 leads to states 0, 2", ["a", "b", "c"])
    'state 1 (b) leads to states 0 (a), 2 (c)'
    """
    if not names:
        return text

    def named(number: re.Match[str]) -> str:
        s = int(number[0])
        return f"{s} ({names[s]})" if s < len(names) else number[0]

    return _STATES.sub(lambda result: re.sub(r"\d+", named, result[0]), text)


@contextmanager
def naming(names: Sequence[str] | None) -> Iterator[None]:
    """Have the errors of a block name states."""
    try:
        yield
    except BadProblem as error:
        raise BadProblem(with_names(str(error), names)) from None

"""Everything that can go wrong by a caller's doing; each message says what was got, where, and what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_MOST_SHOWN = 20
"""Names that are allowed, of which a message shows all; of more it shows half as many, and their number."""


class TheoryError(Exception):
    """Something that the caller can fix; commands print it as one line and exit with status 2."""


class Inconsistent(AssertionError):
    """Two of our own computations disagree, which is a bug of ours: no answer is better than a wrong one.

    Raised, not asserted: `python -O` leaves assertions out.
    """


class BadNumber(TheoryError, ValueError):
    """A value that is not a number of an accepted form."""


class BadOption(TheoryError, ValueError):
    """A command-line option or argument whose value is not allowed."""


class NoExpectation(BadOption):
    """A learner whose memory has no expectation on a problem, so that there is no expected update."""


class BadProblem(TheoryError, ValueError):
    """Data that do not describe a decision process with features and policies."""


class BadData(TheoryError, ValueError):
    """Logged transitions that lack something, or that have values which are not allowed."""


class BadAlgorithm(TheoryError, ValueError):
    """A file or function that does not describe an algorithm."""


class BadExperiment(TheoryError, ValueError):
    """A file that does not describe an experiment."""


class NotAffine(BadAlgorithm):
    """An update that is not affine in the weights (w, h)."""


class Unseparated(TheoryError, ArithmeticError):
    """Numbers so close to each other, or so far apart in size, that exact arithmetic gives up on separating them."""


class MissingExtra(TheoryError, ImportError):
    """An optional dependency that is not installed."""


class UnknownName(TheoryError, KeyError):
    """A name that is in no registry."""

    def __init__(self, kind: str, name: str, allowed: Iterable[str], also: str = "") -> None:
        allowed = list(allowed)
        shown = (
            allowed if len(allowed) <= _MOST_SHOWN else [*allowed[: _MOST_SHOWN // 2], f"... ({len(allowed)} in all)"]
        )
        tail = f", or {also}" if also else ""
        super().__init__(f"unknown {kind} {name!r}{did_you_mean(name, allowed)}; allowed: {', '.join(shown)}{tail}")

    def __str__(self) -> str:
        """Return the message; KeyError would show its repr."""
        return str(self.args[0])


@contextmanager
def errors_at(kind: type[TheoryError], *where: object) -> Iterator[None]:
    """Have an error of the block say where it is; it becomes one of a kind."""
    try:
        yield
    except TheoryError as error:
        raise kind(": ".join(map(str, (*where, error)))) from None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question that names the closest known name; empty where none is close.

    >>> did_you_mean("--bta", ["--beta", "--eta"]), did_you_mean("x", ["--beta"])
    (' (did you mean --beta?)', '')
    """
    return "".join(f" (did you mean {close}?)" for close in difflib.get_close_matches(name, known, 1))

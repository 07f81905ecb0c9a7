"""Errors for optional packages that are not installed or cannot be imported."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tdrc_theory.errors import MissingExtra


def missing(what: str, package: str, extra: str) -> MissingExtra:
    """Return the error that says which extra to install.

    >>> print(missing("networks need", "torch", "control"))
    networks need torch; install it with: pip install 'tdrc-referee[control]'
    """
    return MissingExtra(f"{what} {package}; install it with: pip install 'tdrc-referee[{extra}]'")


@contextlib.contextmanager
def importing(what: str, package: str, extra: str) -> Iterator[None]:
    """Let the block import a package, which this project's extra brings; `what` is who needs it, and the verb.

    Raises:
        MissingExtra: it is not installed, or its installation is broken.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] != package:
            raise _broken(what, package, error) from None
        raise missing(what, package, extra) from None
    except Exception as error:  # a library that it lacks, or another version than it was made for: any kind of error
        raise _broken(what, package, error) from None


def _broken(what: str, package: str, error: Exception) -> MissingExtra:
    reason = " ".join(str(error).split()) or type(error).__name__
    return MissingExtra(f"{what} {package}, which is installed but cannot be imported: {reason}")

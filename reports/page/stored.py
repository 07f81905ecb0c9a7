"""What runs gave: run now where that was asked for, read from a store elsewhere, and None where it is in neither."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from reports.page.subject import Request
from simulate.store import NotStored, Store

Result = TypeVar("Result")


def computed(request: Request, make: Callable[[Store], Result], *, run: bool = True) -> Result | None:
    """Return what is made through a store, or None where something is missing and nothing may be run.

    What the store holds is not computed again. `run` is False for what takes too long to be run for a page.
    """
    running = run and request.simulate
    if not running and (request.store is None or not request.store.is_file()):
        return None
    with Store(request.store, only_read=not running) as store:
        try:
            return make(store)
        except NotStored:
            return None


def remedy(command: str, store: Path | None) -> str:
    """Return what brings something into a store that a page then reads."""
    file = "runs.sqlite" if store is None else shlex.quote(str(store))
    return f"{command} --store {file} && tdrc build --paper --store {file} -o paper.html"

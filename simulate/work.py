"""What is computed and stored: pieces of prediction and of control alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Protocol

from simulate.outcome import Outcome


class Work(Protocol):
    """Some runs of several configurations, which can be computed and stored."""

    @property
    def together(self) -> int:
        """Return how many configurations are best computed at once."""
        ...

    @property
    def processes(self) -> bool:
        """Return whether it is computed in a process of its own, since threads would wait for each other."""
        ...

    @property
    def shares(self) -> Hashable | None:
        """Return what it has in common with pieces that are best computed together; None for nothing."""
        ...

    @property
    def runs(self) -> range:
        """Return the numbers of the runs, in steps of 1."""
        ...

    @property
    def width(self) -> int:
        """Return the number of configurations."""
        ...

    @property
    def updates(self) -> int:
        """Return how many updates it takes, at most."""
        ...

    @property
    def version(self) -> str:
        """Return by what it is computed: the part of this program, and the packages, each with its version."""
        ...

    def blocks(self) -> Iterator[Work]:
        """Yield the same configurations over blocks of runs, in order; `merged` puts their outcomes together."""
        ...

    def of_lanes(self, chosen: list[int]) -> Work:
        """Return the piece with these of its configurations only."""
        ...

    def keys(self) -> list[bytes]:
        """Return a key for each configuration: a hash of everything that its outcome depends on."""
        ...

    def descriptions(self) -> list[str]:
        """Return a line for each configuration that says what it is."""
        ...

    def compute(self) -> Outcome:
        """Run it. The numbers of a configuration depend on that one and the runs alone, never on its neighbours."""
        ...

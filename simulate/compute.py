"""Pieces computed on all cores or on a cluster, through a store: what it holds already is not computed again."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from simulate.outcome import Outcome, merged
from simulate.piece import Piece, together
from simulate.store import NotStored, Store
from simulate.work import Work
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.cli.workers import as_completed, computed_there, process_pool, worker_count


class Task(NamedTuple):
    """One block of runs of some configurations that the store lacks."""

    piece: Work
    keys: list[bytes]
    descriptions: list[str]


def compute(
    pieces: Sequence[Work],
    store: Store,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    title: str = "learning curves",
) -> Iterator[Outcome]:
    """Put what is missing into the store, then return the outcome of each piece, in the order of the pieces.

    The bits of an outcome do not depend on the workers, on the order in which they finish, on what the store held
    before, or on the other pieces. Whoever is killed finds everything but the tasks in flight in the store.

    Args:
        pieces: what to compute.
        store: where outcomes are kept; `Store(None)` keeps them in memory.
        workers: threads, or processes for pieces that need them; default one a core.
        cluster: the address of a Dask scheduler, used instead of this machine's cores.
        title: of the progress bar.

    Raises:
        BadOption: workers is out of range, or the store or the cluster fails.
        NotStored: something is missing, and the store is only read.
    """
    fill(list(missing(pieces, store)), store, workers=workers, cluster=cluster, title=title)
    return (stored(piece, store) for piece in pieces)


def fill(tasks: Sequence[Task], store: Store, *, workers: int | None, cluster: str | None, title: str) -> None:
    """Compute tasks and store each as soon as it is done; see `compute`."""
    count = worker_count(workers)
    if not tasks:
        return
    if store.only_read:
        raise NotStored(f"{title}: the store lacks {len(tasks)} of its blocks of runs")
    done = 0
    with progress_bar(f"{title} (million updates)", _millions(sum(task.piece.updates for task in tasks))) as progress:
        for task, outcome in _finished(tasks, count, cluster):
            store.put(task.keys, task.descriptions, outcome, task.piece.version)
            done += task.piece.updates
            progress(_millions(done))


def missing(pieces: Sequence[Work], store: Store) -> Iterator[Task]:
    """Yield what the store lacks, as tasks of a few configurations over one block of runs."""
    seen: set[bytes] = set()
    for piece in pieces:
        for block in piece.blocks():
            keys, descriptions = block.keys(), block.descriptions()
            absent = [i for i, key in enumerate(keys) if key not in seen and store.get(key) is None]
            seen.update(keys)
            for start in range(0, len(absent), piece.together):
                chosen = absent[start : start + piece.together]
                yield Task(block.of_lanes(chosen), [keys[i] for i in chosen], [descriptions[i] for i in chosen])


def stored(piece: Work, store: Store) -> Outcome:
    """Return the outcome of a piece from the store; what was damaged since it was put there is computed anew."""
    blocks = []
    for block in piece.blocks():
        lanes = []
        for lane, key in enumerate(block.keys()):
            outcome = store.get(key)
            if outcome is None:
                alone = block.of_lanes([lane])
                outcome = alone.compute()
                store.put([key], alone.descriptions(), outcome, alone.version)
            lanes.append(outcome)
        blocks.append(Outcome(*(np.hstack(arrays) for arrays in zip(*lanes, strict=True))))
    return merged(blocks)


def _millions(updates: int) -> int:
    return -(-updates // 1_000_000)


def _finished(tasks: Sequence[Task], workers: int, cluster: str | None) -> Iterator[tuple[Task, Outcome]]:
    """Yield tasks as they are done, on so many threads or on a cluster."""
    if cluster is None:
        count = min(workers, len(tasks))
        apart = any(task.piece.processes for task in tasks)
        with process_pool(count) if apart else ThreadPoolExecutor(count, "simulate") as pool:
            groups = _sharing(tasks)
            for group, outcomes in as_completed(
                groups, lambda group: pool.submit(computed, [task.piece for task in group]), 2 * workers
            ):
                yield from zip(group, outcomes, strict=True)
        return
    from simulate.cluster import compute_there, packed

    yield from computed_there(cluster, tasks, compute_there, lambda task: packed(task.piece))


def _sharing(tasks: Sequence[Task]) -> list[list[Task]]:
    """Return tasks in groups that are best computed together."""
    groups: dict[Hashable, list[Task]] = {}
    for number, task in enumerate(tasks):
        groups.setdefault(number if task.piece.shares is None else task.piece.shares, []).append(task)
    return list(groups.values())


def computed(pieces: Sequence[Work]) -> list[Outcome]:
    """Compute pieces that share something, or one."""
    if len(pieces) == 1:
        return [pieces[0].compute()]
    return together([piece for piece in pieces if isinstance(piece, Piece)])

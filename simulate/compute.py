"""Pieces computed on all cores or on a cluster, through a store: what it holds already is not computed again."""

from __future__ import annotations

import linecache
import sys
import tempfile
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from simulate.kernels.kernel_residual_gradient import SMOOTHINGS
from simulate.piece import Piece, together
from simulate.store import NotStored, Store
from simulate.work import RunOutcome, Work, merged
from tdrc_theory.algorithms import ALGORITHMS, TD
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.cli.workers import as_completed, computed_there, process_pool, worker_count
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.files import load_algorithm


def compute(
    pieces: Sequence[Work],
    store: Store,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    title: str = "learning curves",
) -> Iterator[RunOutcome]:
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


def fill(tasks: Sequence[Work], store: Store, *, workers: int | None, cluster: str | None, title: str) -> None:
    """Compute tasks and store each as soon as it is done; see `compute`."""
    count = worker_count(workers)
    if not tasks:
        return
    if store.only_read:
        raise NotStored(f"{title}: the store lacks {len(tasks)} of its blocks of runs")
    done = 0
    million = 10**6
    with progress_bar(f"{title} (million updates)", -(-sum(task.updates for task in tasks) // million)) as progress:
        for task, outcome in _finished(tasks, count, cluster):
            store.put(task.keys(), task.descriptions(), outcome, task.version)
            done += task.updates
            progress(-(-done // million))


def missing(pieces: Sequence[Work], store: Store) -> Iterator[Work]:
    """Yield what the store lacks, as tasks: pieces of a few configurations over one block of runs."""
    seen: set[bytes] = set()
    for piece in pieces:
        for block in piece.blocks():
            keys = block.keys()
            absent = [i for i, key in enumerate(keys) if key not in seen and store.get(key) is None]
            seen.update(keys)
            for start in range(0, len(absent), piece.together):
                yield block.of_lanes(absent[start : start + piece.together])


def stored(piece: Work, store: Store) -> RunOutcome:
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
        blocks.append(RunOutcome(*(np.hstack(arrays) for arrays in zip(*lanes, strict=True))))
    return merged(blocks)


def _finished(tasks: Sequence[Work], workers: int, cluster: str | None) -> Iterator[tuple[Work, RunOutcome]]:
    """Yield tasks as they are done, on so many threads or processes, or on a cluster."""
    if cluster is not None:
        yield from computed_there(cluster, tasks, compute_there, packed)
        return
    groups: dict[Hashable, list[Work]] = {}
    for number, task in enumerate(tasks):
        groups.setdefault(number if task.shares is None else task.shares, []).append(task)
    count = min(workers, len(tasks))
    apart = any(task.processes for task in tasks)
    with process_pool(count) if apart else ThreadPoolExecutor(count, "simulate") as pool:
        for group, outcomes in as_completed(groups.values(), lambda group: pool.submit(computed, group), 2 * workers):
            yield from zip(group, outcomes, strict=True)


def computed(pieces: Sequence[Work]) -> list[RunOutcome]:
    """Compute pieces that share something, or one."""
    if len(pieces) == 1:
        return [pieces[0].compute()]
    return together([piece for piece in pieces if isinstance(piece, Piece)])


def in_threads(
    one: Callable[[int], None],
    runs: Iterable[int],
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Call a function for every run; neither the number of threads nor the order in which they finish changes a bit.

    Compiled code in it runs beside other compiled code. `progress` is called with the number of runs done.
    """
    count = worker_count(workers)
    with ThreadPoolExecutor(count, "simulate") as pool:
        for done, _ in enumerate(as_completed(runs, lambda run: pool.submit(one, run), 2 * count), 1):
            progress(done)


class Parcel(NamedTuple):
    """A piece as it travels, with what its outcome will be stored under.

    A user's algorithm travels as the name and the text of its file, and its name in it; modules that the file imports
    must be on the workers.
    """

    piece: Work
    keys: list[bytes]
    algorithm: tuple[str, str, str] | None = None


def packed(piece: Work) -> Parcel:
    """Return a piece in a form that another machine can unpack.

    Raises:
        BadOption: the algorithm is neither built in nor of a file.
    """
    if not isinstance(piece, Piece):  # nothing of a user's is in it
        return Parcel(piece, piece.keys())
    algorithm = piece.algorithm
    if any(algorithm.direction is known.direction for known in (*ALGORITHMS, *(s.algorithm for s in SMOOTHINGS))):
        return Parcel(piece, piece.keys())
    module = sys.modules.get(getattr(algorithm.direction, "__module__", ""))
    file = getattr(module, "__file__", None)
    for name, value in sorted(vars(module).items()) if module and file else ():
        if value is algorithm or value is algorithm.direction:
            text = "".join(linecache.getlines(str(file)))  # as it was run, whatever has become of the file since
            # Functions of a user's file cannot be pickled; TD holds the place until the file has been run again.
            return Parcel(replace(piece, algorithm=TD), piece.keys(), (Path(str(file)).name, text, name))
    raise BadOption(f"--cluster: {algorithm.name} is neither built in nor an algorithm of a file, so it cannot be sent")


def compute_there(parcel: Parcel) -> RunOutcome:
    """Compute a piece; this runs on a worker.

    Raises:
        BadOption: the worker has other sources than the machine that asks, so that its numbers would be others.
    """
    piece = parcel.piece
    if parcel.algorithm is not None:
        assert isinstance(piece, Piece)
        file, text, name = parcel.algorithm
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / file
            path.write_text(text, encoding="utf-8")
            piece = replace(piece, algorithm=load_algorithm(f"{path}:{name}"))
    if piece.keys() != parcel.keys:
        raise BadOption("--cluster: a worker has another version of this program, or of what it computes with")
    return piece.compute()

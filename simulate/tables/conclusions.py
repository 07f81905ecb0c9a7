"""The paper's statements judged on what the variants give."""

from __future__ import annotations

from collections.abc import Sequence

from simulate.statement import Judged
from simulate.store import Store
from simulate.tables.cell import Cell, cells
from simulate.tables.comparison import Evidence
from simulate.tables.grids import Grids, Wanted
from simulate.tables.statements import STATEMENTS
from simulate.tables.variant import VARIANTS, Variant
from tdrc_theory.published import STEP_SIZES


def conclusions(store: Store, *, runs: int, seed: int, workers: int | None = None) -> list[Judged]:
    """Return every statement with its finding under every variant.

    Args:
        store: keeps what is computed.
        runs: how many; at least 2.
        seed: of the corrected variant's experience.
        workers: see `simulate.compute.compute`.
    """
    gathered = {v.name: evidence(v, store, runs=runs, seed=seed, workers=workers) for v in VARIANTS}
    return [Judged(one, {name: one.judge(found) for name, found in gathered.items()}) for one in STATEMENTS]


def evidence(variant: Variant, store: Store, *, runs: int, seed: int, workers: int | None) -> Evidence:
    """Run what a variant's statements are judged by: its three tables, and the studies of eta and beta."""
    grids = Grids(variant, seed)
    parts = (grids.published(Wanted()), grids.eta_study(), grids.beta_study())
    found = cells([s for part in parts for s in part], variant, store, runs=runs, workers=workers, title=variant.name)
    tables, eta = found[: len(parts[0])], found[len(parts[0]) : -len(parts[2])]
    return Evidence(
        cells={cell.place: cell.areas for cell in tables},
        eta={(cell.place.row, cell.place.problem): cell.areas for cell in eta},
        beta={cell.place.problem: cell.areas for cell in found[-len(parts[2]) :]},
        as_printed={name: _as_printed([c for c in tables if c.place.step_size == name]) for name in STEP_SIZES},
    )


def _as_printed(found: Sequence[Cell]) -> tuple[int, int]:
    return sum(bool(cell.mean_matches) for cell in found), len(found)

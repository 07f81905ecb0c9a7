"""How long a study takes on a Dask cluster of this machine, beside as many threads without one: `make bench`."""

from __future__ import annotations

import time
from pathlib import Path

from distributed import LocalCluster
from row import row

from simulate.store import Store
from simulate.sweep.experiment_file import parse_experiment
from simulate.sweep.study import sweep

WORKERS = (1, 2, 4)
RUNS = 1000
"""Of each configuration: some seconds on two cores, beside which what a cluster takes by itself is little."""
STUDY = {
    "name": "step sizes",
    "problems": ["random-walk-tabular", "boyan", "baird"],
    "steps": 5000,
    "learners": [
        {"algorithms": ["tdrc", "tdc", "gtd2"], "alpha": {"base": 2, "from": -12, "to": 3}, "eta": [1, 2, 4, 8]}
    ],
    "figure": {},
}


def seconds(runs: int, workers: int, cluster: str | None) -> float:
    """Return how long the study takes, with so many runs of each configuration."""
    with Store(None) as store:
        start = time.perf_counter()
        sweep(parse_experiment({**STUDY, "runs": runs}, Path()), store, workers=workers, cluster=cluster)
        return time.perf_counter() - start


def main() -> None:
    """Run all."""
    seconds(50, 1, None)  # what is compiled is read
    for workers in WORKERS:
        with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            seconds(50, workers, cluster.scheduler_address)
            there = seconds(RUNS, workers, cluster.scheduler_address)
        threads = seconds(RUNS, workers, None)
        counted = f"{workers} worker" + ("s" if workers > 1 else "")
        what, against = f"study of 432,000 learning curves, Dask, {counted}", "as many threads of one process"
        row(what, there, "s", against=against, baseline=threads)


if __name__ == "__main__":
    main()

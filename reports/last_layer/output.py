"""Last layers beside each other, as text and as JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from reports.last_layer.estimate import BLOCKS, END, LastLayer, last_layer, transitions
from simulate.control.checkpoint import Kept
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.exact.number import number_text
from tdrc_theory.tables.table import Table
from verify.check import Proof, Status
from verify.data.intervals import LEVEL

LIMITS = (
    "blocks are taken to be independent; where episodes are longer than a block, intervals are too narrow",
    "everything but the last layer's weights is frozen, and so are the replay and the greedy actions",
    "steps are those of the gradient: what Adam makes of them, the theory does not say",
    "h of an action moves along the mean over that action's transitions, as the agent's does; bounds are of TDRC's own",
)


@dataclass(frozen=True)
class Column:
    """A checkpoint and what theory says of each of its runs."""

    kept: Kept
    layers: tuple[LastLayer, ...]

    @classmethod
    def of(cls, kept: Kept, resolution: float, progress: Callable[[int], None]) -> Column:
        """Return what theory says of a checkpoint's runs; progress is called with the number of runs done."""
        beta, eta = float(kept.settings.beta or 0), float(kept.settings.eta or 0)
        result = []
        for run in transitions(kept):
            result.append(last_layer(run, beta, eta, resolution))
            progress(len(result))
        return cls(kept, tuple(result))

    @property
    def settled(self) -> list[float]:
        """Return, for each run, the norm of h over that at which its own beta lets it settle."""
        own = END.format(float(self.kept.settings.beta or 0))
        return [each.norm_kept / each.numbers[own].value for each in self.layers]

    @property
    def updates(self) -> int:
        """Return how many updates a run has taken."""
        return int(self.kept.state["agents"]["updates"])


def plain_text(columns: list[Column], resolution: float) -> str:
    """Return the table, one column a checkpoint, and what it does not say."""
    heads = [
        f"{each.kept.settings.algorithm} on {each.kept.settings.environment}: {counted(len(each.layers), 'run')}, "
        f"seed {each.kept.seed}"
        for each in columns
    ]
    text = [
        f"in directions with at least {resolution:g} of the features' largest mean square",
        f"decided run by run ({Proof.SAMPLED.value}): {LEVEL:.0%} intervals, from {BLOCKS} blocks of each run's replay",
        *LIMITS,
    ]
    numbers, judged = (table.text() for table in tables(columns))
    return "\n".join([*map(printable, heads), "", numbers, "", judged, "", *text]) + "\n"


def tables(columns: list[Column]) -> list[Table]:
    """Return numbers and hypotheses, one column a checkpoint."""
    names = [name for name in columns[0].layers[0].numbers if all(name in each.layers[0].numbers for each in columns)]
    rows = [
        ("rank of C, in these directions", *(_spread([float(f.rank) for f in each.layers]) for each in columns)),
        ("norm of h", *(_spread([f.norm_h for f in each.layers]) for each in columns)),
        ("norm of h, in these directions", *(_spread([f.norm_kept for f in each.layers]) for each in columns)),
        *((name, *(_spread([f.numbers[name].value for f in each.layers]) for each in columns)) for name in names),
        ("norm of h over that at which it settles", *(_spread(each.settled) for each in columns)),
    ]
    judged = [
        (name, *(_judged([f.hypotheses[name] for f in each.layers]) for each in columns))
        for name in columns[0].layers[0].hypotheses
    ]
    titles = [f"{each.kept.settings.algorithm}, {counted(each.updates, 'update')}" for each in columns]
    return [
        Table("numbers", ("median over runs [least, largest]", *titles), rows),
        Table("hypotheses", ("in how many runs (+ holds, - fails, ? undecided)", *titles), judged),
    ]


def to_json(columns: list[Column], resolution: float) -> dict[str, Any]:
    """Return every number of every run with its interval."""
    return {
        "resolution": resolution,
        "proof": Proof.SAMPLED.value,
        "blocks": BLOCKS,
        "level": LEVEL,
        "limits": list(LIMITS),
        "checkpoints": [
            {
                "environment": each.kept.settings.environment,
                "algorithm": each.kept.settings.algorithm,
                "beta": number_text(each.kept.settings.beta or Fraction(0)),
                "eta": number_text(each.kept.settings.eta or Fraction(0)),
                "seed": each.kept.seed,
                "updates": each.updates,
                "runs": [{"run": run} | one.to_json() for run, one in zip(each.kept.runs, each.layers, strict=True)],
            }
            for each in columns
        ],
    }


def _spread(values: list[float]) -> str:
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return "-"
    return f"{np.median(finite):.3g} [{min(finite):.3g}, {max(finite):.3g}]"


def _judged(statuses: list[Status]) -> str:
    counts = Counter(statuses)
    signs = {Status.HOLDS: "+", Status.FAILS: "-", Status.UNDECIDED: "?"}
    return "  ".join(f"{counts[status]:>3}{sign}" for status, sign in signs.items())

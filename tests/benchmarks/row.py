"""What a benchmark found: a line for whoever runs its script, and a row for the table of `make bench`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOUND = "BENCHMARK_ROWS"
"""The environment variable that names the file in which a script leaves its rows, where there is one."""


def process_seconds(command: Sequence[str | Path], **options: Any) -> float:
    """Return for how many seconds a whole process, with those that it starts, keeps a core busy."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def digits(number: float) -> str:
    """Return a number to three digits; no timing has more to say."""
    return f"{float(f'{number:.3g}'):g}"


def row(
    what: str,
    ours: float,
    unit: str,
    *,
    against: str = "",
    baseline: float | None = None,
    ratio: float | None = None,
    wanted: str = "",
) -> None:
    """Tell what was measured, in the same unit for ours and for the baseline that ran beside it in the same process.

    The ratio says how many times as much as ours the baseline takes: a median of pairs where it is given, and
    otherwise baseline / ours. `wanted` is what was hoped for, in words.
    """
    if ratio is None and baseline is not None:
        ratio = baseline / ours
    told = [f"{what}: {digits(ours)} {unit}"]
    if baseline is not None and ratio is not None:
        told.append(f"{against} {digits(baseline)} {unit}, {digits(ratio)} times ours")
    print("; ".join(told) + (f" (wanted: {wanted})" if wanted else ""), flush=True)
    if FOUND in os.environ:
        found = {"what": what, "unit": unit, "ours": ours, "baseline": baseline, "against": against, "ratio": ratio}
        with Path(os.environ[FOUND]).open("a", encoding="utf-8") as file:
            file.write(json.dumps({**found, "wanted": wanted}) + "\n")

"""What a benchmark found: a line for whoever runs its script, and a row for the table of `make bench`."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROWS_FILE = "BENCHMARK_ROWS"
"""The environment variable that names the file in which a script leaves its rows, where there is one."""


class Ran(NamedTuple):
    """A whole process, with those that it started.

    Attributes:
        seconds: from its start to its end.
        busy: seconds for which it kept cores at work.
        peak: the most memory that one of its processes held, in MiB.
    """

    seconds: float
    busy: float
    peak: float


_MEASURED = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
seconds = time.perf_counter() - start
print(os.waitstatus_to_exitcode(status), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""
"""A small process that runs a command: on Linux, what the starting process held counts as held by the command."""


def ran(command: Sequence[str | Path], **options: Any) -> Ran:
    """Run a command to its end; any exit status but 0 and 1 is no answer."""
    starter = [sys.executable, "-I", "-S", "-c", _MEASURED, *map(str, command)]
    done = subprocess.run(starter, stdout=subprocess.PIPE, text=True, check=True, **options)
    status, *measured = done.stdout.split()
    if status not in ("0", "1"):
        raise subprocess.CalledProcessError(int(status), command)
    return Ran(*map(float, measured))


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
    before: str = "",
    peak: float | None = None,
    wanted: str = "",
) -> None:
    """Tell what was measured, in the same unit for ours and for the baseline that ran beside it in the same process.

    The ratio says how many times as much as ours the baseline takes: a median of pairs where it is given, and
    otherwise baseline / ours. `before` is what was measured of an earlier version, with its unit, `wanted` what was
    hoped for, in words; `peak` the most memory, in MiB, by default of this process until now.
    """
    if ratio is None and baseline is not None:
        ratio = baseline / ours
    if peak is None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    texts = [f"{what}: {digits(ours)} {unit}"]
    if before:
        texts.append(f"before {before}")
    if baseline is not None and ratio is not None:
        texts.append(f"{against} {digits(baseline)} {unit}, {digits(ratio)} times ours")
    print("; ".join([*texts, f"{digits(peak)} MiB"]) + (f" (wanted: {wanted})" if wanted else ""), flush=True)
    if ROWS_FILE in os.environ:
        result = {"what": what, "unit": unit, "ours": ours, "before": before, "memory": f"{digits(peak)} MiB"}
        result |= {"baseline": baseline, "against": against, "ratio": ratio, "wanted": wanted}
        with Path(os.environ[ROWS_FILE]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")

"""All benchmarks, or those that are named, gathered into one table, reports/benchmarks.csv, which README.md quotes.

python tests/benchmarks [SCRIPT ...]
"""

from __future__ import annotations

import argparse
import csv
import datetime
import importlib.metadata
import io
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from quote import quoted, requoted
from row import FOUND, digits

from reports.sections.benchmarks import TITLES, cells, dated
from tdrc_theory.columns import columns
from tdrc_theory.cores import usable_cores
from tdrc_theory.files import write_whole

HERE = Path(__file__).parent
SCRIPTS = ("conditions", "scale", "kernels", "predict", "pictures", "control")
TABLE = HERE.parent.parent / "reports" / "benchmarks.csv"
README = HERE.parent.parent / "README.md"
COLUMNS = ("benchmark", "what", "unit", "ours", "baseline", "against", "ratio", "wanted", "date", "machine")
LIBRARIES = ("numpy", "scipy", "numba", "python-flint", "torch")


def measured(script: str) -> list[dict[str, str]]:
    """Run a script with its output as it comes, and return its rows; it ends all where it fails."""
    date, here = datetime.date.today().isoformat(), machine()
    with tempfile.TemporaryDirectory() as folder:
        left = Path(folder, "rows")
        left.touch()
        command = [sys.executable, str(HERE / f"{script}.py")]
        if subprocess.run(command, env={**os.environ, FOUND: str(left)}, check=False).returncode:
            raise SystemExit(f"{script} failed; {TABLE.name} is as it was")
        found = [json.loads(line) for line in left.read_text(encoding="utf-8").splitlines()]
    return [{"benchmark": script, **_written(values), "date": date, "machine": here} for values in found]


def _written(values: dict[str, object]) -> dict[str, str]:
    """Return a row's values as text."""
    return {name: digits(value) if isinstance(value, float) else str(value or "") for name, value in values.items()}


def machine() -> str:
    """Return the processor, its cores, and the versions of Python and of the libraries that do the work."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = models[0] if models else platform.processor() or platform.machine()
    installed = {found.name for found in importlib.metadata.distributions()}
    versions = [f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES if name in installed]
    return f"{processor}, {usable_cores()} cores; Python {platform.python_version()}, {', '.join(versions)}"


def kept() -> list[dict[str, str]]:
    """Return the rows that the table has."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def shown(rows: list[dict[str, str]]) -> str:
    """Return the table for a reader."""
    return "\n".join(
        [
            "",
            *dated(rows),
            "ratio: how many times as much as ours the baseline takes",
            "",
            columns(TITLES, [cells(row) for row in rows]),
        ]
    )


def main() -> None:
    """Run the scripts, and write the table whole; rows of scripts that were not run stay."""
    parser = argparse.ArgumentParser(prog="python tests/benchmarks", description="Measure, and gather it in one table.")
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT", help=f"{', '.join(SCRIPTS)} (default: all)")
    chosen = parser.parse_args().scripts or SCRIPTS
    for script in chosen:
        if script not in SCRIPTS:
            parser.error(f"unknown script {script!r}; allowed: {', '.join(SCRIPTS)}")
    rows = {script: [row for row in kept() if row["benchmark"] == script] for script in SCRIPTS}
    for script in chosen:
        rows[script] = measured(script)
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(row for script in SCRIPTS for row in rows[script])
    write_whole(TABLE, out.getvalue())
    everything = [row for script in SCRIPTS for row in rows[script]]
    text = README.read_text(encoding="utf-8")
    write_whole(README, requoted(text, everything))
    print(shown(everything))
    print(f"{len(quoted(text, everything))} rows of README.md brought up to date")


if __name__ == "__main__":
    main()

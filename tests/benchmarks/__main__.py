"""All benchmarks, or those that are named, gathered into one table, reports/benchmarks.csv, which READMEs quote.

python tests/benchmarks [SCRIPT ...]

A script's rows replace those that it left before, as soon as it is done: one that fails keeps its old rows, and costs
the others nothing.
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
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from quote import QUOTED, requoted
from row import ROWS_FILE, digits

from reports.sections.benchmarks import TITLES, cells, dated
from tdrc_theory.cli.command import run
from tdrc_theory.cli.files import write_whole
from tdrc_theory.cli.workers import usable_cores
from tdrc_theory.tables.table import Table

PROG = "python tests/benchmarks"
HERE = Path(__file__).parent
SCRIPTS = ("processes", "conditions", "scale", "kernels", "traces", "predict", "pictures", "control", "cluster")
TABLE = HERE.parent.parent / "reports" / "benchmarks.csv"
COLUMNS = (
    "benchmark", "what", "unit", "ours", "before", "memory",
    "baseline", "against", "ratio", "wanted", "date", "machine",
)  # fmt: skip
LIBRARIES = ("numpy", "scipy", "llvmlite", "python-flint", "torch")


def measured(script: str) -> list[dict[str, str]]:
    """Run a script with its output as it comes, and return its rows; none where it failed."""
    date, here = datetime.date.today().isoformat(), machine()
    with tempfile.TemporaryDirectory() as folder:
        left = Path(folder, "rows")
        left.touch()
        command = [sys.executable, str(HERE / f"{script}.py")]
        if subprocess.run(command, env={**os.environ, ROWS_FILE: str(left)}, check=False).returncode:
            return []  # what it measured before it failed is no whole
        results = [json.loads(line) for line in left.read_text(encoding="utf-8").splitlines()]
    return [{"benchmark": script, **_written(values), "date": date, "machine": here} for values in results]


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
    installed = {each.name for each in importlib.metadata.distributions()}
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
            Table("benchmarks", TITLES, [cells(row) for row in rows]).text(),
        ]
    )


def store(rows: Iterable[Mapping[str, str]]) -> None:
    """Write the table whole."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(TABLE, out.getvalue())


def quote(rows: Sequence[Mapping[str, str]]) -> None:
    """Bring what READMEs quote up to date."""
    for path, names in QUOTED.items():
        write_whole(path, requoted(path.read_text(encoding="utf-8"), rows, names))


def parser() -> argparse.ArgumentParser:
    """Return the options."""
    result = argparse.ArgumentParser(prog=PROG, description="Measure, and gather it in one table.")
    result.add_argument("scripts", nargs="*", metavar="SCRIPT", help=f"{', '.join(SCRIPTS)} (default: all)")
    result.add_argument("--quote", action="store_true", help="measure nothing: bring READMEs up to date with the table")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the scripts and store what they find; rows of scripts that were not run, or that failed, stay."""
    options = parser().parse_args(arguments)
    for script in options.scripts:
        if script not in SCRIPTS:
            parser().error(f"unknown script {script!r}; allowed: {', '.join(SCRIPTS)}")
    failed = []
    for script in () if options.quote else options.scripts or SCRIPTS:
        result = measured(script)
        if result:
            others = [row for row in kept() if row["benchmark"] in SCRIPTS and row["benchmark"] != script]
            store(sorted([*others, *result], key=lambda row: SCRIPTS.index(row["benchmark"])))
        else:
            failed.append(script)
    rows = kept()
    print(shown(rows))
    quote(rows)
    for script in failed:
        print(f"{PROG}: error: {script} failed, or told of nothing; its rows are as they were", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

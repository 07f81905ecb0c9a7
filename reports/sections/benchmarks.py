"""How long things take beside a baseline, as `make bench` has measured and stored it."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from reports.page.section import Content, Section, Tell
from reports.page.subject import OnSite
from reports.page.table import Table

TITLES = ("what", "ours", "before", "memory", "baseline", "ratio", "target")


def collect(_: OnSite, __: Tell) -> Content:
    """Return the table that comes with the package."""
    text = (Path(__file__).parents[1] / "benchmarks.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    return Content(measured=dated(rows), numbers=Table("Benchmarks", TITLES, tuple(map(cells, rows))))


def cells(row: Mapping[str, str]) -> tuple[str, ...]:
    """Return a row of the stored table for a reader, in the order of the titles."""
    baseline = f"{row['against']}: {row['baseline']} {row['unit']}" if row["baseline"] else ""
    ours = f"{row['ours']} {row['unit']}"
    return row["what"], ours, row["before"], row["memory"], baseline, row["ratio"], row["wanted"]


def dated(rows: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Return when and on what rows were measured, each once."""
    return tuple(dict.fromkeys(f"{row['date']} on {row['machine']}" for row in rows))


SECTION = Section("benchmarks", "How long things take", collect)

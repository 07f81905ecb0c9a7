"""The rows of the table that READMEs quote, written anew where they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from reports.sections.benchmarks import cells, dated

Row = Mapping[str, str]

ROOT = Path(__file__).parent.parent.parent
QUOTED = {
    ROOT / "README.md": (
        "conditions of baird, whole process",
        "conditions of gymnasium:Taxi-v3, 500 states",
        "conditions of 1000 tabular states, a file",
        "conditions of 2000 tabular states, a file",
        "conditions of 100000 sparse states, 100 features, a file",
        "certified verdict, sparse chain, 1000000 states, 100 dense features",
        "enclosed verdict and conditions, 48 features",
        "exact verdict from the problem on, 4 features",
        "verdicts of 2000 random problems, 2 cores",
        "claims of the paper, judged",
        "page of baird",
        "100 runs of 1000 updates, 1000 aggregated states",
        "prediction of 1000 updates, 1000 aggregated states, iid",
        "prediction of 3000 updates, baird, markov",
        "step of the moments, baird, markov",
        "update of TDRC, baird",
        "update of tdrc-lambda, baird",
        "update of emphatic-td, baird",
        "update, adagrad, baird, error read at every tenth",
        "first use of a learner, nothing compiled",
        "use of a learner, compiled code kept",
        "QRC on Mountain Car, act, store, sample and update, 100 runs on one cpu core",
    ),
    ROOT / "simulate" / "README.md": tuple(
        f"study of 432,000 learning curves, Dask, {workers}" for workers in ("1 worker", "2 workers", "4 workers")
    ),
}
"""What each README quotes of the table, in this order; what the table lacks is left out."""
_TABLE = re.compile(r"^(\| what \| ours \|.*\n\|[-|]*\n)(?:\|.*\n)*", re.MULTILINE)


def line(row: Row) -> str:
    """Return a row as a line of a Markdown table."""
    return f"| {' | '.join(cells(row)[:-1])} |\n"


def quoted(rows: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """Return the rows with these names, in the order of the names."""
    return [row for name in names for row in rows if row["what"] == name]


def requoted(text: str, rows: Sequence[Row], names: Sequence[str]) -> str:
    """Return the text with the rows that it quotes, and what it says of them, as they are now."""
    result = quoted(rows, names)
    text = _TABLE.sub(lambda table: table[1] + "".join(map(line, result)), text)
    caption = f"Measured {'; '.join(dated(result))}."
    return re.sub(r"^Measured 2.*\.$", lambda _: caption, text, flags=re.MULTILINE) if result else text

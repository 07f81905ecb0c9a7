"""`tdrc prove`: compile the proofs from scratch and see that they rest on no axiom."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tdrc_theory.command import Parser, printable, run
from tdrc_theory.progress import progress_bar
from tdrc_theory.proofs.coq import check_proofs, coq_version
from tdrc_theory.proofs.sources import FOLDER, read_sources

PROG = "python -m tdrc_theory.proofs"


def parser() -> Parser:
    """Return the command's options."""
    made = Parser(prog=PROG, description=__doc__)
    told = "where the Coq sources (*.v) are (default: those of this package)"
    made.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, default=FOLDER, help=told)
    made.epilog = (
        "Exit status: 0 every theorem is proven without axioms; 1 one is not; 2 bad input, or no Coq; 130 interrupted."
    )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    sources = read_sources(parser().parse_args(arguments).folder)
    version = coq_version().splitlines()[0]
    with progress_bar("proofs", len(sources)) as tell:
        answers = check_proofs(sources, tell)
    for answer in answers:
        verdict = "proven" if answer.accepted else "NOT PROVEN"
        print(f"{verdict:10}  {answer.theorem.name}: {printable(answer.reason)}")
    proven = sum(answer.accepted for answer in answers)
    print(f"{proven} of {len(answers)} theorems proven, in {len(sources)} files ({version})")
    return 0 if answers and proven == len(answers) else 1


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""Change every formula and statement in one place, judge each mutant, and print the scores: `make mutants`, minutes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from mutation.score import mutation_score, statement_score

from tdrc_theory.cli.command import Parser, printable, run
from tdrc_theory.papers import find_paper

PROG = "python -m mutation"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both scores."""
    result = Parser(prog=PROG, description=__doc__)
    result.add_argument("paper", nargs="?", default="tdrc")
    paper = find_paper(result.parse_args(arguments).paper)
    for score in (mutation_score(paper), statement_score(paper)):
        for text in score.lines():
            print(*(printable(line) for line in text.split("\n")), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""Change every formula and statement in one place, judge each mutant, and print the scores: `make mutants`, minutes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from mutation.score import mutation_score, statement_score

from tdrc_theory.command import Parser, printable, run
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Kind
from verify.paper.facts import FACTS

PROG = "python -m mutation"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both scores."""
    Parser(prog=PROG, description=__doc__).parse_args(arguments)
    for score in (mutation_score(find_paper().of_kind(Kind.FORMULA), FACTS), statement_score(FACTS)):
        for text in score.lines():
            print(*(printable(line) for line in text.split("\n")), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""Change every formula and statement in one place, judge each mutant, and print the scores: `make mutants`, minutes."""

from __future__ import annotations

import sys

from mutation.score import mutation_score, statement_score

from tdrc_theory.claims import CLAIMS
from tdrc_theory.command import printable, run
from verify.paper.facts import FACTS


def main() -> int:
    """Print both scores."""
    for score in (mutation_score(CLAIMS, FACTS), statement_score(FACTS)):
        for text in score.lines():
            print(*(printable(line) for line in text.split("\n")), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main, "make mutants"))

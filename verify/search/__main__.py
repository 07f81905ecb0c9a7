"""`tdrc search PATTERN`: a small problem on which algorithms get these verdicts, as a problem file."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from tdrc_theory.cli.command import Parser, printable, run, tell
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption
from verify.search.candidates import Shape
from verify.search.hunt import FORM, WORDS, search

PROG = "python -m verify.search"
NOT_FOUND = 1
"""Exit status."""


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 found; 1 not found; 2 bad input; 130 interrupted")
    words = ", ".join(word for word, _ in WORDS)
    options.add_argument(
        "pattern", metavar="PATTERN", help=f"comma-separated clauses {FORM}; the last word is one of {words}"
    )
    options.add_argument("--states", type=int, default=2, metavar="N", help="number of states, 1 to 12 (default: 2)")
    options.add_argument("--features", type=int, metavar="N", help="number of features (default: 1, then more)")
    mdp = "a decision process with two policies and stationary weights (always, where a learner has memory)"
    options.add_argument("--mdp", action="store_true", help=mdp)
    options.add_argument("--actions", type=int, default=2, metavar="N", help="of --mdp (default: 2)")
    options.add_argument("--seed", type=int, default=0, help="of what is tried at random (default: 0)")
    options.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="give up after (default: 60)")
    options.add_argument("--tries", type=int, metavar="N", help="give up after so many problems")
    options.add_argument("-o", "--output", metavar="FILE", help="write the problem file here (default: print it)")
    add_options(options, "--json")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if options.actions < 1:
        raise BadOption(f"--actions: {options.actions} is less than 1")
    check_writable(options.output)
    shape = Shape(states=options.states, features=options.features, actions=options.actions if options.mdp else 0)
    with progress_bar("problems tried", options.tries) as progress:
        result = search(
            options.pattern, shape, seed=options.seed, seconds=options.limit, tries=options.tries, progress=progress
        )
    if options.json:
        print(json.dumps(result.to_json(), allow_nan=False, indent=1))
    if result.problem is None:
        averaged = not options.mdp and not any(clause.algorithm.remembers for clause in result.clauses)
        hint = "" if not averaged else "; their importance ratios are all 1, those of --mdp are not"
        tell(f"not found among {result.tries} problems{hint}")
        return NOT_FOUND
    if options.output is not None:
        result.write(options.output)
    if options.output is None and not options.json:
        print(result.text(), end="")
    elif not options.json:
        print(f"found after {result.tries} problems, written to {printable(options.output)}")
        print(*(f"  {line}" for line in result.lines()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

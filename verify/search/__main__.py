"""`python -m verify.search PATTERN`: a small problem on which algorithms get these verdicts, as a problem file."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tdrc_theory.command import Parser, printable, run
from tdrc_theory.errors import BadOption
from tdrc_theory.progress import progress_bar
from verify.search.candidates import Shape
from verify.search.hunt import search
from verify.search.pattern import FORM, WORDS

PROG = "python -m verify.search"
NOT_FOUND = 1


def parser() -> Parser:
    """Return the command's options."""
    made = Parser(prog=PROG, description=__doc__)
    words = ", ".join(word for word, _ in WORDS)
    made.add_argument(
        "pattern", metavar="PATTERN", help=f"comma-separated clauses {FORM}; the last word is one of {words}"
    )
    made.add_argument("--states", type=int, default=2, metavar="N", help="number of states, 1 to 12 (default: 2)")
    made.add_argument("--features", type=int, metavar="N", help="number of features (default: 1, then more)")
    made.add_argument("--mdp", action="store_true", help="a decision process with two policies and stationary weights")
    made.add_argument("--actions", type=int, default=2, metavar="N", help="of --mdp (default: 2)")
    made.add_argument("--seed", type=int, default=0, help="of what is tried at random (default: 0)")
    made.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="give up after (default: 60)")
    made.add_argument("--tries", type=int, metavar="N", help="give up after so many problems")
    made.add_argument("-o", "--output", metavar="FILE", help="write the problem file here (default: print it)")
    made.epilog = "Exit status: 0 found, 1 not found, 2 bad input."
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if options.mdp and options.actions < 1:
        raise BadOption(f"--actions: {options.actions} is below 1")
    if options.output is not None:
        _check_writable(options.output)
    shape = Shape(states=options.states, features=options.features, actions=options.actions if options.mdp else 0)
    with progress_bar("problems tried", options.tries) as progress:
        found = search(
            options.pattern, shape, seed=options.seed, seconds=options.limit, tries=options.tries, progress=progress
        )
    if found.problem is None:
        hint = "" if options.mdp else "; their importance ratios are all 1, those of --mdp are not"
        print(f"{PROG}: not found among {found.tries} problems{hint}", file=sys.stderr)
        return NOT_FOUND
    if options.output is None:
        print(found.text(), end="")
        return 0
    found.write(options.output)
    print(f"found after {found.tries} problems, written to {printable(options.output)}")
    print(*(f"  {line}" for line in found.lines()), sep="\n")
    return 0


def _check_writable(path: str) -> None:
    """Refuse a path that cannot be written before anything is looked for.

    Raises:
        BadOption: it is a folder, or its folder is not there or not writable.
    """
    folder = Path(path).parent
    if "\0" in path or Path(path).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise BadOption(f"--output: {path}: cannot be written there")


if __name__ == "__main__":
    sys.exit(run(main, PROG))

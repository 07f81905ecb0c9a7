"""`tdrc derive`: an algorithm's update, expected update and G, for every dimension."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tdrc_theory.algorithms import ALGORITHMS, find_algorithm
from tdrc_theory.columns import columns
from tdrc_theory.command import Parser, printable, run
from tdrc_theory.derive.listed import Listed, listed
from tdrc_theory.options import add_algorithm

PROG = "python -m tdrc_theory.derive"


def parser() -> Parser:
    """Return the command's options."""
    made = Parser(prog=PROG, description=__doc__)
    add_algorithm(made)
    made.add_argument("--latex", action="store_true", help="print LaTeX")
    made.add_argument("--list", action="store_true", help="list the learners that are built in instead")
    made.epilog = "Exit status: 0 it ran; 2 bad input; 130 interrupted."
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if options.list:
        print(columns(("learner", *Listed._fields[1:]), [listed(algorithm) for algorithm in ALGORITHMS]))
        return 0
    # SymPy, which --help does not need.
    from tdrc_theory.derive.symbolic import derive

    update = derive(find_algorithm(options.algorithm))
    if options.latex:
        print(*update.update_latex().values(), f"G = {update.G_latex()}", f"g = {update.g_latex()}", sep="\n")
    else:
        print(*(printable(line) for line in str(update).splitlines()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""`python -m tdrc_theory.derive`: an algorithm's update, expected update and G, for every dimension."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tdrc_theory.algorithms import ALGORITHMS, find_algorithm
from tdrc_theory.command import Parser, run

PROG = "python -m tdrc_theory.derive"


def parser() -> Parser:
    """Return the command's options."""
    made = Parser(prog=PROG, description=__doc__)
    made.add_argument(
        "--algorithm",
        default="tdrc",
        metavar="NAME",
        help=f"{', '.join(a.name for a in ALGORITHMS)}; or FILE.py:FUNCTION, which is run (default: tdrc)",
    )
    made.add_argument("--latex", action="store_true", help="print LaTeX")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    algorithm = find_algorithm(options.algorithm)
    from tdrc_theory.derive.symbolic import derive

    update = derive(algorithm)
    if options.latex:
        print(*update.update_latex().values(), f"G = {update.G_latex()}", f"g = {update.g_latex()}", sep="\n")
    else:
        print(update)
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

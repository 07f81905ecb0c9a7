"""`tdrc derive`: an algorithm's update, expected update and G, for every dimension."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tdrc_theory.algorithms import ALGORITHMS, find_algorithm
from tdrc_theory.cli.command import Parser, printable, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options
from tdrc_theory.derive.listed import Listed, listed
from tdrc_theory.errors import BadOption
from tdrc_theory.formula.expression import equal, symbol
from tdrc_theory.formula.latex_style import latex
from tdrc_theory.tables.table import Table, write_tables

PROG = "python -m tdrc_theory.derive"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran; 2 bad input; 130 interrupted")
    add_options(options, "--algorithm")
    options.add_argument("--latex", action="store_true", help="print LaTeX")
    options.add_argument("--list", action="store_true", help="list the learners that are built in instead")
    add_options(options, "--table")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if options.table is not None and not options.list:
        raise BadOption("--table: --list alone prints a table")
    check_writable(options.table)
    if options.list:
        table = Table("learners", ("learner", *Listed._fields[1:]), [listed(algorithm) for algorithm in ALGORITHMS])
        print(table.text())
        write_tables(options.table, lambda: [table])
        return 0
    # SymPy, which --help does not need.
    from tdrc_theory.derive.symbolic import derive

    update = derive(find_algorithm(options.algorithm))
    if options.latex:
        blocks = {"G": update.G_tree(), "g": update.g_tree()}
        shown = [*update.equations().values(), *(equal(symbol(name), tree) for name, tree in blocks.items())]
        print(*map(latex, shown), sep="\n")
    else:
        print(*(printable(line) for line in str(update).splitlines()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""`tdrc convert PROBLEM OUT.toml`: a model file, an environment or any problem as a problem file."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tdrc_theory.cli.command import Parser, printable, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options, chosen_problem, read_files
from tdrc_theory.errors import BadOption

PROG = "python -m tdrc_theory.convert"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it was written; 2 bad input; 130 interrupted")
    add_options(options, "PROBLEM")
    options.add_argument("output", metavar="OUT.toml", help="the problem file to write; one that is there is replaced")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if not options.output.lower().endswith(".toml"):
        raise BadOption(f"{options.output}: its name does not end in .toml")
    check_writable(options.output, besides=read_files(options))
    from tdrc_theory.problems.problem_file import write_problem

    problem = chosen_problem(options)
    write_problem(problem, options.output)
    print(printable(f"{problem}: written to {options.output}"))
    for line in (*problem.notes, *problem.warnings):
        print(f"  {printable(line)}")
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""`tdrc borkar-meyn PROBLEM`: does the paper's proof of convergence apply, and with what constants?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from tdrc_theory.cli.command import Parser, exact_number, printable, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import (
    add_algorithm,
    add_json,
    add_parameters,
    add_problem,
    add_set,
    add_table,
    chosen_parameters,
    chosen_problem,
    read_files,
)
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.parameters import setting_text
from tdrc_theory.problem.remarks import remarks
from tdrc_theory.tables.table import write_tables
from verify.borkar_meyn import StepSizes, borkar_meyn

PROG = "python -m verify.borkar_meyn"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(prog=PROG, description=__doc__)
    add_problem(options)
    add_algorithm(options)
    add_parameters(options)
    add_set(options)
    help_text = "alpha_t = scale / (t + 1)^exponent, the scale in (0, 1]"
    options.add_argument("--scale", type=exact_number, default="1", help=f"{help_text} (default: 1)")
    options.add_argument(
        "--exponent", type=exact_number, default="1", help="at least 0; 0 is a constant step (default: 1)"
    )
    add_table(options)
    add_json(options)
    options.epilog = (
        "Samples are taken as independent. Exit status: 0 it ran, whatever the answer; 2 bad input; 130 interrupted."
    )
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    problem = chosen_problem(options)
    check_writable(options.table, besides=read_files(options))
    sizes = StepSizes(options.scale, options.exponent)
    with progress_bar("conditions and their constants"):
        report = borkar_meyn(
            problem,
            options.algorithm,
            parameters=chosen_parameters(options),
            step_sizes=sizes,
        )
    try:
        if options.json:
            print(json.dumps(report.to_json(), allow_nan=False, indent=1))
        else:
            setting = setting_text(report.algorithm.name, report.parameters)
            print(printable(f"{setting} on {report.problem}, alpha_t = {sizes}, independent samples"))
            print(report.table.text(), *remarks(problem), sep="\n")
    finally:  # an error here must not lose the answer
        write_tables(options.table, lambda: [report.table])
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

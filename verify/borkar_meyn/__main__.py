"""`tdrc borkar-meyn PROBLEM`: does the paper's proof of convergence apply, and with what constants?"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, exact_number, printable, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options, chosen_parameters, chosen_problem, read_files
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.parameters import setting_text
from tdrc_theory.problem.sampling import remarks
from verify.borkar_meyn import StepSizes, borkar_meyn

PROG = "python -m verify.borkar_meyn"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran, whatever the answer; 2 bad input; 130 interrupted")
    add_options(options, "PROBLEM --algorithm --beta --eta --set")
    help_text = "alpha_t = scale / (t + 1)^exponent, the scale in (0, 1]"
    options.add_argument("--scale", type=exact_number, default="1", help=f"{help_text} (default: 1)")
    options.add_argument(
        "--exponent", type=exact_number, default="1", help="at least 0; 0 is a constant step (default: 1)"
    )
    add_options(options, "--table --json")
    options.epilog = f"Samples are taken as independent. {options.epilog}"
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    problem = chosen_problem(options)
    check_writable(options.table, besides=read_files(options))
    sizes = StepSizes(options.scale, options.exponent)
    with progress_bar("conditions and their constants"):
        report = borkar_meyn(problem, options.algorithm, parameters=chosen_parameters(options), step_sizes=sizes)
    head = f"{setting_text(report.algorithm.name, report.parameters)} on {report.problem}, alpha_t = {sizes}"
    answer(
        options,
        report,
        lambda each: "\n".join([printable(f"{head}, independent samples"), each.table.text(), *remarks(problem), ""]),
        tables=lambda each: [each.table],
    )
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

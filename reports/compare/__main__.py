"""`tdrc compare PROBLEM`: a learning curve as predicted and as it was run, and how far they differ.

PROBLEM may also be PAPER:EXPERIMENT, an experiment of a paper, whose file says everything.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options, chosen_parameters, chosen_problem, read_files
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption

PROG = "python -m reports.compare"
PASSED_ON = ("alpha", "beta", "eta", "copy", "period", "sampling", "steps", "runs", "every", "seed", "workers")


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran, whatever the test says; 2 bad input; 130 interrupted")
    add_options(options, "PROBLEM --algorithm --beta --eta --set --alpha --steps --initial-weights --copy --period")
    add_options(options, "--sampling --runs --every --seed --workers --plot", plot="draw both curves")
    add_options(options, "--table --json --limit-seconds")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if ":" in options.problem and _experiment(options):
        return 0
    problem = chosen_problem(options)
    algorithm = find_algorithm(options.algorithm)
    check_writable(options.plot, options.table, besides=read_files(options))
    # NumPy, which --help does not need.
    from reports.compare.comparison import compare
    from reports.compare.output import picture, plain_text, tables, to_json

    with progress_bar("prediction, then runs", options.runs) as progress:
        passed = {name: getattr(options, name) for name in PASSED_ON}
        comparison = compare(problem, algorithm, parameters=chosen_parameters(options), progress=progress, **passed)
    answer(options, comparison, plain_text, to_json, indent=None, tables=tables, picture=picture)
    return 0


def _experiment(options: Namespace) -> bool:
    """Print a paper's experiment, run and predicted, where PROBLEM names one."""
    from reports.compare.experiment import compared, named_experiment, plain_text, table, to_json

    experiment = named_experiment(options.problem)
    if experiment is None:
        return False
    usual = vars(parser().parse_args([options.problem]))
    for name, value in vars(options).items():
        if name not in ("workers", "json", "table") and value != usual[name]:
            raise BadOption(f"--{name.replace('_', '-')}: the file of an experiment says everything")
    check_writable(options.table)
    result = compared(experiment, workers=options.workers)
    shown = partial(plain_text, experiment), partial(to_json, experiment)
    answer(options, result, *shown, indent=None, tables=partial(map, table))
    return True


if __name__ == "__main__":
    sys.exit(run(main, PROG))

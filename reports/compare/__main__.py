"""`tdrc compare PROBLEM`: a learning curve as predicted and as it was run, and how far they differ.

PROBLEM may also be PAPER:EXPERIMENT, an experiment of a paper, whose file says everything.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.command import Parser, run
from tdrc_theory.errors import BadOption
from tdrc_theory.files import check_writable, write_whole
from tdrc_theory.options import (
    add_algorithm,
    add_copy,
    add_initial_weights,
    add_json,
    add_parameters,
    add_plot,
    add_problem,
    add_runs,
    add_sampling,
    add_set,
    add_steps,
    chosen_parameters,
    chosen_problem,
    read_files,
)
from tdrc_theory.progress import progress_bar

PROG = "python -m reports.compare"
PASSED_ON = ("alpha", "beta", "eta", "copy", "period", "sampling", "steps", "runs", "every", "seed", "workers")


def parser() -> Parser:
    """Return the command's options."""
    made = Parser(prog=PROG, description=__doc__)
    add_problem(made)
    add_algorithm(made)
    add_parameters(made)
    add_set(made)
    add_steps(made)
    add_initial_weights(made)
    add_copy(made)
    add_sampling(made)
    add_runs(made, runs=1000)
    add_plot(made, "draw both curves")
    add_json(made)
    made.epilog = "Exit status: 0 it ran, whatever the test says; 2 bad input; 130 interrupted."
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if ":" in options.problem and _experiment(options):
        return 0
    problem = chosen_problem(options)
    algorithm = find_algorithm(options.algorithm)
    check_writable(options.plot, besides=read_files(options))
    # NumPy, which --help does not need.
    from reports.compare.comparison import compare
    from reports.compare.output import plain_text, to_json, to_svg

    with progress_bar("runs", options.runs) as progress:
        given = {name: getattr(options, name) for name in PASSED_ON}
        found = compare(problem, algorithm, parameters=chosen_parameters(options), progress=progress, **given)
    if options.plot is not None:
        write_whole(options.plot, to_svg(found))
    if options.json:
        print(json.dumps(to_json(found), allow_nan=False))
    else:
        print(plain_text(found), end="")
    return 0


def _experiment(options: Namespace) -> bool:
    """Print a paper's experiment, run and predicted, where PROBLEM names one."""
    from reports.compare.experiment import compared, named_experiment, plain_text, to_json

    experiment = named_experiment(options.problem)
    if experiment is None:
        return False
    usual = vars(parser().parse_args([options.problem]))
    for name, value in vars(options).items():
        if name not in ("workers", "json") and value != usual[name]:
            raise BadOption(f"--{name.replace('_', '-')}: the file of an experiment says everything")
    found = compared(experiment, workers=options.workers)
    if options.json:
        print(json.dumps(to_json(experiment, found), allow_nan=False))
    else:
        print(plain_text(experiment, found), end="")
    return True


if __name__ == "__main__":
    sys.exit(run(main, PROG))

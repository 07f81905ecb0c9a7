"""`tdrc run PROBLEM`: a learning curve over many runs, with its confidence band."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from simulate.environment import SAMPLINGS
from simulate.run.learning_curve import learning_curve
from simulate.run.output import picture, plain_text, tables, to_csv, to_json
from simulate.step_sizes import STEP_SIZES
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options, chosen_parameters, chosen_problem, named_number, read_files
from tdrc_theory.cli.progress import progress_bar

PROG = "python -m simulate.run"
PASSED_ON = (
    *("alpha", "copy", "period", "step_size", "sampling"),
    *("batch", "data", "steps", "runs", "every", "seed"),
)


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran, diverged runs included; 2 bad input; 130 interrupted")
    add_options(options, "PROBLEM --algorithm --beta --eta --set --alpha --steps --initial-weights --copy --period")
    rules = ", ".join(rule.name for rule in STEP_SIZES)
    options.add_argument("--step-size", default="constant", metavar="RULE", help=f"{rules} (default: constant)")
    help_text = "of the rule: tau and power of decaying, b1 and b2 of adam and amsgrad; may be repeated"
    options.add_argument(
        "--parameter", type=named_number, action="append", default=[], metavar="NAME=VALUE", help=help_text
    )
    help_text = "batch: mini-batches from data drawn once a run (default: markov; iid for a problem that has no chain)"
    options.add_argument("--sampling", choices=SAMPLINGS, help=help_text)
    options.add_argument("--batch", type=int, metavar="N", help="samples an update (default: 1, and 8 of batch)")
    options.add_argument("--data", type=int, metavar="N", help="samples in a run's data, for batch (default: 100000)")
    add_options(
        options,
        "--runs --every --seed --workers --csv --plot --table --json",
        csv="write every point as a table",
        plot="draw the curve with its band",
    )
    options.set_defaults(runs=200)
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    problem = chosen_problem(options)
    algorithm = find_algorithm(options.algorithm)
    check_writable(options.csv, options.plot, options.table, besides=read_files(options))
    with progress_bar("runs", options.runs) as progress:
        curve = learning_curve(
            problem,
            algorithm,
            parameters=chosen_parameters(options),
            rule_parameters=dict(options.parameter),
            workers=options.workers,
            progress=progress,
            **{name: getattr(options, name) for name in PASSED_ON},
        )
    answer(options, curve, plain_text, to_json, indent=None, tables=tables, csv=to_csv, picture=picture)
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

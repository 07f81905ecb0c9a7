"""`tdrc borkar-meyn PROBLEM`: does the paper's proof of convergence apply, and with what constants?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from tdrc_theory.columns import columns
from tdrc_theory.command import Parser, exact_number, printable, run
from tdrc_theory.options import (
    add_algorithm,
    add_json,
    add_parameters,
    add_problem,
    add_set,
    chosen_parameters,
    chosen_problem,
)
from tdrc_theory.parameters import setting_text
from tdrc_theory.remarks import remarks
from verify.borkar_meyn import StepSizes, borkar_meyn

PROG = "python -m verify.borkar_meyn"


def parser() -> Parser:
    """Return the command's options."""
    made = Parser(prog=PROG, description=__doc__)
    add_problem(made)
    add_algorithm(made)
    add_parameters(made)
    add_set(made)
    told = "alpha_t = scale / (t + 1)^exponent, the scale in (0, 1]"
    made.add_argument("--scale", type=exact_number, default="1", help=f"{told} (default: 1)")
    made.add_argument(
        "--exponent", type=exact_number, default="1", help="at least 0; 0 is a constant step (default: 1)"
    )
    add_json(made)
    made.epilog = (
        "Samples are taken as independent. Exit status: 0 it ran, whatever the answer; 2 bad input; 130 interrupted."
    )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    problem = chosen_problem(options)
    sizes = StepSizes(options.scale, options.exponent)
    report = borkar_meyn(
        problem,
        options.algorithm,
        beta=options.beta,
        eta=options.eta,
        parameters=chosen_parameters(options),
        step_sizes=sizes,
    )
    if options.json:
        print(json.dumps(report.to_json(), allow_nan=False, indent=1))
        return 0
    setting = setting_text(report.algorithm.name, report.parameters)
    print(printable(f"{setting} on {report.problem}, alpha_t = {sizes}, independent samples"))
    rows = [(c.claim, c.status.value, c.proof.value, printable(c.reason)) for c in report.checks]
    print(columns(("condition", "status", "proof", "reason"), rows))
    for line in remarks(problem):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

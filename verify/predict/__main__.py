"""`tdrc predict PROBLEM`: expected learning curve and largest step sizes, before anything is run."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, printable, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options, chosen_parameters, chosen_problem_or_matrices, read_files, step_sizes
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import BadOption
from tdrc_theory.problem.matrix_problem import MatrixProblem
from verify.check import Proof

PROG = "python -m verify.predict"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran; 2 bad input; 130 interrupted")
    add_options(options, "PROBLEM --algorithm --beta --eta --set --alpha --steps --initial-weights --copy --period")
    options.add_argument("--every", type=int, default=1, metavar="N", help="record after every N updates (default: 1)")
    add_options(options, "--sampling")
    help_text = "comma-separated step sizes: predict the study of all of them too"
    options.add_argument("--alphas", type=step_sizes, metavar="LIST", help=help_text)
    help_text = (
        "search limits and floors of a large problem, and above the limits: a minute with 20 features, hours with 50"
    )
    options.add_argument("--limits", action="store_true", help=help_text)
    help_text = "enclosed: the curve in ball arithmetic, a hundred times slower (default: float)"
    options.add_argument("--proof", choices=("float", "enclosed"), default="float", help=help_text)
    add_options(
        options,
        "--prove --coq-file --csv --plot --table --json --limit-seconds",
        prove="that second moments are bounded at alpha, for independent samples",
        csv="write the curve, mean weights and covariances as a table",
        plot="draw the curve, and the study if there is one",
    )
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    problem = chosen_problem_or_matrices(options)
    # NumPy, which --help does not need.
    from verify.predict.first_order import to_first_order
    from verify.predict.limits.limit import (
        LARGEST_BEYOND,
        not_searched,
        operator_size,
        step_size_limits,
        why_not_searched,
    )
    from verify.predict.limits.periodic import period_of
    from verify.predict.prediction import check_steps, predicted, prepared, step_size
    from verify.predict.renewal import mean_in_the_long_run
    from verify.predict.report import Report
    from verify.predict.study import floor, study

    alphas = options.alphas or []
    check_steps(options.steps, options.every)
    prove = options.prove or options.coq_file is not None
    check_writable(options.csv, options.plot, options.table, options.coq_file, besides=read_files(options))
    setting: dict[str, Any] = {"parameters": chosen_parameters(options)}
    if isinstance(problem, MatrixProblem):
        from verify.predict.mean import predict_mean

        _check_mean_alone(options)
        asked = {"alpha": options.alpha, "steps": options.steps, "sampling": options.sampling, "every": options.every}
        return _answer(options, predict_mean(problem, options.algorithm, **asked, **setting))
    setting |= {"copy": options.copy, "period": options.period}
    with progress_bar("recursion of the moments"):
        reduced = prepared(problem, options.algorithm, sampling=options.sampling, steps=options.steps, **setting)
    if prove:  # what Coq will not be asked about is refused at once, before anything is computed
        from tdrc_theory.proofs.coq import coq_version
        from verify.kernel.second_moments import proven_moments, require_independent

        require_independent(reduced)
        coq_version()
    alpha, why = step_size(reduced, options.alpha, options.steps)
    asked_more = alphas or options.proof == "enclosed" or options.copy
    horizon = reduced.recursion.horizon
    if horizon is not None and options.steps > horizon and not asked_more:
        with progress_bar("moments to first order"):
            near = replace(to_first_order(reduced, alpha, options.steps, options.every), why_alpha=why)
        return _answer(options, near)
    covariances = options.csv is not None or options.json
    with progress_bar("updates", options.steps) as progress:
        prediction = predicted(
            reduced, alpha, options.steps, options.every, covariances, Proof(options.proof), progress
        )
    searched = bool(options.limits or not why_not_searched(reduced))
    beyond = options.limits or operator_size(reduced) <= LARGEST_BEYOND
    with progress_bar("limits, floors and study"):
        limits = step_size_limits(reduced, beyond=beyond) if searched else not_searched(reduced)
        result = Report(
            prediction,
            limits,
            floor(reduced, alpha) if searched else math.nan,
            study(reduced, alphas, options.steps, floors=searched) if alphas else None,
            period_of(reduced, alpha),
            mean_in_the_long_run(reduced, alpha),
            why,
        )
    if prove:
        result = replace(result, second_moments=proven_moments(reduced, alpha, limits.mean_square, options.coq_file))
    return _answer(options, result)


def _answer(options: argparse.Namespace, result: Any) -> int:
    """Print a `Report`, a `FirstOrder` or a `MeanPrediction`, which has neither --csv nor --plot, and write it."""
    answer(
        options,
        result,
        lambda each: "".join(f"{printable(line)}\n" for line in each.lines()),
        indent=None,
        tables=lambda each: each.tables(),
        csv=lambda each: each.csv(),
        picture=lambda each: each.picture(),
    )
    return 0


def _check_mean_alone(options: argparse.Namespace) -> None:
    """Refuse what takes more than mean weights."""
    for name in ("csv", "plot", "alphas", "copy", "limits", "prove", "coq_file"):
        if getattr(options, name):
            raise BadOption(
                f"--{name.replace('_', '-')}: A, b and C alone are given, of which mean weights are predicted, no more"
            )
    if options.proof == "enclosed":
        raise BadOption("--proof: A, b and C alone are given, of which mean weights are predicted in floats")


if __name__ == "__main__":
    sys.exit(run(main, PROG))

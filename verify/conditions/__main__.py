"""`tdrc conditions PROBLEM`: does the expected update converge, and what does Theorem 3.1 say of it?"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence

import verify.blas_threads  # noqa: F401 - before NumPy
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, run
from tdrc_theory.cli.files import check_writable, write_whole
from tdrc_theory.cli.options import add_options, chosen_parameters, chosen_problem_or_matrices, read_files
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.cli.supervised import at_limit
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from verify.check import Outcome
from verify.conditions.report import check_conditions
from verify.conditions.terminal import tables, text_for, undecided_at_limit

PROG = "python -m verify.conditions"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(
        PROG, __doc__, "0 it ran, whatever the answer; 1 --require was not met; 2 bad input; 130 interrupted"
    )
    add_options(
        options,
        "PROBLEM --algorithm --beta --eta --set --table --json --limit-seconds",
        limit_seconds="an undecided verdict",
    )
    help_text = "list every hypothesis and condition with its status, its formula, and what the symbols stand for"
    options.add_argument("--explain", action="store_true", help=help_text)
    options.add_argument(
        "--certificate",
        metavar="FILE",
        help="also write what proves the verdict, for tdrc check-certificate (rational, G up to 128 x 128)",
    )
    add_options(options, "--prove --coq-file", prove="the verdict from the table of steps and the update rule")
    verdicts = [outcome.value for outcome in Outcome]
    help_text = f"exit with status 1 unless the verdict is this: {', '.join(verdicts)}"
    options.add_argument("--require", choices=verdicts, metavar="VERDICT", help=help_text)
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    problem = chosen_problem_or_matrices(options)
    algorithm = find_algorithm(options.algorithm)
    prove = options.prove or options.coq_file is not None
    _check_possible(options, problem, algorithm, prove)
    if options.limit_seconds is not None:
        met = options.require in (None, Outcome.UNDECIDED.value)
        at_limit(undecided_at_limit(problem, algorithm, options), int(not met))
    with progress_bar("verdict and conditions"):
        report = check_conditions(problem, algorithm, parameters=chosen_parameters(options))
        if options.certificate is not None:
            from verify.certificate import certificate

            write_whole(options.certificate, json.dumps(certificate(report), indent=1) + "\n")
    if prove:
        from verify.kernel import proven

        report = proven(report, options.coq_file)
    answer(
        options,
        report,
        lambda each: text_for(sys.stdout, each, options.explain),
        tables=lambda each: tables(each, options.explain),
    )
    return int(options.require is not None and report.verdict.status.value != options.require)


def _check_possible(options: Namespace, problem: Problem | MatrixProblem, algorithm: Algorithm, prove: bool) -> None:
    """Refuse at once what will not be written or proven, before anything is computed."""
    if options.certificate is not None or prove:
        from verify.certificate import require_certifiable

        require_certifiable(problem, algorithm, "--certificate" if options.certificate is not None else "--prove")
    if prove:
        from tdrc_theory.proofs.coq import coq_version

        coq_version()
    check_writable(options.certificate, options.coq_file, options.table, besides=read_files(options))


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""`tdrc sweep EXPERIMENT`: a parameter study, stored piece by piece, resumed where it was stopped."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from simulate.store import Store
from simulate.sweep.experiment import CURVE
from simulate.sweep.experiment_file import built_in, find_experiment
from simulate.sweep.output import check_format, configurations, curves, picture, plain_text, table, to_json, write_rows
from simulate.sweep.study import sweep
from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, run, tell
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options

PROG = "python -m simulate.sweep"
STORE = "sweep.sqlite"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran; 2 bad input; 130 interrupted (the same command goes on from there)")
    names = ", ".join(built_in())
    options.add_argument("experiment", metavar="EXPERIMENT", help=f"an experiment file (TOML), or one of {names}")
    options.add_argument(
        "--full", action="store_true", help="with what the file's [full] puts in the place of its other keys"
    )
    options.add_argument(
        "--store", default=STORE, metavar="FILE", help=f"keeps every finished piece (default: {STORE})"
    )
    add_options(options, "--workers --cluster")
    options.add_argument("--export", metavar="FILE", help="write all configurations to FILE.csv or FILE.parquet")
    help_text = f"write all learning curves, of at most {CURVE} points each, to FILE.csv or FILE.parquet"
    options.add_argument("--curves", metavar="FILE", help=help_text)
    add_options(options, "--plot --table --json", plot="draw the experiment's figure")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    experiment = find_experiment(options.experiment, options.full)
    for path in filter(None, (options.export, options.curves)):
        check_format(path)
    check_writable(
        options.export, options.curves, options.plot, options.table, besides=(options.experiment, options.store)
    )
    with Store(options.store, tell) as store:
        study = sweep(experiment, store, workers=options.workers, cluster=options.cluster)
        if options.export:
            write_rows(configurations(study), options.export)
        if options.curves:
            write_rows(curves(study, store), options.curves)

    text = partial(plain_text, store=options.store)
    answer(options, study, text, to_json, tables=lambda result: [table(result)], picture=picture)
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

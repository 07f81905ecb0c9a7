"""`tdrc tables`: the paper's three tables of prediction results, each cell beside the published one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from simulate.store import Store
from simulate.tables.cell import AS_RUN, CORRECTED, VARIANTS, Cell, cells, chosen_cells, plain_text, tables
from simulate.work import MOST_RUNS
from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, run, tell
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options
from tdrc_theory.errors import BadOption, UnknownName
from tdrc_theory.papers.published import PROBLEMS, ROWS, STEP_SIZES

PROG = "python -m simulate.tables"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran; 1 --require was not met; 2 bad input; 130 interrupted")
    names = [variant.name for variant in VARIANTS]
    options.add_argument("--variant", choices=names, default=AS_RUN.name, help=f"how (default: {AS_RUN.name})")
    options.add_argument("--step-size", choices=STEP_SIZES, help="one table only")
    options.add_argument(
        "--algorithm", metavar="NAME", help="one row only: gtd2, tdc, htd, td, vtrace, tdrc; with --more tdc++ too"
    )
    options.add_argument("--problem", choices=PROBLEMS, help="one column only")
    options.add_argument("--more", action="store_true", help="with rows that the paper has not: TDC++, TDRC otherwise")
    options.add_argument("--uncapped", action="store_true", help="extend alpha's grid until the best is inside it")
    options.add_argument("--runs", type=int, default=200, metavar="N", help="of each cell, at least 2 (default: 200)")
    options.add_argument("--seed", type=int, help="of fresh experience, at least 0 (default: 0)")
    add_options(options, "--store --workers --cluster")
    options.add_argument("--require", action="store_true", help="exit with status 1 unless every cell is as printed")
    add_options(options, "--table --json")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    if not 2 <= options.runs <= MOST_RUNS:
        raise BadOption(f"--runs: {options.runs} is not from 2, the least with a standard error, to {MOST_RUNS}")
    if options.seed is not None and options.variant != CORRECTED.name:
        raise BadOption(
            f"--seed: {options.variant} replays the paper's own random streams; only {CORRECTED.name} has a seed"
        )
    seed = options.seed or 0
    (variant,) = (one for one in VARIANTS if one.name == options.variant)
    variant = variant.without_cap() if options.uncapped else variant
    cases = variant.cases(options.runs, seed)
    chosen = chosen_cells(cases, options.step_size, options.algorithm, options.problem, more=options.more)
    if not chosen:
        rows = [place.row for place in chosen_cells(cases, more=True)]
        if options.algorithm not in rows:
            raise UnknownName("row", options.algorithm, ROWS, "one that --more shows")
        raise BadOption(
            f"--algorithm: {options.algorithm} has no such cell" + ("" if options.more else " without --more")
        )
    check_writable(options.table, besides=[options.store])
    with Store(options.store, tell) as store:
        reproduced = list(cells(chosen, variant, store, workers=options.workers, cluster=options.cluster).values())

    def document(reproduced: Sequence[Cell]) -> dict[str, object]:
        own_seed = seed if variant.name == CORRECTED.name else None
        about = {"variant": variant.name, "runs": options.runs, "seed": own_seed}
        return {**about, "cells": [cell.to_json() for cell in reproduced]}

    text = partial(plain_text, variant, runs=options.runs)
    answer(options, reproduced, text, document, tables=partial(tables, variant))
    return 1 if options.require and any(cell.matches is False for cell in reproduced) else 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

"""`tdrc data FILE`: does a learner diverge on logged transitions, why, and what is there to change?"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, exact_number, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options, chosen_parameters
from tdrc_theory.cli.progress import one_bar_at_a_time

PROG = "python -m verify.data"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran, whatever the answer; 2 bad input; 130 interrupted")
    about = (
        "transitions, .npz, .csv or .parquet: x and x_next (x_0, x_1, ... in a table), reward, rho or behaviour and "
        "target (probabilities of the action that was taken); perhaps terminated, truncated, episode, interest, x_bar, "
        "rho_next"
    )
    options.add_argument("file", metavar="FILE", help=about)
    options.add_argument("--gamma", type=exact_number, default="99/100", help="discount (default: 99/100)")
    add_options(options, "--algorithm --beta --eta --set")
    options.add_argument(
        "--resamples", type=int, default=999, metavar="N", help="draws of the bootstrap (default: 999)"
    )
    add_options(options, "--seed --table --json")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    # NumPy, which --help does not need.
    from verify.data import check_data, open_file
    from verify.data.terminal import headline, plain_text, tables

    check_writable(options.table, besides=[options.file])
    with one_bar_at_a_time() as progress:
        report = check_data(
            open_file(options.file),
            options.algorithm,
            gamma=options.gamma,
            parameters=chosen_parameters(options),
            resamples=options.resamples,
            seed=options.seed,
            progress=progress,
        )
    answer(options, report, plain_text, lambda each: {"answer": headline(each), **each.to_json()}, tables=tables)
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

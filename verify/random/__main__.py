"""`tdrc random`: how often hypotheses hold, bounds say something and verdicts agree, on random problems."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction

from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, run
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options
from tdrc_theory.cli.progress import progress_bar
from verify.random.generators import KINDS, Size
from verify.random.survey import Plan, plain_text, survey, tables

PROG = "python -m verify.random"


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran; 2 bad input; 130 interrupted (what --store has on file is kept)")
    kinds = "; ".join(f"{kind.name}: {kind.summary}" for kind in KINDS)
    options.add_argument("--kind", default="garnet", metavar="KIND", help=f"{kinds} (default: garnet)")
    options.add_argument("--problems", type=int, default=1000, metavar="N", help="how many (default: 1000)")
    for name, default in (("states", 5), ("features", 3), ("actions", 2)):
        options.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"of each (default: {default})")
    options.add_argument("--branching", type=int, default=2, metavar="N", help="next states of an action (default: 2)")
    options.add_argument(
        "--only-verdicts",
        action="store_true",
        help="count the verdicts alone, many times as fast: no checks, no bounds",
    )
    add_options(options, "--seed --beta --eta")
    options.set_defaults(beta=Fraction(1), eta=Fraction(1))
    add_options(options, "--workers --cluster --store --table --json", workers="processes")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    sizes = {name: getattr(options, name) for name in ("states", "features", "actions", "branching")}
    plan = Plan(
        kind=options.kind,
        problems=options.problems,
        size=Size(**sizes),
        seed=options.seed,
        beta=options.beta,
        eta=options.eta,
        only_verdicts=options.only_verdicts,
    )
    check_writable(options.table, besides=[options.store])
    with progress_bar(f"{plan.kind} problems", plan.problems) as progress:
        result = survey(plan, workers=options.workers, cluster=options.cluster, store=options.store, progress=progress)
    answer(options, result, plain_text, tables=tables)
    return 0


if __name__ == "__main__":
    sys.exit(run(main, PROG))

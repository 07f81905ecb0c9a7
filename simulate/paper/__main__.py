"""`tdrc experiments [PAPER]`: what a paper concludes from experiments, judged on runs made here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from simulate.paper.conclusions import (
    Asked,
    Conclusion,
    claims_on_runs,
    conclusions,
    drawn,
    experiments,
    plain_text,
    table,
)
from simulate.paper.seen import linear_picture, numbers_from
from simulate.store import Store
from tdrc_theory.cli.answer import answer
from tdrc_theory.cli.command import Parser, run, tell
from tdrc_theory.cli.files import check_writable
from tdrc_theory.cli.options import add_options
from tdrc_theory.errors import BadOption, UnknownName
from tdrc_theory.figures.panel import Picture
from tdrc_theory.papers import PAPERS, Paper, find_paper
from tdrc_theory.papers.claim import Claim

PROG = "python -m simulate.paper"
FEWEST = 2
"""Runs of which there is a standard error."""


def parser() -> Parser:
    """Return the command's options."""
    options = Parser(PROG, __doc__, "0 it ran, whatever the answers; 2 bad input; 130 interrupted")
    help_text = f"{', '.join(PAPERS)}, or a folder (default: {PAPERS[0]})"
    options.add_argument("paper", nargs="?", default=PAPERS[0], metavar="PAPER", help=help_text)
    which = options.add_mutually_exclusive_group()
    help_text = "judge what is said of this one only; may be repeated"
    which.add_argument("--experiment", action="append", dest="experiments", metavar="NAME", help=help_text)
    which.add_argument("--claim", metavar="ID", help="judge this claim alone")
    options.add_argument("--full", action="store_true", help="with what the [full] of an experiment's file has")
    options.add_argument(
        "--runs", type=int, metavar="N", help=f"of everything, at least {FEWEST} (default: the file's)"
    )
    options.add_argument("--minatar-steps", type=int, metavar="N", help="of each run of a game (default: none is run)")
    add_options(
        options,
        "--seed --store --workers --cluster --plot --table --json",
        plot="draw linear control, of which the best step sizes are run again",
    )
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, call, print."""
    options = parser().parse_args(arguments)
    for name, least in (("runs", FEWEST), ("minatar_steps", 1), ("seed", 0)):
        number = getattr(options, name)
        if number is not None and number < least:
            raise BadOption(f"--{name.replace('_', '-')}: {number} is less than {least}")
    paper = find_paper(options.paper)
    claims = _chosen(paper, options.experiments, options.claim)
    asked = Asked(**{name: getattr(options, name) for name in Asked._fields})
    linear = drawn(paper, claims, asked) if options.plot is not None else {}
    if options.plot is not None and not linear:
        raise BadOption("--plot: draws linear control, which was not chosen")
    check_writable(options.plot, options.table, besides=(options.store,))

    def document(findings: Sequence[Conclusion]) -> dict[str, object]:
        asked = {name: getattr(options, name) for name in ("seed", "full", "runs", "minatar_steps")}
        about = {"title": paper.title, "link": paper.link}
        return {"paper": about, **asked, "claims": [one.to_json() for one in findings]}

    with Store(options.store, tell) as store:

        def drawing(_: Sequence[Conclusion]) -> Picture:
            numbers = numbers_from(store, seed=asked.seed, workers=asked.workers, cluster=asked.cluster)
            return linear_picture(linear, numbers, workers=asked.workers)

        judged, text = conclusions(paper, store, asked, chosen=claims), partial(plain_text, paper)
        answer(options, judged, text, document, tables=lambda findings: [table(findings)], picture=drawing)
    return 0


def _chosen(paper: Paper, names: Sequence[str] | None, claim: str | None) -> list[Claim]:
    claims = list(claims_on_runs(paper))
    if not claims:
        raise BadOption(f"{paper.name}: has no claim that is judged on runs: of kind experiment, with a sweep")
    for name in names or ():
        if name not in experiments(paper):
            raise UnknownName("experiment", name, experiments(paper))
    if claim is not None and claim not in [each.id for each in claims]:
        raise UnknownName("claim on runs", claim, [each.id for each in claims])
    return [each for each in claims if (not names or each.sweep in names) and claim in (None, each.id)]


if __name__ == "__main__":
    sys.exit(run(main, PROG))
